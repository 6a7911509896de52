// Prints the affected Packs, divided into shards for a matrix job: shards=["--filter=tasks --filter=people","--filter=notes"]
import { execFileSync } from "node:child_process";

const wanted = Number(process.argv[2] ?? 4);
const list = execFileSync("npx", ["turbo", "ls", "--affected", "--output=json"], {
  encoding: "utf8",
});
const filters = JSON.parse(list).packages.items.map(({ name }) => `--filter=${name}`);
const shards = Array.from({ length: Math.min(wanted, filters.length) }, (_, shard) =>
  filters.filter((_, index) => index % wanted === shard).join(" "),
);
console.log(`shards=${JSON.stringify(shards)}`);
