import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getQueryParams, joinUrl, withQueryParams } from "../../src/define/urls.ts";

describe("withQueryParams", () => {
  it.each([
    ["https://a.example/x", { b: 1 }, "https://a.example/x?b=1"],
    ["https://a.example/x?b=0&c=2", { b: 1 }, "https://a.example/x?c=2&b=1"],
    ["https://a.example/x?a=1&a=2", { b: 1 }, "https://a.example/x?a=1&a=2&b=1"],
    ["https://a.example/x#top", { b: "c d&e" }, "https://a.example/x?b=c%20d%26e#top"],
    ["https://a.example/x", { b: undefined, c: null }, "https://a.example/x?c="],
    ["https://a.example/x?b=1&c=2", { b: undefined }, "https://a.example/x?c=2"],
    [
      "https://a.example/x?b=1",
      { b: Number.NaN, c: Number.POSITIVE_INFINITY },
      "https://a.example/x?b=&c=",
    ],
    [
      "https://a.example/x",
      { b: [1, 2], c: { d: true } },
      "https://a.example/x?b%5B0%5D=1&b%5B1%5D=2&c%5Bd%5D=true",
    ],
    ["/x#a#b", { q: "!'()*" }, "/x?q=!'()*#a#b"],
    ["/x?a=1&a=2&a[b]=3&c=4", { a: true }, "/x?c=4&a=true"],
    ["https://a.example/x?refresh", {}, "https://a.example/x?refresh"],
    ["/relative?x=%2F", { y: "/" }, "/relative?x=%2F&y=%2F"],
  ])("adds to %s what %j says", (url, params, expected) => {
    expect(withQueryParams(url, params)).toBe(expected);
  });

  it("leaves the rest of a query byte for byte as it was (weakness 32a)", () => {
    const pair = fc
      .tuple(fc.stringMatching(/^[a-z]{1,4}$/), fc.stringMatching(/^[A-Za-z0-9%._~-]{0,6}$/))
      .map(([name, value]) => `${name}=${value}`);
    fc.assert(
      fc.property(fc.array(pair, { minLength: 1, maxLength: 6 }), (pairs) => {
        const url = `https://a.example/?${pairs.join("&")}`;
        expect(withQueryParams(url, { added: "1" })).toBe(`${url}&added=1`);
      }),
    );
  });
});

describe("getQueryParams", () => {
  it.each([
    ["https://a.example/?a=1&b=c+d", { a: "1", b: "c d" }],
    ["https://a.example/?a=1&a=2&a=3", { a: ["1", "2", "3"] }],
    ["https://a.example/?a[0]=x&a[1]=y&b[c]=z", { a: ["x", "y"], b: { c: "z" } }],
    ["https://a.example/#a=1", {}],
    ["/x?a=1&a[b]=2&c[]=3&d[e][f]=6", { a: ["1", { b: "2" }], c: ["3"], d: { e: { f: "6" } } }],
    ["/x?a[constructor]=2&a[b=1", { a: { constructor: "2" }, "a[b": "1" }],
    ["?broken=%E0%A4%A", { broken: "%E0%A4%A" }],
  ])("reads %s", (url, expected) => {
    expect(getQueryParams(url)).toEqual(expected);
  });

  it("keeps a member named __proto__ a member", () => {
    getQueryParams(
      "?__proto__[polluted]=1&constructor=2&a[__proto__][polluted]=1&a[constructor][prototype][polluted]=1",
    );
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(Object.keys(getQueryParams("?constructor=2"))).toEqual(["constructor"]);
  });

  it("reads back what withQueryParams wrote", () => {
    const value = fc.string({ minLength: 0, maxLength: 8 });
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), value, { minKeys: 1, maxKeys: 5 }),
        (params) => {
          expect(getQueryParams(withQueryParams("https://a.example/", params))).toEqual(params);
        },
      ),
    );
  });
});

describe("joinUrl", () => {
  it.each([
    [["https://a.example/", "/b", "c"], "https://a.example/b/c"],
    [["https://a.example", "b/", "/c/"], "https://a.example/b/c/"],
    [["https://a.example//", "//b"], "https://a.example//b"],
    [["https://", "a.example", "b"], "https://a.example/b"],
    [["https://a.example", "/", "b"], "https://a.example/b"],
    [["https://a.example", "/"], "https://a.example/"],
    [["/a", "b"], "/a/b"],
    [[], ""],
  ])("joins %j to %s", (tokens, expected) => {
    expect(joinUrl(...tokens)).toBe(expected);
  });

  it.each([
    ["https://a.example", ""],
    [undefined as never],
    [undefined as never, "a"],
    ["a", undefined as never],
  ])("refuses %j and %j, of which one is empty or missing", (...tokens) => {
    expect(() => joinUrl(...tokens)).toThrow("joinUrl takes no empty parts");
  });
});
