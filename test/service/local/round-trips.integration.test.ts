import { expect, it } from "vitest";
import { describePostgres, makePostgresDatabase } from "../../support/postgres.ts";
import { startTestService } from "../support.ts";
import { recordEachStatement, recordRows } from "./recorded-statements.ts";
import { SHARED } from "./seeds.ts";

/** Meanwhile the service removes what is too old. */
const IN_BACKGROUND = /(?:dropped|copied)Table/;
const READS = /^(?:select|with) /;
const OF_REQUEST =
  /"tokens"|from "users"|left join "docs"|"doc_tables"|"columns"|"doc_parts"|row_(?:versions|deletions)/;

describePostgres("a PostgreSQL server, which is a round trip away", () => {
  it("is asked which version there is now and for the rows, and for the rest once", async () => {
    await using database = await makePostgresDatabase();
    await using test = await startTestService({ database: database.url, seed: SHARED });
    const tables = "/docs/shared/tables";
    const statements = recordEachStatement();
    const list = async (path: string, token = test.service.token) => {
      statements.length = 0;
      const { status, body } = await test.send(`${tables}/${path}`, { token });
      expect(status).toBe(200);
      const sent = statements.filter(
        (text) => READS.test(text) && OF_REQUEST.test(text) && !IN_BACKGROUND.test(text),
      );
      const { items, nextSyncToken, nextPageToken } = body as Record<string, unknown>;
      return {
        rows: items as { id: string; index: number }[],
        syncToken: encodeURIComponent(String(nextSyncToken)),
        pageToken: encodeURIComponent(String(nextPageToken)),
        sent: sent.length,
      };
    };
    // The versions, the user, the tables, the columns, the size of the table, and its rows.
    const before = await list("grid-two/rows?limit=1");
    expect(before.rows.map(({ index }) => index)).toEqual([0]);
    expect(before.sent).toBe(6);
    expect((await list("grid-two/rows?limit=1")).sent).toBe(2);
    // No table has the name as its id.
    expect((await list("Others/rows?limit=1")).sent).toBe(3);
    expect((await list("Others/rows?limit=1")).sent).toBe(2);
    const later = await list(`grid-two/rows?pageToken=${before.pageToken}`);
    expect(later.rows.map(({ index }) => index)).toEqual([1]);
    expect(later.sent).toBe(2);
    // With the names of the pages.
    expect((await list(`grid-two/rows/${before.rows[0]?.id}`)).sent).toBe(3);
    expect((await list(`grid-two/rows/${before.rows[0]?.id}`)).sent).toBe(2);
    // With the token, its permissions and the workspace.
    expect((await list("grid-two/rows?limit=1", "reader")).sent).toBe(4);
    expect((await list("grid-two/rows?limit=1", "reader")).sent).toBe(2);

    await test.write("DELETE", `${tables}/grid-two/rows`, { rowIds: [before.rows[0]?.id] });
    await test.service.settle();
    // With the size of the table, and what was deleted before each row.
    const after = await list("grid-two/rows?limit=1");
    expect(after.rows.map(({ id, index }) => [id, index])).toEqual([[later.rows[0]?.id, 0]]);
    expect(after.sent).toBe(4);
    expect((await list("grid-two/rows?limit=1")).sent).toBe(3);
    const since = `grid-two/rows?syncToken=${before.syncToken}`;
    expect((await list(since)).sent).toBe(2);
    // For a page that is full: whether more rows changed than are sorted, and what was deleted.
    for (const value of ["a", "b"])
      await test.write("POST", `${tables}/grid-two/rows`, {
        rows: [{ cells: [{ column: "Name", value }] }],
      });
    await test.service.settle();
    await list(since);
    expect((await list(since)).sent).toBe(4);
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
