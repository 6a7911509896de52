import pg from "pg";
import { expect, it } from "vitest";
import type { Seed } from "../../../../src/service/local/store/seed.ts";
import { describePostgres, makePostgresDatabase } from "../../../support/postgres.ts";
import { type ServiceUnderTest, startTestService } from "../../support.ts";
import { recordStatements } from "../recorded-statements.ts";

const ROWS = "/docs/long/tables/grid-long/rows";
const COUNT = 5_200;

const seed: Seed = {
  users: [{ name: "One", email: "one@service.example" }],
  docs: [
    {
      id: "long",
      title: "Long",
      tables: [
        {
          id: "grid-long",
          name: "Long",
          columns: [
            { id: "c-name", name: "Name" },
            { id: "c-tags", name: "Tags", type: "select", isArray: true },
            { id: "c-to", name: "To", type: "lookup", table: "Others" },
          ],
          rows: Array.from({ length: COUNT }, (_, at) => ({
            Name: `row ${at % 1_000}`,
            ...(at % 100 === 0 ? { Tags: ["a", `t${at % 7}`] } : {}),
            ...(at % 100 === 1 ? { To: "other 1" } : {}),
          })),
        },
        {
          name: "Others",
          columns: [{ name: "Name" }],
          rows: [{ Name: "other 0" }, { Name: "other 1" }],
        },
      ],
    },
  ],
};

const QUERIES = ['Name:"row 77"', 'Name:""', 'Tags:"a"', 'Tags:"t3"', 'To:"other 1"', 'To:"none"'];

async function listIds(test: ServiceUnderTest, path: string): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, body } = await test.send(next);
    expect(status, next).toBe(200);
    ids.push(...(body["items"] as { id: string }[]).map(({ id }) => id));
    next = (body["nextPageLink"] as string | undefined)?.slice(test.service.url.length);
  }
  return ids;
}

const createPath = (query: string, limit = 100) =>
  `${ROWS}?limit=${limit}&query=${encodeURIComponent(query)}`;
const createRow = (name: string) => ({ cells: [{ column: "Name", value: name }] });

/** How a server runs a statement when it does not know the values, as after some executions. */
async function explainWithoutValues(client: pg.Client, statement: string): Promise<string> {
  const places = [...statement.matchAll(/\$(\d+)/g)].map(([, place]) => Number(place));
  await client.query("set plan_cache_mode to force_generic_plan");
  await client.query(`prepare explained as ${statement}`);
  const values = Array.from({ length: Math.max(...places) }, () => "null");
  const { rows } = await client.query(`explain execute explained(${values.join()})`);
  await client.query("deallocate explained");
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

describePostgres("a long table on a server", () => {
  it("gets an index of each column that it is searched by, with which the same rows are found", async () => {
    await using database = await makePostgresDatabase();
    await using test = await startTestService({ database: database.url, seed });
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await using _ = { [Symbol.asyncDispose]: () => client.end() };
    const listIndexes = async () =>
      (
        await client.query<{ text: string }>(
          "select pg_get_indexdef(indexrelid) as text from pg_index where indisvalid and indexrelid::regclass::text like '%cells\\_%'",
        )
      ).rows.map(({ text }) => text);
    const search = () => Promise.all(QUERIES.map((query) => listIds(test, createPath(query))));
    const before = await search();
    expect(before[0]).toHaveLength(6);
    await test.write("POST", ROWS, { rows: [createRow("row 77")], keyColumns: ["Name"] });
    await test.service.settle();
    const indexed = ["c-name", "c-tags", "c-to", "'\"\"'"];
    await expect
      .poll(
        async () => {
          await search();
          const texts = await listIndexes();
          return indexed.filter((part) => texts.some((text) => text.includes(part)));
        },
        { timeout: 60_000, interval: 200 },
      )
      .toEqual(indexed);
    // What is ready is known with the next look.
    await expect.poll(search, { timeout: 60_000 }).toEqual(before);
    // A listing that began goes on with its snapshot.
    const { body } = await test.send(createPath(QUERIES[0] ?? "", 1));
    await test.write("DELETE", ROWS, { rowIds: before[0]?.slice(2, 3) });
    const statements = recordStatements();
    await test.write("POST", ROWS, {
      rows: [createRow("row 77"), createRow("new")],
      keyColumns: ["Name"],
    });
    const rest = String(body["nextPageLink"]).slice(test.service.url.length);
    expect(await listIds(test, rest)).toEqual(before[0]?.slice(1));
    expect(await listIds(test, createPath(QUERIES[0] ?? ""))).toEqual(
      before[0]?.filter((_, at) => at !== 2),
    );
    expect(await listIds(test, createPath('Name:"new"'))).toHaveLength(1);
    const searches = [...statements].filter((text) => text.includes("left(coalesce("));
    expect(searches.length).toBeGreaterThanOrEqual(2);
    await client.query("set search_path to packsmith_service");
    for (const text of searches) {
      const plan = await explainWithoutValues(client, text);
      expect(plan, text).toMatch(/ (?:cells_\w+|rows_by_end) /);
    }
  }, 300_000);
});
