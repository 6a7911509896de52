import { expect, it } from "vitest";
import { describePostgres, makePostgresDatabase } from "../../support/postgres.ts";
import { startTestService } from "../support.ts";
import { recordStatements } from "./recorded-statements.ts";

/** What a request reads. Meanwhile the service looks for edits that are due, and removes what is too old. */
const OF_REQUEST = /"tokens"|from "users"|select \* from "docs"|"doc_tables"|"columns"|row_(?:versions|blocks|deletions)/;

describePostgres("a PostgreSQL server, which is a round trip away", () => {
  it("gets the same statements for a list before and after deletions, and one more for a sync token", async () => {
    await using database = await makePostgresDatabase();
    await using test = await startTestService({ database: database.url });
    const path = `/docs/${test.service.docId}/tables`;
    const { items } = (await test.send(path)).body as { items: { id: string; name: string }[] };
    const rowsPath = `${path}/${items.find(({ name }) => name === "Projects")?.id}/rows`;
    const list = async (query: string) => {
      const statements = recordStatements();
      const { status, body } = await test.send(`${rowsPath}?${query}`);
      expect(status).toBe(200);
      const sent = [...statements].filter((text) => OF_REQUEST.test(text) && !text.startsWith("delete")).sort();
      return { rows: body["items"] as { id: string; index: number }[], syncToken: String(body["nextSyncToken"]), sent };
    };
    const before = await list("limit=2");
    expect(before.rows.map(({ index }) => index)).toEqual([0, 1]);
    // The user, the document, its tables, the columns, and the rows with their indexes.
    expect(before.sent).toHaveLength(5);
    await test.write("DELETE", rowsPath, { rowIds: [before.rows[0]?.id] });
    await test.service.settle();
    const after = await list("limit=2");
    expect(after.rows.map(({ index }) => index)).toEqual([0, 1]);
    expect(after.sent).toEqual(before.sent);
    // At the same time, whether more rows changed than are sorted.
    expect((await list(`syncToken=${encodeURIComponent(before.syncToken)}`)).sent).toHaveLength(6);
  });
});
