import { existsSync } from "node:fs";
import { readdir, rename, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { typingPaths } from "../bundle/import-names.ts";
import { importsLegacyPackage } from "../bundle/own-modules.ts";
import { hasLegacyTypes, readInstalledName } from "../bundle/type-resolution.ts";
import { readRegularText } from "../shared/files.ts";
import { foldersUpFrom } from "../shared/folders.ts";
import { blankComments } from "../shared/json.ts";
import { findTypeScript } from "../shared/typescript.ts";

/** Whether a folder has a project for `@codahq/packs-sdk`. */
export async function isLegacyProject(directory: string): Promise<boolean> {
  const manifest = await readRegularText(join(directory, "package.json")).catch(() => "");
  if (/"@codahq\/packs-sdk"\s*:/.test(manifest)) return true;
  if (existsSync(join(directory, ".coda-pack.json"))) return true;
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const inner = entries.filter(
    (each) => each.isDirectory() && !/^(?:\.|node_modules)/.test(each.name),
  );
  for (const folder of [directory, ...inner.map(({ name }) => join(directory, name))]) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((file) => /\.[cm]?[jt]sx?$/.test(file))) {
      if (importsLegacyPackage(await readRegularText(join(folder, name)).catch(() => "")))
        return true;
    }
  }
  return false;
}

/**
 * Lets the type checker of a project resolve `@codahq/packs-sdk` to packsmith. Keeps everything
 * else, including comments.
 *
 * @returns the files that were written, relative to the project; empty if there was nothing to do
 */
export async function adoptProject(directory: string): Promise<string[]> {
  if (hasLegacyTypes(directory)) return [];
  const file = join(directory, "tsconfig.json");
  const text = await readRegularText(file).catch(() => undefined);
  // Write a temporary file and rename it, so that an interruption keeps the author's file.
  const temporary = `${file}.${process.pid}.tmp`;
  await writeFile(
    temporary,
    text === undefined
      ? await newConfiguration(directory)
      : withPaths(text, legacyPaths(directory)),
  );
  await rename(temporary, file);
  return ["tsconfig.json"];
}

/**
 * What a project for `@codahq/packs-sdk` still needs: its package.json and its tests belong to the
 * author.
 */
export async function stepsLeft(directory: string): Promise<string[]> {
  const manifest = await readRegularText(join(directory, "package.json")).catch(() => "{}");
  const steps: string[] = [];
  const isAlias = readInstalledName(directory, "@codahq/packs-sdk") === "packsmith";
  const name = isAlias ? "@codahq/packs-sdk" : "packsmith";
  if (!isAlias && !/"packsmith"\s*:/.test(manifest)) steps.push("npm install --save-dev packsmith");
  if (
    /"(?:npx )?coda (?:validate|build|execute|auth|upload)\b|"[^"]*\bcoda (?:validate|build|execute|auth)\b/.test(
      manifest,
    )
  )
    steps.push(
      "scripts of package.json: replace the coda commands with packsmith validate, build, execute and auth connect",
    );
  if (!isAlias && /"mocha"\s*:/.test(manifest))
    steps.push(
      "tests: run mocha with --import=packsmith/register, or use the preset packsmith/vitest",
    );
  else if (/"jest"\s*:/.test(manifest))
    steps.push(
      `tests: run jest with NODE_OPTIONS=--import=${name}/register, or use the preset ${name}/vitest`,
    );
  else if (/"vitest"\s*:/.test(manifest))
    steps.push(`tests: add plugins: [packsmith()] from ${name}/vitest to vitest.config.ts`);
  if (existsSync(join(directory, ".coda-credentials.json")))
    steps.push("accounts: run packsmith auth connect, then delete .coda-credentials.json");
  steps.push("run packsmith validate to see what to fix");
  return steps;
}

/**
 * The `paths` of a tsconfig.json that resolve `@codahq/packs-sdk` and its published files to
 * packsmith.
 */
function legacyPaths(directory: string): Record<string, string[]> {
  const home =
    foldersUpFrom(directory).find((folder) =>
      existsSync(join(folder, "node_modules/packsmith/package.json")),
    ) ?? directory;
  const inside = relative(directory, join(home, "node_modules/packsmith/dist"))
    .split(sep)
    .join("/");
  const dist = inside.startsWith("../") ? inside : `./${inside}`;
  return typingPaths("@codahq/packs-sdk", dist);
}

/** As loose as no configuration: a project that had no type errors gets none. */
async function newConfiguration(directory: string): Promise<string> {
  const { version = "" } = findTypeScript(directory) ?? {};
  const compilerOptions = {
    target: "ES2020",
    module: "ESNext",
    moduleResolution: version.startsWith("4.") ? "node" : "bundler",
    strict: false,
    allowSyntheticDefaultImports: true,
    resolveJsonModule: true,
    noEmit: true,
    skipLibCheck: true,
    paths: legacyPaths(directory),
  };
  const manifest = await readRegularText(join(directory, "package.json")).catch(() => "{}");
  // Without a configuration it compiled to CommonJS.
  const tsNode = { compilerOptions: { module: "CommonJS", moduleResolution: "node" } };
  const more = /"ts-node"\s*:/.test(manifest) ? { "ts-node": tsNode } : {};
  return `${JSON.stringify({ compilerOptions, ...more }, undefined, 2)}\n`;
}

/** Inserts into the text, because a configuration may have comments. */
function withPaths(text: string, paths: Record<string, string[]>): string {
  const members = Object.entries(paths).map(
    ([name, targets]) => `${JSON.stringify(name)}: ${JSON.stringify(targets)}`,
  );
  const inPaths = insertInto(text, /"paths"\s*:\s*\{/, members);
  if (inPaths !== undefined) return inPaths;
  const member = `"paths": {\n      ${members.join(",\n      ")}\n    }`;
  const inOptions = insertInto(text, /"compilerOptions"\s*:\s*\{/, [member]);
  if (inOptions !== undefined) return inOptions;
  const options = `"compilerOptions": {\n    ${member}\n  }`;
  return insertInto(text, /\{/, [options]) ?? `{\n  ${options}\n}\n`;
}

function insertInto(text: string, opening: RegExp, members: readonly string[]): string | undefined {
  const blank = blankComments(text);
  const match = opening.exec(blank);
  if (match === null) return undefined;
  const at = match.index + match[0].length;
  const lineStart = blank.lastIndexOf("\n", match.index) + 1;
  const indent = `${/^\s*/.exec(blank.slice(lineStart, match.index))?.[0] ?? ""}  `;
  const isEmpty = /^\s*\}/.test(blank.slice(at));
  const inserted = members.map((member) => `\n${indent}${member}`).join(",");
  return `${text.slice(0, at)}${inserted}${isEmpty ? "\n" : ","}${text.slice(at)}`;
}
