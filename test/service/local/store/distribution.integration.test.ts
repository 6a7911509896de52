import { expect, it } from "vitest";
import { isLong } from "../../../support/breadth.ts";
import { describePostgres, makePostgresDatabase } from "../../../support/postgres.ts";
import { startTestService } from "../../support.ts";
import { DISTRIBUTED, recordStatements, withoutDocument } from "../recorded-statements.ts";

describePostgres("a PostgreSQL server that keeps each document in one place", () => {
  it.runIf(isLong)(
    "has the document first in every key of a table that is distributed",
    async () => {
      await using database = await makePostgresDatabase();
      await using _test = await startTestService({ database: database.url });
      const keys =
        await database.query(`select c.conrelid::regclass::text as name, a.attname as first from pg_constraint c
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype in ('p', 'u') and c.connamespace = 'packsmith_service'::regnamespace`);
      const found = new Map(
        keys.map(({ name, first }) => [String(name).replace("packsmith_service.", ""), first]),
      );
      for (const name of DISTRIBUTED.source.match(/[a-z]+_?[a-z]+(?=[|)])/g) ?? [])
        if (found.has(name)) expect(found.get(name), name).toBe("doc_id");
      expect(found.get("row_versions")).toBe("doc_id");
      expect(found.get("mutations")).toBe("doc_id");
    },
  );

  it("names the document in every query of searches, listings in every order and edits", async () => {
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
    expect([...statements].filter((text) => DISTRIBUTED.test(text)).length).toBeGreaterThan(20);
    expect(withoutDocument(statements)).toEqual([]);
  });
});
