import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
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
const BACKLOG = 5_000;
const REPEATS = 20;
const ROUNDS = 3;
const WATCH_MS = 5_000;
/** Straight into the database at once. */
const FILLED_ROWS = 50_000;

/** One kind of request, and the same done by hand, in milliseconds. */
export interface Compared {
  name: string;
  /** The first request, before its index is there, and the statement on its own after it. */
  first: { ours: number; sql: number };
  /** Later requests, the same statement behind express, and on its own. */
  later: { ours: number; express: number; sql: number };
}

export interface MillionFigures {
  compared: Compared[];
  /** How long the longest other request waited, and how long one waited without them, in milliseconds. */
  longestWaitMs: { first: number; later: number; alone: number };
  /** A list of 25 rows before and after half of the rows were deleted, in milliseconds. */
  list: { before: number; after: number };
  /** Edits a second while a backlog of one document is applied. */
  drain: number;
}

interface Query {
  name: string;
  path: string;
  sql: string;
}

const BASE = `from packsmith_rows where doc_id = 'bench' and table_id = 'grid-large' and to_seq = ${Number.MAX_SAFE_INTEGER}`;

/** The same SQL on both engines, but for how a cell is read. */
function queries(cell: (column: string) => string): Query[] {
  const columns = "id, position, created_at_ms, updated_at_ms, cells";
  const number = `cast(${cell("c-1")} as integer)`;
  const table = "/docs/bench/tables/grid-large";
  const query = (text: string) => `${table}/rows?limit=25&query=${encodeURIComponent(text)}`;
  const inOrder = "order by created_at_ms, id limit 26";
  return [
    {
      name: "rows with a rare value",
      path: query('c-3:"rare 77"'),
      sql: `select ${columns} ${BASE} and ${cell("c-3")} = 'rare 77' ${inOrder}`,
    },
    {
      name: "rows with a frequent value",
      path: query('c-2:"status 1"'),
      sql: `select ${columns} ${BASE} and ${cell("c-2")} = 'status 1' ${inOrder}`,
    },
    {
      name: "a row by its name",
      path: `${table}/rows/${encodeURIComponent(`row ${Math.floor(ROWS / 2) + 1}`)}`,
      sql: `select ${columns} ${BASE} and ${cell("c-0")} = 'row ${Math.floor(ROWS / 2) + 1}' order by created_at_ms, id limit 1`,
    },
    {
      name: "a page of a view, in its order",
      path: "/docs/bench/tables/view-large/rows?limit=25&sortBy=natural",
      sql: `select ${columns} ${BASE} and ${cell("c-2")} = 'status 1' order by ${number} desc, position limit 26`,
    },
    {
      name: "a view with its number of rows",
      path: "/docs/bench/tables/view-large",
      sql: `select count(*) ${BASE} and ${cell("c-2")} = 'status 1'`,
    },
  ];
}

/** Measures a service on a database with a table of many rows, each request in turn with the SQL that someone would write for it. */
export async function measureMillion(work: string, database: string): Promise<MillionFigures> {
  const isServer = database.startsWith("postgres:");
  const seed = join(work, "million-seed.json");
  writeFileSync(seed, JSON.stringify(millionSeed()));
  const { openDatabase } = await fromDist<{ openDatabase: typeof OpenDatabase }>("storage/database.js");
  const { serviceMigrations: migrations } =
    await fromDist<typeof import("../../src/service/local/store/schema.ts")>("service/local/store/schema.js");
  const start = () => startService(["--seed", seed, "--database", database]);
  await (await start()).stop();
  await using storage = await openDatabase<never>({ url: database, schema: "packsmith_service", migrations, survives: "process" });
  const run = async (text: string) => (await storage.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text))).rows;
  await fillMillion(run, isServer);
  await using service = await start();
  await using bare = await startProcess([process.argv[1] ?? "", "bare-sql", database]);
  const { url, controlUrl } = service.facts;
  const ask = (path: string, count = 1) => measureLatency(url + path, TOKEN, count);
  const write = (method: string, path: string, body: object) =>
    fetch(url + path, { method, headers: { Authorization: `Bearer ${TOKEN}` }, body: JSON.stringify(body) });
  const byHand = async (sql: string) => {
    const began = performance.now();
    await run(sql);
    return performance.now() - began;
  };
  const all = queries((column) => (isServer ? `(cells::json ->> '${column}')` : `json_extract(cells, '$."${column}"')`)).map((each) => ({
    ...each,
    sql: each.sql.replace("packsmith_rows", "row_versions"),
    first: { ours: 0, sql: 0 },
    later: { ours: [] as number[], express: [] as number[], sql: [] as number[] },
  }));
  const watching = async (work: () => Promise<unknown>) => {
    const waits = watchWaits(`${url}/whoami`);
    await work().finally(waits.stop);
    return await waits.stop();
  };
  await ask("/whoami", 50);
  const alone = await watching(() => new Promise((resolve) => setTimeout(resolve, WATCH_MS)));
  const first = await watching(async () => {
    for (const each of all) each.first.ours = await ask(each.path);
  });
  await indexesBuilt(run);
  for (const each of all) each.first.sql = await byHand(each.sql);
  for (let round = 0; round < ROUNDS; round++) {
    for (const { path, sql, later } of all) {
      const expressPath = `${bare.facts.url}?sql=${encodeURIComponent(sql)}`;
      later.ours.push(await ask(path, REPEATS));
      later.express.push(await measureLatency(expressPath, TOKEN, Math.ceil(REPEATS / 5)));
      later.sql.push(medianOf([await byHand(sql), await byHand(sql), await byHand(sql)]));
    }
  }
  const later = await watching(async () => {
    for (const each of all) await ask(each.path, REPEATS);
  });
  const list = async () => medianOf([await ask(LIST, 100), await ask(LIST, 100), await ask(LIST, 100)]);
  const before = await list();
  const last = Math.floor(ROWS / 2);
  for (let from = 0; from < last; from += 5_000) {
    const rowIds = Array.from({ length: Math.min(5_000, last - from) }, (_, at) => rowId(from + at));
    const answer = await write("DELETE", "/docs/bench/tables/grid-large/rows", { rowIds });
    if (answer.status !== 202) throw new Error(`A deletion answered ${answer.status}.`);
    await answer.arrayBuffer();
  }
  await post(`${controlUrl}/mutations/complete`, {});
  if (isServer) await run("vacuum analyze row_versions");
  const after = await list();
  const drain = await measureDrain(write, controlUrl, run);
  return {
    compared: all.map(({ name, first, later: { ours, express, sql } }) => ({
      name,
      first,
      later: { ours: medianOf(ours), express: medianOf(express), sql: medianOf(sql) },
    })),
    longestWaitMs: { first, later, alone },
    list: { before, after },
    drain,
  };
}

/** The indexes of a long table are built while requests are answered without them. */
async function indexesBuilt(run: (text: string) => Promise<Record<string, unknown>[]>): Promise<void> {
  const unfinished = `select count(*) as n from key_indexes where built_to <> ${Number.MAX_SAFE_INTEGER}`;
  const indexes = "select count(*) as n from key_indexes where table_id = 'grid-large'";
  while (Number((await run(unfinished))[0]?.["n"]) > 0 || Number((await run(indexes))[0]?.["n"]) < INDEXES)
    await new Promise((resolve) => setTimeout(resolve, 500));
}

/** Those that the requests need: of two columns, of the names and of the view. */
const INDEXES = 4;

const LIST = "/docs/bench/tables/grid-large/rows?limit=25";

/** Edits that were held wait in one document, and are applied as fast as they can be. */
async function measureDrain(
  write: (method: string, path: string, body: object) => Promise<Response>,
  controlUrl: string,
  run: (text: string) => Promise<Record<string, unknown>[]>,
): Promise<number> {
  await post(`${controlUrl}/mutations/hold`, { hold: true });
  for (let at = 0; at < BACKLOG; at += 50) {
    const requests = Array.from({ length: 50 }, (_, each) =>
      write("POST", "/docs/bench/tables/grid-small/rows", { rows: [{ cells: [{ column: "c-0", value: `pending ${at + each}` }] }] }),
    );
    for (const answer of await Promise.all(requests)) await answer.arrayBuffer();
  }
  const waiting = async () => Number((await run("select count(*) as n from mutations where state = 'pending'"))[0]?.["n"]);
  if ((await waiting()) !== BACKLOG) throw new Error("Not every edit waits.");
  const began = performance.now();
  await post(`${controlUrl}/mutations/complete`, {});
  const seconds = (performance.now() - began) / 1_000;
  if ((await waiting()) !== 0) throw new Error("Some edits still wait.");
  await post(`${controlUrl}/mutations/hold`, { hold: false });
  return BACKLOG / seconds;
}

async function post(url: string, body: object): Promise<void> {
  const answer = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}.`);
  await answer.arrayBuffer();
}

/** Asks for something small again and again, on one connection. @returns the longest wait */
function watchWaits(url: string): { stop(): Promise<number> } {
  let isOver = false;
  let longest = 0;
  const watch = async () => {
    while (!isOver) {
      const began = performance.now();
      await (await fetch(url, { headers: { Authorization: `Bearer ${TOKEN}` } })).arrayBuffer();
      longest = Math.max(longest, performance.now() - began);
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

function rowId(number: number): string {
  return `i-${String(number).padStart(10, "0")}`;
}

/** Straight into the tables: what is measured comes later. */
async function fillMillion(run: (text: string) => Promise<unknown>, isServer: boolean): Promise<void> {
  const cells: Record<string, string> = {
    "c-0": "'row ' || i",
    "c-1": "(i * 7919) % 100003",
    "c-2": "'status ' || (i % 4)",
    "c-3": "'rare ' || (i % 50000)",
    "c-4": "'some more text of a row ' || i",
  };
  // As the service writes them.
  const members = Object.entries(cells).map(
    ([name, value]) => `'"${name}":' || ${name === "c-1" ? `(${value})` : `'"' || (${value}) || '"'`}`,
  );
  const columns = "doc_id, table_id, id, from_seq, to_seq, position, created_at_ms, updated_at_ms, cells";
  const values = `'bench', 'grid-large', ${isServer ? "'i-' || lpad(i::text, 10, '0')" : "printf('i-%010d', i)"}, 1, ${Number.MAX_SAFE_INTEGER}, i,
    1767225600000 + i, 1767225600000 + i, '{' || ${members.join(" || ',' || ")} || '}'`;
  // In parts, because a statement of a server has a time limit.
  for (let from = 0; from < ROWS; from += FILLED_ROWS) {
    const last = Math.min(ROWS, from + FILLED_ROWS) - 1;
    const numbers = isServer
      ? `generate_series(${from}, ${last}) as i`
      : `(with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${last}) select i from n)`;
    await run(`insert into row_versions (${columns}) select ${values} from ${numbers}`);
  }
  await run(`insert into row_blocks (doc_id, table_id, block, live, next_position)
    select doc_id, table_id, position / 1024, count(*), max(position) + 1 from row_versions where table_id = 'grid-large'
    group by doc_id, table_id, position / 1024`);
  if (isServer) await run("analyze row_versions");
}

function millionSeed(): object {
  const columns = Array.from({ length: 5 }, (_, at) => ({ id: `c-${at}`, name: `Column ${at}`, type: at === 1 ? "number" : "text" }));
  const tables = [
    { id: "grid-small", name: "small", columns },
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
  stop(): Promise<void>;
}

export function startService(flags: string[]): Promise<Running> {
  return startProcess([join(process.cwd(), "dist/bin/packsmith.cjs"), "service", "--json", ...flags]);
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
  return { facts: JSON.parse(line), stop, [Symbol.asyncDispose]: stop };
}

/** Bare express, which answers with the rows of the statement that it is asked for. It is a process of its own, as the service is. */
export async function serveBareSql(database: string): Promise<void> {
  const load = createRequire(join(process.cwd(), "package.json"));
  const express = load("express") as () => Express;
  const rowsOf = await bareDatabase(load, database);
  const app = express();
  app.disable("etag");
  app.get("/", async (request, response) => {
    const rows = await rowsOf(String(request.query["sql"]));
    response.json({ items: rows.map((row) => ("cells" in row ? { ...row, cells: JSON.parse(String(row["cells"])) } : row)) });
  });
  const server = app.listen(0, "127.0.0.1", () => {
    console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }));
  });
}

type BareRow = Record<string, unknown>;

async function bareDatabase(load: NodeJS.Require, database: string): Promise<(sql: string) => Promise<BareRow[]>> {
  if (!database.startsWith("postgres:")) {
    const Sqlite = load("libsql") as new (file: string) => { prepare(text: string): { all(): BareRow[] } };
    const sqlite = new Sqlite(database);
    return async (sql) => sqlite.prepare(sql).all();
  }
  const { default: pg } = await import("pg");
  const pool = new pg.Pool({ connectionString: database, options: "-c search_path=packsmith_service" });
  return async (sql) => (await pool.query<BareRow>(sql)).rows;
}

/** A database of its own on the server that `PACKSMITH_TEST_POSTGRES` names. */
export async function withServerDatabase<Result>(server: string, work: (url: string) => Promise<Result>): Promise<Result> {
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
