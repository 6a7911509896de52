// Writes the settings of Turborepo and Nx from the declared inputs of a build: into the monorepo
// template, and into docs/pipelines and its page. With --check, says whether they are up to date.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { nxSettings, turboSettings } from "../dist/build/declared-inputs.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const biome = fileURLToPath(new URL("../node_modules/@biomejs/biome/bin/biome", import.meta.url));
const settings = Object.entries({ "turbo.json": turboSettings(), "nx.json": nxSettings() }).map(
  ([file, value]) => {
    const text = execFileSync(process.execPath, [biome, "format", `--stdin-file-path=${file}`], {
      cwd: root,
      input: JSON.stringify(value, undefined, 2),
      encoding: "utf8",
    });
    const link = `[pipelines/${file}](pipelines/${file})\n\n\`\`\`json\n`;
    return { file, text, link };
  },
);

/** The page with the text of each file in the fence below its link. */
const filled = (page) =>
  settings.reduce((before, { text, link }) => {
    const start = before.indexOf(link) + link.length;
    return before.slice(0, start) + text + before.slice(before.indexOf("```", start));
  }, page);

const stale = [
  ...settings.flatMap(({ file, text }) => [
    [`templates/monorepo/${file}`, () => text],
    [`docs/pipelines/${file}`, () => text],
  ]),
  ["docs/pipelines.md", filled],
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
