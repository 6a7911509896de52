import { expect, it } from "vitest";
import type { IndexedRow, IndexedTable } from "../../../../src/service/local/store/key-index.ts";
import {
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { updateIndexes } from "../../../../src/service/local/store/update-indexes.ts";
import { openDatabase } from "../../../../src/storage/database.ts";

const TABLE = {
  docId: "d",
  tableId: "t",
  timeZone: "UTC",
  views: [],
  columns: [
    {
      id: "c-1",
      name: "c-1",
      format: { type: "text" },
      display: false,
      hidden: false,
      calculated: false,
    },
  ],
} as unknown as IndexedTable;
const ROWS = 3_000;

it("lets others run while it finds the places of many rows", async () => {
  await using storage = await openDatabase<ServiceSchema>({
    url: ":memory:",
    migrations: serviceMigrations,
  });
  let found = 0;
  const before = Array.from({ length: ROWS }, (_, position): IndexedRow => {
    const row = { id: `i-${position}`, position, createdAtMs: position };
    return {
      ...row,
      get cells() {
        found += 1;
        return { "c-1": String(position) };
      },
    };
  });
  const foundInTurns: number[] = [];
  let isOver = false;
  const watch = () => {
    foundInTurns.push(found);
    found = 0;
    if (!isOver) setImmediate(watch);
  };
  setImmediate(watch);
  await updateIndexes(storage.db, TABLE, ["value:c-1"], { before, after: [] });
  isOver = true;
  expect(foundInTurns.reduce((sum, each) => sum + each, found)).toBe(ROWS);
  expect(Math.max(...foundInTurns)).toBeLessThanOrEqual(1_000);
});
