import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { getQueryParams, joinUrl, withQueryParams } from "../../src/define/urls.ts";

describe("withQueryParams", () => {
  it.each([
    ["https://a.example", {}, "https://a.example"],
    ["https://a.example", { q: "a&b c" }, "https://a.example?q=a%26b%20c"],
    ["https://a.example/x?a=1&b=%7e#top", { a: 2 }, "https://a.example/x?a=2&b=%7e#top"],
    ["/x?a=1&a=2&a[b]=3&c=4", { a: true }, "/x?a=true&c=4"],
    ["/x?a=1", { a: undefined, b: null }, "/x?a=1&b="],
    ["/x", { list: ["p", 2], nested: { sub: { leaf: 1 } } }, "/x?list%5B0%5D=p&list%5B1%5D=2&nested%5Bsub%5D%5Bleaf%5D=1"],
    ["/x#a#b", { q: "!'()*" }, "/x?q=%21%27%28%29%2A#a#b"],
    ["/x", { at: new Date(0) }, "/x?at=1970-01-01T00%3A00%3A00.000Z"],
  ])("%s with %j", (url, params, expected) => {
    expect(withQueryParams(url, params)).toBe(expected);
  });

  it("writes what getQueryParams reads", () => {
    const name = fc.stringMatching(/^[a-zA-Z_][a-zA-Z0-9_ &=#%é]{0,5}$/);
    fc.assert(
      fc.property(fc.dictionary(name, fc.string({ unit: "grapheme" })), (params) => {
        expect(getQueryParams(withQueryParams("https://a.example/?#x", params))).toEqual({ ...params });
      }),
    );
  });
});

describe("getQueryParams", () => {
  it.each([
    ["https://a.example", {}],
    ["/x?a=1&b=x%20y+z&c&d=#h?e=1", { a: "1", b: "x y z", c: "", d: "" }],
    ["/x?a=1&a=2&b[]=3&c[0]=4&c[1]=5&d[e][f]=6", { a: ["1", "2"], b: ["3"], c: ["4", "5"], d: { e: { f: "6" } } }],
    ["/x?a=%zz&a[b=1", { a: "%zz", "a[b": "1" }],
    ["/x?toString=1&a[constructor]=2", { toString: "1", a: { constructor: "2" } }],
  ])("%s", (url, expected) => {
    expect(getQueryParams(url)).toEqual(expected);
  });

  it("never reaches a prototype", () => {
    getQueryParams("/x?a[__proto__][polluted]=1&__proto__[polluted]=1&constructor[prototype][polluted]=1");
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("joinUrl", () => {
  it.each([
    [[], ""],
    [["https://a.example"], "https://a.example"],
    [["https://a.example/", "/b/", "c/"], "https://a.example/b/c/"],
    [["https://a.example", "//b"], "https://a.example/b"],
  ])("joins %j", (tokens, expected) => {
    expect(joinUrl(...tokens)).toBe(expected);
  });

  it("refuses an empty part", () => {
    expect(() => joinUrl("https://a.example", "")).toThrow("empty part");
  });
});
