import { expect, it } from "vitest";
import { describePostgres, makePostgresDatabase } from "../../support/postgres.ts";
import { startTestService } from "../support.ts";
import { recordRows, recordStatements } from "./recorded-statements.ts";
import { SHARED } from "./seeds.ts";

/**
 * What a request reads. Meanwhile the service looks for edits that are due, and removes what is too
 * old.
 */
const OF_REQUEST =
  /"tokens"|from "users"|select \* from "docs"|"doc_tables"|"columns"|row_(?:versions|deletions)/;

describePostgres("a PostgreSQL server, which is a round trip away", () => {
  it("gets each statement of a list once, before and after deletions", async () => {
    await using database = await makePostgresDatabase();
    await using test = await startTestService({ database: database.url, seed: SHARED });
    const tables = "/docs/shared/tables";
    const list = async (path: string, token = test.service.token) => {
      const statements = recordStatements();
      const { status, body } = await test.send(`${tables}/${path}`, { token });
      expect(status).toBe(200);
      const sent = [...statements].filter(
        (text) => OF_REQUEST.test(text) && !text.startsWith("delete"),
      );
      const { items, nextSyncToken, nextPageToken } = body as Record<string, unknown>;
      return {
        rows: items as { id: string; index: number }[],
        syncToken: encodeURIComponent(String(nextSyncToken)),
        pageToken: encodeURIComponent(String(nextPageToken)),
        sent: sent.length,
      };
    };
    // The user, the document, its tables, the columns, the size of the table, and its rows.
    const before = await list("grid-two/rows?limit=1");
    expect(before.rows.map(({ index }) => index)).toEqual([0]);
    expect(before.sent).toBe(6);
    expect((await list("Others/rows?limit=1")).sent).toBe(6);
    const later = await list(`grid-two/rows?pageToken=${before.pageToken}`);
    expect(later.rows.map(({ index }) => index)).toEqual([1]);
    expect(later.sent).toBe(6);

    await test.write("DELETE", `${tables}/grid-two/rows`, { rowIds: [before.rows[0]?.id] });
    await test.service.settle();
    // With what was deleted before each row.
    const after = await list("grid-two/rows?limit=1");
    expect(after.rows.map(({ id, index }) => [id, index])).toEqual([[later.rows[0]?.id, 0]]);
    expect(after.sent).toBe(7);
    // With whether more rows changed than are sorted.
    expect((await list(`grid-two/rows?syncToken=${before.syncToken}`)).sent).toBe(7);
  });

  it("gives no column and no row for a token that the service does not know", async () => {
    await using database = await makePostgresDatabase();
    await using test = await startTestService({ database: database.url, seed: SHARED });
    const path = "/docs/shared/tables/grid-one/rows";
    const rows = recordRows();
    const given = () => ["c-due", "from_seq"].map((part) => JSON.stringify(rows).includes(part));
    expect((await test.send(path, { token: "unknown" })).status).toBe(401);
    expect(given()).toEqual([false, false]);
    expect((await test.send(path, { token: "one-table" })).status).toBe(200);
    expect(given()).toEqual([true, true]);
  });
});
