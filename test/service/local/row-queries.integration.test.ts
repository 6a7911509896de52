import fc from "fast-check";
import { expect, it } from "vitest";
import { isLong } from "../../support/breadth.ts";
import { onEachDatabase, type ServiceUnderTest } from "../support.ts";

type Value = string | number | boolean | readonly string[];
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
  /** The names of the other rows now; undefined for one that was deleted. */
  names: (string | undefined)[];
}

const LOOKUPS: readonly string[] = ["c-to", "c-all"];

/** What a cell shows as text or value: the model keeps places of other rows as `#0`. */
function shownIn({ names }: Model, row: KnownRow, id: keyof Values): string | number | boolean {
  const value = row[id];
  const findName = (text: string) =>
    LOOKUPS.includes(id) && /^#\d$/.test(text) ? (names[Number(text[1])] ?? "") : text;
  if (typeof value === "object") return value.map(findName).join(",");
  if (typeof value !== "string") return value;
  return id === "c-due" && /^\d/.test(value) ? `${value}T00:00:00.000+00:00` : findName(value);
}

/** Every value by which a filter finds a cell. */
function foundBy(model: Model, row: KnownRow, id: keyof Values): (string | number | boolean)[] {
  const value = row[id];
  const members =
    typeof value === "object"
      ? value.map((each) => shownIn(model, { ...row, [id]: each }, id))
      : [];
  return [shownIn(model, row, id), ...members];
}

const COLUMNS = [
  { id: "c-name", name: "Name", display: true },
  { id: "c-text", name: 'Te:xt "q"' },
  { id: "c-size", name: "Size", type: "number" },
  { id: "c-done", name: "Done", type: "checkbox" },
  { id: "c-due", name: "Due", type: "date" },
  { id: "c-tags", name: "Tags", type: "select", isArray: true },
  { id: "c-to", name: "To", type: "lookup", table: "Others" },
  { id: "c-all", name: "All", type: "lookup", table: "Others", isArray: true },
] as const;
/** The rows of the other table by what their names are at first; the names change. */
const OTHERS = ["x", "y", "z"] as const;
const OTHER_ROWS = "/docs/queries/tables/grid-others/rows";
const TABLE = "/docs/queries/tables/grid-rows";
const ROWS = `${TABLE}/rows`;
/** A view, its filter and its sorts, as plain rows have them. */
interface View {
  path: string;
  shows(row: KnownRow, model: Model): boolean;
  sorts: readonly { id: keyof Values; isDescending: boolean }[];
}
const VIEWS: readonly View[] = [
  {
    path: "/docs/queries/tables/table-done",
    shows: (row) => row["c-done"] === true,
    sorts: [
      { id: "c-size", isDescending: true },
      { id: "c-name", isDescending: false },
    ],
  },
  {
    path: "/docs/queries/tables/table-lookup",
    shows: (row, model) => shownIn(model, row, "c-to") === "x",
    sorts: [
      { id: "c-due", isDescending: false },
      { id: "c-tags", isDescending: true },
    ],
  },
  {
    path: "/docs/queries/tables/table-sorted",
    shows: () => true,
    sorts: [
      { id: "c-all", isDescending: true },
      { id: "c-to", isDescending: false },
      { id: "c-done", isDescending: false },
    ],
  },
];

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
const due = fc.constantFrom<Value>("", "2026-01-05", "2025-12-31", "soon");
const tags = fc.constantFrom<Value>([], ["a"], ["b", "a"], ["b,a", "c"], ["a", "b"]);
const to = fc.constantFrom<Value>("", "#0", "#1", "#2", "none");
const all = fc.constantFrom<Value>([], ["#0"], ["#1", "#0"], ["#0", "none"], ["#2", "#2"]);
const values = fc.record({
  "c-name": text,
  "c-text": text,
  "c-size": size,
  "c-done": done,
  "c-due": due,
  "c-tags": tags,
  "c-to": to,
  "c-all": all,
});
const place = fc.nat(8);
const createCells = (changed: Partial<Values>) => ({
  cells: Object.entries(changed).map(([column, value]) => ({
    column,
    value: typeof value === "object" ? value.map(written) : written(value),
  })),
});

/** The other rows are written by their ids, which the service makes from the seed. */
const otherIds: string[] = [];
function written<Sent>(value: Sent): Sent | string {
  return typeof value === "string" && /^#\d$/.test(value)
    ? (otherIds[Number(value[1])] ?? "")
    : value;
}

type Step = (model: Model, test: ServiceUnderTest) => Promise<void>;

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.array(values, { minLength: 2, maxLength: 6 }).map(
    (added): Step =>
      async (model, test) => {
        const { addedRowIds } = await write(test, "POST", { rows: added.map(createCells) });
        for (const [at, each] of added.entries())
          model.rows.push({
            ...each,
            id: (addedRowIds as string[])[at] ?? "",
            changed: model.steps,
          });
      },
  ),
  fc
    .tuple(
      place,
      fc.oneof(values, fc.record({ "c-size": size }), fc.record({ "c-done": done, "c-to": to })),
    )
    .map(
      ([at, changed]): Step =>
        async (model, test) => {
          const row = model.rows[at];
          if (row === undefined) return;
          await write(test, "PUT", { row: createCells(changed) }, row.id);
          Object.assign(row, changed, { changed: model.steps });
        },
    ),
  values.map(
    (changed): Step =>
      async (model, test) => {
        await write(test, "POST", { rows: [createCells(changed)], keyColumns: ["Name"] });
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

const renamed = fc.constantFrom("x", "y", "", "x,y");
const otherStep: fc.Arbitrary<Step> = fc.tuple(fc.nat(2), renamed).map(
  ([at, name]): Step =>
    async (model, test) => {
      if (model.names[at] === undefined) return;
      const body = { row: { cells: [{ column: "Name", value: name }] } };
      await write(test, "PUT", body, otherIds[at], OTHER_ROWS);
      model.names[at] = name;
    },
);
const anyStep = fc.oneof({ arbitrary: step, weight: 4 }, { arbitrary: otherStep, weight: 1 });

/** `query`, and which rows it lets pass. */
const wantedValue = fc.oneof(
  text,
  size as fc.Arbitrary<string | number>,
  fc.constantFrom(true, false, "x", "y", "x,y", "y,x", ",", "b,a", "none", "soon"),
  fc.constantFrom("2026-01-05", "2026-01-05T00:00:00.000+00:00", "x,none"),
);
const filter = fc
  .tuple(fc.constantFrom(...COLUMNS), wantedValue, fc.nat(2))
  .map(([{ id, name }, value, form]) => ({
    query: `${[id, JSON.stringify(id), JSON.stringify(name)][form]}:${JSON.stringify(value)}`,
    passes: (row: KnownRow, model: Model) => foundBy(model, row, id).includes(value),
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
  rows = ROWS,
): Promise<Record<string, unknown>> {
  test.service.clock.advance(1);
  const answer = await test.write(method, rowId === undefined ? rows : `${rows}/${rowId}`, body);
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
type Shown = string | number | boolean;
function compareValues(one: Shown, other: Shown): number {
  const rank = (value: Shown) => (value === "" ? 0 : typeof value === "number" ? 1 : 2);
  return rank(one) - rank(other) || (one === other ? 0 : ordered(one) < ordered(other) ? -1 : 1);
}

function ordered(value: Shown): string | number {
  return typeof value === "boolean" ? String(value) : value;
}

function rowsOfView(model: Model, { shows, sorts }: View): KnownRow[] {
  return model.rows
    .filter((row) => shows(row, model))
    .toSorted((one, other) => {
      for (const { id, isDescending } of sorts) {
        const order = compareValues(shownIn(model, one, id), shownIn(model, other, id));
        if (order !== 0) return isDescending ? -order : order;
      }
      return 0;
    });
}

const listIds = (rows: readonly KnownRow[]) => rows.map(({ id }) => id);

async function compare(
  model: Model,
  test: ServiceUnderTest,
  wanted: readonly Listing[],
): Promise<void> {
  for (const { filter, order, limit } of wanted) {
    const query = filter === null ? "" : `&query=${encodeURIComponent(filter.query)}`;
    const passing = (rows: readonly KnownRow[]) =>
      rows.filter((row) => filter === null || filter.passes(row, model));
    const byChange = (rows: readonly KnownRow[]) =>
      order === "updatedAt" ? rows.toSorted((one, other) => one.changed - other.changed) : rows;
    expect(
      await listed(test, `${ROWS}?limit=${limit}&sortBy=${order}${query}`, limit),
      `${order} ${query}`,
    ).toEqual(listIds(byChange(passing(model.rows))));
    for (const view of VIEWS) {
      const shown = rowsOfView(model, view);
      const inOrder =
        order === "natural" ? shown : byChange(model.rows.filter((row) => shown.includes(row)));
      expect(
        await listed(test, `${view.path}/rows?limit=${limit}&sortBy=${order}${query}`, limit),
        `${view.path} ${order} ${query}`,
      ).toEqual(listIds(passing(inOrder)));
    }
  }
  for (const view of VIEWS) {
    const shown = rowsOfView(model, view);
    expect((await test.send(view.path)).body["rowCount"]).toBe(shown.length);
    const { items } = (await test.send(`${view.path}/rows?limit=500`)).body as unknown as Page;
    for (const { id, index } of items) expect(shown[index]?.id).toBe(id);
    const [some] = shown;
    if (some !== undefined)
      expect((await test.send(`${view.path}/rows/${some.id}`)).body["index"]).toBe(0);
  }
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

onEachDatabase(
  "queries of rows that random edits leave",
  (start) => {
    it("answer as a search through plain rows does: filters, names, views, every order, pages and changes since a token", async () => {
      const tables = [
        { id: "grid-rows", name: "Rows", columns: [...COLUMNS] },
        {
          id: "grid-others",
          name: "Others",
          columns: [{ name: "Name" }],
          rows: OTHERS.map((Name) => ({ Name })),
        },
        {
          id: "table-lookup",
          name: "With x",
          viewOf: "Rows",
          filter: { column: "To", equals: "x" },
          sorts: [
            { column: "Due", direction: "ascending" as const },
            { column: "Tags", direction: "descending" as const },
          ],
        },
        {
          id: "table-sorted",
          name: "Sorted",
          viewOf: "Rows",
          sorts: [
            { column: "All", direction: "descending" as const },
            { column: "To", direction: "ascending" as const },
            { column: "Done", direction: "ascending" as const },
          ],
        },
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
      otherIds.splice(0, 3, ...(await listed(test, `${OTHER_ROWS}?limit=500`)));
      const steps = fc.array(anyStep, { maxLength: 5 });
      await fc.assert(
        fc.asyncProperty(
          steps,
          filter,
          steps,
          fc.array(listing, { minLength: 1, maxLength: 4 }),
          async (first, baked, second, wanted) => {
            const model: Model = { rows: [], steps: 0, names: [...OTHERS] };
            for (const [at, name] of OTHERS.entries())
              await write(
                test,
                "PUT",
                { row: { cells: [{ column: "Name", value: name }] } },
                otherIds[at],
                OTHER_ROWS,
              );
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
            const changed = model.rows.filter(
              (row) => row.changed > taken && baked.passes(row, model),
            );
            expect(await listed(test, `${ROWS}?syncToken=${nextSyncToken}`, 1)).toEqual(
              listIds(changed),
            );
          },
        ),
        { numRuns: Number(process.env["PACKSMITH_TEST_RUNS"] ?? (isLong ? 15 : 4)) },
      );
    }, 3_600_000);
  },
  { postgres: "every" },
);
