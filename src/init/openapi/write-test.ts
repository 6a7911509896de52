import {
  type Code,
  join,
  layOut,
  literal,
  NEW_LINE,
  writeArray,
  writeCall,
  writeKey,
  writeObject,
} from "./code-document.ts";
import type { Server } from "./connection.ts";
import type { Operation } from "./operations.ts";
import type { Paging, Trail } from "./paging.ts";
import type { Input } from "./request-inputs.ts";
import { valueCode } from "./schema-code.ts";
import { getItem, type Shape } from "./shapes.ts";

/** The operation to test: one that reads, if there is one. */
export function testedOperation(operations: readonly Operation[]): Operation | undefined {
  return (
    operations.find(({ method, result }) => method === "GET" && result.kind === "json") ??
    operations[0]
  );
}

/** The text of `pack.test.ts`, which runs a formula or a table with an invented response. */
export function writeTest(operation: Operation, server: Server): string {
  return operation.table === undefined
    ? formulaTest(operation, server)
    : tableTest(operation, operation.table.paging, server);
}

function tableTest(
  { name, method, inputs }: Operation,
  { row, rows, next }: Paging,
  server: Server,
): string {
  const args = inputs.filter(({ isRequired }) => isRequired).map(writeArgument);
  const key = `${method} ${new URL(server.url).origin}/*`;
  const call = writeCall(
    "await executeSyncTable",
    [literal("pack.ts"), literal(name), writeArray(args)],
    { entries: ["fetcher"] },
  );
  // The second page is the last one, and has no rows.
  const first = nestValue(rows, "rows");
  const more: Code[] =
    next.kind === "link" ? [`headers: { Link: '<${server.url}/next>; rel="next"' }`] : [];
  const lines: Code[] = [
    'import { executeSyncTable, mockFetcher } from "packsmith/testing";',
    'import { expect, it } from "vitest";',
    "",
    [`it(${literal(`${name} syncs the API's rows`)}, async () => {`],
    ["  const rows = ", { indent: writeArray([valueCode(createSample(row))]) }, ";"],
    [
      "  const pages = ",
      {
        indent: writeArray([
          writeObject([["body: ", first], ...more]),
          writeObject([["body: ", nestValue(rows, "[]")]]),
        ]),
      },
      ";",
    ],
    [
      "  const fetcher = ",
      { indent: writeCall("mockFetcher", [], { entries: [[literal(key), ": pages"]] }) },
      ";",
    ],
    ["  const result = ", { indent: call }, ";"],
    "  expect(result.rows).toEqual(rows);",
    "});",
  ];
  return `${layOut(join(lines, NEW_LINE))}\n`;
}

/** A value inside of objects: `{ data: { items: rows } }` */
function nestValue(trail: Trail, value: Code): Code {
  const [name, ...rest] = trail;
  if (name === undefined) return value;
  const inner = nestValue(rest, value);
  return writeObject([inner === name ? name : [writeKey(name), ": ", inner]]);
}

function formulaTest(operation: Operation, server: Server): string {
  const { name, method, inputs, result } = operation;
  const args = inputs.filter(({ isRequired }) => isRequired).map(writeArgument);
  const answer = writeAnswer(result);
  const key = `${method} ${new URL(server.url).origin}/*`;
  const call = writeCall(
    "await executeFormula",
    [literal("pack.ts"), literal(name), writeArray(args)],
    {
      entries: ["fetcher"],
    },
  );
  const lines: Code[] = [
    'import { executeFormula, mockFetcher } from "packsmith/testing";',
    'import { expect, it } from "vitest";',
    "",
    [`it(${literal(`${name} returns the API's response`)}, async () => {`],
    ["  const answer = ", { indent: answer.sent }, ";"],
    [
      "  const fetcher = ",
      { indent: writeCall("mockFetcher", [], { entries: [[literal(key), ": answer"]] }) },
      ";",
    ],
    ["  const result = ", { indent: call }, ";"],
    `  expect(result)${answer.check};`,
    "});",
  ];
  return `${layOut(join(lines, NEW_LINE))}\n`;
}

function writeAnswer(result: Operation["result"]): { sent: Code; check: string } {
  switch (result.kind) {
    case "nothing":
      return { sent: "{ status: 204 }", check: ".toBe(true)" };
    case "text":
      return { sent: '{ body: "text" }', check: ".toBe(answer.body)" };
    case "bytes":
      return { sent: '{ body: "bytes" }', check: ".toMatch(/^https?:/)" };
    case "json": {
      const isText = getItem(result.shape).kind === "unknown";
      const body = isText ? { any: "value" } : createSample(result.shape);
      return {
        sent: writeObject([["body: ", valueCode(body)]]),
        check: isText ? ".toBe(JSON.stringify(answer.body))" : ".toEqual(answer.body)",
      };
    }
  }
}

/** A valid value for a shape. */
function createSample(shape: Shape): unknown {
  switch (shape.kind) {
    case "text":
      return shape.choices?.[0] ?? SAMPLES[shape.hint ?? "none"];
    case "number":
      return shape.choices?.[0] ?? 1;
    case "boolean":
      return true;
    case "list":
      return [createSample(shape.items)];
    case "object":
      return Object.fromEntries(
        shape.members
          .filter(({ name }) => name !== "__proto__")
          .map(({ name, shape: inner }) => [name, createSample(inner)]),
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

function writeArgument({ shape }: Input): Code {
  if (shape.kind === "text" && (shape.hint === "Date" || shape.hint === "DateTime"))
    return `new Date(${literal(SAMPLES.DateTime)})`;
  if (shape.kind === "object" || shape.kind === "unknown") return literal("{}");
  if (shape.kind === "list" && !["text", "number", "boolean"].includes(shape.items.kind))
    return literal("[]");
  return valueCode(createSample(shape));
}
