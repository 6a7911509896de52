import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { isRecord } from "../shared/values.ts";

/** The options of mocha whose value is not a suite. */
const VALUE_OPTION =
  /^(?:-r|--require|--import|--loader|--file|--config|-p|--project|-t|--timeout|-s|--slow|-R|--reporter|-g|--grep|-f|--fgrep|-u|--ui|--retries|-j|--jobs|--exclude|--ignore)$/;

/** The files that mocha runs: those that a script or its configuration names, or its default. */
export function listMochaFiles(root: string): string[] {
  const manifest = readJson(join(root, "package.json"));
  const scripts = isRecord(manifest["scripts"]) ? manifest["scripts"] : {};
  // Other scripts may run what needs a network or an account.
  const tests = readCalls(String(scripts["test"]));
  const calls =
    tests.length > 0
      ? tests
      : Object.values(scripts).flatMap((script) => readCalls(String(script)));
  const config = readConfiguration(root, manifest);
  const configured = [config["spec"] ?? []].flat().map(String);
  const files = calls.flatMap((words) => listSpecs(root, words, config));
  const all = [...files, ...configured.flatMap((spec) => expand(root, spec, config, []))];
  if (all.length > 0 || calls.length === 0) return all;
  return expand(root, "test", config, calls.flat());
}

/** The words after each `mocha` of a script. */
function readCalls(script: string): string[][] {
  return script
    .split(/&&|\|\||[;|]/)
    .map((command) => command.trim().split(/\s+/))
    .flatMap((words) => {
      const at = words.findIndex((word) => /(?:^|[/\\])_?(?:ts-)?mocha(?:\.c?js)?$/.test(word));
      return at === -1 ? [] : [words.slice(at + 1)];
    });
}

function listSpecs(root: string, words: string[], config: Record<string, unknown>): string[] {
  return words
    .filter((word, index) => !word.startsWith("-") && !VALUE_OPTION.test(words[index - 1] ?? ""))
    .map((word) => word.replace(/^["']|["']$/g, ""))
    .flatMap((word) => expand(root, word, config, words));
}

/** A folder means the files in it with an extension that mocha knows. */
function expand(
  root: string,
  spec: string,
  config: Record<string, unknown>,
  words: readonly string[],
): string[] {
  const path = spec.replace(/^\.\//, "").replace(/\/$/, "");
  if (/^[\w*@.{][^:]*\.[{}*\w,?()|]+$/.test(path)) return [path];
  if (!isFolder(join(root, path))) return [];
  const isRecursive = config["recursive"] === true || words.includes("--recursive");
  const named = words.flatMap((word, index) => {
    if (/^--extension=/.test(word)) return [word.slice("--extension=".length)];
    return /^(?:--extension|--watch-extensions)$/.test(words[index - 1] ?? "") ? [word] : [];
  });
  const extensions = [...named, ...[config["extension"] ?? []].flat().map(String)].flatMap((each) =>
    each.split(","),
  );
  const known = [
    ...new Set(["js", "cjs", "mjs", ...extensions.map((each) => each.replace(/^\./, ""))]),
  ];
  return [`${path}/${isRecursive ? "**/" : ""}*.{${known.join(",")}}`];
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}

/** `.mocharc.js`, `.yml` or `.json`, otherwise `mocha` in package.json. */
function readConfiguration(
  root: string,
  manifest: Record<string, unknown>,
): Record<string, unknown> {
  for (const name of [".mocharc.js", ".mocharc.cjs"]) {
    if (!existsSync(join(root, name))) continue;
    const loaded: unknown = createRequire(join(root, "package.json"))(join(root, name));
    return isRecord(loaded) ? loaded : {};
  }
  for (const name of [".mocharc.yaml", ".mocharc.yml"])
    if (existsSync(join(root, name))) return readYaml(readFileSync(join(root, name), "utf8"));
  for (const name of [".mocharc.jsonc", ".mocharc.json"])
    if (existsSync(join(root, name))) return readJson(join(root, name));
  return isRecord(manifest["mocha"]) ? manifest["mocha"] : {};
}

function readJson(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {};
  try {
    const text = readFileSync(file, "utf8").replace(/^\s*\/\/.*$/gm, "");
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** The values and lists of a simple YAML file: what configurations of mocha consist of. */
function readYaml(text: string): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  let name = "";
  for (const line of text.split(/\r?\n/)) {
    const item = /^\s*-\s+(.+)$/.exec(line)?.[1];
    if (item !== undefined && name !== "") {
      members[name] = [...[members[name] ?? []].flat(), readScalar(item)];
      continue;
    }
    const [, key = "", value = ""] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    if (key === "") continue;
    name = key;
    const list = /^\[(.*)\]$/.exec(value.trim())?.[1];
    if (list !== undefined) members[key] = list.split(",").map(readScalar);
    else if (value.trim() !== "") members[key] = readScalar(value);
  }
  return members;
}

function readScalar(text: string): string | boolean {
  const value = text
    .replace(/\s+#.*$/, "")
    .trim()
    .replace(/^(["'])(.*)\1$/, "$2");
  return value === "true" ? true : value === "false" ? false : value;
}
