import { expect, it } from "vitest";
import { createClock } from "../../../../src/service/local/clock.ts";
import { dropTables } from "../../../../src/service/local/edits/apply-page.ts";
import { createPurge, KEPT_MS } from "../../../../src/service/local/store/purge.ts";
import {
  CURRENT,
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { openDatabase } from "../../../../src/storage/database.ts";

it("what became too old while an earlier purge ran is removed by the next one", async () => {
  await using storage = await openDatabase<ServiceSchema>({
    url: ":memory:",
    migrations: serviceMigrations,
  });
  const { db } = storage;
  const clock = createClock(() => 0);
  const completed = { doc_id: "doc", user_id: "user", edit: "{}", size: 2, accepted_at_ms: 0 };
  await db
    .insertInto("mutations")
    .values({
      ...completed,
      position: 1,
      id: "edit",
      due_at_ms: 0,
      completed_at_ms: 0,
      state: "done",
    })
    .execute();
  await using purge = createPurge(storage, clock);
  purge.tick();
  clock.advance(KEPT_MS + 1);
  await purge.run();
  expect(await db.selectFrom("mutations").select("id").execute()).toEqual([]);
});

it("the rows of a deleted document are removed a day after its deletion", async () => {
  await using storage = await openDatabase<ServiceSchema>({
    url: ":memory:",
    migrations: serviceMigrations,
  });
  const { db } = storage;
  const clock = createClock(() => 0);
  const times = { created_at_ms: 0, updated_at_ms: 0 };
  for (const [id, deleted, rows, progress] of [
    ["deleted", 1, 1, null],
    ["deleted in slices", 1, 0, "{}"],
    ["kept", 0, 1, null],
    ["kept in slices", 0, 0, "{}"],
  ] as const) {
    const doc = { id, title: id, search_title: id, owner_id: "user", seq: 1, deleted, progress };
    await db
      .insertInto("docs")
      .values({ ...doc, ...times, record: "{}", structure: 0, purged_seq: 0 })
      .execute();
    const table = { id: "table", position: 0, name: "Table", record: "{}", is_view: 0 };
    await db
      .insertInto("doc_tables")
      .values({ doc_id: id, ...table, row_count: rows, next_position: rows })
      .execute();
    const version = { table_id: "table", id: "row", name: "", from_seq: 1, to_seq: CURRENT };
    await db
      .insertInto("row_versions")
      .values({ doc_id: id, ...version, ...times, position: 0, cells: "{}", compared: "{}" })
      .execute();
  }
  const listDocsWithRows = async () =>
    (await db.selectFrom("row_versions").select("doc_id").orderBy("doc_id").execute()).map(
      ({ doc_id: docId }) => docId,
    );
  await using purge = createPurge(storage, clock);
  clock.advance(KEPT_MS - 1);
  await purge.run();
  expect(await listDocsWithRows()).toEqual([
    "deleted",
    "deleted in slices",
    "kept",
    "kept in slices",
  ]);
  clock.advance(1);
  await purge.run();
  expect(await listDocsWithRows()).toEqual(["kept", "kept in slices"]);
  await purge.run();
  expect(await db.selectFrom("doc_parts").select("id").execute()).toEqual([]);
});

it("the rows of a table whose page was deleted are removed, and the others are kept", async () => {
  await using storage = await openDatabase<ServiceSchema>({
    url: ":memory:",
    migrations: serviceMigrations,
  });
  const { db } = storage;
  const times = { created_at_ms: 0, updated_at_ms: 0 };
  for (const [position, { id, pageId }] of [
    { id: "dropped", pageId: "page" },
    { id: "kept", pageId: "other" },
  ].entries()) {
    const table = { id, position, name: id, record: JSON.stringify({ pageId }) };
    await db
      .insertInto("doc_tables")
      .values({ doc_id: "doc", ...table, is_view: 0, row_count: 1, next_position: 1 })
      .execute();
    const version = { table_id: id, id: "row", name: "", from_seq: 1, to_seq: CURRENT };
    await db
      .insertInto("row_versions")
      .values({ doc_id: "doc", ...version, ...times, position: 0, cells: "{}", compared: "{}" })
      .execute();
  }
  await dropTables(db, "doc", ["page"]);
  await using purge = createPurge(
    storage,
    createClock(() => 0),
  );
  await purge.run();
  expect(await db.selectFrom("row_versions").select("table_id").execute()).toEqual([
    { table_id: "kept" },
  ]);
});
