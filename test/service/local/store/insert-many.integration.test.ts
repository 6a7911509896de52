import fc from "fast-check";
import { expect, it } from "vitest";
import { insertMany } from "../../../../src/service/local/store/insert-many.ts";
import {
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { openDatabase } from "../../../../src/storage/database.ts";

it("adds any number of rows, each with its own values and the shared ones", async () => {
  await using storage = await openDatabase<ServiceSchema>({
    url: ":memory:",
    migrations: serviceMigrations,
  });
  const { db } = storage;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 320 }), fc.string(), async (count, text) => {
      await db.deleteFrom("row_keys").execute();
      const rows = Array.from({ length: count }, (_row, at) => [
        `${text}${at}`,
        `i-${String(at).padStart(3, "0")}`,
      ]);
      const shared = { doc_id: "d", table_id: "t", index_name: "key:c", order_key: "0" };
      await insertMany(db, { table: "row_keys", shared, columns: ["digest", "row_id"], rows });
      const stored = await db.selectFrom("row_keys").selectAll().orderBy("row_id").execute();
      expect(stored).toEqual(rows.map(([digest, row_id]) => ({ ...shared, digest, row_id })));
    }),
    {
      numRuns: 30,
      examples: [
        [100, ""],
        [111, "?$1"],
        [99, "'"],
      ],
    },
  );
});
