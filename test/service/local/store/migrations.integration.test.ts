import { join } from "node:path";
import { sql } from "kysely";
import { expect, it } from "vitest";
import {
  type ServiceSchema,
  serviceMigrations,
} from "../../../../src/service/local/store/schema.ts";
import { openDatabase } from "../../../../src/storage/database.ts";
import { makeTemporaryFolder } from "../../../support/temporary-folder.ts";
import { startTestService } from "../../support.ts";

const CURRENT = Number.MAX_SAFE_INTEGER;

it("a database of an earlier version is brought up to date: rows keep their indexes, and edits that wait are applied", async () => {
  using folder = makeTemporaryFolder();
  const database = join(folder.path, "service.db");
  const earlier = Object.fromEntries(Object.entries(serviceMigrations).slice(0, 4));
  {
    await using storage = await openDatabase<ServiceSchema>({ url: database, migrations: earlier });
    const run = (text: string) => sql.raw(text).execute(storage.db);
    await run(
      `insert into users values ('u-1', 0, 'One', 'one@service.example', '{"role":"Admin","isMember":true}')`,
    );
    await run(`insert into workspaces values ('ws-1', 0, 'W', '{}')`);
    await run(`insert into settings values ('page-token-key', 'AAAA')`);
    // Half of a surrogate pair, which was accepted once.
    const record =
      '{"timeZone":"UTC","workspaceId":"ws-1","folder":{"id":"fl-1","name":"F"},"iconName":"\\ud800"}';
    await run(`insert into docs (id, title, owner_id, created_at_ms, updated_at_ms, seq, deleted, record)
      values ('old', 'Old', 'u-1', 1, 1, 3, 0, '${record}')`);
    await run(
      `insert into doc_tables values ('old', 'grid-old', 0, 'T', '{"layout":"default","createdAtMs":1,"sorts":[]}')`,
    );
    const column =
      '{"format":{"type":"text","isArray":false},"display":true,"hidden":false,"calculated":false}';
    await run(`insert into columns values ('old', 'c-1', 0, 'Name', '${column}', 'grid-old')`);
    const row = (at: number, toSeq: number) =>
      run(
        `insert into row_versions values ('old', 'grid-old', 'i-${at}', 1, ${toSeq}, ${at}, ${at}, ${at}, '{"c-1":"row ${at}"}')`,
      );
    for (const [at, toSeq] of [CURRENT, 2, CURRENT, CURRENT].entries()) await row(at, toSeq);
    await run(`insert into row_deletions values ('old', 'grid-old', 1, 2)`);
    const edit = {
      kind: "insert",
      tableId: "grid-old",
      rows: [{ rowId: "i-9", cells: [{ column: "Name", value: "late" }] }],
      keyColumns: [],
    };
    await run(`insert into mutations (id, doc_id, user_id, edit, accepted_at_ms, due_at_ms, state)
      values ('mutate:1', 'old', 'u-1', '${JSON.stringify({ ...edit, parse: true })}', 1, 1, 'pending')`);
  }
  await using test = await startTestService({ database });
  const { body } = await test.send("/docs/old/tables/grid-old/rows");
  const items = body["items"] as { name: string; index: number }[];
  expect(items.map(({ name, index }) => [name, index])).toEqual([
    ["row 0", 0],
    ["row 2", 1],
    ["row 3", 2],
    ["late", 3],
  ]);
  expect((await test.send("/docs/old/tables/grid-old")).body["rowCount"]).toBe(4);
  expect((await test.send("/docs")).status).toBe(200);
  expect((await test.send("/mutationStatus/mutate:1")).body).toEqual({ completed: true });
});
