import { expect, it } from "vitest";
import type { StoredColumn } from "../../../../src/service/local/content/column.ts";
import { findKeys } from "../../../../src/service/local/store/find-keys.ts";
import { SEARCHED_ROWS } from "../../../../src/service/local/store/row-store.ts";
import {
  CURRENT,
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { openDatabase } from "../../../../src/storage/database.ts";

const ROWS = SEARCHED_ROWS * 3;

it("rows that ended for a snapshot that is being written are searched in pieces", async () => {
  await using storage = await openDatabase<ServiceSchema>({
    url: ":memory:",
    migrations: serviceMigrations,
  });
  const { db } = storage;
  const snapshot = { docId: "d", tableId: "t", seq: 1 };
  const table = { doc_id: "d", id: "t", position: 0, name: "T", record: "{}", is_view: 0 };
  await db
    .insertInto("doc_tables")
    .values({ ...table, row_count: ROWS, next_position: ROWS })
    .execute();
  const times = { created_at_ms: 0, updated_at_ms: 0 };
  const versions = Array.from({ length: ROWS }, (_, at) => ({
    doc_id: "d",
    table_id: "t",
    id: `i-${String(at).padStart(6, "0")}`,
    name: "",
    position: at,
    from_seq: 1,
    to_seq: at === 0 ? CURRENT : 2,
    ...times,
    cells: `{"c-key":"${at % 2}"}`,
    compared: "{}",
  }));
  for (let at = 0; at < ROWS; at += 500)
    await db
      .insertInto("row_versions")
      .values(versions.slice(at, at + 500))
      .execute();
  let [turns, isOver] = [0, false];
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  const column: StoredColumn = {
    id: "c-key",
    name: "Key",
    format: { type: "text", isArray: false },
    display: false,
    hidden: false,
    calculated: false,
    formula: undefined,
    defaultValue: undefined,
    lookupTableId: undefined,
  };
  const search = { snapshot, columns: [column], texts: ["0", "2"].map((text) => `"${text}"`) };
  setImmediate(count);
  const found = await findKeys(db, "sqlite", { ...search, isIndexed: false });
  isOver = true;
  expect([...found.keys()]).toEqual(['"0"']);
  expect(found.get('"0"')).toEqual(versions.flatMap(({ id }, at) => (at % 2 === 0 ? id : [])));
  // After two pieces of the current rows, and after two of those that ended, for two turns each.
  expect(turns).toBeGreaterThanOrEqual(7);
});
