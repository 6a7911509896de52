import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { describePostgres, makePostgresDatabase } from "../../../support/postgres.ts";
import { startTestService } from "../../support.ts";

/** Tables that have a part for each document. The others are small, and a distributed server copies them to every machine. */
const DISTRIBUTED =
  /"(?:doc_tables|columns|doc_parts|part_history|row_versions|row_deletions|row_blocks|key_indexes|row_keys|mutations)"|\b(?:row_keys|mutations) /;
/** The id of an edit does not name its document. */
const BY_REQUEST = /from "mutations" where "id" = /;
/** Looks for what is due, and for what is too old, in all documents; it belongs to no request. */
const BACKGROUND = /"state" = \$\d+ and "due_at_ms" <= |completed_at_ms is not null and completed_at_ms < /;

/** Every statement that this process sends to a server from now on. */
function recordStatements(): Set<string> {
  const statements = new Set<string>();
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...args: never[]) {
    const [first] = args as unknown as [string | { text: string }];
    statements.add(typeof first === "string" ? first : first.text);
    return (query as (...all: never[]) => never).apply(this, args);
  } as never;
  onTestFinished(() => {
    pg.Client.prototype.query = query;
  });
  return statements;
}

describePostgres("a PostgreSQL server that keeps each document in one place", () => {
  it("has the document first in every key of a table that is distributed", async () => {
    await using database = await makePostgresDatabase();
    await using _test = await startTestService({ database: database.url });
    const keys = await database.query(`select c.conrelid::regclass::text as name, a.attname as first from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype in ('p', 'u') and c.connamespace = 'packsmith_service'::regnamespace`);
    const found = new Map(keys.map(({ name, first }) => [String(name).replace("packsmith_service.", ""), first]));
    for (const name of DISTRIBUTED.source.match(/[a-z]+_?[a-z]+(?=[|)])/g) ?? [])
      if (found.has(name)) expect(found.get(name), name).toBe("doc_id");
    expect(found.get("row_versions")).toBe("doc_id");
    expect(found.get("mutations")).toBe("doc_id");
  });

  it("names the document in every query of a request", async () => {
    await using database = await makePostgresDatabase();
    await using test = await startTestService({ database: database.url });
    const doc = test.client.doc(test.service.docId);
    const statements = recordStatements();
    const { rows } = doc.table("Tasks");
    await rows.list({ limit: 5 });
    await rows.list({ query: 'Status:"Done"' });
    await rows.list({ query: 'Project:"Atlas"', sortBy: "natural" });
    await doc.table("Tasks to do").rows.list({ sortBy: "natural" });
    await doc.table("Tasks to do").get();
    await doc.tables.list();
    await doc.pages.list();
    await rows.get("Draft the welcome guide");
    const edit = await rows.upsert({ key: ["Title"], rows: [{ Title: "New", Project: "Atlas" }] });
    await rows.update("Draft the welcome guide", { Estimate: 3 });
    await doc.pages.create({ name: "Page" });
    await test.service.settle();
    await test.client.mutationStatus(edit.requestId);
    await rows.delete("New");
    await doc.get();
    const sent = [...statements].filter((text) => DISTRIBUTED.test(text) && !BY_REQUEST.test(text) && !BACKGROUND.test(text));
    expect(sent.length).toBeGreaterThan(20);
    expect(sent.filter((text) => !text.includes("doc_id"))).toEqual([]);
  });
});
