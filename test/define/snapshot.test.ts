import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeSnapshot, encodeSnapshot } from "../../src/define/snapshot.ts";

const revive = (value: unknown) => decodeSnapshot(encodeSnapshot(value));

describe("definition snapshot", () => {
  it("brings plain data back as it was", () => {
    fc.assert(
      fc.property(fc.object({ withNullPrototype: false, withDate: true }), (value) => {
        expect(revive(value)).toEqual(value);
      }),
    );
  });

  it("keeps undefined, patterns and __proto__ as own keys", () => {
    const value = revive(JSON.parse('{"__proto__":{"a":1}}')) as object;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect(revive({ a: undefined, b: /x/gi })).toEqual({ a: undefined, b: /x/gi });
  });

  it("turns functions into inert stubs and survives getters that throw, cycles, proxies and symbols", () => {
    const cycle: Record<string, unknown> = { big: 1n, symbol: Symbol("s"), run: () => 1 };
    cycle["self"] = cycle;
    Object.defineProperty(cycle, "bad", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    cycle["proxy"] = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error("no");
        },
      },
    );
    const value = revive(cycle) as { run(): unknown; self: unknown; bad: unknown; proxy: unknown };
    expect([value.run(), value.self, value.bad, value.proxy]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("survives patterns that lie about themselves", () => {
    const lying = Object.defineProperty(/x/, "flags", { value: "zz" });
    expect(revive({ a: lying, b: 1 })).toEqual({ a: undefined, b: 1 });
  });

  it("carries 10,000 formulas", () => {
    const formulas = Array.from({ length: 10_000 }, (_, index) => ({
      name: `F${index}`,
      parameters: [],
      execute: () => index,
    }));
    const value = revive({ formulas }) as { formulas: { name: string }[] };
    expect([value.formulas.length, value.formulas.at(-1)?.name]).toEqual([10_000, "F9999"]);
  });

  it("works from its source text only", () => {
    const copy = new Function(`return ${String(encodeSnapshot)}`)() as typeof encodeSnapshot;
    expect(decodeSnapshot(copy({ a: [1, "x"] }))).toEqual({ a: [1, "x"] });
  });

  it("cuts what is too large or too deep", () => {
    expect(revive("x".repeat(21_000_000))).toBeUndefined();
    let deep: unknown = 1;
    for (let level = 0; level < 50_000; level++) deep = [deep];
    expect(() => revive(deep)).not.toThrow();
  });
});
