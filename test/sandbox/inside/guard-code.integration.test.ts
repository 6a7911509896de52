import { describe, expect, it } from "vitest";
import { loadIsolate, refusingHost } from "../../execute/support.ts";
import { chooseCases } from "../../support/breadth.ts";
import { startEachSandbox } from "../../support/shared-sandboxes.ts";

startEachSandbox();

async function run(body: string): Promise<unknown> {
  await using isolate = await loadIsolate(body);
  const outcome = await isolate.invoke({ kind: "formula", name: "Run", args: [] }, refusingHost());
  return outcome.ok ? outcome.value : outcome.error.message;
}

describe("code that a Pack makes from text", () => {
  it.each(
    chooseCases(
      [
        ["eval", `return eval("1 + 2");`, 3],
        ["indirect eval", `return (0, eval)("var shared = 4; shared * 2");`, 8],
        [
          "eval of a value that is not text",
          `const value = {}; return eval(value) === value;`,
          true,
        ],
        ["Function", `return new Function("a", "b", "return a + b")(1, 2);`, 3],
        ["Function without new", `return Function("return this")() === globalThis;`, true],
        [
          "the constructor of an async function",
          `return await (async () => {}).constructor("return 5")();`,
          5,
        ],
        [
          "the constructor of a generator",
          `return [...(function* () {}).constructor("yield 6")()][0];`,
          6,
        ],
        [
          "functions are functions",
          `return (() => 1) instanceof Function && Function.prototype === Object.getPrototypeOf(() => 1);`,
          true,
        ],
        [
          "text that speaks of import",
          `return new Function('return "import(x)" + "\\\\\\\\import"')();`,
          "import(x)\\import",
        ],
      ],
      3,
    ),
  )("runs: %s", async (_, body, value) => {
    expect(await run(body)).toEqual(value);
  });

  const REFUSED = "Code that is created from a string cannot import modules.";
  it.each(
    chooseCases(
      [
        ["eval", `eval('import("node:fs")')`],
        ["indirect eval", `(0, eval)('import("node:fs")')`],
        ["a comment between", `eval('import/**/("node:fs")')`],
        ["a template", `eval('\`\${import("node:fs")}\`')`],
        ["Function", `new Function('return import("node:fs")')()`],
        ["a parameter", `new Function('a = import("node:fs")', "return a")()`],
        ["an async function", `(async () => {}).constructor('return import("node:fs")')()`],
        [
          "the prototype of the constructor",
          `Object.getPrototypeOf((async () => {}).constructor)('return import("node:fs")')()`,
        ],
        ["Reflect", `Reflect.construct(Function, ['return import("node:fs")'], Object)()`],
        [
          "a text that changes",
          `let turn = 0; new Function({ toString: () => (turn++ === 0 ? "1" : 'return import("node:fs")') })()`,
        ],
        [
          "a setter on lists",
          `Object.defineProperty(Array.prototype, 0, { get: () => 'return import("node:fs")', set() {}, configurable: true }); new Function('return import("node:fs")')()`,
        ],
        [
          "changed prototypes",
          `String.prototype.indexOf = () => -1; String.prototype.includes = () => false; RegExp.prototype[Symbol.replace] = () => ""; Function.prototype.call = () => -1; eval('import("node:fs")')`,
        ],
        [
          "a copy of the constructor",
          `const { constructor } = Object.getPrototypeOf(() => 1); constructor('return import("node:fs")')()`,
        ],
      ],
      3,
    ),
  )("refuses import() through %s", async (_, code) => {
    expect(
      await run(
        `try { const made = ${code.includes(";") ? `(() => { ${code.replace(/;(?=[^;]*$)/, "; return ")}; })()` : code}; return typeof made; } catch (error) { return error.message; }`,
      ),
    ).toBe(code.includes("turn++") ? "undefined" : REFUSED);
  });
});
