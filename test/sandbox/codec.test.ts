import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeValue, reviveValue } from "../../src/sandbox/codec.ts";

const travel = (value: unknown): unknown =>
  reviveValue(JSON.parse(encodeValue(value, "value", 1_000_000)));

describe("the codec", () => {
  it("gives back every data value", () => {
    fc.assert(
      fc.property(
        fc.letrec((self) => ({
          value: fc.oneof(
            { maxDepth: 4 },
            fc.string({ unit: "binary" }),
            fc.double(),
            fc.boolean(),
            fc.constantFrom(null, undefined, -0),
            fc.date({ noInvalidDate: false }),
            fc.uint8Array(),
            fc.array(self("value")),
            fc.dictionary(
              fc.oneof(
                fc.string(),
                fc.constantFrom("$", "v", "__proto__", "constructor", "toJSON"),
              ),
              self("value"),
              {
                noNullPrototype: true,
              },
            ),
          ),
        })).value,
        (value) => {
          expect(travel(value)).toEqual(value);
        },
      ),
    );
  });

  it("does not turn a member named __proto__ into a prototype", () => {
    const value = travel(JSON.parse(`{"__proto__":{"isAdmin":true}}`)) as { isAdmin?: boolean };
    expect(value.isAdmin).toBeUndefined();
    expect(Object.hasOwn(value, "__proto__")).toBe(true);
  });

  it("stops at its limit before the whole text exists, shared references included", () => {
    let value: unknown = "x".repeat(100);
    for (let depth = 0; depth < 60; depth++) value = [value, value];
    expect(() => encodeValue(value, "value", 10_000)).toThrow(
      expect.objectContaining({ isUnsendable: true, path: "value" }),
    );
  });

  it("names the place of what cannot travel", () => {
    expect(() => encodeValue({ a: [{ b: Symbol("x") }] }, "value", 1000)).toThrow(
      expect.objectContaining({ path: "value.a[0].b", reason: "is a symbol, which is not data" }),
    );
  });
});
