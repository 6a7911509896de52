import { describe, expect, it } from "vitest";
import { createIsolate } from "../../src/sandbox/host/isolate.ts";
import { loadIsolate, refusingHost } from "../execute/support.ts";
import { isLong } from "../support/breadth.ts";
import { startEachSandbox } from "../support/shared-sandboxes.ts";
import { ESCAPE_ATTEMPTS } from "./escape-attempts.ts";

// An attempt that works also fails in a process that ran another Pack before.
if (isLong) startEachSandbox();

describe("the sandbox", () => {
  it.each(Object.entries(ESCAPE_ATTEMPTS))("is not left through %s", async (_, body) => {
    await using isolate = await loadIsolate(body);
    const outcome = await isolate.invoke(
      { kind: "formula", name: "Run", args: ["x"] },
      refusingHost(),
    );
    expect(outcome).toMatchObject({ ok: false, error: { code: "FORMULA_FAILED" } });
  });

  it("is not left while the bundle loads", async () => {
    const code = `const isHost = (value) => (typeof value === "object" || typeof value === "function") && value !== null && !(value instanceof Object) && Object.getPrototypeOf(value) !== null;
      let found = "none";
      Error.prepareStackTrace = (error, frames) => { for (const frame of frames) for (const one of [frame, frame.getFunction(), frame.getThis()]) if (one && isHost(one)) found = "host"; return ""; };
      void new Error("x").stack;
      for (const one of [module, exports, this, arguments, arguments[0], globalThis.module]) if (one && isHost(one)) found = "host";
      try { arguments.callee; } catch (error) { if (isHost(error)) found = "host"; }
      Object.defineProperty(module.exports, "pack", { enumerable: true, get() { void new Error("y").stack; return { version: found, formulas: [] }; } });`;
    await using isolate = await createIsolate({
      code: `"use strict"; ${code}`,
      fileName: "bundle.js",
    });
    expect(isolate.definition.version).toBe("none");
  });

  it("shows no frame of the host while the bundle loads, with any number of frames", async () => {
    const code = `Error.stackTraceLimit = Infinity;
      const seen = [new Error("x").stack];
      Error.prepareStackTrace = (error, frames) => frames.map((frame) => frame.getFileName() + frame.getScriptNameOrSourceURL() + frame).join();
      seen.push(new Error("x").stack);
      module.exports.pack = { version: seen.join(), formulas: [] };`;
    await using isolate = await createIsolate({ code, fileName: "bundle.js" });
    const version = String(isolate.definition.version);
    expect(version).toContain("bundle.js");
    expect(version).not.toMatch(/\[eval|node:|packsmith:|\/|\\/);
  });

  it("gives the next call of a session nothing of the host either", async () => {
    await using isolate = await loadIsolate(`
      if (args[0] === "set") {
        for (const name of ["k", "run", "call", "context", "kind", "args", "then", "timezone"]) Object.defineProperty(Object.prototype, name, { set(value) { if (isHost(value) || isHost(this)) globalThis.found = "host"; }, get() { if (isHost(this)) globalThis.found = "host"; return undefined; }, configurable: true });
        return "set";
      }
      return String(globalThis.found);`);
    const host = { ...refusingHost(), session: {} };
    await isolate.invoke({ kind: "formula", name: "Run", args: ["set"] }, host);
    const outcome = await isolate.invoke({ kind: "formula", name: "Run", args: ["look"] }, host);
    expect(JSON.stringify(outcome)).not.toContain("host");
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
    await expect(
      createIsolate({
        code: `"use strict"; ${code}; module.exports.pack = {};`,
        fileName: "bundle.js",
      }),
    ).rejects.toMatchObject({
      code: "PACK_LOAD_FAILED",
      message: expect.stringContaining("import()"),
    });
  });

  it("runs a bundle that only speaks of import()", async () => {
    const words =
      '"import(x)", `a import (y)`, /import\\(/.source, "\\\\import(z)", ({ import: 1 }).import /* import() */';
    await using isolate = await loadIsolate(`return [${words}].join("|");`);
    const outcome = await isolate.invoke(
      { kind: "formula", name: "Run", args: [] },
      refusingHost(),
    );
    expect(outcome).toMatchObject({
      ok: true,
      value: "import(x)|a import (y)|import\\(|\\import(z)|1",
    });
  });

  it.each([
    ["present", PRESENT],
    ["absent", ABSENT],
  ])("has exactly the globals of the Pack runtime: %s", async (what, names) => {
    // Only a bundle that mentions URL has it.
    await using isolate = await loadIsolate(
      `void URL; return args[0].split(" ").filter((name) => name in globalThis !== args[1]).join(" ");`,
    );
    const outcome = await isolate.invoke(
      { kind: "formula", name: "Run", args: [names, what === "present"] },
      refusingHost(),
    );
    expect(outcome).toMatchObject({ ok: true, value: "" });
  });

  it("has no global beside them", async () => {
    await using isolate = await loadIsolate(
      `return Object.getOwnPropertyNames(globalThis).filter((name) => !args[0].split(" ").includes(name)).join(" ");`,
    );
    const outcome = await isolate.invoke(
      { kind: "formula", name: "Run", args: [PRESENT] },
      refusingHost(),
    );
    // What newer versions of the language add.
    const added = [
      "Iterator",
      "Float16Array",
      "SuppressedError",
      "DisposableStack",
      "AsyncDisposableStack",
    ];
    expect(
      outcome.ok &&
        String(outcome.value)
          .split(" ")
          .filter((name) => name !== "" && !added.includes(name)),
    ).toEqual([]);
  });

  it("has a Buffer that carries bytes in all encodings, and gets binary bodies as one", async () => {
    await using isolate = await loadIsolate(`
      const { body } = await ctx.fetcher.fetch({ method: "GET", url: "https://a.example", isBinaryResponse: true });
      return [Buffer.isBuffer(body), body.toString("base64"), Buffer.from("héllo").toString("hex"), Buffer.concat([body, Buffer.from([1])]).length].join();`);
    const host = {
      ...refusingHost(),
      fetch: async () => ({
        ok: true as const,
        response: { status: 200, headers: {}, body: new Uint8Array([104, 105]) },
      }),
    };
    const outcome = await isolate.invoke({ kind: "formula", name: "Run", args: [] }, host);
    expect(outcome).toMatchObject({ ok: true, value: "true,aGk=,68c3a96c6c6f,3" });
  });

  it("draws random values, other ones in each run", async () => {
    await using isolate = await loadIsolate(
      `return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex");`,
    );
    const values = [];
    for (let run = 0; run < 3; run++) {
      const outcome = await isolate.invoke(
        { kind: "formula", name: "Run", args: [] },
        refusingHost(),
      );
      values.push(outcome.ok && outcome.value);
    }
    expect(new Set(values).size).toBe(3);
    expect(values[0]).toMatch(/^[0-9a-f]{64}$/);
  });
});

const PRESENT =
  "AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean Buffer DataView Date Error EvalError FinalizationRegistry Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array Intl JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TextEncoder TypeError URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet console crypto decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval exports global globalThis isFinite isNaN module parseFloat parseInt undefined unescape";
const ABSENT =
  "AbortController AbortSignal Atomics Blob BroadcastChannel CustomEvent Event EventTarget FormData Headers MessageChannel Performance Request Response SharedArrayBuffer TextDecoder WebAssembly WebSocket Worker XMLHttpRequest __dirname __filename atob btoa clearImmediate clearInterval clearTimeout document fetch gc localStorage location navigator performance process queueMicrotask require self setImmediate setInterval setTimeout structuredClone window";
