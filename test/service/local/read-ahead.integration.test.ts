import fc from "fast-check";
import { expect, it } from "vitest";
import type { Seed } from "../../../src/service/local/store/seed.ts";
import { describePostgres, makePostgresDatabase } from "../../support/postgres.ts";
import { type ServiceUnderTest, startTestService } from "../support.ts";
import { SHARED } from "./seeds.ts";

const [shared, ...others] = SHARED.docs ?? [];
/** A table with the id of another one as its name, and views of every kind. */
const SEED: Seed = {
  ...SHARED,
  docs: [
    {
      ...shared,
      id: "shared",
      title: "Shared",
      tables: [
        ...(shared?.tables ?? []),
        {
          id: "grid-misnamed",
          name: "grid-two",
          columns: [{ name: "Name" }],
          rows: [{ Name: "misnamed" }],
        },
        { id: "table-all", name: "All things", viewOf: "Things" },
        {
          id: "table-sorted",
          name: "Sorted things",
          viewOf: "Things",
          sorts: [{ column: "Count", direction: "descending" }],
        },
      ],
    },
    ...others,
  ],
};
const NOW = Date.UTC(2026, 0, 2);
const OWNER = "owner-token";
const CALLERS = [OWNER, "write-only", "one-doc", "one-table", "grouped", "stranger", "unknown", ""];
const TABLES = "/docs/shared/tables";
const LISTS = [
  ...["grid-one", "Things", "grid-two", "table-view", "All%20things", "Sorted%20things"].flatMap(
    (table) =>
      ["limit=1", "limit=2&sortBy=natural&useColumnNames=true&valueFormat=rich"].map(
        (query) => `${TABLES}/${table}/rows?${query}`,
      ),
  ),
  `${TABLES}/grid-one/rows`,
  `${TABLES}/grid-one/rows?sortBy=updatedAt&visibleOnly=True`,
  `${TABLES}/Things/rows?limit=1&query=Name:"a"`,
];
const OTHERS = [
  ...[
    "limit=0",
    "limit=x",
    "sortBy=none",
    "sortBy=natural&visibleOnly=false",
    "query=None:1",
    "query=%ff",
    "limit=%ff",
  ].map((query) => `${TABLES}/grid-one/rows?${query}`),
  ...["pageToken=x", "syncToken=x"].map((query) => `${TABLES}/grid-one/rows?${query}`),
  ...[
    "grid-none/rows",
    "%00/rows",
    "%ed%a0%80/rows",
    "grid-one",
    "grid-one/columns",
    "table-view/columns/Name",
  ].map((path) => `${TABLES}/${path}`),
  "/docs/none/tables/grid-one/rows",
  "/docs/private/tables/grid-one/rows",
  "/docs/private",
  "/docs/none",
];

/** A token of a list has a signature that differs from service to service. */
const withoutSignatures = (text: string) =>
  text.replace(/(?<=Token(?:":"|=)[\w-]{20,})\.[\w-]+/g, "");

async function answer(test: ServiceUnderTest, path: string, token: string) {
  const { status, body, headers } = await test.send(path, { token });
  const told = [...headers].filter(([name]) => /^(?:x-emulator-|www-authenticate)/.test(name));
  return {
    body,
    text: withoutSignatures(
      JSON.stringify({ path: withoutSignatures(path), token, status, told, body }),
    ),
  };
}

/** What every caller is answered for every list, page by page, and for everything else. */
async function answersOf(test: ServiceUnderTest): Promise<string[]> {
  const answers: string[] = [];
  const tokens: string[] = [];
  for (const token of CALLERS) {
    for (const list of LISTS) {
      for (let next: string | undefined = list; next !== undefined; ) {
        const { body, text }: Awaited<ReturnType<typeof answer>> = await answer(test, next, token);
        answers.push(text);
        const pageToken: unknown = body["nextPageToken"];
        if (token === OWNER && next === list)
          tokens.push(
            `pageToken=${pageToken}`,
            `syncToken=${body["nextSyncToken"]}`,
            `pageToken=${body["nextSyncToken"]}`,
          );
        next =
          pageToken === undefined
            ? undefined
            : `${list.replace(/\?.*/, "")}?pageToken=${pageToken}`;
      }
    }
    for (const path of OTHERS) answers.push((await answer(test, path, token)).text);
  }
  // A token belongs to one caller and one list.
  for (const [at, query] of tokens.entries())
    answers.push(
      (
        await answer(
          test,
          `${TABLES}/${at % 2 === 0 ? "grid-one" : "Sorted%20things"}/rows?${query}`,
          OWNER,
        )
      ).text,
    );
  return answers;
}

const EDIT = fc.constantFrom("change", "add", "remove");

describePostgres("a server from which a request is read ahead", () => {
  it("gets every caller the same answers as an embedded database, byte by byte", async () => {
    await using database = await makePostgresDatabase();
    const options = {
      seed: SEED,
      now: () => NOW,
      token: OWNER,
      publicUrl: "https://docs.service.example",
    };
    await using embedded = await startTestService(options);
    await using server = await startTestService({ ...options, database: database.url });
    const [expected, answers] = await Promise.all([answersOf(embedded), answersOf(server)]);
    expect(answers).toEqual(expected);
    const statuses = expected.map((text) => Number(/"status":(\d+)/.exec(text)?.[1]));
    expect([...new Set(statuses)].sort()).toEqual([200, 400, 401, 403, 404]);
  });

  it("answers 500 while its statement fails, and goes on", async () => {
    await using database = await makePostgresDatabase();
    await using test = await startTestService({ database: database.url, seed: SHARED });
    const list = async () => (await test.send(`${TABLES}/grid-one/rows`)).status;
    await database.query("alter table packsmith_service.row_deletions rename to away");
    expect([await list(), await list()]).toEqual([500, 500]);
    await database.query("alter table packsmith_service.away rename to row_deletions");
    expect(await list()).toBe(200);
  });

  it("shows in each page the table of the snapshot that its sync token names, while rows are added, changed and removed", async () => {
    await using database = await makePostgresDatabase();
    const columns = [{ name: "Name" }, { name: "Count", type: "number" as const }];
    const rows = ["a", "b", "c", "d"].map((Name) => ({ Name, Count: 0 }));
    const seed: Seed = {
      users: [{ name: "One", email: "one@service.example" }],
      docs: [{ id: "doc", title: "Doc", tables: [{ id: "grid-t", name: "T", columns, rows }] }],
    };
    await using test = await startTestService({ database: database.url, seed });
    const path = "/docs/doc/tables/T/rows";
    const property = fc.asyncProperty(
      fc.array(EDIT, { minLength: 5, maxLength: 10 }),
      async (edits) => {
        await test.service.reset();
        const first = await pagesFrom(test, `${path}?limit=500&sortBy=natural`);
        /** The table after each edit, in its own order. */
        const states = [first.cells];
        let isWriting = true;
        const read = async () => {
          const seen: Awaited<ReturnType<typeof pagesFrom>>[] = [];
          do seen.push(await pagesFrom(test, `${path}?limit=3&sortBy=natural`));
          while (isWriting);
          return seen;
        };
        const write = async () => {
          for (const [at, edit] of edits.entries()) await apply(test, path, edit, at + 1, states);
          isWriting = false;
        };
        const [, ...readers] = await Promise.all([write(), read(), read()]);
        for (const { seq, cells, indexes } of [
          ...readers.flat(),
          await pagesFrom(test, `${path}?limit=3&sortBy=natural`),
        ]) {
          expect(cells).toEqual(states[seq - first.seq]);
          expect(indexes).toEqual(indexes.map((_, index) => index));
        }
      },
    );
    await fc.assert(property, { numRuns: Number(process.env["PACKSMITH_TEST_RUNS"] ?? 3) });
  }, 3_600_000);
});

type CellsOfRow = readonly [name: string, count: number];

/** The rows of a listing, which all have the snapshot of its first page. */
async function pagesFrom(test: ServiceUnderTest, start: string) {
  const rows: { index: number; values: { Name: string; Count: number } }[] = [];
  let seq = Number.NaN;
  for (let next: string | undefined = start; next !== undefined; ) {
    const { status, body } = await test.send(`${next}&useColumnNames=true`);
    expect(status, next).toBe(200);
    rows.push(...(body["items"] as typeof rows));
    const [content = ""] = String(body["nextSyncToken"]).split(".");
    seq = JSON.parse(Buffer.from(content, "base64url").toString()).seq;
    next = (body["nextPageLink"] as string | undefined)?.slice(test.service.url.length);
  }
  return {
    seq,
    cells: rows.map(({ values }): CellsOfRow => [values.Name, values.Count]),
    indexes: rows.map(({ index }) => index),
  };
}

/** Sends an edit and waits until it is applied. What it makes of the table is known before. */
async function apply(
  test: ServiceUnderTest,
  path: string,
  edit: string,
  at: number,
  states: CellsOfRow[][],
): Promise<void> {
  const table = states.at(-1) ?? [];
  const added: CellsOfRow = [`new ${at}`, at];
  const cellsOf = ([Name, Count]: CellsOfRow) => ({
    cells: Object.entries({ Name, Count }).map(([column, value]) => ({ column, value })),
  });
  const [removed] = table;
  if (edit === "remove" && removed !== undefined) {
    states.push(table.slice(1));
    await done(test, await test.write("DELETE", `${path}/${removed[0]}`));
    return;
  }
  // All rows in one edit, so that a page with rows of two snapshots shows.
  const changed = edit === "add" ? [added] : table.map(([name]): CellsOfRow => [name, at]);
  states.push(edit === "add" ? [...table, added] : changed);
  await done(
    test,
    await test.write("POST", path, { rows: changed.map(cellsOf), keyColumns: ["Name"] }),
  );
}

async function done(
  test: ServiceUnderTest,
  { status, body }: Awaited<ReturnType<ServiceUnderTest["write"]>>,
): Promise<void> {
  expect(status).toBe(202);
  expect((await test.send(`/mutationStatus/${body["requestId"]}`)).body).toEqual({
    completed: true,
  });
}
