import { describe, expect, it } from "vitest";
import { createClock } from "../../../../src/service/local/clock.ts";
import type { Edit } from "../../../../src/service/local/edits/edit.ts";
import { createEditQueue } from "../../../../src/service/local/edits/edit-queue.ts";
import type { EditSettings } from "../../../../src/service/local/edits/edit-settings.ts";
import { createColumnIndexes } from "../../../../src/service/local/store/column-indexes.ts";
import { loadSeed } from "../../../../src/service/local/store/load-seed.ts";
import { openReadCache } from "../../../../src/service/local/store/open-read-cache.ts";
import { readRows, tableSize } from "../../../../src/service/local/store/row-store.ts";
import {
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { parseSeed } from "../../../../src/service/local/store/seed.ts";
import { openDatabase } from "../../../../src/storage/database.ts";
import { isLong } from "../../../support/breadth.ts";
import { describePostgres, makePostgresDatabase } from "../../../support/postgres.ts";
import { onEachDatabase, type ServiceUnderTest } from "../../support.ts";

const ROWS = 4_000;
const LONG = "x".repeat(60);

type QueuesUnderTest = Awaited<ReturnType<typeof startQueues>>;

async function startQueues(url = ":memory:") {
  const storage = await openDatabase<ServiceSchema>({
    url,
    migrations: serviceMigrations,
  });
  const columns = ["c-key", "c-text", ...Array.from({ length: 30 }, (_, at) => `c-${at}`)].map(
    (id) => ({ id, name: id, type: "text" }),
  );
  const rows = Array.from({ length: ROWS }, (_, at) => ({ "c-key": `key ${at % 2}` }));
  const seed = parseSeed({
    users: [{ name: "U", email: "u@people.example" }],
    docs: [{ id: "d", title: "D", tables: [{ id: "grid-t", name: "T", columns, rows }] }],
  });
  await storage.transaction((transaction) => loadSeed(transaction, seed, 0));
  const { id: userId } = await storage.db
    .selectFrom("users")
    .select("id")
    .executeTakeFirstOrThrow();
  const settings: EditSettings = {
    latency: "immediate",
    isHeld: false,
    snapshotLagMs: 0,
    failedMutation: "warning",
  };
  let ids = 0;
  const start = () =>
    createEditQueue({
      storage,
      indexes: createColumnIndexes(storage),
      clock: createClock(() => 1_000_000),
      settings,
      cache: openReadCache(storage),
      actions: undefined,
      // Slices are short on a fast machine, too.
      sliceMs: 0,
      isAlone: true,
      random: () => 0,
      newId: () => `m${ids++}`,
    });
  const readDoc = () =>
    storage.db
      .selectFrom("docs")
      .select(["seq", "progress"])
      .where("id", "=", "d")
      .executeTakeFirstOrThrow();
  const read = async () => {
    const place = { docId: "d", tableId: "grid-t" };
    const found = await readRows(storage.db, { ...place, seq: (await readDoc()).seq });
    return { rows: found, size: await tableSize(storage.db, place) };
  };
  /** How many changes are written; none when no edit is applied in slices. */
  const countDone = async () => {
    const { progress } = await readDoc();
    return progress === null ? 0 : (JSON.parse(progress) as { done: number }).done;
  };
  /** Applies what is due until so much of it is written, and ends there as a kill does. */
  const endInside = async (
    queue: ReturnType<typeof start>,
    isReached = (done: number) => done > 0,
  ) => {
    const applied = queue.pump();
    while (!isReached(await countDone())) await new Promise(setImmediate);
    await queue[Symbol.asyncDispose]();
    await applied;
    expect((await readDoc()).progress).not.toBeNull();
  };
  const dispose = { [Symbol.asyncDispose]: storage.close };
  return { storage, userId, start, readDoc, countDone, read, endInside, ...dispose };
}

const cells = (entries: Record<string, string>) =>
  Object.entries(entries).map(([column, value]) => ({ column, value }));

const insertion = {
  kind: "insert",
  tableId: "grid-t",
  rows: Array.from({ length: ROWS }, (_, at) => ({
    rowId: `i-new-${at}`,
    cells: cells({ "c-text": `${at} ${LONG}` }),
  })),
  keyColumns: [],
  parse: true,
} satisfies Edit;
const upsert: Edit = {
  ...insertion,
  rows: [
    { rowId: "i-new-0", cells: cells({ "c-key": "key 1", "c-text": "changed" }) },
    { rowId: "i-new-1", cells: cells({ "c-key": "key 2", "c-text": "added" }) },
    { rowId: "i-new-2", cells: cells({ "c-key": "key 1", "c-0": "changed again" }) },
    { rowId: "i-new-3", cells: cells({ "c-key": "key 2", "c-0": "added before" }) },
  ],
  keyColumns: ["c-key"],
};

it.each([
  ["many rows are added", insertion],
  ["an upsert changes many rows, twice", upsert],
  ["many rows are deleted", undefined],
] as const)(
  "when %s, reads see all of it or nothing, and a new start goes on where the last one ended",
  async (_name, given) => {
    await using test = await startQueues();
    const before = await test.read();
    const rowIds = before.rows.filter((_, at) => at % 4 !== 0).map(({ id }) => id);
    const edit = given ?? ({ kind: "delete", tableId: "grid-t", rowIds } as const);
    const first = test.start();
    const id = await first.accept("d", test.userId, edit);
    expect(await first.findStatus("unknown", test.userId)).toBeUndefined();
    await test.endInside(first);
    expect(await test.read()).toEqual(before);
    // Twice: what is planned again goes on at the same change.
    await test.endInside(test.start());
    expect(await test.read()).toEqual(before);
    const second = test.start();
    await second.pump();
    expect(await second.findStatus(id, test.userId)).toEqual({ completed: true });
    await second[Symbol.asyncDispose]();
    const after = await test.read();
    expect(after.size).toMatchObject({ rows: after.rows.length });
    expect(await test.readDoc()).toMatchObject({ progress: null });
    const texts = (column: string) =>
      after.rows.flatMap((row) => row.cells[column] ?? []).map(String);
    if (edit === insertion) {
      expect(after.rows.length).toBe(2 * ROWS);
      expect(after.rows.map(({ position }) => position)).toEqual(after.rows.map((_, at) => at));
      expect(texts("c-text")).toEqual(insertion.rows.map((_, at) => `${at} ${LONG}`));
    } else if (edit === upsert) {
      expect(after.rows.length).toBe(ROWS + 1);
      expect(texts("c-text").filter((text) => text === "changed")).toHaveLength(ROWS / 2);
      expect(texts("c-0").filter((text) => text === "changed again")).toHaveLength(ROWS / 2);
      expect(after.rows.at(-1)?.cells).toEqual({
        "c-key": "key 2",
        "c-text": "added",
        "c-0": "added before",
      });
    } else expect(after.rows).toEqual(before.rows.filter((_, at) => at % 4 === 0));
  },
);

it("an edit that is failed when a part of it is written leaves nothing of it", async () => {
  await using test = await startQueues();
  const before = await test.read();
  const first = test.start();
  const id = await first.accept("d", test.userId, upsert);
  await test.endInside(first);
  const second = test.start();
  expect(await second.fail(id, "not today")).toBe(true);
  await second.pump();
  await second.accept("d", test.userId, { ...insertion, rows: insertion.rows.slice(0, 1) });
  await second.pump();
  await second[Symbol.asyncDispose]();
  const after = await test.read();
  expect(after.rows.slice(0, ROWS)).toEqual(before.rows);
  expect(after.rows.length).toBe(ROWS + 1);
  expect(await test.storage.db.selectFrom("row_versions").select("id").execute()).toHaveLength(
    ROWS + 1,
  );
});

describe("what is written of an edit that is failed is taken back in slices, and a new start goes on with them", () => {
  it.each([
    ["an insertion", insertion],
    ["an upsert", upsert],
    ["a deletion", undefined],
  ] as const)("%s", async (_name, edit) => {
    await using test = await startQueues();
    await failInside(test, edit);
  });
  describePostgres("in PostgreSQL", () => {
    it.runIf(isLong).each([
      ["an upsert", upsert],
      ["a deletion", undefined],
    ] as const)("%s", async (_name, edit) => {
      await using database = await makePostgresDatabase();
      await using test = await startQueues(database.url);
      await failInside(test, edit);
    });
  });
});

/** @param given without, every row is deleted */
async function failInside(test: QueuesUnderTest, given: Edit | undefined): Promise<void> {
  const before = await test.read();
  const rowIds = before.rows.map(({ id }) => id);
  const edit = given ?? ({ kind: "delete", tableId: "grid-t", rowIds } as const);
  const first = test.start();
  const id = await first.accept("d", test.userId, edit);
  await test.endInside(first, (done) => done >= ROWS / 2);
  const written = await test.countDone();
  const second = test.start();
  expect(await second.fail(id, "not today")).toBe(true);
  await test.endInside(second, (done) => done < written);
  expect(await test.countDone()).toBeGreaterThan(0);
  expect(await test.read()).toEqual(before);
  const third = test.start();
  // It waits for the rest, although no other edit is pending.
  await third.accept("d", test.userId, { ...insertion, rows: insertion.rows.slice(0, 1) });
  await third.pump();
  expect(await third.findStatus(id, test.userId)).toEqual({
    completed: true,
    warning: "not today",
  });
  await third[Symbol.asyncDispose]();
  const after = await test.read();
  expect(after.rows.slice(0, ROWS)).toEqual(before.rows);
  expect(after.size).toEqual({ rows: ROWS + 1, nextPosition: ROWS + 1 });
  expect(await test.readDoc()).toMatchObject({ progress: null });
  const { db } = test.storage;
  expect(await db.selectFrom("row_versions").select("id").execute()).toHaveLength(ROWS + 1);
  expect(await db.selectFrom("row_deletions").select("position").execute()).toEqual([]);
}

it("an edit whose document is deleted when a part of it is written says so, and leaves nothing", async () => {
  await using test = await startQueues();
  const first = test.start();
  const id = await first.accept("d", test.userId, insertion);
  await test.endInside(first);
  await test.storage.db.updateTable("docs").set({ deleted: 1 }).where("id", "=", "d").execute();
  const second = test.start();
  await second.pump();
  expect(await second.findStatus(id, test.userId)).toEqual({
    completed: true,
    warning: "The doc was deleted before the edit was applied.",
  });
  await second[Symbol.asyncDispose]();
  expect(await test.readDoc()).toMatchObject({ progress: null });
  expect(await test.storage.db.selectFrom("row_versions").select("id").execute()).toHaveLength(
    ROWS,
  );
});

const count = async ({ send }: ServiceUnderTest) =>
  (await send("/docs/d/tables/T")).body["rowCount"];

onEachDatabase("large edits", (start) => {
  it("are applied in order with small ones, and other documents do not wait for them", async () => {
    const table = { name: "T", columns: [{ id: "c-a", name: "A" }, { name: "B" }] };
    await using test = await start({
      seed: {
        users: [{ name: "U", email: "u@people.example" }],
        docs: [
          { id: "d", title: "D", tables: [table] },
          { id: "e", title: "E", tables: [table] },
        ],
      },
    });
    const rows = (length: number) =>
      Array.from({ length }, (_, at) => ({ cells: [{ column: "A", value: `row ${at}` }] }));
    const send = async (doc: string, method: string, body: object) => {
      const answer = await test.write(method, `/docs/${doc}/tables/T/rows`, body);
      expect(answer.status).toBe(202);
      return answer.body;
    };
    const { addedRowIds } = (await send("d", "POST", { rows: rows(9_000) })) as {
      addedRowIds: string[];
    };
    await send("d", "POST", { rows: rows(10), keyColumns: ["A"] });
    await send("d", "DELETE", { rowIds: addedRowIds.slice(5) });
    await send("d", "POST", { rows: rows(6), keyColumns: ["A"] });
    await send("e", "POST", { rows: rows(1) });
    const other = await test.send("/docs/e/tables/T/rows");
    expect(other.body["items"]).toHaveLength(1);
    expect(await count(test)).toBe(6);
    const { body } = await test.send("/docs/d/tables/T/rows?sortBy=natural");
    const items = body["items"] as { index: number; values: Record<string, string> }[];
    expect(items.map(({ index, values }) => [index, values["c-a"]])).toEqual(
      [0, 1, 2, 3, 4, 5].map((at) => [at, `row ${at}`]),
    );
  });
});
