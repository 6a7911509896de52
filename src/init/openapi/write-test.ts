import { arrayOf, type Code, callOf, join, layOut, literal, NEW_LINE, objectOf } from "./code-document.ts";
import type { Server } from "./connection.ts";
import type { Input, Operation } from "./operations.ts";
import { valueCode } from "./schema-code.ts";
import { itemOf, type Shape } from "./shapes.ts";

/** The operation to test: one that reads, if there is one. */
export function testedOperation(operations: readonly Operation[]): Operation | undefined {
  return operations.find(({ method, result }) => method === "GET" && result.kind === "json") ?? operations[0];
}

/** The text of `pack.test.ts`, which runs a formula with an invented response. */
export function writeTest(operation: Operation, server: Server): string {
  const { name, method, inputs, result } = operation;
  const args = inputs.filter(({ isRequired }) => isRequired).map(argumentOf);
  const answer = answerOf(result);
  const key = `${method} ${new URL(server.url).origin}/*`;
  const call = callOf("await executeFormula", [literal("pack.ts"), literal(name), arrayOf(args)], { entries: ["fetcher"] });
  const lines: Code[] = [
    'import { executeFormula, mockFetcher } from "packsmith/testing";',
    'import { expect, it } from "vitest";',
    "",
    [`it(${literal(`${name} returns the API's response`)}, async () => {`],
    ["  const answer = ", { indent: answer.sent }, ";"],
    ["  const fetcher = ", { indent: callOf("mockFetcher", [], { entries: [[literal(key), ": answer"]] }) }, ";"],
    ["  const result = ", { indent: call }, ";"],
    `  expect(result)${answer.check};`,
    "});",
  ];
  return `${layOut(join(lines, NEW_LINE))}\n`;
}

function answerOf(result: Operation["result"]): { sent: Code; check: string } {
  switch (result.kind) {
    case "nothing":
      return { sent: "{ status: 204 }", check: ".toBe(true)" };
    case "text":
      return { sent: '{ body: "text" }', check: ".toBe(answer.body)" };
    case "bytes":
      return { sent: '{ body: "bytes" }', check: ".toMatch(/^https?:/)" };
    case "json": {
      const isText = itemOf(result.shape).kind === "unknown";
      const body = isText ? { any: "value" } : sampleOf(result.shape);
      return {
        sent: objectOf([["body: ", valueCode(body)]]),
        check: isText ? ".toBe(JSON.stringify(answer.body))" : ".toEqual(answer.body)",
      };
    }
  }
}

/** A valid value for a shape. */
function sampleOf(shape: Shape): unknown {
  switch (shape.kind) {
    case "text":
      return shape.choices?.[0] ?? SAMPLES[shape.hint ?? "none"];
    case "number":
      return shape.choices?.[0] ?? 1;
    case "boolean":
      return true;
    case "list":
      return [sampleOf(shape.items)];
    case "object":
      return Object.fromEntries(
        shape.members.filter(({ name }) => name !== "__proto__").map(({ name, shape: inner }) => [name, sampleOf(inner)]),
      );
    case "unknown":
      return "text";
  }
}

const SAMPLES = {
  none: "text",
  Date: "2026-03-02",
  DateTime: "2026-03-02T09:00:00Z",
  Email: "first.owner@users.example",
  Url: "https://host.example/page",
} as const;

function argumentOf({ shape }: Input): Code {
  if (shape.kind === "text" && (shape.hint === "Date" || shape.hint === "DateTime")) return `new Date(${literal(SAMPLES.DateTime)})`;
  if (shape.kind === "object" || shape.kind === "unknown") return literal("{}");
  if (shape.kind === "list" && !["text", "number", "boolean"].includes(shape.items.kind)) return literal("[]");
  return valueCode(sampleOf(shape));
}
