import vm from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createIsolate, type Isolate, type IsolateHost } from "../../src/sandbox/host/isolate.ts";
import type { HostFetchResult } from "../../src/sandbox/host/run-requests.ts";
import type { RawBody } from "../../src/sandbox/protocol.ts";
import { refusingHost } from "../execute/support.ts";
import { startEachSandbox } from "../support/shared-sandboxes.ts";
import { WALKED_ATTEMPTS } from "./walked-attempts.ts";
import { WALKER } from "./walker.ts";

startEachSandbox();

const PRELUDE = `"use strict";
const walk = ${WALKER};
const findings = [];
const found = (what) => { if (findings.length < 5) findings[findings.length] = what; };
let isLooking = false;
const look = (value, limit) => {
  // Getters of the attempt look, too.
  if (isLooking) return;
  isLooking = true;
  try { const path = walk(value, limit); if (path !== undefined) found(path); } finally { isLooking = false; }
};
const overflow = (test) => {
  let seen = 0, isFull = false;
  const inspect = (error) => {
    if (seen++ > 40) return;
    try { look(error, 300); } catch {}
    try { look(error.stack, 300); } catch (inner) { try { look(inner, 300); } catch {} }
    try { const other = new Error("x"); other.name = Symbol("x"); void other.stack; } catch (inner) { try { look(inner, 300); } catch {} }
  };
  // Once, because every level tries again.
  const dive = () => { if (isFull) return; try { test(dive); } catch (error) { isFull = true; inspect(error); throw error; } };
  try { dive(); } catch (error) { look(error); }
};
const outerThis = this;
const outerArguments = arguments;`;

const names = Object.keys(WALKED_ATTEMPTS);
const BUNDLE = `${PRELUDE}
const attempts = [${Object.values(WALKED_ATTEMPTS)
  .map((body) => `async (args, ctx) => { ${body} }`)
  .join(",\n")}];
module.exports.pack = { networkDomains: [], formulas: attempts.map((attempt, index) => ({ name: "Attempt" + index, execute: async (args, ctx) => {
  if (args[0] === "what was found") return findings.join("; ");
  try { const result = await attempt(args, ctx); try { look(result); } catch {} return result; } catch (error) { look(error); throw error; }
} })) };`;

const rawBodies: Readonly<Record<string, RawBody>> = {
  text: { form: "json", bytes: Buffer.from('{"a":[{}]}') },
  plain: { form: "text", bytes: Buffer.from("a text") },
  raw: { form: "bytes", bytes: Buffer.from([0, 127, 128, 255]) },
};

const host: IsolateHost = {
  ...refusingHost(),
  async fetch(request): Promise<HostFetchResult> {
    const { url } = request as { url?: unknown };
    if (typeof url !== "string" || !url.startsWith("https://ok.example/"))
      throw new TypeError("no network here");
    const response = {
      status: 200,
      headers: { a: "b" },
      body: url.endsWith("bytes") ? new Uint8Array([1, 2]) : { at: new Date(0) },
    };
    const body = rawBodies[url.slice(url.lastIndexOf("/") + 1)];
    return { ok: true, response, ...(body === undefined ? {} : { body }) };
  },
};

describe("a Pack gets nothing of another realm by", () => {
  let isolate: Isolate;
  beforeAll(async () => {
    isolate = await createIsolate({ code: BUNDLE, fileName: "bundle.js" });
  });
  afterAll(async () => await isolate[Symbol.asyncDispose]());

  it.each(names.map((name, index) => [name, index] as const))("%s", async (_, index) => {
    const session = {};
    const call = { kind: "formula", name: `Attempt${index}` } as const;
    const outcome = await isolate.invoke({ ...call, args: [] }, { ...host, session });
    // However the attempt ended, the sandbox still runs, and what was found meanwhile can be asked
    // for.
    if (!outcome.ok)
      expect(["FORMULA_FAILED", "FORMULA_USER_ERROR", "RESULT_INVALID"]).toContain(
        outcome.error.code,
      );
    expect(JSON.stringify(outcome)).not.toMatch(/node:internal|packsmith:/);
    const found = await isolate.invoke({ ...call, args: ["what was found"] }, { ...host, session });
    expect(found).toMatchObject({ ok: true, value: "" });
  });

  it("is tried in more than 240 ways", () => {
    expect(names.length).toBeGreaterThan(240);
  });
});

describe("the walker", () => {
  const context = vm.createContext(Object.create(null));
  const walk = vm.runInContext(WALKER, context) as (value: unknown) => string | undefined;
  const inContext = (code: string): unknown => vm.runInContext(code, context);

  it.each([
    ["an object", {}, "value"],
    ["a function", () => undefined, "value"],
    ["the end of the chain", Object.prototype, "value"],
    ["an error", new RangeError("x"), "value"],
    ["a proxy", new Proxy({}, {}), "value"],
  ])("finds %s of another realm", (_, value, path) => {
    expect(walk(value)).toBe(path);
  });

  it.each([
    ["in a list", "(value) => [[value]]", "value.0.0"],
    ["behind a getter", "(value) => Object.defineProperty({}, 'x', { get: value })", "get value.x"],
    [
      "as a prototype",
      "(value) => Object.create(Object.create(null), { x: { value: Object.create(value) } })",
      "value.x",
    ],
    [
      "in an object without a prototype",
      "(value) => Object.assign(Object.create(null), { value })",
      "value.value",
    ],
    ["under a symbol", "(value) => ({ [Symbol('s')]: value })", "value.Symbol(s)"],
  ])("finds it %s", (_, wrap, path) => {
    expect(walk((inContext(wrap) as (value: unknown) => unknown)(() => 1))).toBe(path);
  });

  it.each([
    "globalThis",
    "[{}, () => 1, new Error('x'), Object.create(null), new Proxy({}, {})]",
    "Promise.resolve(1)",
  ])("finds nothing in %s", (code) => {
    expect(walk(inContext(code))).toBeUndefined();
  });
});
