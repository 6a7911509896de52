import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import type { DailyVerb } from "../../src/cli/daily-verb.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const module = pathToFileURL(fileURLToPath(new URL("../../dist/cli/joined-commands.js", import.meta.url))).href;

const USUAL_PART = "validate-definition.js";

const SCRIPT = `(require, file, importModule, loaded) => (name) => {
  loaded.set(name, {});
  return { add: (a, b) => a + b, later: () => importModule("node:path"), file, require };
}`;

interface Answer {
  sum: number;
  file: string;
  later: boolean;
}

interface Use {
  /** The part that is asked for. */
  part?: string;
  /** Null for a command that is none of the usual ones. */
  verb?: DailyVerb | null;
  /** Whether the parser is loaded, too. */
  looksIntoSources?: boolean;
  env?: Record<string, string>;
}

function load(script: string, { part = USUAL_PART, verb = "build", looksIntoSources = false, env = {} }: Use = {}): Promise<Answer> {
  const code = `import { loadJoined } from ${JSON.stringify(module)};
const part = loadJoined(${JSON.stringify(script)}, (id) => import(id), ${verb === null ? undefined : JSON.stringify(verb)})(${JSON.stringify(part)});
${looksIntoSources ? 'part.require("./parser.cjs");' : ""}
console.log(JSON.stringify({ sum: part.add(2, 3), file: part.file, later: (await part.later()).sep !== undefined && part.require("node:path").sep !== undefined }));`;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...env },
    });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += String(chunk);
    });
    child.on("close", (code) => (code === 0 ? resolve(JSON.parse(text) as Answer) : reject(new Error(`ended with ${code}`))));
  });
}

function makeScript(folder: string): string {
  const file = join(folder, "joined-1.cjs");
  writeFileSync(file, SCRIPT);
  writeFileSync(join(folder, "parser.cjs"), "module.exports = {};");
  return file;
}

it("loads the script, and what it imports later, whether it was compiled before or not", async () => {
  using folder = makeTemporaryFolder();
  const file = makeScript(folder.path);
  const expected = { sum: 5, file, later: true };
  expect(await load(file)).toEqual(expected);
  expect(existsSync(join(folder.path, ".compiled"))).toBe(true);
  expect(await load(file)).toEqual(expected);
});

it("keeps what a usual command called, for each of them, and nothing after others", async () => {
  using folder = makeTemporaryFolder();
  const file = makeScript(folder.path);
  await load(file, { part: "explain.js" });
  await load(file, { verb: null });
  await load(file, { env: { NODE_DISABLE_COMPILE_CACHE: "1" } });
  expect(existsSync(join(folder.path, ".compiled"))).toBe(false);
  await load(file);
  expect(keptIn(folder.path)).toEqual(["build-definition"]);
  await load(file, { verb: "execute" });
  expect(keptIn(folder.path)).toEqual(["build-definition", "execute-definition"]);
});

it("keeps more when a command has looked into sources for the first time, and takes that from then on", async () => {
  using folder = makeTemporaryFolder();
  const file = makeScript(folder.path);
  await load(file);
  await load(file, { looksIntoSources: true });
  expect(keptIn(folder.path)).toEqual(["build-definition", "build-sources"]);
  rmSync(pathOfKept(file, "build-definition"));
  await load(file);
  expect(keptIn(folder.path)).toEqual(["build-sources"]);
});

it("compiles anew when what was kept is broken", async () => {
  using folder = makeTemporaryFolder();
  const file = makeScript(folder.path);
  mkdirSync(join(folder.path, ".compiled"));
  const kept = pathOfKept(file, "build-definition");
  writeFileSync(kept, "nonsense");
  expect((await load(file)).sum).toBe(5);
  expect(readFileSync(kept, "utf8")).toBe("nonsense");
});

function keptIn(folder: string): string[] {
  const end = `-${process.version}-${process.arch}`;
  return readdirSync(join(folder, ".compiled"))
    .map((name) => name.replace("joined-1.cjs-", "").replace(end, ""))
    .sort();
}

function pathOfKept(file: string, what: string): string {
  return join(dirname(file), ".compiled", `joined-1.cjs-${what}-${process.version}-${process.arch}`);
}
