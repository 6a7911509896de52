import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Express } from "express";
import { CompiledQuery } from "kysely";
import type { openDatabase as OpenDatabase } from "../../src/storage/database.ts";
import { fromDist } from "./from-dist.ts";
import { medianOf } from "./section.ts";
import { measureLatency } from "./service-load.ts";

const TOKEN = "bench-token";
/** `BENCH_ROWS` names another number. */
export const ROWS = Number(process.env["BENCH_ROWS"] ?? 1_000_000);
const REPEATS = 20;
const ROUNDS = 3;
const WATCH_MS = 5_000;
/** Straight into the database at once. */
const FILLED_ROWS = 50_000;

/** One kind of request, and the same done by hand, in milliseconds. */
export interface Compared {
  name: string;
  /** The first request, before its index is there, and the statement on its own after it. */
  first: { ours: number; sql: number } | undefined;
  /** Later requests, the same statement behind express, and on its own. */
  later: { ours: number; express: number; sql: number };
}

export interface MillionFigures {
  compared: Compared[];
  /** The longest other request, and the longest without these requests. */
  longestWait: { first: LongestWait; later: LongestWait; purge: LongestWait; alone: LongestWait };
  /** A list of 25 rows before and after half of the rows were deleted, in milliseconds. */
  list: { before: number; after: number };
  /** The versions and deletions of half of the rows are removed. */
  purge: { seconds: number; left: number };
  /**
   * The most memory that the service used, in MB; undefined where the system does not report it.
   */
  memoryMb: number | undefined;
}

/** In milliseconds. */
export interface LongestWait {
  ms: number;
  /**
   * Without the time in which the service, or the program that asks, was ready to run and other
   * programs had the cores.
   */
  ownMs: number;
}

interface Query {
  name: string;
  /** A path that is known only when the indexes are there is found by then. */
  path: string | ((service: AskedService) => Promise<string>);
  sql: string;
}

interface AskedService {
  get(path: string): Promise<{ nextPageLink?: string; nextSyncToken?: string }>;
  /** Changes a row, and waits until it is changed. */
  edit(rowId: string): Promise<void>;
}

const BASE = `from packsmith_rows where doc_id = 'bench' and table_id = 'grid-large' and to_seq = ${Number.MAX_SAFE_INTEGER}`;
const TABLE = "/docs/bench/tables/grid-large";
const VIEW = "/docs/bench/tables/view-large";
const LONG_PAGE = 500;

/** The same SQL on both engines, but for how a cell is read. */
function queries(cell: (column: string) => string): Query[] {
  const columns = "id, position, created_at_ms, updated_at_ms, cells";
  const number = `cast(${cell("c-1")} as integer)`;
  const query = (text: string) => `${TABLE}/rows?limit=25&query=${encodeURIComponent(text)}`;
  const inOrder = "order by created_at_ms, id limit 26";
  const inView = `and ${cell("c-2")} = 'status 1'`;
  const name = `row ${Math.floor(ROWS / 2) + 1}`;
  const viewRows = Math.floor(ROWS / 4);
  const viewPage = (after: number): Pick<Query, "path" | "sql"> => ({
    path: (service) => pageAfter(service, `${VIEW}/rows?limit=${LONG_PAGE}&sortBy=natural`, after),
    sql: `select ${columns} ${BASE} ${inView} order by ${number} desc, position limit ${LONG_PAGE + 1} offset ${after}`,
  });
  return [
    {
      name: "rows with a rare value",
      path: query('c-3:"rare 77"'),
      sql: `select ${columns} ${BASE} and ${cell("c-3")} = 'rare 77' ${inOrder}`,
    },
    {
      name: "rows with a frequent value",
      path: query('c-2:"status 1"'),
      sql: `select ${columns} ${BASE} ${inView} ${inOrder}`,
    },
    {
      name: "a row by its name",
      path: `${TABLE}/rows/${encodeURIComponent(name)}`,
      sql: `select ${columns} ${BASE} and ${cell("c-0")} = '${name}' order by created_at_ms, id limit 1`,
    },
    {
      name: "a page of a view, in its order",
      path: `${VIEW}/rows?limit=25&sortBy=natural`,
      sql: `select ${columns} ${BASE} ${inView} order by ${number} desc, position limit 26`,
    },
    {
      name: "a view with its number of rows",
      path: VIEW,
      sql: `select count(*) ${BASE} ${inView}`,
    },
    {
      name: "a value that no row has",
      path: query('c-3:"none"'),
      sql: `select ${columns} ${BASE} and ${cell("c-3")} = 'none' ${inOrder}`,
    },
    { name: "500 rows from the middle of a view", ...viewPage(Math.floor(viewRows / 2)) },
    { name: "the last 500 rows of a view", ...viewPage(viewRows - LONG_PAGE) },
    {
      name: "a page of a view in the order of creation, with the index of each row in the view",
      path: `${VIEW}/rows?limit=25`,
      sql: `select * from (select ${columns}, row_number() over (order by ${number} desc, position) as place ${BASE} ${inView}) as shown ${inOrder}`,
    },
    {
      name: "a page of a view in its order, with a rare value",
      path: `${VIEW}/rows?limit=25&sortBy=natural&query=${encodeURIComponent('c-3:"rare 77"')}`,
      sql: `select ${columns} ${BASE} ${inView} and ${cell("c-3")} = 'rare 77' order by ${number} desc, position limit 26`,
    },
    {
      name: "rows by their places",
      path: `${TABLE}/rows?limit=25&sortBy=natural`,
      sql: `select ${columns} ${BASE} order by position, id limit 26`,
    },
    {
      name: "rows by their last change",
      path: `${TABLE}/rows?limit=25&sortBy=updatedAt`,
      sql: `select ${columns} ${BASE} order by updated_at_ms, id limit 26`,
    },
    {
      name: "the rows that changed since a sync token",
      async path({ get, edit }) {
        const { nextSyncToken = "" } = await get(LIST);
        for (const at of [5, 50, 500]) await edit(rowId(at));
        return `${TABLE}/rows?syncToken=${encodeURIComponent(nextSyncToken)}`;
      },
      sql: `select ${columns} ${BASE} and from_seq > 1 ${inOrder}`,
    },
  ];
}

/** The path of the page that follows so many rows of a listing. */
async function pageAfter({ get }: AskedService, path: string, rows: number): Promise<string> {
  let next = path;
  for (let read = 0; read < rows; read += LONG_PAGE) {
    const link = (await get(next)).nextPageLink;
    if (link === undefined) throw new Error(`${path} ends after ${read} rows.`);
    next = link.slice(link.indexOf("/docs/"));
  }
  return next;
}

/**
 * Measures a service on a database with a table of many rows, each request in turn with the SQL
 * that someone would write for it.
 */
export async function measureMillion(work: string, database: string): Promise<MillionFigures> {
  const isServer = database.startsWith("postgres:");
  const seed = join(work, "million-seed.json");
  writeFileSync(seed, JSON.stringify(millionSeed()));
  const { openDatabase } = await fromDist<{ openDatabase: typeof OpenDatabase }>(
    "storage/database.js",
  );
  const { serviceMigrations: migrations } = await fromDist<
    typeof import("../../src/service/local/store/schema.ts")
  >("service/local/store/schema.js");
  const start = () => startService(["--seed", seed, "--database", database]);
  await (await start()).stop();
  await using storage = await openDatabase<never>({
    url: database,
    schema: "packsmith_service",
    migrations,
    survives: "process",
  });
  const run = async (text: string) =>
    (await storage.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text))).rows;
  await fillMillion(run, isServer);
  await using service = await start();
  await using bare = await startProcess([process.argv[1] ?? "", "bare-sql", database]);
  const { url, controlUrl } = service.facts;
  const ask = (path: string, count = 1) => measureLatency(url + path, TOKEN, count);
  const write = (method: string, path: string, body: object) =>
    fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify(body),
    });
  const byHand = async (sql: string) => {
    const began = performance.now();
    await run(sql);
    return performance.now() - began;
  };
  const all = queries((column) =>
    isServer ? `(cells::json ->> '${column}')` : `json_extract(cells, '$."${column}"')`,
  ).map((each) => ({
    ...each,
    sql: each.sql.replace("packsmith_rows", "row_versions"),
    first: typeof each.path === "string" && FIRST.has(each.name) ? { ours: 0, sql: 0 } : undefined,
    later: { ours: [] as number[], express: [] as number[], sql: [] as number[] },
  }));
  const watching = async (work: () => Promise<unknown>) => {
    const waits = watchWaits(`${url}/whoami`, service.pid);
    await work().finally(waits.stop);
    return await waits.stop();
  };
  await ask("/whoami", 50);
  const alone = await watching(() => new Promise((resolve) => setTimeout(resolve, WATCH_MS)));
  const first = await watching(async () => {
    for (const { first, path } of all)
      if (first !== undefined) first.ours = await ask(String(path));
  });
  for (const { first, sql } of all) if (first !== undefined) first.sql = await byHand(sql);
  const get: AskedService["get"] = async (path) => {
    const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${TOKEN}` } });
    return (await answer.json()) as Awaited<ReturnType<AskedService["get"]>>;
  };
  const edit = async (id: string) => {
    const answer = await write("PUT", `${TABLE}/rows/${id}`, {
      row: { cells: [{ column: "c-4", value: "changed" }] },
    });
    if (answer.status !== 202) throw new Error(`An edit answered ${answer.status}.`);
    await answer.arrayBuffer();
    await post(`${controlUrl}/mutations/complete`, {});
  };
  const paths = new Map<Query, string>();
  for (const each of all)
    paths.set(each, typeof each.path === "string" ? each.path : await each.path({ get, edit }));
  const pathOf = (each: Query) => paths.get(each) ?? "";
  for (let round = 0; round < ROUNDS; round++) {
    for (const each of all) {
      const { sql, later } = each;
      const path = pathOf(each);
      const expressPath = `${bare.facts.url}?sql=${encodeURIComponent(sql)}`;
      later.ours.push(await ask(path, REPEATS));
      later.express.push(await measureLatency(expressPath, TOKEN, 2));
      later.sql.push(await byHand(sql));
    }
  }
  const later = await watching(async () => {
    for (const each of all) await ask(pathOf(each), REPEATS);
  });
  const list = async () =>
    medianOf([await ask(LIST, 100), await ask(LIST, 100), await ask(LIST, 100)]);
  const before = await list();
  const last = Math.floor(ROWS / 2);
  for (let from = 0; from < last; from += 5_000) {
    const rowIds = Array.from({ length: Math.min(5_000, last - from) }, (_, at) =>
      rowId(from + at),
    );
    const answer = await write("DELETE", `${TABLE}/rows`, { rowIds });
    if (answer.status !== 202) throw new Error(`A deletion answered ${answer.status}.`);
    await answer.arrayBuffer();
  }
  await post(`${controlUrl}/mutations/complete`, {});
  if (isServer) await run("vacuum analyze row_versions");
  const after = await list();
  const old = async () =>
    Number(
      (
        await run(
          `select count(*) as n from row_versions where doc_id = 'bench' and to_seq < ${Number.MAX_SAFE_INTEGER}`,
        )
      )[0]?.["n"],
    ) +
    Number((await run("select count(*) as n from row_deletions where doc_id = 'bench'"))[0]?.["n"]);
  let purgeSeconds = 0;
  let left = await old();
  // First the snapshot is marked, a day later what is older than the mark is removed.
  const purging = await watching(async () => {
    const began = performance.now();
    for (const advanceMs of [0, DAY_MS, DAY_MS]) {
      await post(`${controlUrl}/clock`, { advanceMs });
      await ask("/whoami");
    }
    const endMs = performance.now() + MAX_PURGE_MS;
    do {
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      left = await old();
    } while (left > 0 && performance.now() < endMs);
    purgeSeconds = (performance.now() - began) / 1_000;
  });
  return {
    compared: all.map(({ name, first, later: { ours, express, sql } }) => ({
      name,
      first,
      later: { ours: medianOf(ours), express: medianOf(express), sql: medianOf(sql) },
    })),
    longestWait: { first, later, purge: purging, alone },
    list: { before, after },
    purge: { seconds: purgeSeconds, left },
    memoryMb: memoryOf(service.pid),
  };
}

/** Asked for before the indexes are there: one for each of them. */
const FIRST = new Set([
  "rows with a rare value",
  "rows with a frequent value",
  "a row by its name",
  "a page of a view, in its order",
  "a view with its number of rows",
]);
const DAY_MS = 24 * 60 * 60_000;
const MAX_PURGE_MS = 10 * 60_000;

/** Linux keeps the most that a process ever used. */
function memoryOf(pid: number | undefined): number | undefined {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1_024;
  } catch {
    return undefined;
  }
}

const LIST = `${TABLE}/rows?limit=25`;

async function post(url: string, body: object): Promise<void> {
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
  await answer.arrayBuffer();
}

/** Asks for something small again and again, on one connection. */
function watchWaits(url: string, pid: number | undefined): { stop(): Promise<LongestWait> } {
  let isOver = false;
  const longest: LongestWait = { ms: 0, ownMs: 0 };
  const watch = async () => {
    while (!isOver) {
      const [began, queued] = [performance.now(), queuedMs(pid)];
      await (await fetch(url, { headers: { Authorization: `Bearer ${TOKEN}` } })).arrayBuffer();
      const ms = performance.now() - began;
      longest.ms = Math.max(longest.ms, ms);
      longest.ownMs = Math.max(longest.ownMs, ms - (queuedMs(pid) - queued));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const done = watch();
  return {
    async stop() {
      isOver = true;
      await done;
      return longest;
    },
  };
}

/**
 * How long the service and this program waited for a free core, in milliseconds. Only Linux counts
 * it.
 */
function queuedMs(pid: number | undefined): number {
  try {
    const nanoseconds = [String(pid), "self"].map((id) =>
      Number(readFileSync(`/proc/${id}/schedstat`, "utf8").split(" ")[1]),
    );
    return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
  } catch {
    return 0;
  }
}

function rowId(number: number): string {
  return `i-${String(number).padStart(10, "0")}`;
}

/** Straight into the tables: what is measured comes later. */
async function fillMillion(
  run: (text: string) => Promise<unknown>,
  isServer: boolean,
): Promise<void> {
  const cells: Record<string, string> = {
    "c-0": "'row ' || i",
    "c-1": "(i * 7919) % 100003",
    "c-2": "'status ' || (i % 4)",
    "c-3": "'rare ' || (i % 50000)",
    "c-4": "'some more text of a row ' || i",
  };
  // As the service writes them.
  const members = Object.entries(cells).map(
    ([name, value]) =>
      `'"${name}":' || ${name === "c-1" ? `(${value})` : `'"' || (${value}) || '"'`}`,
  );
  const columns =
    "doc_id, table_id, id, from_seq, to_seq, position, created_at_ms, updated_at_ms, name, cells, compared";
  const values = `'bench', 'grid-large', ${isServer ? "'i-' || lpad(i::text, 10, '0')" : "printf('i-%010d', i)"}, 1, ${Number.MAX_SAFE_INTEGER}, i,
    1767225600000 + i, 1767225600000 + i, 'row ' || i, '{' || ${members.join(" || ',' || ")} || '}', '{}'`;
  // In parts, because a statement of a server has a time limit.
  for (let from = 0; from < ROWS; from += FILLED_ROWS) {
    const last = Math.min(ROWS, from + FILLED_ROWS) - 1;
    const numbers = isServer
      ? // As a wide integer, because one of the cells is a product.
        `generate_series(${from}::bigint, ${last}) as i`
      : `(with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${last}) select i from n)`;
    await run(`insert into row_versions (${columns}) select ${values} from ${numbers}`);
  }
  await run(
    `update doc_tables set row_count = ${ROWS}, next_position = ${ROWS} where id = 'grid-large'`,
  );
  if (isServer) await run("analyze row_versions");
}

function millionSeed(): object {
  const columns = Array.from({ length: 5 }, (_, at) => ({
    id: `c-${at}`,
    name: `Column ${at}`,
    type: at === 1 ? "number" : "text",
  }));
  const tables = [
    { id: "grid-large", name: "large", columns },
    {
      id: "view-large",
      name: "view",
      viewOf: "large",
      filter: { column: "Column 2", equals: "status 1" },
      sorts: [{ column: "Column 1", direction: "descending" }],
    },
  ];
  return {
    users: [{ name: "Bench", email: "bench@service.example" }],
    tokens: [{ token: TOKEN }],
    docs: [{ id: "bench", title: "Bench", tables }],
  };
}

interface Running extends AsyncDisposable {
  facts: { url: string; controlUrl: string };
  pid: number | undefined;
  stop(): Promise<void>;
}

export function startService(flags: string[]): Promise<Running> {
  return startProcess([
    join(process.cwd(), "dist/bin/packsmith.cjs"),
    "service",
    "--json",
    ...flags,
  ]);
}

async function startProcess(args: string[]): Promise<Running> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let text = "";
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      text += String(chunk);
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
    child.once("close", (code) => reject(new Error(`${args.join(" ")} ended with ${code}.`)));
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await closed;
  };
  return { facts: JSON.parse(line), pid: child.pid, stop, [Symbol.asyncDispose]: stop };
}

/**
 * Bare express, which answers with the rows of the statement that it is asked for. It is a process
 * of its own, as the service is.
 */
export async function serveBareSql(database: string): Promise<void> {
  const load = createRequire(join(process.cwd(), "package.json"));
  const express = load("express") as () => Express;
  const rowsOf = await bareDatabase(load, database);
  const app = express();
  app.disable("etag");
  app.get("/", async (request, response) => {
    const rows = await rowsOf(String(request.query["sql"]));
    response.json({
      items: rows.map((row) =>
        "cells" in row ? { ...row, cells: JSON.parse(String(row["cells"])) } : row,
      ),
    });
  });
  const server = app.listen(0, "127.0.0.1", () => {
    console.log(
      JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }),
    );
  });
}

type BareRow = Record<string, unknown>;

async function bareDatabase(
  load: NodeJS.Require,
  database: string,
): Promise<(sql: string) => Promise<BareRow[]>> {
  if (!database.startsWith("postgres:")) {
    const Sqlite = load("libsql") as new (
      file: string,
    ) => { prepare(text: string): { all(): BareRow[] } };
    const sqlite = new Sqlite(database);
    return async (sql) => sqlite.prepare(sql).all();
  }
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({
    connectionString: database,
    options: "-c search_path=packsmith_service",
  });
  return async (sql) => (await pool.query<BareRow>(sql)).rows;
}

/** A database of its own on the server that `PACKSMITH_TEST_POSTGRES` names. */
export async function withServerDatabase<Result>(
  server: string,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const { default: pg } = await import("pg");
  const name = `packsmith_bench_${randomBytes(6).toString("hex")}`;
  const query = async (text: string) => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  const url = new URL(server);
  url.pathname = `/${name}`;
  await query(`create database ${name}`);
  try {
    return await work(url.href);
  } finally {
    await query(`drop database ${name} with (force)`);
  }
}
