import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createClock } from "../../../../src/service/local/clock.ts";
import type { Edit } from "../../../../src/service/local/edits/edit.ts";
import { createEditQueue } from "../../../../src/service/local/edits/edit-queue.ts";
import { splitIntoRuns } from "../../../../src/service/local/edits/edit-runs.ts";
import { createColumnIndexes } from "../../../../src/service/local/store/column-indexes.ts";
import { loadSeed } from "../../../../src/service/local/store/load-seed.ts";
import { openReadCache } from "../../../../src/service/local/store/open-read-cache.ts";
import {
  CURRENT,
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { parseSeed } from "../../../../src/service/local/store/seed.ts";
import { openDatabase } from "../../../../src/storage/database.ts";
import { isLong } from "../../../support/breadth.ts";
import { hasPostgres, makePostgresDatabase } from "../../../support/postgres.ts";

/** Two equal documents: one takes its edits one after the other, the other all at once. */
const DOCS = ["alone", "together"] as const;
const SEED = parseSeed({
  users: ["one", "two"].map((name) => ({ name, email: `${name}@service.example` })),
  docs: DOCS.map((id) => ({
    id,
    title: id,
    tables: [
      {
        id: "grid-t",
        name: "T",
        columns: [
          { id: "c-key", name: "Key" },
          { id: "c-number", name: "Number", type: "number" },
          { id: "c-other", name: "Other", type: "lookup", table: "U" },
          { id: "c-sum", name: "Sum", type: "number", formula: "Number + 1" },
        ],
      },
      {
        id: "grid-u",
        name: "U",
        columns: [
          { id: "c-key", name: "Key" },
          { id: "c-other", name: "Parent", type: "lookup", table: "U" },
        ],
      },
      {
        id: "view-t",
        name: "V",
        viewOf: "T",
        filter: { column: "Key", equals: "a" },
        sorts: [{ column: "Number", direction: "descending" }],
      },
    ],
  })),
});

const tableId = fc.constantFrom("grid-t", "grid-t", "grid-u");
const cells = fc.array(
  fc.oneof(
    fc.record({ column: fc.constant("c-key"), value: fc.constantFrom("a", "b", "c") }),
    fc.record({
      column: fc.constantFrom("Number", "c-sum", "none"),
      value: fc.integer({ min: 0, max: 9 }),
    }),
    fc.record({ column: fc.constant("c-other"), value: fc.constantFrom("a", "b", "i-1") }),
  ),
  { maxLength: 3 },
);
const rowId = fc.nat(9).map((number) => `i-${number}`);
const parse = fc.boolean();
const broken = { weight: 1, arbitrary: fc.constant(null as never) };

const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant("insert" as const),
      tableId,
      parse,
      rows: fc.array(
        fc.record({
          rowId: fc.constant(""),
          cells: fc.oneof({ weight: 19, arbitrary: cells }, broken),
        }),
        { maxLength: 3 },
      ),
      keyColumns: fc.constantFrom<string[]>(
        [],
        [],
        ["c-key"],
        ["Key"],
        ["c-key", "c-other"],
        ["none"],
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("insert" as const),
      tableId,
      parse,
      once: fc.constant(true),
      keyColumns: fc.constant([]),
      rows: fc
        .uniqueArray(rowId, { maxLength: 2 })
        .map((ids) =>
          ids.map((id) => ({ rowId: id, cells: [{ column: "c-key", value: "once" }] })),
        ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("update" as const),
      tableId,
      rowId,
      parse,
      cells: fc.oneof({ weight: 19, arbitrary: cells }, broken),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("delete" as const),
      tableId,
      rowIds: fc.array(rowId, { maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Edit>({ kind: "none", warning: "Nothing is left to do." }) },
);

// Ids as the service would make them, so that later edits find rows that earlier ones add.
const edits = fc.array(edit, { maxLength: 14 }).map((all) => {
  let made = 0;
  return all.map((each): Edit => {
    if (each.kind !== "insert" || each.once === true) return each;
    return { ...each, rows: each.rows.map((row) => ({ ...row, rowId: `i-${made++}` })) };
  });
});

/** The second one refers to the row that the first one adds to the same table. */
const NAMES_THE_ROW_BEFORE = ["c-key", "c-other"].map(
  (column, at): Edit => ({
    kind: "insert",
    tableId: "grid-u",
    rows: [{ rowId: `i-${at}`, cells: [{ column, value: "a" }] }],
    keyColumns: [],
    parse: true,
  }),
);

async function startQueue(url: string) {
  const storage = await openDatabase<ServiceSchema>({
    url,
    schema: "packsmith_service",
    migrations: serviceMigrations,
  });
  const settings = {
    latency: "immediate" as const,
    isHeld: false,
    snapshotLagMs: 0,
    failedMutation: "warning" as const,
  };
  let ids = 0;
  const queue = createEditQueue({
    storage,
    indexes: createColumnIndexes(storage),
    settings,
    clock: createClock(() => 1_000_000),
    cache: openReadCache(storage),
    actions: undefined,
    isAlone: true,
    random: () => 0,
    newId: () => `m${ids++}`,
  });
  const dispose = async () => {
    await queue[Symbol.asyncDispose]();
    await storage.close();
  };
  return { storage, queue, settings, [Symbol.asyncDispose]: dispose };
}

/** Everything that reads can see of a document: not the numbers of its snapshots. */
async function readContent(
  { storage: { db } }: Awaited<ReturnType<typeof startQueue>>,
  docId: string,
) {
  const rows = db
    .selectFrom("row_versions")
    .where("doc_id", "=", docId)
    .where("to_seq", "=", CURRENT)
    .select([
      "table_id",
      "id",
      "position",
      "created_at_ms",
      "updated_at_ms",
      "cells",
      "name",
      "compared",
    ]);
  const sizes = db.selectFrom("doc_tables").where("doc_id", "=", docId);
  const deletions = db.selectFrom("row_deletions").where("doc_id", "=", docId);
  const sorted = async (query: { execute(): Promise<unknown[]> }) =>
    (await query.execute()).map((each) => JSON.stringify(each)).sort();
  return {
    rows: await sorted(rows),
    sizes: await sorted(sizes.select(["id", "row_count", "next_position"])),
    deletions: await sorted(deletions.select(["table_id", "position"])),
  };
}

const ENGINES = [
  ["SQLite", isLong ? 60 : 20, undefined] as const,
  ...(hasPostgres ? [["PostgreSQL", isLong ? 10 : 4, makePostgresDatabase] as const] : []),
];

describe.each(ENGINES)("waiting edits that are applied together on %s", (_, runs, makeDatabase) => {
  it("leave the document, and the state of each of them, as they do one after the other", async () => {
    await using database = await makeDatabase?.();
    await using test = await startQueue(database?.url ?? ":memory:");
    const { storage, queue, settings } = test;
    await fc.assert(
      fc.asyncProperty(edits, async (all) => {
        await storage.transaction((transaction) => loadSeed(transaction, SEED, 0));
        queue.reload();
        const users = (
          await storage.db.selectFrom("users").select("id").orderBy("position").execute()
        ).map(({ id }) => id);
        const accept = async (docId: string) => {
          const ids: string[] = [];
          for (const [at, each] of all.entries()) {
            ids.push(await queue.accept(docId, users[at % 2] ?? "", each));
            if (!settings.isHeld) await queue.pump({ all: true });
          }
          return ids;
        };
        const alone = await accept("alone");
        settings.isHeld = true;
        const together = await accept("together");
        settings.isHeld = false;
        await queue.pump({ all: true });
        const states = (ids: string[]) =>
          Promise.all(ids.map((id, at) => queue.findStatus(id, users[at % 2] ?? "")));
        expect(await states(together)).toEqual(await states(alone));
        expect((await states(alone)).every((state) => state?.completed)).toBe(true);
        expect(await readContent(test, "together")).toEqual(await readContent(test, "alone"));
      }),
      {
        numRuns: Number(process.env["PACKSMITH_TEST_RUNS"] ?? runs),
        examples: [[NAMES_THE_ROW_BEFORE]],
      },
    );
  }, 3_600_000);
});

const insert = (rows: number, more: object = {}): Edit =>
  ({
    kind: "insert",
    tableId: "t",
    rows: Array.from({ length: rows }, () => ({ rowId: "", cells: [] })),
    keyColumns: [],
    parse: true,
    ...more,
  }) as Edit;
const sizes = (all: readonly Edit[]) =>
  [
    ...splitIntoRuns(all.map((each, at) => ({ id: `m${at}`, userId: "", edit: each, size: 0 }))),
  ].map(({ length }) => length);

describe("which edits are applied together", () => {
  it("those that change rows of one table in the same way", () => {
    expect(sizes([insert(1), insert(2), insert(0)])).toEqual([3]);
    expect(sizes([insert(1), insert(1, { tableId: "u" }), insert(1)])).toEqual([1, 1, 1]);
    expect(
      sizes([
        insert(1),
        insert(1, { keyColumns: ["k"] }),
        insert(1, { keyColumns: ["k"] }),
        insert(1, { parse: false }),
      ]),
    ).toEqual([1, 2, 1]);
    const remove: Edit = { kind: "delete", tableId: "t", rowIds: ["i-1"] };
    const update: Edit = { kind: "update", tableId: "t", rowId: "i-1", cells: [], parse: true };
    expect(sizes([insert(1), update, update, remove, remove, update])).toEqual([1, 2, 2, 1]);
  });

  it("not those with row ids of the caller, nor those that do not change rows", () => {
    expect(sizes([insert(1, { once: true }), insert(1, { once: true })])).toEqual([1, 1]);
    const other: Edit = { kind: "none" };
    expect(sizes([other, other])).toEqual([1, 1]);
    expect(sizes([])).toEqual([]);
  });

  it("at most 200 rows, unless one edit has more", () => {
    expect(sizes([insert(120), insert(80), insert(1), insert(600), insert(1)])).toEqual([
      2, 1, 1, 1,
    ]);
  });
});
