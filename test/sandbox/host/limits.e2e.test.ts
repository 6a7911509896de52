import { describe, expect, it } from "vitest";
import { loadIsolate, refusingHost } from "../../execute/support.ts";

const RUN = { kind: "formula", name: "Run", args: [] } as const;

async function run(body: string, timeoutMs: number): Promise<{ first: unknown; next: unknown }> {
  await using isolate = await loadIsolate(`if (args.length > 0) return "alive"; ${body}`);
  const first = await isolate.invoke(RUN, refusingHost(timeoutMs));
  const next = await isolate.invoke({ ...RUN, args: [1] }, refusingHost());
  return { first: first.ok ? first.value : first.error.code, next: next.ok && next.value };
}

// V8 does not interrupt any of them.
describe("native code that does not end", () => {
  it.each([
    ["a search in text", `return "a".repeat(2 ** 24).indexOf("ab" + "a".repeat(2 ** 22));`],
    ["a search from the end", `return "a".repeat(2 ** 24).lastIndexOf("a".repeat(2 ** 22) + "b");`],
    ["splitting text", `return "a".repeat(2 ** 24).split("ab" + "a".repeat(2 ** 22)).length;`],
    ["a pattern", `return /^(a+)+$/.test("a".repeat(60) + "b");`],
    ["a pattern in a replacement", `return ("a".repeat(60) + "b").replace(/(a*)*$/, "");`],
    [
      "a slow comparator",
      `return new Array(1e6).fill(0).map((_, i) => -i).sort((a, b) => { for (let i = 0; i < 1e6; i++); return a - b; });`,
    ],
    [
      "a format of Intl",
      `const format = new Intl.NumberFormat("en"); for (;;) format.format(2n ** 20000n);`,
    ],
    ["a power of a BigInt", "return String((3n ** (2n ** 24n)) ** 8n).length;"],
    ["the digits of a BigInt", "return (7n ** (2n ** 23n)).toString().length;"],
    ["a getter of the result", "return { get x() { for (;;); } };"],
    [
      "a getter of an error",
      `throw { get message() { return "a".repeat(2 ** 24).indexOf("ab" + "a".repeat(2 ** 22)); } };`,
    ],
    ["a value for the console", "console.log({ get x() { for (;;); } });"],
    ["a stack trace", "Error.prepareStackTrace = () => { for (;;); }; throw new Error('x');"],
    [
      "promises that follow each other",
      "const next = () => { Promise.resolve().then(next); }; next(); await new Promise(() => {});",
    ],
  ])("is ended with the run: %s", async (_, body) => {
    expect(await run(body, 700)).toEqual({ first: "RUN_TIMEOUT", next: "alive" });
  });

  it("is ended with the run when the caller interrupts it", async () => {
    await using isolate = await loadIsolate(
      `return "a".repeat(2 ** 24).indexOf("ab" + "a".repeat(2 ** 22));`,
    );
    const caller = new AbortController();
    const outcome = isolate.invoke(RUN, { ...refusingHost(), signal: caller.signal });
    setImmediate(() => caller.abort());
    expect(await outcome).toMatchObject({ ok: false, error: { code: "INTERRUPTED" } });
  });
});

describe("memory that native code takes", () => {
  it.each([
    [
      "JSON of 500 MB",
      `const part = '"' + "x".repeat(2 ** 20) + '",'; let text = "["; for (let i = 0; i < 500; i++) text += part; return JSON.parse(text + "1]").length;`,
    ],
    [
      "writing JSON of 600 MB",
      `const all = []; for (let i = 0; i < 600; i++) all.push("é".repeat(2 ** 20)); return JSON.stringify(all).length;`,
    ],
    ["typed arrays", "const all = []; for (;;) all.push(new Float64Array(2 ** 23).fill(1));"],
    ["one typed array", "return new Uint8Array(2 ** 30).fill(1).length;"],
    [
      "copies of a buffer",
      "const all = [new Uint8Array(2 ** 25).fill(1)]; for (;;) all.push(all[0].slice());",
    ],
    ["Buffers", `const all = []; for (;;) all.push(Buffer.alloc(2 ** 24, "x"));`],
    ["BigInts", "const all = []; for (;;) all.push(2n ** (2n ** 23n) + BigInt(all.length));"],
    [
      "formats of Intl",
      `const all = []; for (;;) all.push(new Intl.DateTimeFormat("en", { timeZone: "UTC" }));`,
    ],
    [
      "promises",
      "const all = []; const next = () => { for (let i = 0; i < 1e4; i++) all.push(Promise.resolve([i])); return Promise.resolve().then(next); }; await next();",
    ],
    [
      "a growing text",
      `let text = "x"; for (;;) { text += text + "y"; /z/.test(text); if (text.length > 2 ** 28) text = [text]; }`,
    ],
    [
      "console lines",
      `const line = "x".repeat(2 ** 24); const all = []; for (;;) { console.log(line); all.push(line + all.length); /y/.test(all.at(-1)); }`,
    ],
  ])("ends the run: %s", async (_, body) => {
    expect(await run(body, 60_000)).toEqual({ first: "RUN_OUT_OF_MEMORY", next: "alive" });
  });

  it.runIf(process.platform === "linux")(
    "is refused for a buffer that is larger than the process may be",
    async () => {
      expect(await run("return new Uint8Array(4 * 2 ** 30).fill(1).length;", 60_000)).toEqual({
        first: "FORMULA_FAILED",
        next: "alive",
      });
    },
  );
});
