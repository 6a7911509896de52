import { describe, expect, it } from "vitest";
import { readCookies } from "../../src/shared/cookies.ts";

describe("readCookies", () => {
  it.each([
    [undefined, {}],
    ["", {}],
    ["a=1", { a: "1" }],
    [" a = 1 ;b=2", { a: "1", b: "2" }],
    ["a=1=2; b=", { a: "1=2", b: "" }],
    ["a; =x; b=2", { "": "x", b: "2" }],
    ["A=1; a=2", { A: "1", a: "2" }],
  ])("reads %o", (header, cookies) => {
    expect(Object.fromEntries(readCookies(header))).toEqual(cookies);
  });

  it.each(["a=1; b=2; a=3", "a=1; a=1; b=2", "a=3; a=1; a=3; b=2"])(
    "does not choose between cookies of one name: %s",
    (header) => {
      expect(Object.fromEntries(readCookies(header))).toEqual({ b: "2" });
    },
  );
});
