import fc from "fast-check";
import { expect, it } from "vitest";
import type { Seed } from "../../../src/service/local/store/seed.ts";
import { isLong } from "../../support/breadth.ts";
import { onEachDatabase, type ServiceUnderTest } from "../support.ts";

/**
 * Random edits of a table with every kind of column, and after each of them what the service
 * finds, compared with a search through all of its rows: by value, through views, by name, and in
 * listings that began before.
 */
const DOC = "/docs/model";
const ROWS = `${DOC}/tables/grid-t/rows`;
const OTHERS = `${DOC}/tables/grid-o/rows`;
const VALUES = {
  Key: ["a", "b", "", "10", "ü/😀", "'; --", "x".repeat(120), `${"x".repeat(119)}y`],
  Size: [0, -1, 2.5, 10, 1e21, "", "10"],
  When: ["2026-03-04", "2026-03-04T05:06:07Z", "12/31/2025", "", "soon"],
  Tags: [["a"], ["a", "b"], [], "b,a", "c", ["", "a"]],
  To: ["one", "two", ["one", "two"], "nowhere", ""],
  Who: ["Owner", "owner@service.example", "Someone", ""],
  Done: [true, false, ""],
} as const;
type Column = keyof typeof VALUES;
const COLUMNS = Object.keys(VALUES) as Column[];
const VIEWS = [
  { id: "table-a", filter: { column: "Key", equals: "a" }, sorts: ["-Size", "When"] },
  { id: "table-one", filter: { column: "To", equals: "one" }, sorts: ["To", "-Key"] },
  { id: "table-tags", filter: { column: "Tags", equals: "a" }, sorts: [] },
  { id: "table-all", filter: undefined, sorts: ["-When", "Tags", "-Done"] },
] as const;

const seed: Seed = {
  users: [{ name: "Owner", email: "owner@service.example" }],
  docs: [
    {
      id: "model",
      title: "Model",
      timezone: "America/New_York",
      tables: [
        {
          id: "grid-t",
          name: "T",
          columns: [
            { id: "c-Key", name: "Key", display: true },
            { id: "c-Size", name: "Size", type: "number" },
            { id: "c-When", name: "When", type: "dateTime" },
            { id: "c-Tags", name: "Tags", type: "select", isArray: true },
            { id: "c-To", name: "To", type: "lookup", table: "O" },
            { id: "c-Who", name: "Who", type: "person" },
            { id: "c-Done", name: "Done", type: "checkbox" },
          ],
        },
        {
          id: "grid-o",
          name: "O",
          columns: [{ name: "Name" }],
          rows: [{ Name: "one" }, { Name: "two" }],
        },
        ...VIEWS.map(({ id, filter, sorts }) => ({
          id,
          name: id,
          viewOf: "T",
          ...(filter === undefined ? {} : { filter }),
          sorts: sorts.map((sort) => ({
            column: sort.replace("-", ""),
            direction: sort.startsWith("-") ? ("descending" as const) : ("ascending" as const),
          })),
        })),
      ],
    },
  ],
};

type Scalar = string | number | boolean;
type Value = Scalar | readonly Value[];

interface ListedRow {
  id: string;
  name: string;
  index: number;
  values: Record<string, Value>;
}

async function listFrom(test: ServiceUnderTest, path: string): Promise<ListedRow[]> {
  const rows: ListedRow[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, body } = await test.send(next);
    expect(status, next).toBe(200);
    rows.push(...(body["items"] as ListedRow[]));
    next = (body["nextPageLink"] as string | undefined)?.slice(test.service.url.length);
  }
  return rows;
}

const createQuery = (column: string, value: Scalar) =>
  `query=${encodeURIComponent(`${JSON.stringify(column)}:${JSON.stringify(value)}`)}`;

/** A row as it is compared: with the text of each cell, and the members of its arrays. */
interface PlainRow extends ListedRow {
  members: Record<string, Value>;
}

async function readPlain(test: ServiceUnderTest): Promise<PlainRow[]> {
  const simple = await listFrom(test, `${ROWS}?limit=500&useColumnNames=true`);
  const arrays = await listFrom(
    test,
    `${ROWS}?limit=500&useColumnNames=true&valueFormat=simpleWithArrays`,
  );
  return simple.map((row, at) => ({ ...row, members: arrays[at]?.values ?? {} }));
}

function passes({ values, members }: PlainRow, column: string, value: Scalar): boolean {
  const isMember = (each: Value | undefined): boolean =>
    Array.isArray(each) ? each.some(isMember) : each === value;
  return values[column] === value || isMember(members[column]);
}

function compareValues(one: Value | undefined, other: Value | undefined): number {
  const place = (value: Value | undefined) =>
    typeof value === "number" ? 1 : value === "" || value === undefined ? 0 : 2;
  if (place(one) !== place(other)) return place(one) - place(other);
  if (typeof one === "number") return one - Number(other);
  const text = (value: Value | undefined) => Buffer.from([...String(value)].slice(0, 100).join(""));
  return Math.sign(Buffer.compare(text(one), text(other)));
}

/** Everything that is asked, as a search through all rows answers it. */
async function compareAll(test: ServiceUnderTest): Promise<void> {
  const all = await readPlain(test);
  expect(all.map(({ index }) => index)).toEqual(all.map((_, at) => at));
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  const natural = await listFrom(test, `${ROWS}?limit=3&sortBy=natural`);
  expect(ids(natural)).toEqual(ids(all.toSorted((one, other) => one.index - other.index)));
  for (const column of COLUMNS) {
    const shown = all.map(({ values }) => values[column]).filter((value) => !Array.isArray(value));
    const values = new Set([...VALUES[column].flat(), ...shown.slice(0, 4)] as Scalar[]);
    for (const value of values)
      expect(
        ids(await listFrom(test, `${ROWS}?limit=4&${createQuery(column, value)}`)),
        `${column} ${value}`,
      ).toEqual(ids(all.filter((row) => passes(row, column, value))));
  }
  for (const { id, filter, sorts } of VIEWS) {
    const shown = all.filter(
      (row) => filter === undefined || passes(row, filter.column, filter.equals),
    );
    const sorted = shown.toSorted((one, other) => {
      for (const sort of sorts) {
        const column = sort.replace("-", "");
        const order = compareValues(one.values[column], other.values[column]);
        if (order !== 0) return sort.startsWith("-") ? -order : order;
      }
      return one.index - other.index;
    });
    const view = `${DOC}/tables/${id}`;
    const listed = await listFrom(test, `${view}/rows?limit=2&sortBy=natural`);
    expect(ids(listed), id).toEqual(ids(sorted));
    expect((await test.send(view)).body["rowCount"], id).toBe(shown.length);
    expect(ids(await listFrom(test, `${view}/rows?limit=500`)), id).toEqual(ids(shown));
  }
  for (const name of ["a", "10"]) {
    const first = all.find((row) => row.name === name);
    const answer = await test.send(`${ROWS}/${encodeURIComponent(name)}`);
    expect(answer.body["id"], name).toBe(first?.id);
  }
}

/** Listings that have begun, and what is still to come of each. */
interface Begun {
  next: string;
  rest: string[];
}

type Step = (test: ServiceUnderTest, begun: Begun[]) => Promise<void>;

const someCells = fc
  .record(
    Object.fromEntries(
      COLUMNS.map((column) => [column, fc.constantFrom<unknown>(...VALUES[column])]),
    ) as Record<Column, fc.Arbitrary<unknown>>,
    { requiredKeys: [] },
  )
  .map((cells) => ({
    cells: Object.entries(cells).map(([column, value]) => ({ column, value })),
  }));
const place = fc.nat(8);

async function edit(
  test: ServiceUnderTest,
  method: string,
  path: string,
  body?: object,
): Promise<void> {
  const answer = await test.write(method, path, body);
  expect([202, 404], `${method} ${path}`).toContain(answer.status);
}

async function idAt(test: ServiceUnderTest, rows: string, at: number): Promise<string> {
  const { body } = await test.send(`${rows}?limit=500`);
  const items = body["items"] as ListedRow[];
  return items[at % Math.max(1, items.length)]?.id ?? "i-none";
}

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(someCells, { minLength: 1, maxLength: 5 }).map(
      (rows): Step =>
        (test) =>
          edit(test, "POST", ROWS, { rows }),
    ),
  },
  fc
    .tuple(
      fc.array(someCells, { maxLength: 3 }),
      fc.subarray(COLUMNS, { minLength: 1, maxLength: 2 }),
    )
    .map(
      ([rows, keyColumns]): Step =>
        (test) =>
          edit(test, "POST", ROWS, { rows, keyColumns }),
    ),
  fc.tuple(place, someCells).map(
    ([at, row]): Step =>
      async (test) => {
        await edit(test, "PUT", `${ROWS}/${await idAt(test, ROWS, at)}`, { row });
      },
  ),
  place.map(
    (at): Step =>
      async (test) =>
        await edit(test, "DELETE", ROWS, { rowIds: [await idAt(test, ROWS, at)] }),
  ),
  // A row that others point to gets another name, or goes.
  fc.tuple(place, fc.constantFrom("one", "two", "three", "")).map(
    ([at, value]): Step =>
      async (test) => {
        const cells = [{ column: "Name", value }];
        await edit(test, "PUT", `${OTHERS}/${await idAt(test, OTHERS, at)}`, { row: { cells } });
      },
  ),
  fc.constant<Step>(async (test) => {
    await edit(test, "DELETE", OTHERS, { rowIds: [await idAt(test, OTHERS, 1)] });
    await edit(test, "POST", OTHERS, { rows: [{ cells: [{ column: "Name", value: "two" }] }] });
  }),
  fc
    .constantFrom(
      `${ROWS}?limit=1`,
      `${ROWS}?limit=2&sortBy=natural`,
      `${ROWS}?limit=1&${createQuery("Key", "a")}`,
      `${ROWS}?limit=1&${createQuery("Tags", "a")}`,
      `${DOC}/tables/table-a/rows?limit=1&sortBy=natural`,
      `${DOC}/tables/table-all/rows?limit=2&sortBy=natural`,
    )
    .map(
      (path): Step =>
        async (test, begun) => {
          const all = (await listFrom(test, path)).map(({ id }) => id);
          const { body } = await test.send(path);
          const link = body["nextPageLink"] as string | undefined;
          if (link === undefined) return;
          const page = body["items"] as ListedRow[];
          begun.push({ next: link.slice(test.service.url.length), rest: all.slice(page.length) });
        },
    ),
);

onEachDatabase(
  "random rows",
  (start) => {
    it("are found as a search through all of them finds them, also by listings that began before", async () => {
      await using test = await start({ seed });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
          await test.service.reset();
          const begun: Begun[] = [];
          for (const apply of steps) await apply(test, begun);
          await compareAll(test);
          for (const { next, rest } of begun)
            expect((await listFrom(test, next)).map(({ id }) => id)).toEqual(rest);
        }),
        { numRuns: Number(process.env["PACKSMITH_TEST_RUNS"] ?? (isLong ? 6 : 2)) },
      );
    }, 3_600_000);
  },
  { postgres: "every" },
);
