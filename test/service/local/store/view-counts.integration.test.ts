import fc from "fast-check";
import { expect, it } from "vitest";
import { buildIndex, isBuilt } from "../../../../src/service/local/store/build-index.ts";
import {
  type IndexedRow,
  type IndexedTable,
  type KeyIndex,
  placesOf,
} from "../../../../src/service/local/store/key-index.ts";
import {
  CURRENT,
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { updateIndexes } from "../../../../src/service/local/store/update-indexes.ts";
import { countBefore, countRows } from "../../../../src/service/local/store/view-counts.ts";
import { openDatabase } from "../../../../src/storage/database.ts";
import type { Storage } from "../../../../src/storage/storage.ts";
import { describePostgres, makePostgresDatabase } from "../../../support/postgres.ts";

type Db = Storage<ServiceSchema>;

const column = (id: string, type: string) =>
  ({
    id,
    name: id,
    format: { type },
    display: false,
    hidden: false,
    calculated: false,
  }) as unknown as IndexedTable["columns"][number];
const VIEW: KeyIndex = "view:table-v";
const TABLE = {
  docId: "d",
  tableId: "t",
  timeZone: "UTC",
  columns: [column("c-1", "number"), column("c-2", "text")],
  views: [
    {
      id: "table-v",
      filter: { columnId: "c-2", equals: "in" },
      sorts: [{ columnId: "c-1", direction: "ascending" }],
    },
  ],
} as unknown as IndexedTable;

/** The rows of the table by their places. */
type Model = Map<number, IndexedRow>;
/** `undefined` deletes a row. */
type Change = readonly [position: number, value: number | undefined];

function rowAt(position: number, value: number): IndexedRow {
  return {
    id: `i-${position}`,
    position,
    createdAtMs: position,
    cells: { "c-1": value, "c-2": value % 3 === 0 ? "out" : "in" },
  };
}

/** Changes rows as an edit does: versions, the snapshot of the document, and every index. */
async function change(
  storage: Db,
  model: Model,
  changes: readonly Change[],
  index: KeyIndex,
): Promise<void> {
  await storage.transaction(async (db) => {
    const before = [...new Set(changes.map(([position]) => position))].flatMap(
      (position) => model.get(position) ?? [],
    );
    for (const [position, value] of changes) {
      if (value === undefined) model.delete(position);
      else model.set(position, rowAt(position, value));
    }
    const { seq } = await db
      .updateTable("docs")
      .set((eb) => ({ seq: eb("seq", "+", 1) }))
      .returning("seq")
      .executeTakeFirstOrThrow();
    const after = [...new Set(changes.map(([position]) => position))].flatMap(
      (position) => model.get(position) ?? [],
    );
    for (const { id } of before)
      await db
        .updateTable("row_versions")
        .set({ to_seq: seq })
        .where("doc_id", "=", "d")
        .where("id", "=", id)
        .where("to_seq", "=", CURRENT)
        .execute();
    for (let at = 0; at < after.length; at += 500) {
      const versions = after.slice(at, at + 500).map(({ id, position, createdAtMs, cells }) => ({
        doc_id: "d",
        table_id: "t",
        id,
        from_seq: seq,
        to_seq: CURRENT,
        position,
        created_at_ms: createdAtMs,
        updated_at_ms: createdAtMs,
        cells: JSON.stringify(cells),
      }));
      await db.insertInto("row_versions").values(versions).execute();
    }
    const kept = await db
      .selectFrom("key_indexes")
      .select("index_name")
      .where("index_name", "=", index)
      .execute();
    if (kept.length > 0) await updateIndexes(db, TABLE, [index], { before, after });
  });
}

async function empty({ db }: Db): Promise<void> {
  for (const table of [
    "docs",
    "row_versions",
    "key_indexes",
    "row_keys",
    "row_key_blocks",
  ] as const)
    await db.deleteFrom(table).execute();
  const record = {
    search_title: "",
    title: "",
    owner_id: "",
    created_at_ms: 0,
    updated_at_ms: 0,
    deleted: 0,
    record: "{}",
    purged_seq: 0,
  };
  await db
    .insertInto("docs")
    .values({ id: "d", seq: 1, ...record })
    .execute();
}

/** The index has every row where it is now, and its counts are those of a sorted array. */
async function compare(
  { db }: Db,
  model: Model,
  index: KeyIndex,
  wanted: readonly string[],
): Promise<void> {
  const places = [...model.values()].flatMap((row) => placesOf(TABLE, index, row));
  const entries = await db
    .selectFrom("row_keys")
    .select(["digest", "order_key", "row_id"])
    .where("index_name", "=", index)
    .execute();
  const texts = (all: readonly (readonly string[])[]) => all.map((each) => each.join(" ")).sort();
  expect(texts(entries.map((entry) => [entry.digest, entry.order_key, entry.row_id]))).toEqual(
    texts(places.map(({ digest, orderKey, rowId }) => [digest, orderKey, rowId])),
  );
  if (index !== VIEW) return;
  const orderKeys = places.map(({ orderKey }) => orderKey).sort();
  const view = { docId: "d", tableId: "t", index };
  expect(await countRows(db, view)).toBe(places.length);
  const keys = [...orderKeys.filter((_, at) => at % 37 === 0), orderKeys.at(-1) ?? "", ...wanted];
  const before = await countBefore(db, view, keys);
  for (const key of keys)
    expect([key, before.get(key)]).toEqual([key, orderKeys.filter((each) => each < key).length]);
}

const range = fc.record({
  from: fc.nat(2_500),
  count: fc.nat(900),
  step: fc.integer({ min: 1, max: 3 }),
  value: fc.option(fc.nat(400)),
});
/**
 * Some rows that are near each other, which get values that are near each other, or are deleted.
 */
const changesOf = ({
  from,
  count,
  step,
  value,
}: {
  from: number;
  count: number;
  step: number;
  value: number | null;
}): Change[] =>
  Array.from({ length: count }, (_, at) => [
    from + at * step,
    value === null ? undefined : value + (at % 7),
  ]);

async function checkCounts(storage: Db): Promise<void> {
  const keys = fc.array(fc.stringMatching(/^[01][0-9a-f]{0,6}$/), { maxLength: 3 });
  const property = fc.asyncProperty(
    fc.array(range, { minLength: 1, maxLength: 5 }),
    keys,
    async (ranges, wanted) => {
      await empty(storage);
      const model: Model = new Map();
      await buildIndex(storage, TABLE, VIEW);
      for (const each of ranges) await change(storage, model, changesOf(each), VIEW);
      await compare(storage, model, VIEW, wanted);
    },
  );
  await fc.assert(property, { numRuns: 8 });
}

async function checkBuild(storage: Db): Promise<void> {
  const index = fc.constantFrom<KeyIndex>(VIEW, "value:c-1", "key:c-2 c-1");
  const property = fc.asyncProperty(
    index,
    fc.array(range, { minLength: 1, maxLength: 6 }),
    async (built, ranges) => {
      await empty(storage);
      const model: Model = new Map();
      await change(storage, model, changesOf({ from: 0, count: 620, step: 2, value: 1 }), built);
      const waiting = ranges.map((each) =>
        changesOf({ ...each, from: each.from % 1_300, count: each.count % 60 }),
      );
      const rest = async () => await change(storage, model, waiting.shift() ?? [], built);
      await buildIndex(storage, TABLE, built, { rest });
      expect(await isBuilt(storage.db, TABLE, built)).toBe(true);
      await compare(storage, model, built, []);
    },
  );
  await fc.assert(property, { numRuns: 8 });
}

it("counts the rows of a view, and those before any place in it, as a sorted array does", async () => {
  await using storage = await openDatabase<ServiceSchema>({
    url: ":memory:",
    migrations: serviceMigrations,
  });
  await checkCounts(storage);
}, 120_000);

it("an index that is built while rows are added, changed and deleted has every row where it is now", async () => {
  await using storage = await openDatabase<ServiceSchema>({
    url: ":memory:",
    migrations: serviceMigrations,
  });
  await checkBuild(storage);
}, 120_000);

describePostgres("the index of a view in PostgreSQL", () => {
  it("counts as a sorted array does, and is built while rows change", async () => {
    await using database = await makePostgresDatabase();
    await using storage = await openDatabase<ServiceSchema>({
      url: database.url,
      migrations: serviceMigrations,
    });
    await checkCounts(storage);
    await checkBuild(storage);
  }, 120_000);
});
