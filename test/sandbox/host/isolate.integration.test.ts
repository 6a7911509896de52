import { describe, expect, it } from "vitest";
import { createIsolate, type Isolate } from "../../../src/sandbox/host/isolate.ts";
import { startSandboxProcess } from "../../../src/sandbox/host/sandbox-process.ts";
import { residentBytes } from "../../../src/shared/process-tree.ts";
import { loadIsolate, refusingHost, writeBundle } from "../../execute/support.ts";
import { chooseCases, isLong } from "../../support/breadth.ts";
import { startEachSandbox } from "../../support/shared-sandboxes.ts";
import { EVERY_INTRINSIC } from "../every-intrinsic.ts";

startEachSandbox();

const RUN = { kind: "formula", name: "Run", args: [] } as const;

describe("createIsolate", () => {
  it("gives the definition as inert data", async () => {
    await using isolate = await loadIsolate(`return "x";`);
    expect(isolate.definition.formulas[0]).toMatchObject({ name: "Run", resultType: "string" });
  });

  it("reads the definition from `manifest` when there is no `pack`", async () => {
    await using isolate = await createIsolate({
      code: `exports.manifest = { formulas: [], networkDomains: ["a.example"] };`,
      fileName: "bundle.js",
    });
    expect(isolate.definition.networkDomains).toEqual(["a.example"]);
  });

  it("fails with PACK_EXPORT_MISSING and names what the file exports", async () => {
    await expect(
      createIsolate({ code: "exports.other = 1; exports.more = 2;", fileName: "bundle.js" }),
    ).rejects.toMatchObject({
      code: "PACK_EXPORT_MISSING",
      details: { exports: ["other", "more"] },
    });
  });

  it("fails with PACK_LOAD_FAILED when the bundle throws, or does not compile", async () => {
    await expect(
      createIsolate({ code: `throw new TypeError("no luck");`, fileName: "bundle.js" }),
    ).rejects.toMatchObject({
      code: "PACK_LOAD_FAILED",
      message: "The Pack throws while it loads: no luck",
      details: { stack: "at bundle.js:1:7" },
    });
    await expect(createIsolate({ code: "let = ;", fileName: "bundle.js" })).rejects.toMatchObject({
      code: "PACK_LOAD_FAILED",
    });
  });

  it("ends a bundle that never finishes loading", async () => {
    await expect(
      createIsolate({ code: "for (;;);", fileName: "bundle.js", timeoutMs: 200 }),
    ).rejects.toMatchObject({
      code: "RUN_TIMEOUT",
    });
  });

  it.runIf(isLong)("ends a bundle that fills the memory while it loads", async () => {
    const code = "const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1));";
    await expect(
      createIsolate({ code, fileName: "bundle.js", timeoutMs: 60_000 }),
    ).rejects.toMatchObject({ code: "RUN_OUT_OF_MEMORY" });
  });

  it("says that it is the loading that did not end", async () => {
    await expect(
      createIsolate({ code: "while (true) {}", fileName: "bundle.js", timeoutMs: 200 }),
    ).rejects.toMatchObject({
      message: "The Pack did not finish loading within 0.2 s.",
      hint: expect.stringContaining("top level"),
    });
  });

  it("takes a process that was started before", async () => {
    const process = startSandboxProcess();
    await using isolate = await createIsolate({
      code: writeBundle(`return "warm";`),
      fileName: "bundle.js",
      process,
    });
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({ ok: true, value: "warm" });
  });

  it("says at once that a process that was started before has ended", async () => {
    const process = startSandboxProcess();
    await process[Symbol.asyncDispose]();
    const opening = createIsolate({ code: writeBundle(""), fileName: "bundle.js", process });
    await expect(opening).rejects.toMatchObject({ code: "RUN_CRASHED" });
  });
});

describe("an isolate's run", () => {
  it.each(
    chooseCases(
      [
        ["an endless loop", "for (;;);"],
        ["an endless chain of promises", "for (;;) await null;"],
        ["a promise that never settles", "await new Promise(() => {});"],
        ["a pattern that backtracks forever", `/^(a+)+$/.test("a".repeat(40) + "b");`],
      ],
      3,
    ),
  )("ends %s with RUN_TIMEOUT", async (_, body) => {
    await using isolate = await loadIsolate(body);
    expect(await isolate.invoke(RUN, refusingHost(250))).toMatchObject({
      ok: false,
      error: { code: "RUN_TIMEOUT", details: { limitMs: 250 } },
    });
    expect(await isolate.invoke(RUN, refusingHost(250))).toMatchObject({
      ok: false,
      error: { code: "RUN_TIMEOUT" },
    });
  });

  // Several of them end the process where V8's own limit is the only one.
  const EXHAUSTIONS = [
    ["many arrays", "const all = []; for (;;) all.push(new Array(10_000).fill(all.length));"],
    ["one growing array", "const all = []; for (let i = 0; ; i++) all[i] = i;"],
    ["one growing map", "const all = new Map(); for (let i = 0; ; i++) all.set(i, i);"],
    [
      "growing text",
      "const all = []; for (let text = 'xy'; ; ) { text = text + text + 'z'; text.charCodeAt(3); all.push(text); }",
    ],
    [
      "huge texts",
      "const all = []; for (let i = 0; ; i++) { const text = 'x'.repeat(2 ** 28) + i; text.match(/y/); all.push(text); }",
    ],
    ["buffers", "const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1));"],
    [
      "what earlier steps left",
      "globalThis.all ??= []; for (;;) { globalThis.all.push(new Array(1e5).fill(0.5)); await null; }",
    ],
  ] as const;
  it.each(chooseCases(EXHAUSTIONS, 8))(
    "ends memory exhausted by %s with RUN_OUT_OF_MEMORY",
    async (_, body) => {
      await using isolate = await loadIsolate(body);
      expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({
        ok: false,
        error: { code: "RUN_OUT_OF_MEMORY", details: { limitMb: 128 } },
      });
    },
  );

  it.runIf(isLong)("lets a Pack make much garbage, as long as it keeps little", async () => {
    await using isolate = await loadIsolate(
      `let sum = 0; for (let i = 0; i < 400; i++) sum += JSON.stringify(new Array(100_000).fill(i)).length; return sum > 0;`,
    );
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({ ok: true, value: true });
  });

  it("reports deep recursion as the Pack's own failure, and lives on", async () => {
    await using isolate = await loadIsolate(
      `if (args.length > 0) return "alive"; const dive = () => dive() + 1; return dive();`,
    );
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({
      ok: false,
      error: { code: "FORMULA_FAILED" },
    });
    expect(await isolate.invoke({ ...RUN, args: [1] }, refusingHost())).toMatchObject({
      ok: true,
      value: "alive",
    });
  });

  it.each(
    chooseCases(
      [
        ["a function", "return { items: [1, () => 2] };", "result.items[1]"],
        ["a cycle", "const a = {}; a.b = [a]; return a;", "result.b[0]"],
        ["a bigint", "return [1n];", "result[0]"],
        ["a map", "return new Map();", "result"],
        ["a throwing getter", `return { get x() { throw new Error("no"); } };`, "result"],
        [
          "a proxy that throws",
          `return new Proxy({}, { ownKeys() { throw new Error("no"); } });`,
          "result",
        ],
        ["a symbol", "return [Symbol('x')];", "result[0]"],
        [
          "a deep nesting",
          "let a = []; for (let i = 0; i < 100_000; i++) a = [a]; return a;",
          `result${"[0]".repeat(501)}`,
        ],
        ["a promise inside", "return [Promise.resolve(1)];", "result[0]"],
        [
          "a cycle through many doors",
          "const a = []; for (let i = 0; i < 40; i++) a.push(a); return a;",
          "result[0]",
        ],
        ["30 MB of text", `return "x".repeat(30 * 1024 * 1024);`, "result"],
      ],
      3,
    ),
  )("refuses %s as a result", async (_, body, path) => {
    await using isolate = await loadIsolate(body);
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({
      ok: false,
      error: { code: "RESULT_INVALID", details: { path } },
    });
  });

  it("survives a rejection that nobody handles", async () => {
    await using isolate = await loadIsolate(`Promise.reject(new Error("lost")); return "fine";`);
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({ ok: true, value: "fine" });
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({ ok: true, value: "fine" });
  });

  it("captures console lines with their levels, and caps them", async () => {
    await using isolate = await loadIsolate(
      `console.info("a", 1, { b: [true, null, undefined] }); console.error(new Date(0)); const o = {}; o.o = o; console.log(o); for (let i = 0; i < 2000; i++) console.debug(i); return "";`,
    );
    const { logs } = await isolate.invoke(RUN, refusingHost());
    expect(logs.slice(0, 3)).toEqual([
      { level: "info", message: "a 1 { b: [true, null, undefined] }" },
      { level: "error", message: "1970-01-01T00:00:00.000Z" },
      { level: "log", message: "{ o: { o: { o: { o: { o: {…} } } } } }" },
    ]);
    expect(logs).toHaveLength(1001);
    expect(logs.at(-1)?.message).toMatch(/More than 1000/);
  });

  it("passes dates, bytes, undefined and odd numbers both ways", async () => {
    await using isolate = await loadIsolate(
      "return { args, same: args[0] instanceof Date && args[1] instanceof Uint8Array };",
    );
    const args = [
      new Date(5),
      new Uint8Array([0, 1, 255]),
      undefined,
      Number.NaN,
      -0,
      Number.NEGATIVE_INFINITY,
      { $: 1, v: 2 },
    ];
    expect(await isolate.invoke({ ...RUN, args }, refusingHost())).toEqual({
      ok: true,
      value: { args, same: true },
      logs: [],
    });
  });

  it("tells user errors, uncaught status errors and other throws apart", async () => {
    const outcomes = [];
    for (const thrown of [
      `Object.assign(new Error("Pick a list."), { isUserVisible: true })`,
      `Object.assign(new Error("404"), { name: "StatusCodeError", statusCode: 404 })`,
      `"just text"`,
      "undefined",
    ]) {
      await using isolate = await loadIsolate(`throw ${thrown};`);
      const outcome = await isolate.invoke(RUN, refusingHost());
      outcomes.push(outcome.ok ? "" : `${outcome.error.code}: ${outcome.error.message}`);
    }
    expect(outcomes).toMatchInlineSnapshot(`
      [
        "FORMULA_USER_ERROR: Pick a list.",
        "FETCH_STATUS: 404",
        "FORMULA_FAILED: Run failed: just text",
        "FORMULA_FAILED: Run failed: undefined",
      ]
    `);
  });

  it.each([
    ["Error", `new Error("No.")`],
    ["Error", `Object.assign(new Error("No."), { name: 5 })`],
    ["TypeError", `new TypeError("No.")`],
    ["RateLimited", `new (class RateLimited extends TypeError {})("No.")`],
    ["Busy", `Object.assign(new Error("No."), { name: "Busy" })`],
    ["AbortError", `{ name: "AbortError", message: "No." }`],
    [undefined, `{ code: 5, message: "No." }`],
    [undefined, `"just text"`],
    [undefined, "undefined"],
    [undefined, "Symbol('s')"],
    [undefined, "Object.create(null)"],
    [
      undefined,
      `new Proxy({}, { get() { throw new Error("trap"); }, getPrototypeOf() { throw new Error("trap"); } })`,
    ],
  ])("reports the class %s for %s", async (thrown, expression) => {
    await using isolate = await loadIsolate(`throw ${expression};`);
    const outcome = await isolate.invoke(RUN, refusingHost());
    expect(outcome).toMatchObject({ error: { code: "FORMULA_FAILED", details: { thrown } } });
  });

  const STATUS_CODE_ERROR = `class StatusCodeError extends Error { constructor(status) { super(status + " - gone"); this.name = "StatusCodeError"; this.statusCode = status; } }`;

  it.each([
    ["StatusCodeError", "FETCH_STATUS", `new StatusCodeError(404)`],
    ["NotFound", "FETCH_STATUS", `new (class NotFound extends StatusCodeError {})(404)`],
    [
      "Missing",
      "FETCH_STATUS",
      `new (class NotFound extends StatusCodeError { name = "Missing"; })(404)`,
    ],
    ["StatusCodeError", "FORMULA_FAILED", `new StatusCodeError(undefined)`],
    ["StatusCodeError", "FORMULA_FAILED", `new StatusCodeError(1)`],
    ["HttpError", "FORMULA_FAILED", `new (class HttpError extends Error { statusCode = 404; })()`],
  ])("reports %s that a Pack created as %s", async (thrown, code, expression) => {
    await using isolate = await loadIsolate(`${STATUS_CODE_ERROR} throw ${expression};`);
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({
      ok: false,
      error: { code, details: { thrown } },
    });
  });

  it("runs one call at a time, in order", async () => {
    await using isolate = await loadIsolate(
      `globalThis.n = (globalThis.n ?? 0) + 1; await null; return args[0] + String(globalThis.n);`,
    );
    const session = {};
    const host = { ...refusingHost(), session };
    const outcomes = await Promise.all(
      ["a", "b", "c"].map((name) => isolate.invoke({ ...RUN, args: [name] }, host)),
    );
    expect(outcomes.map((outcome) => outcome.ok && outcome.value)).toEqual(["a1", "b2", "c3"]);
  });
});

describe("the state of an isolate", () => {
  const CODE = `"use strict";
let count = 0;
module.exports.pack = { networkDomains: [], formulas: [{ name: "Run", execute: async (args, ctx) => {
  count += 1; Array.prototype.leak = (Array.prototype.leak ?? 0) + 1; Object.prototype.more = (Object.prototype.more ?? 0) + 1; globalThis.left = (globalThis.left ?? 0) + 1;
  JSON.shared = (JSON.shared ?? 0) + 1; module.exports.pack.formulas.extra = (module.exports.pack.formulas.extra ?? 0) + 1; Buffer.mark = (Buffer.mark ?? 0) + 1; console.mark = (console.mark ?? 0) + 1;
  const seen = [count, Array.prototype.leak, Object.prototype.more, globalThis.left, JSON.shared, module.exports.pack.formulas.extra, Buffer.mark, console.mark];
  delete Object.prototype.more;
  return seen.join();
} }] };`;
  const isolateWithState = () => createIsolate({ code: CODE, fileName: "bundle.js" });
  const run = async (isolate: Isolate, session?: object) => {
    const outcome = await isolate.invoke(RUN, { ...refusingHost(), session });
    return outcome.ok ? outcome.value : outcome.error;
  };

  it("does not reach the next call through any object of the language or the runtime", async () => {
    await using isolate = await loadIsolate(
      `${EVERY_INTRINSIC} const before = marks(); return [before, mark() > 700, marks() > 700].join();`,
    );
    for (let call = 0; call < 3; call++) {
      expect(
        await isolate.invoke({ kind: "formula", name: "Run", args: [] }, refusingHost()),
      ).toMatchObject({ value: "0,true,true" });
    }
  });

  it("does not reach the next call: neither counters nor prototypes nor globals", async () => {
    await using isolate = await isolateWithState();
    expect(await run(isolate)).toBe("1,1,1,1,1,1,1,1");
    expect(await run(isolate)).toBe("1,1,1,1,1,1,1,1");
    // With the next context made ahead, too.
    await new Promise(setImmediate);
    expect(await run(isolate)).toBe("1,1,1,1,1,1,1,1");
  });

  it("lasts for the calls of a session, and ends with it", async () => {
    await using isolate = await isolateWithState();
    const pages = {};
    expect(await run(isolate, pages)).toMatch(/^1,/);
    expect(await run(isolate, pages)).toMatch(/^2,/);
    expect(await run(isolate)).toMatch(/^1,/);
    expect(await run(isolate, pages)).toMatch(/^1,/);
    expect(await run(isolate, {})).toMatch(/^1,/);
  });

  it.runIf(isLong)("stays small over a thousand calls", async () => {
    await using isolate = await isolateWithState();
    for (let call = 0; call < 1000; call++) expect(await run(isolate)).toBe("1,1,1,1,1,1,1,1");
  });

  it.each(
    chooseCases(
      [
        ["an endless loop", "for (;;);", "RUN_TIMEOUT", 300],
        [
          "an exhausted memory",
          "const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1));",
          "RUN_OUT_OF_MEMORY",
          60_000,
        ],
      ],
      2,
    ),
  )("is new after %s, and the next call works", async (_, body, code, timeoutMs) => {
    await using isolate = await loadIsolate(`if (args.length > 0) return "alive"; ${body}`);
    expect(await isolate.invoke(RUN, refusingHost(timeoutMs))).toMatchObject({
      ok: false,
      error: { code },
    });
    expect(await isolate.invoke({ ...RUN, args: [1] }, refusingHost())).toMatchObject({
      ok: true,
      value: "alive",
    });
    expect(await isolate.invoke(RUN, refusingHost(timeoutMs))).toMatchObject({
      ok: false,
      error: { code },
    });
    expect(await isolate.invoke({ ...RUN, args: [1] }, refusingHost())).toMatchObject({
      ok: true,
      value: "alive",
    });
  });

  it.each(["for (;;);", "await new Promise(() => {});"])(
    "is new after the caller interrupted %s",
    async (body) => {
      await using isolate = await loadIsolate(`if (args.length > 0) return "alive"; ${body}`);
      const caller = new AbortController();
      const run = isolate.invoke(RUN, { ...refusingHost(), signal: caller.signal });
      setImmediate(() => caller.abort());
      expect(await run).toMatchObject({ ok: false, error: { code: "INTERRUPTED" } });
      expect(await isolate.invoke({ ...RUN, args: [1] }, refusingHost())).toMatchObject({
        ok: true,
        value: "alive",
      });
      expect(await isolate.invoke(RUN, { ...refusingHost(), signal: caller.signal })).toMatchObject(
        {
          ok: false,
          error: { code: "INTERRUPTED" },
        },
      );
    },
  );

  it("is not made anew once the isolate is closed", async () => {
    const isolate = await loadIsolate(`return "x";`);
    await isolate[Symbol.asyncDispose]();
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({
      ok: false,
      error: { code: "RUN_CRASHED" },
    });
  });

  it.runIf(isLong)(
    "tells why a Pack that loads only sometimes did not load for this call",
    async () => {
      await using isolate = await createIsolate({
        code: `module.exports.pack = { formulas: [{ name: "Run", execute: () => "x" }] }; if (Date.now() > ${Date.now() + 3000}) throw new Error("not now");`,
        fileName: "bundle.js",
      });
      expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({ ok: true });
      await expect
        .poll(() => isolate.invoke(RUN, refusingHost()))
        .toMatchObject({ ok: false, error: { message: "Run failed: not now" } });
    },
  );
});

describe("the memory of an isolate", () => {
  // Between its awaits, what is kept counts, not what is garbage.
  const keeping = (megabytes: number) =>
    `globalThis.all = []; for (let i = 0; i < ${megabytes}; i++) { globalThis.all.push(new Array(131072).fill(i + 0.5)); if (i % 10 === 0) await ctx.fetcher.fetch({ method: "GET", url: "https://a.example" }).catch(() => {}); } return "done";`;

  it.runIf(isLong)("holds what a Pack may keep", async () => {
    await using isolate = await loadIsolate(keeping(110));
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({ ok: true, value: "done" });
  });

  it.runIf(isLong && process.platform === "linux")(
    "stays below 256 MB in all of its processes when a Pack never stops to keep objects",
    async () => {
      const sandbox = startSandboxProcess();
      const pid = sandbox.child.pid as number;
      await using isolate = await createIsolate({
        code: writeBundle("globalThis.all = []; for (;;) all.push(new Array(131072).fill(0.5));"),
        fileName: "bundle.js",
        process: sandbox,
      });
      let peakBytes = 0;
      const timer = setInterval(() => {
        peakBytes = Math.max(peakBytes, residentBytes(pid) ?? 0);
      }, 2);
      const outcome = await isolate.invoke(RUN, refusingHost());
      clearInterval(timer);
      expect(outcome).toMatchObject({ ok: false, error: { code: "RUN_OUT_OF_MEMORY" } });
      expect(peakBytes / 1024 / 1024).toBeLessThan(256);
    },
  );

  it.runIf(isLong)("ends a run that keeps more than 128 MB across its awaits", async () => {
    await using isolate = await loadIsolate(keeping(150));
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({
      ok: false,
      error: { code: "RUN_OUT_OF_MEMORY" },
    });
  });
});
