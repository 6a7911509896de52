import { describe, expect, it } from "vitest";
import { awaitHint, type MissingAwait } from "../../src/build/await-hint.ts";

/** @param marked code with a `|` where the compiler reports the problem */
function findHint(marked: string, missing: MissingAwait = "value"): string | undefined {
  const before = marked.slice(0, marked.indexOf("|")).split("\n");
  return awaitHint(missing, {
    file: "pack.ts",
    text: marked.replace("|", ""),
    line: before.length,
    column: (before.at(-1) ?? "").length + 1,
  });
}

const AWAIT = "Write await before the call.";
const MAKE_ASYNC = "Make the function async, and write await before the call.";
const OUTSIDE =
  "A Pack can use await only in an async function: move the call into an async function.";

describe("awaitHint", () => {
  it.each([
    ["a constant", "async () => { const |a: string = load(); };"],
    ["a destructured response", "async () => { const { |body } = fetch(); };"],
    ["a member of a constant", "async () => { const a = load(); return a.|trim(); };"],
    ["a result", "async () => { |return load(); };"],
    ["an arrow function", "async (): Promise<string> => |load();"],
    ["an argument", "async () => { show(|load()); };"],
    ["a condition", "async () => { if (|load()) show(); };"],
    ["an assignment", "async () => { |a = load(); };"],
    ["a member of the result", "const a = { async execute() { return { |id: load() }; } };"],
    ["a deeper member of the result", "const a = { |execute: async () => ({ id: load() }) };"],
    ["a loop", "async () => { for (const a of |load()) show(a); };"],
    ["a cast", "async () => { const |a = load() as string; };"],
  ])("says to wait for the call in %s", (_, code) => {
    expect(findHint(code)).toBe(AWAIT);
  });

  it.each([
    ["a call", "async () => load().|trim();", "(await load()).trim"],
    [
      "a call that is waited for too late",
      "async () => await load(1).|map(f);",
      "(await load(1)).map",
    ],
    ["a call over several lines", "async () => load(\n).|map(f);", "(await …).map"],
  ])("puts await in parentheses before a member of %s", (_, code, expected) => {
    expect(findHint(code)).toBe(`Write await and the call in parentheses: ${expected}.`);
  });

  it.each([
    ["a function", "function f() { const { |body } = fetch(); }", MAKE_ASYNC],
    ["an arrow function", "const f = () => { |return load(); };", MAKE_ASYNC],
    ["a formula", "const a = { |execute: () => ({ id: load() }) };", MAKE_ASYNC],
    [
      "a function with a return type",
      "function f(): string { |return load(); }",
      "Make the function async with the return type Promise<string>, and write await before the call.",
    ],
    [
      "a callback of map",
      "async () => { return ids.map((id) => load(id).|trim()); };",
      "Make the callback async, write await and the call in parentheses: (await load(id)).trim, and wait for all of its results: await Promise.all(… .map(…)).",
    ],
    ["the top level", "const |a: string = load();", OUTSIDE],
    ["a constructor", "class A { constructor() { |this.a = load(); } }", OUTSIDE],
    ["a getter", "class A { get a(): string { |return load(); } }", OUTSIDE],
    ["a getter of an object", "const a = { get b(): string { |return load(); } };", OUTSIDE],
    ["a field of a class", "async () => class { |a: string = load(); };", OUTSIDE],
    ["a default of a parameter", "function f(|a: string = load()) {}", OUTSIDE],
    ["a default in an async function", "async function f(|a: string = load()) {}", OUTSIDE],
    ["another callback", "async () => { ids.sort((a) => { |return load(a); }); };", undefined],
    [
      "a callback of map in a function that is not async",
      "() => ids.map((id) => |load(id));",
      undefined,
    ],
    ["a generator", "function* f() { const |a: string = load(); }", undefined],
    ["a promise that is not a call", "async (a: Promise<string>) => a.|trim();", undefined],
    ["a choice", "async (b) => { const a = b ? load() : b; return a.|trim(); };", undefined],
    ["code that cannot be parsed", "async () => { return }}}} load().|trim(", undefined],
  ])("fits %s", (_, code, expected) => {
    expect(findHint(code)).toBe(expected);
  });

  it("says to wait for all elements of an array of promises", () => {
    const all = "Wait for all elements of the array with await Promise.all(…).";
    const list = "ids.map(async (id) => load(id))";
    expect(findHint(`const a = { |execute: async () => ${list} };`, "elements")).toBe(all);
    expect(findHint(`async () => { const all = ${list}; |return all; };`, "elements")).toBe(all);
    expect(findHint(`() => { const all = ${list}; |return all; };`, "elements")).toBe(
      "Make the function async, and wait for all elements of the array with await Promise.all(…).",
    );
    expect(
      findHint(`async () => { const all = ${list}; return all.map((one) => one.|trim()); };`),
    ).toBe("Wait for all elements of the array first: await Promise.all(all).");
  });
});
