import { describe, expect, it } from "vitest";
import { createDefinitionReader } from "../../../src/sandbox/host/load-bundle.ts";
import { startEachSandbox } from "../../support/shared-sandboxes.ts";
import { EVERY_INTRINSIC } from "../every-intrinsic.ts";

startEachSandbox();

const sourceMap = '{"version":3,"sources":[],"names":[],"mappings":""}';
const script = (code: string) => ({
  code: `"use strict";${code}`,
  sourceMap,
  fileName: "bundle.js",
});
const writePack = (version: string) => script(`module.exports.pack = { version: ${version} };`);

describe("a reader of definitions", () => {
  it("reads one bundle after the other", async () => {
    await using reader = createDefinitionReader(3);
    for (const version of ["1", "2", "3"]) {
      expect((await reader.read(writePack(`"${version}"`))).definition.version).toBe(version);
    }
  });

  it("reads several at once", async () => {
    await using reader = createDefinitionReader(3);
    reader.prepare();
    const read = await Promise.all(
      ["1", "2", "3"].map((version) => reader.read(writePack(`"${version}"`))),
    );
    expect(read.map(({ definition }) => definition.version)).toEqual(["1", "2", "3"]);
  });

  it("gives no Pack what another has left in its globals and prototypes", async () => {
    await using reader = createDefinitionReader(3);
    await reader.read(
      script(
        `globalThis.left = "left"; Array.prototype.map = () => ["left"]; Object.prototype.version = "left"; module.exports.pack = {};`,
      ),
    );
    const { definition } = await reader.read(
      writePack(`String(globalThis.left) + [1].map((n) => n + 1)`),
    );
    expect(definition.version).toBe("undefined2");
    expect(
      (await reader.read(script("module.exports.pack = {};"))).definition.version,
    ).toBeUndefined();
  });

  it("gives no Pack an object that another has changed, whichever of the language and the runtime it is", async () => {
    await using reader = createDefinitionReader(3);
    const changing = await reader.read(
      script(
        `${EVERY_INTRINSIC} module.exports.pack = { version: String(mark()) + " " + marks() };`,
      ),
    );
    const [changed = "0", seen] = changing.definition.version?.split(" ") ?? [];
    expect(Number(changed)).toBeGreaterThan(700);
    expect(Number(seen)).toBeGreaterThan(700);
    for (let pack = 0; pack < 2; pack++) {
      const { definition } = await reader.read(
        script(`${EVERY_INTRINSIC} module.exports.pack = { version: String(marks()) };`),
      );
      expect(definition.version).toBe("0");
    }
  });

  it("goes on after a Pack that throws, exports nothing or does not compile", async () => {
    await using reader = createDefinitionReader(4);
    await expect(reader.read(script(`throw new Error("no");`))).rejects.toMatchObject({
      code: "PACK_LOAD_FAILED",
    });
    await expect(reader.read(script("module.exports.other = 1;"))).rejects.toMatchObject({
      code: "PACK_EXPORT_MISSING",
    });
    await expect(reader.read(script("let = ;"))).rejects.toMatchObject({
      code: "PACK_LOAD_FAILED",
    });
    expect((await reader.read(writePack(`"1"`))).definition.version).toBe("1");
  });

  it("goes on after a Pack that does not end, in another sandbox", async () => {
    await using reader = createDefinitionReader(2);
    await expect(reader.read({ ...script("for (;;);"), timeoutMs: 200 })).rejects.toMatchObject({
      code: "RUN_TIMEOUT",
    });
    expect((await reader.read(writePack(`"1"`))).definition.version).toBe("1");
  });
});
