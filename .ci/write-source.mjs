// Writes a generated file of the source; with --check, reports that it is out of date.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** @param path below the root of the project */
export function writeSource(path, code) {
  const biome = `${root}node_modules/@biomejs/biome/bin/biome`;
  const text = execFileSync(
    process.execPath,
    [biome, "check", "--write", `--stdin-file-path=${path}`],
    {
      cwd: root,
      input: code,
      encoding: "utf8",
    },
  );
  if (!process.argv.includes("--check")) writeFileSync(root + path, text);
  else if (readFileSync(root + path, "utf8") !== text) {
    console.error(`${path} is out of date. Run: npm run docs`);
    process.exitCode = 1;
  }
}
