import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const { href } = new URL("../../dist/cli/load-compiled.js", import.meta.url);

const SCRIPT = `exports.add = (a, b) => a + b;
exports.later = async () => require("node:path").sep;
exports.place = [__filename, __dirname];`;

/** Loads the script in a process of its own. */
function load(
  script: string,
  {
    env = {},
    mayKeep = true,
    exitCode = 0,
  }: { env?: Record<string, string>; mayKeep?: boolean; exitCode?: number } = {},
): { sum: number; later: string; place: string[] } {
  const code = `import { loadCompiled } from ${JSON.stringify(href)};
const script = loadCompiled(${JSON.stringify(script)}, { mayKeep: ${mayKeep} });
process.exitCode = ${exitCode};
console.log(JSON.stringify({ sum: script.add(2, 3), later: await script.later(), place: script.place }));`;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  return JSON.parse(stdout);
}

function makeScript(folder: string): {
  script: string;
  cache: string;
  expected: ReturnType<typeof load>;
} {
  const script = join(folder, "commands.cjs");
  writeFileSync(script, SCRIPT);
  const cache = join(folder, ".compiled", `commands.cjs-${process.version}-${process.arch}`);
  return { script, cache, expected: { sum: 5, later: "/", place: [script, folder] } };
}

it("loads a script, compiled before or not", () => {
  using folder = makeTemporaryFolder();
  const { script, cache, expected } = makeScript(folder.path);
  expect(load(script)).toEqual(expected);
  const kept = readFileSync(cache);
  expect(load(script)).toEqual(expected);
  expect(readFileSync(cache)).toEqual(kept);
  expect(readdirSync(join(folder.path, ".compiled"))).toHaveLength(1);
});

it("compiles again and replaces the cache when it is broken", () => {
  using folder = makeTemporaryFolder();
  const { script, cache, expected } = makeScript(folder.path);
  load(script);
  const kept = readFileSync(cache);
  for (const broken of [
    Buffer.from("nonsense"),
    Buffer.alloc(0),
    kept.subarray(0, kept.length / 2),
  ]) {
    writeFileSync(cache, broken);
    expect(load(script)).toEqual(expected);
    expect(readFileSync(cache).length).toBeGreaterThan(broken.length);
  }
});

it("runs where no cache can be read or written", () => {
  using folder = makeTemporaryFolder();
  const { script, cache, expected } = makeScript(folder.path);
  // A folder in the place of the cache, and a file in the place of its folder: not even root can
  // write there.
  mkdirSync(cache, { recursive: true });
  expect(load(script)).toEqual(expected);
  rmSync(join(folder.path, ".compiled"), { recursive: true });
  writeFileSync(join(folder.path, ".compiled"), "");
  expect(load(script)).toEqual(expected);
});

it("keeps nothing unless it may, after a failure, and when Node's compile cache is disabled", () => {
  using folder = makeTemporaryFolder();
  const { script, expected } = makeScript(folder.path);
  expect(load(script, { mayKeep: false })).toEqual(expected);
  expect(load(script, { exitCode: 1 })).toEqual(expected);
  expect(load(script, { env: { NODE_DISABLE_COMPILE_CACHE: "1" } })).toEqual(expected);
  expect(existsSync(join(folder.path, ".compiled"))).toBe(false);
});
