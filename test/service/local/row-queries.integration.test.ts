import fc from "fast-check";
import { expect, it } from "vitest";
import { onEachDatabase, type ServiceUnderTest } from "../support.ts";

type Value = string | number | boolean;
type Values = Record<(typeof COLUMNS)[number]["id"], Value>;

/** A row as the service should know it. */
interface KnownRow extends Values {
  id: string;
  /** When its cells were last written, in steps. */
  changed: number;
}

interface Model {
  /** In the order in which they were added. */
  rows: KnownRow[];
  steps: number;
}

const COLUMNS = [
  { id: "c-name", name: "Name", display: true },
  { id: "c-text", name: 'Te:xt "q"' },
  { id: "c-size", name: "Size", type: "number" },
  { id: "c-done", name: "Done", type: "checkbox" },
] as const;
const TABLE = "/docs/queries/tables/grid-rows";
const ROWS = `${TABLE}/rows`;
const VIEW = "/docs/queries/tables/table-done";

const text = fc.constantFrom(
  "",
  "a",
  "A",
  "a:b",
  'say "hi"',
  "back\\slash",
  "7",
  "true",
  "ü😀",
  "a,b",
  " a ",
  "%_",
  "{x",
  "[y",
  "'; --",
);
const size = fc.constantFrom<Value>("", 7, -1, 2.5, "many");
// Most rows are in the view, so that many of them have the same size there.
const done = fc.constantFrom<Value>(true, true, true, false, "");
const values = fc.record({ "c-name": text, "c-text": text, "c-size": size, "c-done": done });
const place = fc.nat(8);
const cellsOf = (changed: Partial<Values>) => ({
  cells: Object.entries(changed).map(([column, value]) => ({ column, value })),
});

type Step = (model: Model, test: ServiceUnderTest) => Promise<void>;

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.array(values, { minLength: 2, maxLength: 6 }).map(
    (added): Step =>
      async (model, test) => {
        const { addedRowIds } = await write(test, "POST", { rows: added.map(cellsOf) });
        for (const [at, each] of added.entries())
          model.rows.push({
            ...each,
            id: (addedRowIds as string[])[at] ?? "",
            changed: model.steps,
          });
      },
  ),
  fc
    .tuple(place, fc.oneof(values, fc.record({ "c-size": size }), fc.record({ "c-done": done })))
    .map(
      ([at, changed]): Step =>
        async (model, test) => {
          const row = model.rows[at];
          if (row === undefined) return;
          await write(test, "PUT", { row: cellsOf(changed) }, row.id);
          Object.assign(row, changed, { changed: model.steps });
        },
    ),
  values.map(
    (changed): Step =>
      async (model, test) => {
        await write(test, "POST", { rows: [cellsOf(changed)], keyColumns: ["Name"] });
        const same = model.rows.filter((row) => row["c-name"] === changed["c-name"]);
        for (const row of same) Object.assign(row, changed, { changed: model.steps });
        if (same.length > 0) return;
        const known = new Set(model.rows.map(({ id }) => id));
        const id = (await listed(test, `${ROWS}?limit=500`)).find((each) => !known.has(each));
        model.rows.push({ ...changed, id: id ?? "", changed: model.steps });
      },
  ),
  fc.array(place, { minLength: 1, maxLength: 3 }).map(
    (places): Step =>
      async (model, test) => {
        const gone = new Set(places.map((at) => model.rows[at]?.id ?? "i-none"));
        await write(test, "DELETE", { rowIds: [...gone] });
        model.rows = model.rows.filter(({ id }) => !gone.has(id));
      },
  ),
);

/** `query`, and which rows it lets pass. */
const filter = fc
  .tuple(fc.constantFrom(...COLUMNS), fc.oneof(text, size, done), fc.nat(2))
  .map(([{ id, name }, value, form]) => ({
    query: `${[id, JSON.stringify(id), JSON.stringify(name)][form]}:${JSON.stringify(value)}`,
    passes: (row: KnownRow) => row[id] === value,
  }));
const listing = fc.record({
  filter: fc.option(filter),
  order: fc.constantFrom("createdAt", "updatedAt", "natural"),
  limit: fc.integer({ min: 1, max: 5 }),
});

type Listing = typeof listing extends fc.Arbitrary<infer Wanted> ? Wanted : never;

async function write(
  test: ServiceUnderTest,
  method: string,
  body: object,
  rowId?: string,
): Promise<Record<string, unknown>> {
  test.service.clock.advance(1);
  const answer = await test.write(method, rowId === undefined ? ROWS : `${ROWS}/${rowId}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return answer.body;
}

interface Page {
  items: { id: string; index: number }[];
  nextPageLink?: string;
}

/** The ids of all pages of a listing. */
async function listed(test: ServiceUnderTest, path: string, limit = 500): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, body } = await test.send(next);
    expect(status, `${next} ${JSON.stringify(body)}`).toBe(200);
    const { items, nextPageLink } = body as unknown as Page;
    ids.push(...items.map(({ id }) => id));
    if (nextPageLink !== undefined) expect(items).toHaveLength(limit);
    next = nextPageLink?.slice(test.service.url.length);
  }
  return ids;
}

/** Blank cells, then numbers, then texts by their UTF-16 units. */
function compareValues(one: Value, other: Value): number {
  const rank = (value: Value) => (value === "" ? 0 : typeof value === "number" ? 1 : 2);
  return rank(one) - rank(other) || (one === other ? 0 : one < other ? -1 : 1);
}

function rowsOfView({ rows }: Model): KnownRow[] {
  return rows
    .filter((row) => row["c-done"] === true)
    .toSorted(
      (one, other) =>
        compareValues(other["c-size"], one["c-size"]) ||
        compareValues(one["c-name"], other["c-name"]),
    );
}

const idsOf = (rows: readonly KnownRow[]) => rows.map(({ id }) => id);

async function compare(
  model: Model,
  test: ServiceUnderTest,
  wanted: readonly Listing[],
): Promise<void> {
  for (const { filter, order, limit } of wanted) {
    const query = filter === null ? "" : `&query=${encodeURIComponent(filter.query)}`;
    const passing = (rows: readonly KnownRow[]) =>
      rows.filter((row) => filter === null || filter.passes(row));
    const byChange = (rows: readonly KnownRow[]) =>
      order === "updatedAt" ? rows.toSorted((one, other) => one.changed - other.changed) : rows;
    expect(
      await listed(test, `${ROWS}?limit=${limit}&sortBy=${order}${query}`, limit),
      `${order} ${query}`,
    ).toEqual(idsOf(byChange(passing(model.rows))));
    const ofView =
      order === "natural"
        ? rowsOfView(model)
        : byChange(model.rows.filter((row) => row["c-done"] === true));
    expect(
      await listed(test, `${VIEW}/rows?limit=${limit}&sortBy=${order}${query}`, limit),
      `view ${order} ${query}`,
    ).toEqual(idsOf(passing(ofView)));
  }
  const view = rowsOfView(model);
  expect((await test.send(VIEW)).body["rowCount"]).toBe(view.length);
  const { items } = (await test.send(`${VIEW}/rows?limit=500`)).body as unknown as Page;
  for (const { id, index } of items) expect(view[index]?.id).toBe(id);
  for (const name of new Set(model.rows.map((row) => String(row["c-name"])))) {
    if (name === "") continue;
    const same = model.rows.filter((row) => row["c-name"] === name);
    const { body, headers } = await test.send(`${ROWS}/${encodeURIComponent(name)}`);
    expect(body, name).toMatchObject({
      id: same[0]?.id,
      index: model.rows.indexOf(same[0] as KnownRow),
    });
    expect(headers.get("X-Emulator-Ambiguous-Name"), name).toBe(
      same.length > 1 ? String(same.length) : null,
    );
  }
}

onEachDatabase("queries of rows that random edits leave", (start) => {
  it("answer as a search through plain rows does: filters, names, views, every order, pages and changes since a token", async () => {
    const tables = [
      { id: "grid-rows", name: "Rows", columns: [...COLUMNS] },
      {
        id: "table-done",
        name: "Done rows",
        viewOf: "Rows",
        filter: { column: "Done", equals: true },
        sorts: [
          { column: "Size", direction: "descending" as const },
          { column: "Name", direction: "ascending" as const },
        ],
      },
    ];
    await using test = await start({
      now: () => Date.UTC(2026, 0, 1),
      seed: {
        users: [{ name: "One", email: "one@service.example" }],
        docs: [{ id: "queries", title: "Queries", tables }],
      },
    });
    const steps = fc.array(step, { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        steps,
        filter,
        steps,
        fc.array(listing, { minLength: 1, maxLength: 4 }),
        async (first, baked, second, wanted) => {
          const model: Model = { rows: [], steps: 0 };
          const before = await listed(test, `${ROWS}?limit=500`);
          if (before.length > 0) await write(test, "DELETE", { rowIds: before });
          const apply = async (each: Step) => {
            model.steps++;
            await each(model, test);
          };
          for (const each of first) await apply(each);
          const { nextSyncToken } = (
            await test.send(`${ROWS}?limit=1&query=${encodeURIComponent(baked.query)}`)
          ).body;
          const taken = model.steps;
          for (const each of second) await apply(each);
          await compare(model, test, wanted);
          const changed = model.rows.filter((row) => row.changed > taken && baked.passes(row));
          expect(await listed(test, `${ROWS}?syncToken=${nextSyncToken}`, 1)).toEqual(
            idsOf(changed),
          );
        },
      ),
      { numRuns: Number(process.env["PACKSMITH_TEST_RUNS"] ?? 15) },
    );
  }, 3_600_000);
});
