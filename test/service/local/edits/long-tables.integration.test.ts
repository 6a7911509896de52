import { join } from "node:path";
import Sqlite from "libsql";
import { expect, it, onTestFinished } from "vitest";
import { makeTemporaryFolder } from "../../../support/temporary-folder.ts";
import { startTestService } from "../../support.ts";

interface Sent {
  text: string;
  parameters: unknown[];
}

/** Every statement that this process sends to SQLite from now on. */
function recordStatements(): Sent[] {
  const sent: Sent[] = [];
  const { prepare } = Sqlite.prototype;
  Sqlite.prototype.prepare = function (this: Sqlite.Database, text: string) {
    const statement = prepare.call(this, text);
    for (const name of ["all", "run"] as const) {
      const execute = statement[name].bind(statement) as (...parameters: unknown[]) => never;
      statement[name] = (...parameters: unknown[]) => {
        sent.push({ text, parameters });
        return execute(...parameters);
      };
    }
    return statement;
  } as typeof prepare;
  onTestFinished(() => {
    Sqlite.prototype.prepare = prepare;
  });
  return sent;
}

it("edits find their rows by their ids, so that the length of the table does not matter", async () => {
  using folder = makeTemporaryFolder();
  const database = join(folder.path, "service.db");
  const sent = recordStatements();
  await using test = await startTestService({ database });
  const { rows } = test.client.doc(test.service.docId).table("Tasks");
  await rows.update("Draft the welcome guide", { Estimate: 3 });
  await rows.upsert({
    key: ["Title"],
    rows: [{ Title: "Draft the welcome guide", Estimate: 4 }, { Title: "New" }],
  });
  await test.service.settle();
  await rows.delete("New");
  await test.service.settle();
  const sqlite = new Sqlite(database);
  const byId = sent.filter(
    ({ text }) => /"?row_versions"? .*"id" (?:=|in)/s.test(text) && !text.startsWith("insert"),
  );
  expect(byId.some(({ text }) => text.startsWith("update"))).toBe(true);
  for (const { text, parameters } of byId) {
    const steps = sqlite.prepare(`explain query plan ${text}`).all(...parameters) as {
      detail: string;
    }[];
    const details = steps
      .map(({ detail }) => detail)
      .filter((detail) => detail.includes("row_versions"));
    for (const detail of details)
      expect(detail, text).toContain("(doc_id=? AND table_id=? AND id=?");
  }
  sqlite.close();
});
