import { describe, expect, it } from "vitest";
import { createIsolate } from "../../../src/execute/isolate.ts";
import { isolateOf, refusingHost } from "../support.ts";
import { ESCAPE_ATTEMPTS } from "./escape-attempts.ts";

describe("the sandbox", () => {
  it.each(Object.entries(ESCAPE_ATTEMPTS))("is not left through %s", async (_, body) => {
    await using isolate = await isolateOf(body);
    const outcome = await isolate.invoke({ kind: "formula", name: "Run", args: ["x"] }, refusingHost());
    expect(outcome).toMatchObject({ ok: false, error: { code: "FORMULA_FAILED" } });
  });

  it.each([
    ["plain", `import("node:fs").then((fs) => fs)`],
    ["with a comment", `import/* of fs */("node:fs")`],
    ["with an expression", `import("node:" + "fs")`],
    ["after leaving the wrapper", `}); import("node:fs"); (function (module, exports) { 1`],
    ["in a template", `\`\${import("node:fs")}\``],
    ["after a pattern that looks like a comment", `/[/]\\//.test("") || import("node:fs")`],
    ["in a function that nothing calls", `(() => { const x = async () => import("node:fs"); })()`],
  ])("refuses a bundle with a dynamic import, %s", async (_, code) => {
    await expect(createIsolate({ code: `"use strict"; ${code}; module.exports.pack = {};`, fileName: "bundle.js" })).rejects.toMatchObject({
      code: "PACK_LOAD_FAILED",
      message: expect.stringContaining("import()"),
    });
  });

  it("runs a bundle that only speaks of import()", async () => {
    const words = '"import(x)", `a import (y)`, /import\\(/.source, "\\\\import(z)", ({ import: 1 }).import /* import() */';
    await using isolate = await isolateOf(`return [${words}].join("|");`);
    const outcome = await isolate.invoke({ kind: "formula", name: "Run", args: [] }, refusingHost());
    expect(outcome).toMatchObject({ ok: true, value: "import(x)|a import (y)|import\\(|\\import(z)|1" });
  });

  it("has exactly the globals of the Pack runtime", async () => {
    const absent =
      "process require URL URLSearchParams fetch TextEncoder TextDecoder setTimeout setInterval setImmediate queueMicrotask structuredClone WebAssembly SharedArrayBuffer Atomics eval window self navigator";
    const present =
      "Array ArrayBuffer BigInt Boolean DataView Date Error Intl JSON Map Math Number Object Promise Proxy Reflect RegExp Set String Symbol Uint8Array WeakMap console global globalThis module exports";
    await using isolate = await isolateOf(
      `return [args[0].split(" ").filter((name) => name in globalThis), args[1].split(" ").filter((name) => !(name in globalThis))].flat().join(" ");`,
    );
    const outcome = await isolate.invoke({ kind: "formula", name: "Run", args: [absent, present] }, refusingHost());
    expect(outcome).toMatchObject({ ok: true, value: "" });
  });
});
