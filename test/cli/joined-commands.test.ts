import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const module = pathToFileURL(fileURLToPath(new URL("../../dist/cli/joined-commands.js", import.meta.url))).href;

const SCRIPT = `"use strict";
module.exports = (importModule, loaded) => (name) => {
  loaded.set(name, {});
  return { add: (a, b) => a + b, later: () => importModule("node:path"), file: __filename, require };
};`;

interface Answer {
  sum: number;
  file: string;
  later: boolean;
}

function load(script: string, part: string, env: Record<string, string> = {}): Promise<Answer> {
  const code = `import { loadJoined } from ${JSON.stringify(module)};
const part = loadJoined(${JSON.stringify(script)}, (id) => import(id))(${JSON.stringify(part)});
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
  return file;
}

it("loads the script, and what it imports later, whether it was compiled before or not", async () => {
  using folder = makeTemporaryFolder();
  const file = makeScript(folder.path);
  const expected = { sum: 5, file, later: true };
  expect(await load(file, "validate-definition.js")).toEqual(expected);
  expect(existsSync(join(folder.path, ".compiled"))).toBe(true);
  expect(await load(file, "validate-definition.js")).toEqual(expected);
});

it("keeps what a usual command called, and nothing after others", async () => {
  using folder = makeTemporaryFolder();
  const file = makeScript(folder.path);
  await load(file, "explain.js");
  expect(readdirSync(folder.path)).toEqual(["joined-1.cjs"]);
  await load(file, "validate-definition.js", { NODE_DISABLE_COMPILE_CACHE: "1" });
  expect(readdirSync(folder.path)).toEqual(["joined-1.cjs"]);
  await load(file, "validate-definition.js");
  expect(readdirSync(join(folder.path, ".compiled"))).toEqual([`joined-1.cjs-${process.version}-${process.arch}`]);
});

it("compiles anew when what was kept is broken", async () => {
  using folder = makeTemporaryFolder();
  const file = makeScript(folder.path);
  mkdirSync(join(folder.path, ".compiled"));
  const kept = join(folder.path, ".compiled", `joined-1.cjs-${process.version}-${process.arch}`);
  writeFileSync(kept, "nonsense");
  expect((await load(file, "validate-definition.js")).sum).toBe(5);
  expect(readFileSync(kept, "utf8")).toBe("nonsense");
});
