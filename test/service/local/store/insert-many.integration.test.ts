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
      await db.deleteFrom("columns").execute();
      const rows = Array.from({ length: count }, (_row, at) => [
        `${text}${at}`,
        `i-${String(at).padStart(3, "0")}`,
      ]);
      const shared = { doc_id: "d", table_id: "t", position: 1, record: "{}" };
      await insertMany(db, { table: "columns", shared, columns: ["name", "id"], rows });
      const stored = await db.selectFrom("columns").selectAll().orderBy("id").execute();
      expect(stored).toEqual(rows.map(([name, id]) => ({ ...shared, name, id })));
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
