import { expect, it } from "vitest";
import { createClock } from "../../../../src/service/local/clock.ts";
import type { Edit } from "../../../../src/service/local/edits/edit.ts";
import { createEditQueue } from "../../../../src/service/local/edits/edit-queue.ts";
import type { EditSettings } from "../../../../src/service/local/edits/edit-settings.ts";
import { createColumnIndexes } from "../../../../src/service/local/store/column-indexes.ts";
import { loadSeed } from "../../../../src/service/local/store/load-seed.ts";
import { openReadCache } from "../../../../src/service/local/store/open-read-cache.ts";
import {
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { parseSeed } from "../../../../src/service/local/store/seed.ts";
import { openDatabase } from "../../../../src/storage/database.ts";
import { onEachDatabase } from "../../support.ts";

const createInsert = (rowId: string): Edit => ({
  kind: "insert",
  tableId: "grid-t",
  rows: [{ rowId, cells: [] }],
  keyColumns: [],
  parse: true,
});

async function startQueue() {
  const storage = await openDatabase<ServiceSchema>({
    url: ":memory:",
    migrations: serviceMigrations,
  });
  const clock = createClock(() => 1_000_000);
  const table = { id: "grid-t", name: "T", columns: [{ id: "c-1", name: "One", type: "text" }] };
  const seed = parseSeed({
    users: [{ name: "U", email: "u@people.example" }],
    docs: [
      { id: "d", title: "D", tables: [table] },
      { id: "other", title: "Other", tables: [table] },
    ],
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
  const queue = createEditQueue({
    storage,
    indexes: createColumnIndexes(storage),
    clock,
    settings,
    cache: openReadCache(storage),
    actions: undefined,
    isAlone: true,
    random: () => 0,
    newId: () => `m${ids++}`,
  });
  const kept = () =>
    storage.db
      .selectFrom("mutations")
      .select(["id", "state", "edit", "warning"])
      .orderBy("position")
      .execute();
  const dispose = async () => {
    await queue[Symbol.asyncDispose]();
    await storage.close();
  };
  return { storage, queue, settings, clock, userId, kept, [Symbol.asyncDispose]: dispose };
}

it("applies an edit of rows that is due at once in the transaction that accepts it", async () => {
  await using test = await startQueue();
  await test.queue.accept("d", test.userId, createInsert("i-1"));
  expect(await test.kept()).toEqual([{ id: "m0", state: "done", edit: "{}", warning: null }]);
  expect(await test.storage.db.selectFrom("row_versions").select("id").execute()).toEqual([
    { id: "i-1" },
  ]);
});

it("leaves an edit of very many rows to the queue, which applies it in slices", async () => {
  await using test = await startQueue();
  const rows = Array.from({ length: 8_000 }, (_, at) => ({ rowId: `i-${at}`, cells: [] }));
  const edit = { ...createInsert("i-0"), rows } as Edit;
  await test.queue.accept("d", test.userId, edit);
  expect(await test.storage.db.selectFrom("mutations").select("size").execute()).toEqual([
    { size: JSON.stringify(edit).length },
  ]);
});

it("accepts an edit that cannot be applied, keeps nothing of it and says so in its state", async () => {
  await using test = await startQueue();
  const broken = {
    ...createInsert("i-1"),
    rows: [{ rowId: "i-1", cells: null }],
  } as unknown as Edit;
  const id = await test.queue.accept("d", test.userId, broken);
  await test.queue.pump();
  expect(await test.queue.findStatus(id, test.userId)).toEqual({
    completed: true,
    warning: "The edit could not be applied.",
  });
  expect(await test.storage.db.selectFrom("row_versions").select("id").execute()).toEqual([]);
  await test.queue.accept("d", test.userId, createInsert("i-2"));
  expect(await test.storage.db.selectFrom("row_versions").select("id").execute()).toEqual([
    { id: "i-2" },
  ]);
});

it("a request applies the edits of its own document only, and not all of a long queue", async () => {
  await using test = await startQueue();
  const { queue, settings, userId } = test;
  settings.latency = { ms: 1_000 };
  const ids: string[] = [];
  for (let at = 0; at < 900; at++)
    ids.push(await queue.accept("d", userId, createInsert(`i-${at}`)));
  const other = await queue.accept("other", userId, createInsert("i-other"));
  expect(await queue.isDue("other")).toBe(false);
  test.clock.advance(1_000);
  expect(await queue.isDue("other")).toBe(true);
  await queue.pump({ docId: "other" });
  const states = async (state: string) =>
    (await test.kept()).filter((each) => each.state === state).map(({ id }) => id);
  expect(await states("done")).toContain(other);
  // The look-out of the queue may have begun with the others.
  expect((await states("pending")).length).toBeGreaterThan(0);
  await queue.pump();
  expect(await states("pending")).toEqual([]);
});

onEachDatabase("an edit that is due at once", (startTestService) => {
  it("waits behind those of its document that wait", async () => {
    await using test = await startTestService();
    const path = `/docs/${test.service.docId}/tables/Tasks/rows`;
    const insert = async (text: string) => {
      const { body } = await test.write("POST", path, {
        rows: [{ cells: [{ column: "Title", value: text }] }],
      });
      return body as { requestId: string; addedRowIds: [string] };
    };
    await test.control("/latency", { latency: { ms: 3_600_000 } });
    const held = await insert("held");
    await test.control("/latency", { latency: "immediate" });
    const behind = await insert("behind");
    expect((await test.send(`/mutationStatus/${behind.requestId}`)).body["completed"]).toBe(false);
    await test.control("/mutations/complete", { requestId: behind.requestId });
    const rows = await Promise.all(
      [held, behind].map(({ addedRowIds: [id] }) => test.send(`${path}/${id}`)),
    );
    expect(rows.map(({ body }) => body["name"])).toEqual(["held", "behind"]);
    expect(Number(rows[1]?.body["index"])).toBe(Number(rows[0]?.body["index"]) + 1);
  });
});
