import { copyFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { adoptProject } from "../../src/init/adopt-project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
export const PACKS_FOLDER: string = fileURLToPath(new URL("packs/", import.meta.url));
export const PACK_FILES: readonly string[] = readdirSync(PACKS_FOLDER);

/**
 * A project of existing Packs, as its author has it: their sources, packsmith, and a tsconfig.json
 * that init has seen.
 */
export async function createExistingProject(compilerOptions: {
  strict: boolean;
  [name: string]: unknown;
}) {
  const project = makeTemporaryFolder();
  for (const file of PACK_FILES) copyFileSync(join(PACKS_FOLDER, file), join(project.path, file));
  mkdirSync(join(project.path, "node_modules"));
  symlinkSync(root, join(project.path, "node_modules", "packsmith"), "junction");
  const common = { target: "ES2020", lib: ["ES2020", "DOM"], types: [], noEmit: true };
  // One of them was never checked strictly.
  const exclude = ["node_modules", ...(compilerOptions.strict ? ["loose.ts"] : [])];
  writeFileSync(
    join(project.path, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...common, ...compilerOptions }, exclude }),
  );
  await adoptProject(project.path);
  return project;
}
