import nodeCrypto from "node:crypto";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import { nativeAddonsPlugin } from "../../src/bundle/node-modules.ts";
import { executeFormula } from "../../src/execute/execute-target.ts";
import { createIsolate } from "../../src/sandbox/host/isolate.ts";
import { chooseCases } from "../support/breadth.ts";
import { createProject } from "./project.ts";

/** A Pack with one formula, which gives back what an expression gives. */
const writePack = (
  head: string,
  expression: string,
  sdk = "packsmith",
) => `import { newPack } from "${sdk}";
${head}
export const pack = newPack();
pack.addFormula({
  name: "Run", description: "Runs.", resultType: "string", parameters: [],
  execute: async () => String(await (${expression})),
});
`;

async function run(
  text: string,
  more: { timerStrategy?: "none" | "error" | "fake"; files?: Record<string, string> } = {},
) {
  await using project = await createProject({ "pack.ts": text, ...more.files });
  const bundle = await bundlePack({
    entry: project.path("pack.ts"),
    timerStrategy: more.timerStrategy,
  });
  await using isolate = await createIsolate({
    code: bundle.code,
    sourceMap: bundle.sourceMap,
    fileName: "pack.ts",
  });
  const { result } = await executeFormula({ isolate, formula: "Run", args: [] });
  return { result, bundle };
}

describe("modules of Node in a Pack", () => {
  it.each(
    chooseCases(
      [
        [
          `import { createHash } from "node:crypto";`,
          `createHash("sha256").update("abc").digest("hex")`,
          "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        ],
        [
          `import * as crypto from "crypto";`,
          `crypto.createHmac("sha1", "key").update("text").digest("base64")`,
          nodeCrypto.createHmac("sha1", "key").update("text").digest("base64"),
        ],
        [`import { Buffer } from "node:buffer";`, `Buffer.from("hé").toString("base64")`, "aMOp"],
        [`const { Buffer: B } = require("buffer");`, `B === Buffer`, "true"],
        [
          `import querystring from "querystring";`,
          `querystring.stringify({ a: [1, 2], b: "x y" })`,
          "a=1&a=2&b=x%20y",
        ],
        [`import { parse } from "node:url";`, `parse("https://a.example/b?c=1").pathname`, "/b"],
        [
          `import { inspect, promisify } from "util";`,
          `inspect({ a: [1] }) + typeof promisify`,
          "{ a: [ 1 ] }function",
        ],
        [
          `import { EventEmitter } from "events";`,
          `new Promise((done) => { const e = new EventEmitter(); e.on("x", done); e.emit("x", 7); })`,
          "7",
        ],
        [`import path from "path";`, `path.join("/a", "..", "b")`, "/b"],
        [`import assert from "assert";`, `(assert.equal(1, 1), "fine")`, "fine"],
        [
          `import { StringDecoder } from "string_decoder";`,
          `new StringDecoder("utf8").end(Buffer.from("ok"))`,
          "ok",
        ],
        [
          `import { Readable } from "stream";`,
          `new Promise((done) => { const r = new Readable({ read() {} }); let s = ""; r.on("data", (d) => (s += d)); r.on("end", () => done(s)); r.push("a"); r.push("b"); r.push(null); })`,
          "ab",
        ],
        [
          `import { gzipSync, gunzipSync } from "zlib";`,
          `gunzipSync(gzipSync("zip")).toString()`,
          "zip",
        ],
        [`import { STATUS_CODES } from "http";`, `STATUS_CODES[404]`, "Not Found"],
        [`import os from "os";`, `os.EOL`, "\n"],
      ],
      2,
    ),
  )("%s", async (head, expression, expected) => {
    const { result, bundle } = await run(writePack(head, expression));
    expect(result).toBe(expected);
    expect(bundle.issues).toEqual([]);
  });

  it("fills in what libraries expect to be there: process, global, __dirname", async () => {
    const seen =
      "[process.env.HOME, process.nextTick.name, typeof global.Array, __dirname, __filename, process.env.NODE_ENV].join()";
    expect((await run(writePack("", seen))).result).toBe(
      ",nextTick,function,/,/pack.js,production",
    );
  });

  it("leaves NODE_ENV undefined in files of an author whose Pack is for @codahq/packs-sdk", async () => {
    const head = 'import { mode } from "mode";';
    const seen =
      '[process.env.NODE_ENV === "production" ? 60 : 0, mode, "process.env.NODE_ENV"].join()';
    const files = {
      "node_modules/mode/index.js": "exports.mode = process.env.NODE_ENV;",
      "node_modules/mode/package.json": "{}",
    };
    const legacy = writePack(head, seen, "@codahq/packs-sdk");
    expect((await run(legacy, { files })).result).toBe("0,production,process.env.NODE_ENV");
    expect((await run(writePack(head, seen), { files })).result).toBe(
      "60,production,process.env.NODE_ENV",
    );
  });

  it("takes what a package says itself of a module before anything else", async () => {
    const files = {
      "node_modules/chooses/package.json": JSON.stringify({
        name: "chooses",
        main: "index.js",
        browser: { fs: false, crypto: "./own.js" },
      }),
      "node_modules/chooses/index.js": `const fs = require("fs"); const crypto = require("crypto"); module.exports = Object.keys(fs).length + crypto.who;`,
      "node_modules/chooses/own.js": `exports.who = " own";`,
    };
    const { result, bundle } = await run(writePack(`import chosen from "chooses";`, "chosen"), {
      files,
    });
    expect(result).toBe("0 own");
    expect(bundle.issues).toEqual([]);
  });

  it("gives the same bytes whatever packages of the same names are installed", async () => {
    const text = writePack(
      `import { EventEmitter } from "events"; import { inspect } from "util";`,
      "inspect(typeof EventEmitter)",
    );
    const own = (name: string) => ({
      [`node_modules/${name}/package.json`]: JSON.stringify({ name, main: "index.js" }),
      [`node_modules/${name}/index.js`]: "throw new Error('not this one');",
    });
    const { result, bundle } = await run(text, { files: { ...own("events"), ...own("util") } });
    expect(result).toBe("'function'");
    expect(bundle.sha256).toBe((await run(text)).bundle.sha256);
    expect(
      bundle.inputs.map(({ path }) => path).filter((path) => path.includes("node_modules")),
    ).toEqual([]);
  });

  it("leaves nothing in a bundle that uses none of them", async () => {
    const { bundle } = await run(writePack("", '"x"'));
    expect(bundle.code).not.toMatch(/nextTick|hrtime|setTimeout/);
    expect(
      bundle.inputs.map(({ path }) => path).filter((path) => path.includes("polyfills")),
    ).toEqual([]);
  });

  it("names the way to a module that the runtime cannot have, and fails", async () => {
    await using project = await createProject({
      "pack.ts": writePack(`import { read } from "./lib/io.ts";`, "read"),
      "lib/io.ts": `import { readFile } from "fs/promises";\nexport const read = readFile;`,
    });
    await expect(bundlePack({ entry: project.path("pack.ts") })).rejects.toMatchObject({
      code: "PACK_BUILD_FAILED",
      message: expect.stringContaining(
        "fs/promises is a Node module that the Pack runtime does not have: pack.ts → lib/io.ts → fs/promises",
      ),
    });
  });

  it.each([
    "bindings",
    "ffi-napi",
    "node-gyp-build",
    "node-gyp-build-optional-packages",
    "node-pre-gyp",
    "@mapbox/node-pre-gyp",
    "pkg-prebuilds",
    "prebuild-install",
    "./binding.node",
  ])("refuses %s, which loads a native addon", async (specifier) => {
    const stdin = { contents: `import "${specifier}";` };
    const plugins = [nativeAddonsPlugin(false)];
    await expect(
      build({ stdin, plugins, bundle: true, write: false, logLevel: "silent" }),
    ).rejects.toThrow("native addon, machine code");
  });

  it("in a Pack that imports the older package warns of it, and throws when it is called", async () => {
    const head = `import * as fs from "fs";\nimport { Socket } from "net";\nclass Own extends Socket {}\nconst late = { read: fs.readFileSync, of: fs.constants.O_RDONLY, Own };`;
    const older = "@codahq/packs-sdk";
    const { bundle } = await run(writePack(head, "typeof late.read", older));
    expect(bundle.issues.filter(({ message }) => message.includes("Node"))).toMatchObject([
      {
        message:
          "fs is a Node module that the Pack runtime does not have. Calls to functions of this module fail.",
        file: "pack.ts",
        line: 2,
        column: 21,
      },
      { message: expect.stringContaining("net is a Node module"), line: 3 },
    ]);
    await expect(run(writePack(head, `late.read("/etc/passwd")`, older))).rejects.toMatchObject({
      message: expect.stringContaining(
        "fs.readFileSync does not exist in the Pack runtime: it is a part of Node.",
      ),
    });
  });
});

describe("timers of a Pack", () => {
  const waiting = `new Promise((done) => setTimeout(done, 60_000, "later"))`;

  it("are not replaced with the strategy none: the runtime has none", async () => {
    await expect(run(writePack("", waiting))).rejects.toMatchObject({
      message: expect.stringContaining("setTimeout is not defined"),
    });
  });

  it("throw with the strategy error", async () => {
    await expect(run(writePack("", waiting), { timerStrategy: "error" })).rejects.toMatchObject({
      message: expect.stringContaining("setTimeout does not exist in the Pack runtime"),
    });
  });

  it("do not wait with the strategy fake, can be cleared, and an interval runs once", async () => {
    expect((await run(writePack("", waiting), { timerStrategy: "fake" })).result).toBe("later");
    const ordered = `(async () => { const seen = []; setTimeout(() => seen.push("b"), 20_000); setTimeout(() => seen.push("a"), 10); setImmediate(() => seen.push("0")); await new Promise((done) => setTimeout(done, 30_000)); return seen; })()`;
    expect((await run(writePack("", ordered), { timerStrategy: "fake" })).result).toBe("0,a,b");
    const counted = `(async () => { const seen = []; setInterval(() => seen.push("interval"), 1); clearTimeout(setTimeout(() => seen.push("no"))); await 0; await 0; return seen; })()`;
    expect((await run(writePack("", counted), { timerStrategy: "fake" })).result).toBe("interval");
  });
});
