import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { openValidPack, type Pack } from "../../src/execute/open-pack.ts";
import { runTarget } from "../../src/execute/run-target.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { mockFetcher } from "../../src/testing/mock-fetcher.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { answerOfRun, publishedAnswer, publishedAnswers } from "./answers.ts";
import {
  type Answer,
  askPublished,
  hasPublishedPackage,
  publishedModules,
} from "./published-package.ts";

/** A schema with a value that fits it and one that does not. */
interface Shape {
  schema: object;
  value: unknown;
  wrong: unknown;
}

const text = fc.string({ unit: "grapheme", maxLength: 12 });
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const scalar: fc.Arbitrary<Shape> = fc.oneof(
  fc.record({
    schema: fc.constant({ type: "string" }),
    value: text,
    wrong: fc.constant({ not: "text" }),
  }),
  fc.record({
    schema: fc.constant({ type: "number" }),
    value: number,
    wrong: fc.constant(["no number"]),
  }),
  fc.record({
    schema: fc.constant({ type: "boolean" }),
    value: fc.boolean(),
    wrong: fc.constant({ not: "a boolean" }),
  }),
);
const shape = (depth: number): fc.Arbitrary<Shape> =>
  depth === 0 ? scalar : fc.oneof(scalar, object(depth), list(depth));
const list = (depth: number): fc.Arbitrary<Shape> =>
  fc.record({ item: shape(depth - 1), count: fc.nat(3) }).map(({ item, count }) => ({
    schema: { type: "array", items: item.schema },
    value: Array.from({ length: count }, () => item.value),
    wrong: [...Array.from({ length: count }, () => item.value), item.wrong],
  }));
const object = (depth: number): fc.Arbitrary<Shape> =>
  fc
    .record({
      names: fc.uniqueArray(
        fc.constantFrom("due-date", "display name", "x", "camelCase", "post:code", " padded "),
        {
          minLength: 1,
          maxLength: 3,
        },
      ),
      members: fc.array(shape(depth - 1), { minLength: 3, maxLength: 3 }),
      fromKey: fc.boolean(),
      wrongOne: fc.nat(2),
      unknown: fc.boolean(),
    })
    .map(({ names, members, fromKey, wrongOne, unknown }) => {
      const keys = names.map((name, index) => (fromKey ? `raw_${index}` : name));
      const properties = names.map((name, index) => [
        name,
        { ...members[index]?.schema, ...(fromKey ? { fromKey: keys[index] } : {}) },
      ]);
      const values = keys.map((key, index): [string, unknown] => [key, members[index]?.value]);
      const wrongs = keys.map((key, index): [string, unknown] => [
        key,
        members[index]?.[index === wrongOne % keys.length ? "wrong" : "value"],
      ]);
      return {
        schema: { type: "object", properties: Object.fromEntries(properties) },
        value: Object.fromEntries(unknown ? [...values, ["unknown", 1]] : values),
        wrong: Object.fromEntries(wrongs),
      };
    });

/** How a formula ends. */
const ending = fc.constantFrom(
  "value",
  "value",
  "wrong",
  "user",
  "plain",
  "scopes",
  "fetch",
  "catch",
);
const resultFormula = fc.record({
  kind: fc.constant("result" as const),
  of: fc.oneof(scalar, object(2), list(2)),
  ending,
});

const parameters: Record<string, fc.Arbitrary<unknown>> = {
  string: text,
  number,
  boolean: fc.boolean(),
  date: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") }),
  stringArray: fc.array(text, { maxLength: 3 }),
  numberArray: fc.array(number, { maxLength: 3 }),
};
const parameterFormula = fc.record({
  kind: fc.constant("parameters" as const),
  given: fc.array(
    fc
      .constantFrom(...Object.keys(parameters))
      .chain((type) =>
        (parameters[type] as fc.Arbitrary<unknown>).map((value) => ({ type, value })),
      ),
    { minLength: 1, maxLength: 4 },
  ),
});

const networkFormula = fc.record({
  kind: fc.constant("network" as const),
  status: fc.constantFrom(200, 201, 400, 404, 500),
  body: fc.oneof(
    fc.jsonValue({ maxDepth: 2 }).map((value) => ({ json: value })),
    text.map((value) => ({ text: `_${value}` })),
  ),
  isCaught: fc.boolean(),
});

const tableSync = fc.record({
  kind: fc.constant("table" as const),
  row: object(1),
  pages: fc.array(fc.record({ rows: fc.nat(3), deleted: fc.nat(2) }), {
    minLength: 1,
    maxLength: 3,
  }),
  ending: fc.constantFrom("value", "value", "wrong", "user"),
});

type Case =
  | typeof resultFormula
  | typeof parameterFormula
  | typeof networkFormula
  | typeof tableSync;
type CaseValue = Case extends fc.Arbitrary<infer Value> ? Value : never;

/** A Pack may have 100 formulas. */
const RUNS = 40;
const cases: CaseValue[] = [
  ...fc.sample(resultFormula, RUNS),
  ...fc.sample(parameterFormula, RUNS / 2),
  ...fc.sample(networkFormula, RUNS / 2),
  ...fc.sample(tableSync, RUNS / 2),
];
const url = (index: number): string => `https://tasks.example/answers/${index}`;

/** One Pack with a part for each case; its source is the same whoever builds it. */
const SOURCE = `import * as coda from "@codahq/packs-sdk";
import cases from "./cases.json";
export const pack = coda.newPack();
pack.setVersion("1");
pack.addNetworkDomain("tasks.example");
async function end({ ending, of }: any, url: string, context: any) {
  if (ending === "user") throw new coda.UserVisibleError("You see this.");
  if (ending === "plain") throw new Error("You do not see this.");
  if (ending === "scopes") throw new coda.MissingScopesError();
  if (ending === "fetch") await context.fetcher.fetch({ method: "GET", url });
  if (ending === "catch") await context.fetcher.fetch({ method: "GET", url }).catch((error) => { if (error.statusCode !== 404) throw error; });
  return ending === "wrong" ? of.wrong : of.value;
}
(cases as any[]).forEach((each, index) => {
  const base = { name: "Run" + index, description: "Runs.", parameters: [] as any[] };
  const url = "https://tasks.example/answers/" + index;
  if (each.kind === "result") {
    const { type, items } = each.of.schema;
    const shape = type === "array" ? { items } : type === "object" ? { schema: coda.makeObjectSchema(each.of.schema) } : {};
    pack.addFormula({ ...base, resultType: type, ...shape, execute: async (_: any, context: any) => await end(each, url, context) } as any);
  }
  if (each.kind === "parameters")
    pack.addFormula({
      ...base,
      parameters: each.given.map(({ type }: any, place: number) => coda.makeParameter({ type, name: "p" + place, description: "A value." })),
      resultType: coda.ValueType.String,
      execute: async (args: any) => JSON.stringify(args.map((value: any) => [value instanceof Date, value])),
    } as any);
  if (each.kind === "network")
    pack.addFormula({
      ...base,
      resultType: coda.ValueType.String,
      execute: async (_: any, context: any) => {
        try {
          const { status, body } = await context.fetcher.fetch({ method: "GET", url });
          return JSON.stringify({ status, body });
        } catch (error: any) {
          if (!each.isCaught) throw error;
          return JSON.stringify({ ...error, message: error.message, text: String(error), is: coda.StatusCodeError.isStatusCodeError(error) });
        }
      },
    } as any);
  if (each.kind === "table") {
    const { properties } = each.row.schema;
    const schema = coda.makeObjectSchema({ properties: { ...properties, id: { type: "string" } }, idProperty: "id", displayProperty: "id" } as any);
    pack.addSyncTable({
      name: "Table" + index,
      description: "Rows.",
      identityName: "Row" + index,
      schema,
      formula: {
        ...base,
        name: "Sync" + index,
        execute: async (_: any, context: any) => {
          const place = Number(context.sync.continuation?.page ?? 0);
          const { rows, deleted } = each.pages[place];
          const isLast = place === each.pages.length - 1;
          if (isLast && each.ending === "user") throw new coda.UserVisibleError("No more rows.");
          const value = isLast && each.ending === "wrong" ? each.row.wrong : each.row.value;
          return {
            result: Array.from({ length: rows + (isLast ? 1 : 0) }, (_, row) => ({ ...value, id: place + "-" + row })),
            ...(deleted ? { deletedRowIds: Array.from({ length: deleted }, (_, row) => "gone" + place + row) } : {}),
            ...(isLast ? {} : { continuation: { page: place + 1 } }),
          };
        },
      },
    } as any);
  }
});
`;

describe.skipIf(!hasPublishedPackage)("random Packs", () => {
  const folder = makeTemporaryFolder();
  const bundles: string[] = [];
  const opened: Pack[] = [];
  const published = new Map<number, unknown[]>();

  beforeAll(async () => {
    writeFileSync(join(folder.path, "pack.ts"), SOURCE);
    writeFileSync(join(folder.path, "cases.json"), JSON.stringify(cases));
    symlinkSync(publishedModules, join(folder.path, "node_modules"));
    const { packs, issues } = await buildPacks(["pack.ts"], {
      cwd: folder.path,
      outDir: "ours",
      types: false,
      cache: false,
    });
    expect(issues.filter(({ severity }) => severity === "error")).toEqual([]);
    const outDir = join(folder.path, "theirs");
    mkdirSync(outDir);
    bundles.push(packs[0]?.bundle ?? "");
    bundles.push(
      ...(await askPublished<string[]>({
        kind: "build",
        packs: [{ entry: join(folder.path, "pack.ts"), outDir }],
      })),
    );
    for (const file of bundles) opened.push(await openValidPack(file, { cwd: folder.path }));
    const asked = cases.flatMap((each, index) =>
      each.kind === "table"
        ? []
        : bundles.map((bundle) => ({ index, job: createJob(each, index, bundle) })),
    );
    const answers = await askPublished<Answer[]>({
      kind: "execute",
      calls: asked.map(({ job }) => job),
    });
    for (const [place, { index }] of asked.entries())
      published.set(index, [
        ...(published.get(index) ?? []),
        publishedAnswer(answers[place] as Answer, {}),
      ]);
  }, 300_000);
  afterAll(async () => {
    for (const pack of opened) await pack[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  it.each(cases.map((each, index) => ({ each, index, kind: each.kind })))(
    "case $index ($kind) gives the same answer or the same class of failure with each bundle in each runtime",
    async ({ each, index }) => {
      const compare = each.kind === "table" ? ("pages" as const) : undefined;
      const call = { ...(compare && { compare, context: { sync: {} } }) };
      const theirs = compare
        ? await publishedAnswers(
            bundles.map((bundle) => createJob(each, index, bundle)),
            call,
          )
        : published.get(index);
      const ours: unknown[] = [];
      for (const [place, pack] of opened.entries()) {
        await using running = runTarget(
          pack,
          {
            target: each.kind === "table" ? `Table${index}` : `Run${index}`,
            args: each.kind === "parameters" ? each.given.map(({ value }) => value) : [],
          },
          {
            file: bundles[place] ?? "",
            cwd: folder.path,
            redactor: createRedactor(),
            mock: mockFetcher(
              each.kind === "network"
                ? { [`GET ${url(index)}`]: createAnswer(each) }
                : { [`GET ${url(index)}`]: MISSING },
            ),
          },
        );
        const run = await running.finish();
        ours.push(answerOfRun(run, call));
      }
      const about = JSON.stringify(each);
      expect(theirs?.[0], about).toEqual(theirs?.[1]);
      expect(ours[0], about).toEqual(ours[1]);
      // The published runtime does not check results; the service does that after it.
      if ("ending" in each && each.ending === "wrong")
        expect(ours[0], about).toEqual({ failure: "RESULT_INVALID" });
      else expect(ours[0], about).toEqual(theirs?.[0]);
    },
  );
});

const MISSING = {
  status: 404,
  headers: { "content-type": "application/json" },
  body: { error: "gone" },
};

function createAnswer({ status, body }: Extract<CaseValue, { kind: "network" }>) {
  return "json" in body
    ? { status, headers: { "content-type": "application/json" }, body: body.json }
    : { status, headers: { "content-type": "text/plain" }, body: body.text };
}

function createJob(each: CaseValue, index: number, bundle: string): object {
  const isTable = each.kind === "table";
  return {
    bundle,
    spec: isTable
      ? { type: "Sync", formulaName: `Table${index}` }
      : { type: "Standard", formulaName: `Run${index}` },
    params:
      each.kind === "parameters"
        ? each.given.map(({ value }) =>
            value instanceof Date ? { $date: value.toISOString() } : value,
          )
        : [],
    context: {},
    answers: { [`GET ${url(index)}`]: each.kind === "network" ? createAnswer(each) : MISSING },
  };
}
