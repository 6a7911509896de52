import { describe, expect, it } from "vitest";
import { findMissingAwait, typeHint } from "../../src/build/type-hints.ts";

const mismatch = (from: string, to: string) => `Type '${from}' is not assignable to type '${to}'.`;
const absent = (member: string, type: string) =>
  `Property '${member}' does not exist on type '${type}'.`;

describe("findMissingAwait", () => {
  it.each([
    ["a member of a response", "TS2339", absent("body", "Promise<FetchResponse<any>>")],
    ["a member of an object", "TS2339", absent("id", "Promise<{ id: string; }>")],
    ["a method of text", "TS2339", absent("trim", "Promise<string>")],
    ["a method of a list", "TS2339", absent("map", "Promise<Row[]>")],
    ["a member of a type that is not shown", "TS2339", absent("title", "Promise<Row>")],
    ["the awaited type", "TS2322", mismatch("Promise<string>", "string")],
    ["a part of a union", "TS2322", mismatch('Promise<"a">', "string | undefined")],
    [
      "an argument",
      "TS2345",
      "Argument of type 'Promise<number>' is not assignable to parameter of type 'number'.",
    ],
    [
      "a member deep in the reason",
      "TS2322",
      `${mismatch("{ id: Promise<string>; }", "Row")}\n  Types of property 'id' are incompatible.\n    ${mismatch("Promise<string>", "string")}`,
    ],
    [
      "a condition",
      "TS2801",
      "This condition will always return true since this 'Promise<boolean>' is always defined.",
    ],
    [
      "a loop",
      "TS2488",
      "Type 'Promise<Row[]>' must have a '[Symbol.iterator]()' method that returns an iterator.",
    ],
  ])("finds the promise in %s", (_, code, message) => {
    expect(findMissingAwait(code, message)).toBe("value");
  });

  it("finds an array of promises", () => {
    const reason = `${mismatch("Promise<string>[]", "string[]")}\n  ${mismatch("Promise<string>", "string")}`;
    expect(findMissingAwait("TS2322", reason)).toBe("elements");
  });

  it.each([
    [
      "a wrong result",
      "TS2322",
      `${mismatch("Promise<number>", "MaybePromise<string | null>")}\n  ${mismatch("Promise<number>", "Promise<string | null>")}\n    ${mismatch("number", "string")}`,
    ],
    ["another type", "TS2322", mismatch("Promise<number>", "string")],
    ["a promise that is expected", "TS2322", mismatch("string", "Promise<string>")],
    [
      "a member that a response does not have",
      "TS2339",
      absent("json", "Promise<FetchResponse<any>>"),
    ],
    ["a member that text does not have", "TS2339", absent("body", "Promise<string>")],
    ["a member that an object does not have", "TS2339", absent("name", "Promise<{ id: string; }>")],
    ["nothing to wait for", "TS2339", absent("id", "Promise<void>")],
    ["a member of something else", "TS2339", absent("id", "Row")],
    [
      "the result of a function that must not be async",
      "TS2345",
      `Argument of type '() => Promise<number>' is not assignable to parameter of type '() => number'.\n  ${mismatch("Promise<number>", "number")}`,
    ],
  ])("finds nothing in %s", (_, code, message) => {
    expect(findMissingAwait(code, message)).toBeUndefined();
  });
});

describe("typeHint", () => {
  it("is general where the code cannot be read", () => {
    expect(typeHint("TS2322", mismatch("Promise<string>", "string"), () => undefined)).toBe(
      "Change the value to match the type, or change the type.",
    );
  });

  it.each([
    ["TS18048", "'response.body' is possibly 'undefined'."],
    ["TS18047", "'row' is possibly 'null'."],
    ["TS2532", "Object is possibly 'undefined'."],
  ])("of %s is to check for a missing value", (code, message) => {
    expect(typeHint(code, message, () => undefined)).toBe(
      "Check for null and undefined before you use the value.",
    );
  });
});
