import fc from "fast-check";
import { expect, it } from "vitest";
import type { Cell, Cells, StoredColumn } from "../../../../src/service/local/content/column.ts";
import { cellCondition } from "../../../../src/service/local/store/cell-condition.ts";
import { matchesCell } from "../../../../src/service/local/store/row-filter.ts";
import { searchRows } from "../../../../src/service/local/store/row-store.ts";
import {
  CURRENT,
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { openDatabase } from "../../../../src/storage/database.ts";
import type { Storage } from "../../../../src/storage/storage.ts";
import { describePostgres, makePostgresDatabase } from "../../../support/postgres.ts";

const text = fc.oneof(
  fc.constantFrom("", "1", "true", "a%b", "a_b", "a\\b", "{a", "[1", "a,b", "'", '"', "é", "😀"),
  fc.string(),
);
const scalar = fc.oneof(
  text,
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const cell: fc.Arbitrary<Cell> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("link" as const), name: text, url: text }),
  },
);
// PostgreSQL has no texts with this character, and the service refuses it.
const cells = fc
  .array(fc.option(cell), { minLength: 1, maxLength: 12 })
  .filter((all) => !JSON.stringify(all).includes("\\u0000"));
const context = {
  timeZone: "UTC",
  rowName: () => undefined,
  rowLinks: () => ({ tableUrl: "", url: "" }),
};

function columnOf(id: string, type: string): StoredColumn {
  return {
    id,
    name: id,
    format: { type },
    display: false,
    hidden: false,
    calculated: false,
  } as never;
}

async function insertRows(
  { db }: Storage<ServiceSchema>,
  column: StoredColumn,
  all: readonly (Cell | null)[],
): Promise<void> {
  await db.deleteFrom("row_versions").where("doc_id", "=", "d").execute();
  for (const [position, each] of all.entries()) {
    const row: Cells = each === null ? {} : { [column.id]: each };
    const times = { created_at_ms: position, updated_at_ms: position };
    const version = {
      doc_id: "d",
      table_id: "t",
      id: `i-${position}`,
      from_seq: 1,
      to_seq: CURRENT,
      position,
      ...times,
    };
    await db
      .insertInto("row_versions")
      .values({ ...version, cells: JSON.stringify(row) })
      .execute();
  }
}

async function checkConditions(storage: Storage<ServiceSchema>): Promise<void> {
  for (const column of [
    columnOf("c-1", "text"),
    columnOf("c-date", "date"),
    columnOf('odd"$.id', "text"),
    columnOf("0", "number"),
  ]) {
    const property = fc.asyncProperty(cells, scalar, async (all, other) => {
      await insertRows(storage, column, all);
      const scalars = all.flatMap((each) =>
        each === null || typeof each === "object" ? [] : [each],
      );
      for (const value of new Set([...scalars, other, "", "1", 1, true])) {
        const wanted = all.flatMap((each, at) =>
          matchesCell(each ?? "", value, column, context) ? [`i-${at}`] : [],
        );
        const found: string[] = [];
        const condition = cellCondition(storage.engine, { column, value });
        for await (const rows of searchRows(
          storage.db,
          { docId: "d", tableId: "t", seq: 1 },
          { condition },
        ))
          found.push(...rows.map(({ id }) => id));
        expect(found, `${column.id}:${JSON.stringify(value)}`).toEqual(
          expect.arrayContaining(wanted),
        );
      }
    });
    await fc.assert(property, { numRuns: 15 });
  }
  const column = columnOf("c-1", "text");
  await insertRows(
    storage,
    column,
    Array.from({ length: 1_200 }, (_, at) => `value ${at % 400}`),
  );
  const found: number[] = [];
  const condition = cellCondition(storage.engine, { column, value: "value 7" });
  for await (const rows of searchRows(
    storage.db,
    { docId: "d", tableId: "t", seq: 1 },
    { condition },
  ))
    found.push(...rows.map(({ position }) => position));
  expect(found).toEqual([7, 407, 807]);
}

it("a search in SQLite finds every row with a value, and no row with another text", async () => {
  await using storage = await openDatabase<ServiceSchema>({
    url: ":memory:",
    migrations: serviceMigrations,
  });
  await checkConditions(storage);
}, 120_000);

describePostgres("a search in PostgreSQL", () => {
  it("finds every row with a value, and no row with another text", async () => {
    await using database = await makePostgresDatabase();
    await using storage = await openDatabase<ServiceSchema>({
      url: database.url,
      migrations: serviceMigrations,
    });
    await checkConditions(storage);
  }, 120_000);
});
