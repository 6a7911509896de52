import { describe, expect, it } from "vitest";
import { createIsolate } from "../../src/sandbox/host/isolate.ts";
import { loadIsolate, refusingHost } from "../execute/support.ts";
import { chooseCases, isLong } from "../support/breadth.ts";

const RUN = { kind: "formula", name: "Run", args: [] } as const;

describe("messages of a hostile Pack", () => {
  it.each(
    chooseCases(
      [
        ["throws something that looks like a border problem", `throw { isUnsendable: true };`],
        [
          "throws a border problem whose members are no texts",
          `throw { isUnsendable: true, path: { toString: 1 }, reason: [] };`,
        ],
      ],
      2,
    ),
  )("a Pack that %s fails like any other", async (_, body) => {
    await using isolate = await loadIsolate(body);
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({
      ok: false,
      error: { code: "FORMULA_FAILED" },
    });
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({
      ok: false,
      error: { code: "FORMULA_FAILED" },
    });
  });

  it.each(
    chooseCases(
      [
        ["nothing", "() => undefined"],
        ["an object", "() => ({})"],
        ["a broken text", `() => "["`],
        ["an impossible pattern", `() => '["$","regexp","(","zz"]'`],
      ],
      3,
    ),
  )(
    "a Pack whose JSON.stringify gives %s cannot load, and the process lives on",
    async (_, stringify) => {
      await expect(
        createIsolate({
          code: `JSON.stringify = ${stringify}; module.exports.pack = { formulas: [] };`,
          fileName: "bundle.js",
        }),
      ).rejects.toMatchObject({ code: "PACK_LOAD_FAILED" });
    },
  );

  const tagged = (content: string) =>
    `let seen = 0; return new Proxy({ $: "bytes", v: ${content} }, { getOwnPropertyDescriptor: (target, name) => name === "$" && ++seen === 1 ? undefined : Reflect.getOwnPropertyDescriptor(target, name) });`;

  it("a result that disguises itself as bytes ends the run, not the process", async () => {
    await using isolate = await loadIsolate(tagged("null"));
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({
      ok: false,
      error: { code: "RUN_CRASHED" },
    });
  });

  // The check before the text is written sees no `toJSON`; writing finds one.
  const late = (value: string) =>
    `let reads = 0; return Object.defineProperty({}, "toJSON", { get() { return reads++ === 0 ? undefined : () => (${value}); } });`;

  it.each(
    chooseCases(
      [
        ["bytes that claim to be gigabytes", `{ $: "bytes", v: { length: 4e9 } }`],
        ["bytes that claim to be longer than any text", `{ $: "bytes", v: { length: 2 ** 53 } }`],
        ["bytes whose length is not one of base64", `{ $: "bytes", v: "=" }`],
        ["bytes that are a list", `{ $: "bytes", v: ["A", "A", "A", "A"] }`],
        ["bytes without content", `{ $: "bytes" }`],
        ["a date that is text", `{ $: "date", v: "2020-01-01" }`],
        ["a date that cannot be a number", `{ $: "date", v: { toString: 1, valueOf: 1 } }`],
        ["an object that is text", `{ $: "object", v: "x" }`],
        ["a tag that does not exist", `{ $: "function", v: {} }`],
        ["a tag that is not text", `{ $: { toString: 1 }, v: {} }`],
        ["a tag in a list in an object", `{ a: [{ $: "bytes", v: 5 }] }`],
      ],
      2,
    ),
  )("a result that is written as %s ends the run, not the process", async (_, value) => {
    await using isolate = await loadIsolate(`if (args.length > 0) return "alive"; ${late(value)}`);
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({
      ok: false,
      error: { code: "RUN_CRASHED" },
    });
    expect(await isolate.invoke({ ...RUN, args: [1] }, refusingHost())).toMatchObject({
      ok: true,
      value: "alive",
    });
  });

  it.each(
    chooseCases(
      [
        [
          "with a prototype for all objects",
          `JSON.parse('{"$":"object","v":{"__proto__":{"polluted":1}}}')`,
        ],
        ["with a constructor for all objects", `{ constructor: { prototype: { polluted: 1 } } }`],
        ["that JSON cannot write", "undefined"],
        [
          "that is nested more deeply than text can be written",
          "(() => { let deep = {}; for (let i = 0; i < 1e5; i++) deep = { deep }; return deep; })()",
        ],
      ],
      2,
    ),
  )("a result %s changes nothing here", async (_, value) => {
    await using isolate = await loadIsolate(late(value));
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({ ok: true });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it.runIf(isLong)(
    "a file that exports any number of names, of any length, gets a short error",
    async () => {
      const code = `for (let i = 0; i < 2e4; i++) module.exports["name".repeat(50) + i] = 1; module.exports["x".repeat(2e7)] = 1;`;
      const error: unknown = await createIsolate({ code, fileName: "bundle.js" }).catch(
        (failure: unknown) => failure,
      );
      expect(error).toMatchObject({ code: "PACK_EXPORT_MISSING" });
      expect(JSON.stringify((error as { details: unknown }).details).length).toBeLessThan(5_000);
    },
  );

  it("a request that disguises itself as bytes fails, and the run goes on", async () => {
    const request = `(() => { ${tagged("null")} })()`;
    await using isolate = await loadIsolate(
      `return await ctx.fetcher.fetch(${request}).catch((error) => "caught " + error.message);`,
    );
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({
      ok: true,
      value: "caught The request failed.",
    });
  });

  it("a response that is nested too deeply for the border fails as a request", async () => {
    await using isolate = await loadIsolate(
      `return await ctx.fetcher.fetch({}).catch((error) => "caught " + error.message);`,
    );
    const body: unknown = JSON.parse("[".repeat(600) + "]".repeat(600));
    const host = {
      ...refusingHost(),
      fetch: async () => ({ ok: true, response: { status: 200, headers: {}, body } }) as const,
    };
    expect(await isolate.invoke(RUN, host)).toMatchObject({
      ok: true,
      value: expect.stringMatching(/^caught .*nested/),
    });
  });
});
