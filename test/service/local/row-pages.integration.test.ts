import fc from "fast-check";
import { expect, it } from "vitest";
import { isLong } from "../../support/breadth.ts";
import { onEachDatabase, type ServiceUnderTest } from "../support.ts";

const columns = [
  { name: "Name" },
  { id: "c-status", name: "Status" },
  { id: "c-size", name: "Size", type: "number" as const },
];
const view = {
  id: "table-open",
  name: "Open",
  viewOf: "T",
  filter: { column: "Status", equals: "open" },
};
const SEED = {
  users: [{ name: "One", email: "one@service.example" }],
  docs: [
    {
      id: "pages",
      title: "Pages",
      tables: [
        { id: "grid-t", name: "T", columns },
        { ...view, sorts: [{ column: "Size", direction: "descending" as const }] },
      ],
    },
  ],
};
const TABLE = "/docs/pages/tables/grid-t";
const VIEW = "/docs/pages/tables/table-open";

interface ListedRow {
  id: string;
  index: number;
  createdAt: string;
  updatedAt: string;
  values: { "c-status": string; "c-size": number };
}

/** What a listing of a table that is a plain array has. */
interface Listing {
  path: string;
  passes?: (row: ListedRow) => boolean;
  /** What rows are sorted by; their places when absent. */
  keyOf?: (row: ListedRow) => readonly (string | number)[];
  /** Whether `index` is that of the table, in every page. */
  hasIndex: boolean;
}

const isOpen = ({ values }: ListedRow) => values["c-status"] === "open";
const created = ({ createdAt, id }: ListedRow) => [createdAt, id];
const inView = ({ values, index }: ListedRow) => [-values["c-size"], index];
const query = (text: string) => `query=${encodeURIComponent(text)}`;
const LISTINGS: Listing[] = [
  { path: `${TABLE}/rows?`, keyOf: created, hasIndex: true },
  { path: `${TABLE}/rows?sortBy=natural`, hasIndex: true },
  {
    path: `${TABLE}/rows?sortBy=updatedAt`,
    keyOf: ({ updatedAt, id }) => [updatedAt, id],
    hasIndex: true,
  },
  {
    path: `${TABLE}/rows?${query('Status:"open"')}`,
    passes: isOpen,
    keyOf: created,
    hasIndex: true,
  },
  {
    path: `${TABLE}/rows?sortBy=natural&${query('Status:"open"')}`,
    passes: isOpen,
    hasIndex: true,
  },
  { path: `${VIEW}/rows?sortBy=natural`, passes: isOpen, keyOf: inView, hasIndex: false },
  { path: `${VIEW}/rows?`, passes: isOpen, keyOf: created, hasIndex: false },
  {
    path: `${VIEW}/rows?sortBy=natural&${query("Size:1")}`,
    passes: (row) => isOpen(row) && row.values["c-size"] === 1,
    keyOf: inView,
    hasIndex: false,
  },
];

function listExpected(
  { passes = () => true, keyOf = ({ index }) => [index] }: Listing,
  rows: readonly ListedRow[],
): ListedRow[] {
  return rows.filter(passes).sort((one, other) => compare(keyOf(one), keyOf(other)));
}

function compare(one: readonly (string | number)[], other: readonly (string | number)[]): number {
  const at = one.findIndex((value, place) => value !== other[place]);
  return at === -1 ? 0 : (one[at] ?? "") < (other[at] ?? "") ? -1 : 1;
}

async function get(test: ServiceUnderTest, path: string) {
  const { status, body } = await test.send(path);
  expect(status, path).toBe(200);
  return body as unknown as { items: ListedRow[]; nextPageLink?: string; nextSyncToken: string };
}

const status = fc.constantFrom("open", "done");
const size = fc.nat(2);
const createCells = ([ofStatus, ofSize]: readonly [string, number]) => ({
  cells: [
    { column: "Status", value: ofStatus },
    { column: "Size", value: ofSize },
  ],
});
/** @returns the ids of the rows that it added or changed */
type Edit = (test: ServiceUnderTest, rows: readonly ListedRow[]) => Promise<string[]>;
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.nat(40).map(
    (at): Edit =>
      async (test, rows) => {
        await test.write("DELETE", `${TABLE}/rows`, {
          rowIds: [rows[at % (rows.length + 1)]?.id ?? "i-none"],
        });
        return [];
      },
  ),
  fc.tuple(fc.nat(40), status, size).map(
    ([at, ...values]): Edit =>
      async (test, rows) => {
        const row = rows[at % (rows.length + 1)];
        if (row === undefined) return [];
        await test.write("PUT", `${TABLE}/rows/${row.id}`, { row: createCells(values) });
        return [row.id];
      },
  ),
  fc.tuple(status, size).map(
    (values): Edit =>
      async (test) => {
        const { body } = await test.write("POST", `${TABLE}/rows`, { rows: [createCells(values)] });
        return body["addedRowIds"] as string[];
      },
  ),
);

onEachDatabase("the pages of a listing", (start) => {
  it("have the rows of the first page's moment in every order and size, while rows are added, changed and deleted", async () => {
    await using test = await start({ seed: SEED });
    const allRows = async () => (await get(test, `${TABLE}/rows?sortBy=natural&limit=500`)).items;
    const rows = fc.array(fc.tuple(status, size), { maxLength: 14 });
    const property = fc.asyncProperty(
      rows,
      fc.array(edit, { maxLength: 4 }),
      fc.constantFrom(...LISTINGS),
      fc.integer({ min: 1, max: 6 }),
      fc.array(edit, { maxLength: 5 }),
      async (added, earlier, listing, limit, edits) => {
        await test.service.reset();
        for (const each of [added.slice(0, 5), added.slice(5)])
          await test.write("POST", `${TABLE}/rows`, { rows: each.map(createCells) });
        for (const apply of earlier) await apply(test, await allRows());
        const before = await allRows();
        const shown = before
          .filter(isOpen)
          .sort((one, other) => compare(inView(one), inView(other)));
        const expected = listExpected(listing, before);
        const listed: ListedRow[] = [];
        const touched = new Set<string>();
        let syncToken: string | undefined;
        for (
          let next: string | undefined = `${listing.path}&limit=${limit}`;
          next !== undefined;
        ) {
          const page = await get(test, next);
          if (listing.hasIndex)
            expect(page.items).toEqual(expected.slice(listed.length, listed.length + limit));
          else if (listed.length === 0) {
            expect(page.items.map(({ id, index }) => [id, index])).toEqual(
              expected
                .slice(0, limit)
                .map(({ id }) => [id, shown.findIndex((row) => row.id === id)]),
            );
          }
          listed.push(...page.items);
          syncToken = page.nextSyncToken;
          next = page.nextPageLink?.slice(test.service.url.length);
          for (const id of (await edits.shift()?.(test, before)) ?? []) touched.add(id);
        }
        expect(listed.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        const changed = listExpected(listing, await allRows()).filter(({ id }) => touched.has(id));
        const synced: ListedRow[] = [];
        const path = listing.path.slice(0, listing.path.indexOf("?"));
        for (
          let next: string | undefined = `${path}?syncToken=${encodeURIComponent(syncToken ?? "")}`;
          next !== undefined;
        ) {
          const page = await get(test, next);
          synced.push(...page.items);
          next = page.nextPageLink?.slice(test.service.url.length);
        }
        expect(synced.map(({ id }) => id)).toEqual(changed.map(({ id }) => id));
      },
    );
    await fc.assert(property, {
      numRuns: Number(process.env["PACKSMITH_TEST_RUNS"] ?? (isLong ? 40 : 12)),
    });
  }, 3_600_000);
});
