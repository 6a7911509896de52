import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { readStats } from "../shared/files.ts";
import { readJsonWithComments } from "../shared/json.ts";
import { parseYaml } from "../shared/parse-yaml.ts";
import { type Members, toMembers } from "../shared/values.ts";

/** The options of mocha whose value is not a suite. */
const VALUE_OPTION =
  /^(?:-r|--require|--import|--loader|--file|--config|-p|--project|-t|--timeout|-s|--slow|-R|--reporter|-g|--grep|-f|--fgrep|-u|--ui|--retries|-j|--jobs|--exclude|--ignore)$/;

/** The files that mocha runs: those that a script or its configuration names, or its default. */
export function listMochaFiles(root: string): string[] {
  const manifest = readJsonWithComments(join(root, "package.json")) ?? {};
  const scripts = toMembers(manifest["scripts"]);
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

function listSpecs(root: string, words: string[], config: Members): string[] {
  return words
    .filter((word, index) => !word.startsWith("-") && !VALUE_OPTION.test(words[index - 1] ?? ""))
    .map((word) => word.replace(/^["']|["']$/g, ""))
    .flatMap((word) => expand(root, word, config, words));
}

/** A folder means the files in it with an extension that mocha knows. */
function expand(root: string, spec: string, config: Members, words: readonly string[]): string[] {
  const path = spec.replace(/^\.\//, "").replace(/\/$/, "");
  if (/^[\w*@.{][^:]*\.[{}*\w,?()|]+$/.test(path)) return [path];
  if (readStats(join(root, path))?.isDirectory() !== true) return [];
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

/** `.mocharc.js`, `.yml` or `.json`, otherwise `mocha` in package.json. */
function readConfiguration(root: string, manifest: Members): Members {
  for (const name of [".mocharc.js", ".mocharc.cjs"]) {
    if (!existsSync(join(root, name))) continue;
    const loaded: unknown = createRequire(join(root, "package.json"))(join(root, name));
    return toMembers(loaded);
  }
  for (const name of [".mocharc.yaml", ".mocharc.yml"])
    if (existsSync(join(root, name))) return readYaml(join(root, name));
  for (const name of [".mocharc.jsonc", ".mocharc.json"])
    if (existsSync(join(root, name))) return readJsonWithComments(join(root, name)) ?? {};
  return toMembers(manifest["mocha"]);
}

function readYaml(file: string): Members {
  const result = parseYaml(readFileSync(file, "utf8"));
  return toMembers(result.ok ? result.value : undefined);
}
