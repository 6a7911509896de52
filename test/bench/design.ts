import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CompiledQuery } from "kysely";
import type { openDatabase as OpenDatabase } from "../../src/storage/database.ts";
import { fromDist } from "./from-dist.ts";
import {
  listServerProcesses,
  readParent,
  readProcessorTimes,
  readQueuedTimes,
  subtractTimes,
} from "./processor-time.ts";
import { measureLatency } from "./service-load.ts";
import { type Running, startProcess, startService } from "./service-process.ts";

const TOKEN = "bench-token";
/** The sizes that the service is designed for. `BENCH_ROWS` names another number of rows. */
export const ROWS = Number(process.env["BENCH_ROWS"] ?? 100_000);
export const COLUMNS = 100;
const DOCS = 10_000;
const REPEATS = 100;
const ROUNDS = 3;
/** An edit is one request, and what a server does in the background meanwhile is counted with it. */
const ROUNDS_OF_EDITS = 9;
/** After this time our client asks for the first time whether an edit is applied. */
const CLIENT_POLL_MS = 1_000;
const FILLED_ROWS = 10_000;
const CURRENT = Number.MAX_SAFE_INTEGER;
const TABLE = "/docs/bench/tables/grid-large";
const VIEW = "/docs/bench/tables/view-large";

/** A request, and the same done by hand, in milliseconds of processor time. */
export interface Compared {
  name: string;
  ours: number;
  sql: number;
  /** How many times the time of `sql` is allowed. */
  atMost: number;
}

/** The longest requests of others, in milliseconds, while something else is done. */
export interface LongestWaits {
  during: string;
  /** A read and a write of another document. */
  read: number;
  write: number;
  /** Until all of it is done. */
  totalMs: number;
}

export interface DesignFigures {
  compared: Compared[];
  waits: LongestWaits[];
  /** A list of 25 documents. */
  list: { many: number; few: number };
}

interface Bench {
  service: Running;
  bare: Running;
  isServer: boolean;
  /** The processes of the database server; none for an embedded database. */
  server(): number[];
  run: Run;
  inTransaction(work: (run: Run) => Promise<unknown>): Promise<unknown>;
}

type Run = (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/**
 * Measures a service on a database of its design size, each request in turn with the SQL that
 * someone would write for it.
 */
export async function measureDesign(work: string, database: string): Promise<DesignFigures> {
  const isServer = database.startsWith("postgres:");
  const seed = join(work, "design-seed.json");
  writeFileSync(seed, JSON.stringify(designSeed()));
  const start = () => startService(["--seed", seed, "--database", database]);
  await (await start()).stop();
  const { openDatabase } = await fromDist<{ openDatabase: typeof OpenDatabase }>(
    "storage/database.js",
  );
  const { serviceMigrations: migrations } = await fromDist<
    typeof import("../../src/service/local/store/schema.ts")
  >("service/local/store/schema.js");
  await using storage = await openDatabase<never>({
    url: database,
    schema: "packsmith_service",
    migrations,
    survives: "process",
  });
  const runOn =
    (db: Pick<typeof storage.db, "executeQuery">): Run =>
    async (text, values = []) =>
      (await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values))).rows;
  const run = runOn(storage.db);
  const inTransaction: Bench["inTransaction"] = (work) =>
    storage.transaction((transaction) => work(runOn(transaction)), { rowLocks: true });
  await fillTable(run, isServer);
  await using service = await start();
  await using bare = await startProcess([process.argv[1] ?? "", "bare-sql", database]);
  await post(`${service.facts.controlUrl}/latency`, { latency: "immediate" });
  const [backend] = isServer ? await run("select pg_backend_pid() as pid") : [];
  // Now: the process of a connection ends with it.
  const parent = backend === undefined ? undefined : readParent(Number(backend["pid"]));
  const server = () => (parent === undefined ? [] : listServerProcesses(parent));
  const bench = { service, bare, isServer, server, run, inTransaction };
  const few = await measureTime(bench, "/docs?limit=25", REPEATS);
  const waits = await watchQueries(bench);
  const compared = [...(await compareReads(bench)), ...(await compareWrites(bench))];
  waits.push(...(await watchLargeEdits(bench)));
  await fillDocs(run, isServer);
  const many = await measureTime(bench, "/docs?limit=25", REPEATS);
  return { compared, waits, list: { many, few } };
}

interface Query {
  name: string;
  path: string;
  sql: string;
}

/** The same SQL on both engines, but for how a cell is read. */
function listQueries(isServer: boolean): Query[] {
  const cell = (column: string) =>
    isServer ? `(cells::json ->> '${column}')` : `json_extract(cells, '$."${column}"')`;
  const columns = "id, position, created_at_ms, updated_at_ms, cells";
  const base = `from row_versions where doc_id = 'bench' and table_id = 'grid-large' and to_seq = ${CURRENT}`;
  const inOrder = "order by created_at_ms, id limit 26";
  const query = (text: string) => `${TABLE}/rows?limit=25&query=${encodeURIComponent(text)}`;
  return [
    { name: "a list", path: `${TABLE}/rows?limit=25`, sql: `select ${columns} ${base} ${inOrder}` },
    {
      name: "a row by its id",
      path: `${TABLE}/rows/${rowId(ROWS / 2)}`,
      sql: `select ${columns} ${base} and id = '${rowId(ROWS / 2)}'`,
    },
    {
      name: "rows with a rare value",
      path: query('c-3:"rare 77"'),
      sql: `select ${columns} ${base} and ${cell("c-3")} = 'rare 77' ${inOrder}`,
    },
    {
      name: "rows with a frequent value",
      path: query('c-2:"status 1"'),
      sql: `select ${columns} ${base} and ${cell("c-2")} = 'status 1' ${inOrder}`,
    },
    {
      name: "a page of a view, in its order",
      path: `${VIEW}/rows?limit=25&sortBy=natural`,
      sql: `select ${columns} ${base} and ${cell("c-2")} = 'status 1' order by cast(${cell("c-1")} as integer) desc, position limit 26`,
    },
  ];
}

async function compareReads(bench: Bench): Promise<Compared[]> {
  const { isServer, bare } = bench;
  const queries = listQueries(isServer);
  const { nextSyncToken = "" } = await get(bench, `${TABLE}/rows?limit=25`);
  for (const at of [5, 50, 500]) {
    const cells = [{ column: "c-4", value: "changed" }];
    await write(bench, "PUT", `${TABLE}/rows/${rowId(at)}`, { row: { cells } });
  }
  queries.push({
    name: "the rows that changed since a sync token",
    path: `${TABLE}/rows?syncToken=${encodeURIComponent(nextSyncToken)}`,
    sql: `select id, position, created_at_ms, updated_at_ms, cells from row_versions where doc_id = 'bench' and table_id = 'grid-large' and to_seq = ${CURRENT} and from_seq > 1 order by created_at_ms, id limit 26`,
  });
  const compared: Compared[] = [];
  for (const { name, path, sql } of queries) {
    const bareUrl = `${bare.facts.url}?sql=${encodeURIComponent(sql)}`;
    const [ours, byHand]: [number[], number[]] = [[], []];
    const once = Math.max(await measureElapsed(() => measureLatency(bareUrl, TOKEN, 1)), 1);
    const repeats = Math.max(3, Math.min(REPEATS, Math.round(2_000 / once)));
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await measureTime(bench, path, repeats));
      byHand.push(
        await processorTime(bench, bare.pid, repeats, () =>
          measureLatency(bareUrl, TOKEN, repeats),
        ),
      );
    }
    compared.push({ name, ours: Math.min(...ours), sql: Math.min(...byHand), atMost: 2 });
  }
  return compared;
}

/** Edits, and the statements that someone would write for a plain table. */
async function compareWrites(bench: Bench): Promise<Compared[]> {
  const { run, inTransaction, isServer, service } = bench;
  const json = isServer ? "(cells::json ->> 'c-3')" : "json_extract(cells, '$.\"c-3\"')";
  await run("create table plain_rows (id text primary key, created_at_ms bigint, cells text)");
  await run(
    `insert into plain_rows select id, created_at_ms, cells from row_versions where doc_id = 'bench' and to_seq = ${CURRENT}`,
  );
  const edit = (method: string, body: object) =>
    write(bench, method, `${TABLE}/rows`, body, CLIENT_POLL_MS);
  const place = (at: number) => (isServer ? `$${at}` : "?");
  let [additions, deletions, plainDeletions] = [0, 0, 0];
  const rowCells = (at: number) =>
    Object.fromEntries(
      Array.from({ length: COLUMNS }, (_, column) => [`c-${column}`, `new ${at} ${column}`]),
    );
  const edits: { name: string; ours(): Promise<void>; sql(): Promise<unknown> }[] = [
    {
      name: "500 rows are added",
      ours: () =>
        edit("POST", {
          rows: Array.from({ length: 500 }, (_, at) => ({
            cells: Object.entries(rowCells(at)).map(([column, value]) => ({ column, value })),
          })),
        }),
      sql: () =>
        inTransaction(async (send) => {
          const text = `insert into plain_rows values (${place(1)}, ${place(2)}, ${place(3)})`;
          for (let at = 0; at < 500; at++)
            await send(text, [`new-${additions++}`, Date.now(), JSON.stringify(rowCells(at))]);
        }),
    },
    {
      name: "20 rows are upserted by a key",
      ours: () =>
        edit("POST", {
          keyColumns: ["c-3"],
          rows: Array.from({ length: 20 }, (_, at) => ({
            cells: [
              { column: "c-3", value: `rare ${at + 100}` },
              { column: "c-4", value: "changed" },
            ],
          })),
        }),
      sql: () =>
        inTransaction(async (send) => {
          const keys = Array.from({ length: 20 }, (_, at) => `'rare ${at + 100}'`).join();
          for (const { id, cells } of await send(
            `select id, cells from plain_rows where ${json} in (${keys})`,
          ))
            await send(`update plain_rows set cells = ${place(1)} where id = '${id}'`, [
              JSON.stringify({ ...JSON.parse(String(cells)), "c-4": "changed" }),
            ]);
        }),
    },
    {
      name: "1,000 rows are deleted",
      ours: () => {
        const from = ROWS / 2 + 1_000 * deletions++;
        return edit("DELETE", {
          rowIds: Array.from({ length: 1_000 }, (_, at) => rowId(from + at)),
        });
      },
      sql: () => {
        const from = ROWS / 2 + 1_000 * plainDeletions++;
        const ids = Array.from({ length: 1_000 }, (_, at) => `'${rowId(from + at)}'`);
        return run(`delete from plain_rows where id in (${ids.join()})`);
      },
    },
  ];
  const compared: Compared[] = [];
  for (const { name, ours, sql } of edits) {
    const [times, byHand]: [number[], number[]] = [[], []];
    for (let round = 0; round <= ROUNDS_OF_EDITS; round++) {
      const our = await processorTime(bench, service.pid, 1, ours);
      const plain = await processorTime(bench, process.pid, 1, sql);
      // The first round makes what later ones use.
      if (round === 0) continue;
      times.push(our);
      byHand.push(plain);
    }
    compared.push({ name, ours: Math.min(...times), sql: Math.min(...byHand), atMost: 4 });
  }
  return compared;
}

/** How long others wait while rows are searched for, and while that makes an index. */
async function watchQueries(bench: Bench): Promise<LongestWaits[]> {
  const queries = listQueries(bench.isServer).slice(2);
  return [
    await watching(bench, "nothing", () => new Promise((resolve) => setTimeout(resolve, 3_000))),
    await watching(bench, "queries and views of columns that were not queried before", async () => {
      for (let round = 0; round < 4; round++)
        for (const { path } of queries) await get(bench, path);
      await new Promise((resolve) => setTimeout(resolve, 2_000));
    }),
  ];
}

async function watchLargeEdits(bench: Bench): Promise<LongestWaits[]> {
  const waits: LongestWaits[] = [];
  const cells = (at: number) =>
    Array.from({ length: COLUMNS }, (_, column) => ({
      column: `c-${column}`,
      value: `n ${at} ${column}`,
    }));
  const edits: [name: string, method: string, body: () => object][] = [
    [
      "500 rows with every column are added",
      "POST",
      () => ({ rows: Array.from({ length: 500 }, (_, at) => ({ cells: cells(at) })) }),
    ],
    [
      "30,000 rows with one cell are added",
      "POST",
      () => ({
        rows: Array.from({ length: 30_000 }, (_, at) => ({
          cells: [{ column: "c-1", value: at }],
        })),
      }),
    ],
    [
      "5,000 rows are upserted by a key",
      "POST",
      () => ({
        keyColumns: ["c-3"],
        rows: Array.from({ length: 5_000 }, (_, at) => ({
          cells: [
            { column: "c-3", value: `rare ${at}` },
            { column: "c-4", value: "upserted" },
          ],
        })),
      }),
    ],
    [
      "a row is upserted whose key a quarter of the table has",
      "POST",
      () => ({
        keyColumns: ["c-2"],
        rows: [
          {
            cells: [
              { column: "c-2", value: "status 1" },
              { column: "c-4", value: "upserted" },
            ],
          },
        ],
      }),
    ],
    [
      "80,000 rows are deleted",
      "DELETE",
      () => ({ rowIds: Array.from({ length: Math.min(80_000, ROWS) }, (_, at) => rowId(at)) }),
    ],
  ];
  for (const [name, method, body] of edits)
    waits.push(await watching(bench, name, () => write(bench, method, `${TABLE}/rows`, body())));
  waits.push(
    await watching(bench, "the document is copied", async () => {
      const answer = await fetch(`${bench.service.facts.url}/docs`, {
        method: "POST",
        headers: { Authorization: `Bearer ${TOKEN}` },
        body: JSON.stringify({ title: "Copy", sourceDoc: "bench" }),
      });
      if (answer.status !== 202) throw new Error(`A copy answered ${answer.status}.`);
      await answer.arrayBuffer();
    }),
  );
  return waits;
}

/** Asks for something small of another document again and again, and changes it. */
async function watching(
  { service }: Bench,
  during: string,
  work: () => Promise<unknown>,
): Promise<LongestWaits> {
  const { url } = service.facts;
  const pids = [service.pid, process.pid];
  let isOver = false;
  const watch = async (path: string, method: string, body?: object) => {
    let longest = 0;
    while (!isOver) {
      const began = performance.now();
      const queued = readQueuedTimes(pids);
      const answer = await fetch(url + path, {
        method,
        headers: { Authorization: `Bearer ${TOKEN}` },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      await answer.arrayBuffer();
      if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}.`);
      const ms = performance.now() - began - subtractTimes(readQueuedTimes(pids), queued);
      longest = Math.max(longest, ms);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return longest;
  };
  const rows = "/docs/other/tables/grid-other/rows";
  const read = watch(`${rows}?limit=5`, "GET");
  const written = watch(rows, "POST", {
    rows: [{ cells: [{ column: "c-name", value: "another" }] }],
  });
  await new Promise((resolve) => setTimeout(resolve, 200));
  const totalMs = await measureElapsed(work);
  isOver = true;
  return { during, read: await read, write: await written, totalMs };
}

async function measureElapsed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** What a request costs. */
async function measureTime(bench: Bench, path: string, repeats: number): Promise<number> {
  const { facts, pid } = bench.service;
  return await processorTime(bench, pid, repeats, () =>
    measureLatency(facts.url + path, TOKEN, repeats),
  );
}

/** The processor time of a process and of the database server, in milliseconds. */
async function processorTime(
  { server }: Bench,
  pid: number | undefined,
  repeats: number,
  work: () => Promise<unknown>,
): Promise<number> {
  const before = readProcessorTimes([pid, ...server()]);
  await work();
  return subtractTimes(readProcessorTimes([pid, ...server()]), before) / repeats;
}

async function get({ service }: Bench, path: string): Promise<{ nextSyncToken?: string }> {
  const answer = await fetch(service.facts.url + path, {
    headers: { Authorization: `Bearer ${TOKEN}` },
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`);
  return (await answer.json()) as { nextSyncToken?: string };
}

/**
 * An edit, until it is applied.
 * @param pollMs after what time its state is asked for: what that costs is measured, too
 */
async function write(
  bench: Bench,
  method: string,
  path: string,
  body: object,
  pollMs = 20,
): Promise<void> {
  const { url } = bench.service.facts;
  const answer = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify(body),
  });
  if (answer.status !== 202) throw new Error(`${method} ${path} answered ${answer.status}.`);
  const { requestId } = (await answer.json()) as { requestId: string };
  for (let completed = false; !completed; ) {
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    const status = await get(bench, `/mutationStatus/${requestId}`);
    completed = (status as { completed?: boolean }).completed === true;
  }
}

async function post(url: string, body: object): Promise<void> {
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
  await answer.arrayBuffer();
}

function rowId(number: number): string {
  return `i-${String(number).padStart(10, "0")}`;
}

/** Straight into the tables: what is measured comes later. */
async function fillTable(run: Run, isServer: boolean): Promise<void> {
  const cells = Array.from({ length: COLUMNS }, (_, at) =>
    at === 1
      ? `'"c-1":' || ((i * 7919) % 100003)`
      : `'"c-${at}":"${["row", "", "status", "rare"][at] ?? "some text of row"} ' || ${["i", "", "(i % 4)", "(i % 50000)"][at] ?? "i"} || '"'`,
  );
  const columns =
    "doc_id, table_id, id, from_seq, to_seq, position, created_at_ms, updated_at_ms, name, cells, compared";
  const id = isServer ? "'i-' || lpad(i::text, 10, '0')" : "printf('i-%010d', i)";
  // In parts: a statement of SQLite takes so many terms only.
  const half = Math.ceil(cells.length / 2);
  const text = `'{' || (${cells.slice(0, half).join(" || ',' || ")}) || ',' || (${cells.slice(half).join(" || ',' || ")}) || '}'`;
  const values = `'bench', 'grid-large', ${id}, 1, ${CURRENT}, i, 1767225600000 + i, 1767225600000 + i, 'row ' || i, ${text}, '{}'`;
  for (let from = 0; from < ROWS; from += FILLED_ROWS) {
    const last = Math.min(ROWS, from + FILLED_ROWS) - 1;
    const rows = isServer
      ? `generate_series(${from}::bigint, ${last}) as i`
      : `(with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${last}) select i from n)`;
    await run(`insert into row_versions (${columns}) select ${values} from ${rows}`);
  }
  await run(
    `update doc_tables set row_count = ${ROWS}, next_position = ${ROWS} where id = 'grid-large'`,
  );
  if (isServer) await run("analyze row_versions");
}

async function fillDocs(run: Run, isServer: boolean): Promise<void> {
  const numbers = isServer
    ? `generate_series(1, ${DOCS}) as i`
    : `(with recursive n(i) as (select 1 union all select i + 1 from n where i < ${DOCS}) select i from n)`;
  await run(
    `insert into docs (id, title, search_title, owner_id, created_at_ms, updated_at_ms, seq, deleted, record, purged_seq)
      select 'doc-' || i, 'Doc ' || i, 'doc ' || i, owner_id, created_at_ms, updated_at_ms + i, 1, 0, record, 1
      from docs cross join ${numbers} where docs.id = 'other'`,
  );
  if (isServer) await run("analyze docs");
}

function designSeed(): object {
  const columns = Array.from({ length: COLUMNS }, (_, at) => ({
    id: `c-${at}`,
    name: `Column ${at}`,
    type: at === 1 ? "number" : "text",
  }));
  const view = {
    id: "view-large",
    name: "view",
    viewOf: "large",
    filter: { column: "Column 2", equals: "status 1" },
    sorts: [{ column: "Column 1", direction: "descending" }],
  };
  const other = { id: "grid-other", name: "other", columns: [{ id: "c-name", name: "Name" }] };
  return {
    users: [{ name: "Bench", email: "bench@service.example" }],
    tokens: [{ token: TOKEN }],
    docs: [
      {
        id: "bench",
        title: "Bench",
        tables: [{ id: "grid-large", name: "large", columns }, view],
      },
      { id: "other", title: "Other", tables: [other] },
    ],
  };
}
