// Writes the settings of Turborepo from the declared inputs of a build: into the monorepo template, and into docs/pipelines and its page. With
// --check, says whether they are up to date.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { turboSettings } from "../dist/build/declared-inputs.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const biome = fileURLToPath(new URL("../node_modules/@biomejs/biome/bin/biome", import.meta.url));
const text = execFileSync(process.execPath, [biome, "format", "--stdin-file-path=turbo.json"], {
  cwd: root,
  input: JSON.stringify(turboSettings(), undefined, 2),
  encoding: "utf8",
});
const fence = /(\[pipelines\/turbo\.json\]\(pipelines\/turbo\.json\)\n\n```json\n)[\s\S]*?(```\n)/;

const stale = [
  ["templates/monorepo/turbo.json", () => text],
  ["docs/pipelines/turbo.json", () => text],
  ["docs/pipelines.md", (page) => page.replace(fence, (_, start, end) => `${start}${text}${end}`)],
].filter(([path, write]) => {
  const file = new URL(`../${path}`, import.meta.url);
  const before = readFileSync(file, "utf8");
  const after = write(before);
  if (before === after) return false;
  if (!process.argv.includes("--check")) writeFileSync(file, after);
  return process.argv.includes("--check");
});

if (stale.length > 0) {
  console.error(`${stale.map(([path]) => path).join(", ")}: not up to date. Run: npm run docs`);
  process.exitCode = 1;
}
