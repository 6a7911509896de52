import { describe, expect, it } from "vitest";
import { createIsolate } from "../../src/sandbox/host/isolate.ts";
import { isolateOf, refusingHost } from "../execute/support.ts";

const RUN = { kind: "formula", name: "Run", args: [] } as const;

describe("messages of a hostile Pack", () => {
  it.each([
    ["throws something that looks like a border problem", `throw { isUnsendable: true };`],
    ["throws a border problem whose members are no texts", `throw { isUnsendable: true, path: { toString: 1 }, reason: [] };`],
  ])("a Pack that %s fails like any other", async (_, body) => {
    await using isolate = await isolateOf(body);
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({ ok: false, error: { code: "FORMULA_FAILED" } });
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({ ok: false, error: { code: "FORMULA_FAILED" } });
  });

  it.each([
    ["nothing", "() => undefined"],
    ["an object", "() => ({})"],
    ["a broken text", `() => "["`],
    ["an impossible pattern", `() => '["$","regexp","(","zz"]'`],
  ])("a Pack whose JSON.stringify gives %s cannot load, and the process lives on", async (_, stringify) => {
    await expect(
      createIsolate({ code: `JSON.stringify = ${stringify}; module.exports.pack = { formulas: [] };`, fileName: "bundle.js" }),
    ).rejects.toMatchObject({ code: "PACK_LOAD_FAILED" });
  });

  const tagged = (content: string) =>
    `let seen = 0; return new Proxy({ $: "bytes", v: ${content} }, { getOwnPropertyDescriptor: (target, name) => name === "$" && ++seen === 1 ? undefined : Reflect.getOwnPropertyDescriptor(target, name) });`;

  it("a result that disguises itself as bytes ends the run, not the process", async () => {
    await using isolate = await isolateOf(tagged("null"));
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({ ok: false, error: { code: "RUN_CRASHED" } });
  });

  it("a request that disguises itself as bytes fails, and the run goes on", async () => {
    const request = `(() => { ${tagged("null")} })()`;
    await using isolate = await isolateOf(`return await ctx.fetcher.fetch(${request}).catch((error) => "caught " + error.message);`);
    expect(await isolate.invoke(RUN, refusingHost())).toMatchObject({ ok: true, value: "caught The request failed." });
  });

  it("a response that is nested too deeply for the border fails as a request", async () => {
    await using isolate = await isolateOf(`return await ctx.fetcher.fetch({}).catch((error) => "caught " + error.message);`);
    const body: unknown = JSON.parse("[".repeat(600) + "]".repeat(600));
    const host = { ...refusingHost(), fetch: async () => ({ ok: true, response: { status: 200, headers: {}, body } }) as const };
    expect(await isolate.invoke(RUN, host)).toMatchObject({ ok: true, value: expect.stringMatching(/^caught .*nested/) });
  });
});
