import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openTypeCache } from "../../src/build/type-cache.ts";
import { checkTypes } from "../../src/build/type-check.ts";
import type { ProjectFolder } from "../support/project.ts";

export const modules: string = fileURLToPath(new URL("../../node_modules", import.meta.url));

export type Release = keyof typeof VERSIONS;
const VERSIONS = { typescript: "7.0.2", "typescript-5.9": "5.9.3" };

/** A compiler that notes when it is started: `i` with information of an earlier check, else `x`. */
export const createCompiler = (release: Release, version: string = VERSIONS[release]) => ({
  "node_modules/typescript/package.json": JSON.stringify({ version, bin: { tsc: "bin/tsc.cjs" } }),
  "node_modules/typescript/bin/tsc.cjs": `const fs = require("node:fs");
const config = JSON.parse(fs.readFileSync(process.argv[process.argv.indexOf("--project") + 1], "utf8"));
const info = config.compilerOptions.tsBuildInfoFile;
fs.appendFileSync(__dirname + "/../starts", info && fs.existsSync(info) ? "i" : "x");
${writeStart(release)}`,
});

function writeStart(release: Release): string {
  const folder = join(modules, release);
  return release === "typescript"
    ? `process.exitCode = require("node:child_process").spawnSync(process.execPath, [${JSON.stringify(join(folder, "bin/tsc"))}, ...process.argv.slice(2)], { stdio: "inherit" }).status;`
    : `require(${JSON.stringify(join(folder, "lib/tsc.js"))});`;
}

/** The types of browsers would be two fifths of the time of each check. */
export const LIB = ["es2022"];

export function readStarts(project: ProjectFolder): string {
  try {
    return project.read("node_modules/typescript/starts");
  } catch {
    return "";
  }
}

export const countStarts = (project: ProjectFolder): number => readStarts(project).length;

/** Files with the time of a check may have changed during it. */
export const settle = () => new Promise((resolve) => setTimeout(resolve, 50));

export async function check(project: ProjectFolder, folder: string, files = ["pack.ts"]) {
  await settle();
  const before = countStarts(project);
  const cache = openTypeCache({ cwd: project.path, folder });
  const { issues } = await checkTypes(files, { cwd: project.path, cache });
  const starts = countStarts(project) - before;
  return { issues, starts };
}
