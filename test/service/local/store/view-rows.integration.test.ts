import { expect, it } from "vitest";
import {
  CURRENT,
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { countRowsOfView } from "../../../../src/service/local/store/view-rows.ts";
import { openDatabase } from "../../../../src/storage/database.ts";

const KEY = { doc_id: "doc", table_id: "table" };

it("a row that ends while the rows of a view are counted is counted once", async () => {
  await using storage = await openDatabase<ServiceSchema>({
    url: ":memory:",
    migrations: serviceMigrations,
  });
  const { db } = storage;
  const times = { created_at_ms: 0, updated_at_ms: 0 };
  const version = { id: "row", name: "", position: 0, cells: "{}", compared: "{}" };
  await db
    .insertInto("row_versions")
    .values({ ...KEY, ...version, ...times, from_seq: 1, to_seq: CURRENT })
    .execute();
  /** Another process ends the row right after each statement. */
  const watched = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await db.updateTable("row_versions").set({ to_seq: 2 }).where("id", "=", "row").execute();
      return result;
    },
  });
  const shown = await countRowsOfView({
    db: watched,
    // A server counts all rows of a table at once.
    engine: "postgres",
    indexes: { isReady: () => false, close: () => undefined },
    docId: "doc",
    tableId: "table",
    columns: [],
    view: undefined,
    seq: 1,
  });
  expect(shown).toBe(1);
});
