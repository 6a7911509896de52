import { spawnSync } from "node:child_process";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { chooseCases } from "../../support/breadth.ts";

const harden = new URL("../../../src/sandbox/process/harden.ts", import.meta.url).pathname;

/** Runs an expression in a process that was hardened. `kept` is what it held before. */
async function after(expression: string): Promise<unknown> {
  const { outputFiles } = await build({
    entryPoints: [harden],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "harden",
  });
  const names = [
    "Object",
    "Function",
    "Array",
    "Error",
    "RangeError",
    "Promise",
    "Map",
    "JSON",
    "Reflect",
    "Symbol",
    "Uint8Array",
  ];
  const script = `(() => { "use strict"; ${outputFiles[0]?.text}
    const { String } = globalThis;
    const kept = { process, write: require("fs").writeSync, Promise, Map, Symbol, Uint8Array, Array, RangeError };
    harden.hardenProcess(${JSON.stringify(names)});
    const attempt = (work) => { try { return String(work()); } catch (error) { return error.name; } };
    kept.write(1, JSON.stringify(${expression})); })();`;
  return JSON.parse(spawnSync(process.execPath, ["-e", script], { encoding: "utf8" }).stdout);
}

it("leaves a process object without members, except for two that Node fixed: its name and its features", async () => {
  const members = `Reflect.ownKeys(kept.process).concat(Reflect.ownKeys(Object.getPrototypeOf(kept.process)))`;
  expect(
    await after(`${members}.filter((key) => kept.process[key] !== undefined).map(String)`),
  ).toEqual(["features", "argv0"]);
});

it("leaves only names of the language", async () => {
  expect(await after("Reflect.ownKeys(globalThis).map(String).sort()")).toEqual([
    "Error",
    "Infinity",
    "JSON",
    "NaN",
    "Number",
    "Object",
    "Reflect",
    "globalThis",
    "undefined",
  ]);
});

it.each([
  "(() => 1).constructor",
  "(async () => 1).constructor",
  "(function* () {}).constructor",
  "(async function* () {}).constructor",
  "kept.RangeError.constructor",
  "new kept.RangeError('x').constructor.constructor",
])("leaves no constructor of code at %s", async (code) => {
  expect(await after(`String(${code})`)).not.toMatch(/Function\(\)/);
});

it.each(
  chooseCases(
    [
      ["the prototype of all objects", "Object.prototype.domain = 1"],
      ["the prototype of all functions", "Object.getPrototypeOf(() => 1).call = 1"],
      ["the prototype of all lists", "kept.Array.prototype.push = 1"],
      [
        "the prototype of all iterators",
        "Object.getPrototypeOf(Object.getPrototypeOf([][kept.Symbol.iterator]())).x = 1",
      ],
      ["the prototype of all bytes", "Object.getPrototypeOf(kept.Uint8Array).prototype.x = 1"],
      ["the prototype of promises", "kept.Promise.prototype.then = 1"],
      ["a constructor", "kept.Map.groupBy = 1"],
    ],
    3,
  ),
)("freezes %s", async (_, code) => {
  expect(await after(`attempt(() => ${code})`)).toBe("TypeError");
});

it("refuses every module after it, also Node's internal ones", async () => {
  const { outputFiles } = await build({
    entryPoints: [harden],
    bundle: true,
    write: false,
    format: "iife",
    globalName: "harden",
  });
  const script = `${outputFiles[0]?.text}
    const { writeSync } = require("fs");
    harden.refuseModules(require("module"));
    const attempt = (work) => { try { work(); return "loaded"; } catch (error) { return error.message; } };
    const Module = module.constructor;
    writeSync(1, JSON.stringify([
      attempt(() => require("fs")),
      attempt(() => require("internal/test/binding")),
      attempt(() => module.require("node:os")),
      attempt(() => { "use strict"; try { Module._load = () => 1; } catch {} return require("vm"); }),
    ]));`;
  const flags = ["--expose-internals", "--no-warnings", "-e", script];
  const { stdout } = spawnSync(process.execPath, flags, { encoding: "utf8" });
  expect(JSON.parse(stdout)).toEqual(Array(4).fill("There are no modules."));
});
