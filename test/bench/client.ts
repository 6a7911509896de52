import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fromDist } from "./from-dist.ts";

const ROWS = Number(process.env["BENCH_ROWS"] ?? 100_000);
const ROUNDS = 3;
const PAGE = 500;
const COLUMNS = [
  "c-one",
  "c-two",
  "c-three",
  "c-four",
  "c-five",
  "c-six",
  "c-seven",
  "c-eight",
] as const;

export interface ClientFigures {
  rows: number;
  /**
   * Milliseconds: inserted through the client until applied, by only SQLite, and by only SQLite
   * into the service's own table.
   */
  insert: { ours: number; bare: number; indexed: number };
  /** Milliseconds: all rows by the client, and by a loop of fetch and JSON.parse. */
  paging: { ours: number; bare: number };
  /** Megabytes that the heap holds after a tenth of the rows and after all of them. */
  heapMb: { tenth: number; all: number };
}

/**
 * Measures the client against a service in a process of its own, each thing in turn with what it is
 * compared to.
 */
export async function measureClient(work: string): Promise<ClientFigures> {
  const seed = join(work, "client-seed.json");
  writeFileSync(seed, JSON.stringify(benchSeed()));
  const { createServiceClient, fetchTransport, writeRows } =
    await fromDist<typeof import("../../src/service.ts")>("service.js");
  const insert = {
    ours: Number.POSITIVE_INFINITY,
    bare: Number.POSITIVE_INFINITY,
    indexed: Number.POSITIVE_INFINITY,
  };
  const paging = { ours: Number.POSITIVE_INFINITY, bare: Number.POSITIVE_INFINITY };
  let heapMb = { tenth: 0, all: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const database = join(work, `client-${round}.db`);
    const service = await startService(["--seed", seed, "--database", database]);
    try {
      await fetch(`${service.controlUrl}/latency`, {
        method: "POST",
        body: '{"latency":"immediate"}',
      });
      const transport = fetchTransport({ token: service.token, limits: false, timer: hastyTimer });
      const client = createServiceClient({ baseUrl: service.url, transport });
      insert.bare = Math.min(insert.bare, insertBare(join(work, `bare-${round}.db`)));
      insert.indexed = Math.min(insert.indexed, insertIndexed(join(work, `indexed-${round}.db`)));
      const began = performance.now();
      const { counts, stoppedBy } = await writeRows(client, {
        docId: service.docId,
        tableIdOrName: "grid-bench",
        rows: benchRows(),
        maxRows: 2_500,
      });
      insert.ours = Math.min(insert.ours, performance.now() - began);
      if (counts.applied !== ROWS)
        throw new Error(`only ${counts.applied} of ${ROWS} rows were applied`, {
          cause: stoppedBy,
        });

      const { rows } = client.doc(service.docId).table("grid-bench");
      const theirs = () =>
        pageBare(`${service.url}/docs/${service.docId}/tables/grid-bench/rows`, service.token);
      const ours = async () => {
        let [seen, tenth] = [0, 0];
        for await (const { id } of rows.list({ limit: PAGE })) {
          if (id !== "" && ++seen === ROWS / 10) tenth = heapInMb();
        }
        heapMb = { tenth, all: heapInMb() };
        return seen;
      };
      for (const [name, page] of [
        ["bare", theirs],
        ["ours", ours],
      ] as const) {
        const started = performance.now();
        const seen = await page();
        paging[name] = Math.min(paging[name], performance.now() - started);
        if (seen !== ROWS) throw new Error(`${name} saw ${seen} of ${ROWS} rows`);
      }
    } finally {
      await service.stop();
    }
  }
  return { rows: ROWS, insert, paging, heapMb };
}

// What is measured is work, not how long a poll sleeps.
const hastyTimer = {
  now: () => Date.now(),
  sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms / 100)),
};

function* benchRows(): Generator<Record<string, string | number | boolean>> {
  for (let at = 0; at < ROWS; at++)
    yield Object.fromEntries(COLUMNS.map((column, place) => [column, createCell(at, place)]));
}

function createCell(at: number, place: number): string | number | boolean {
  return place === 6 ? at : place === 7 ? at % 2 === 0 : `value ${place} of row ${at}`;
}

function benchSeed() {
  const types = ["text", "text", "text", "text", "text", "text", "number", "checkbox"];
  const columns = COLUMNS.map((id, place) => ({
    id,
    name: id.slice(2),
    type: types[place],
    ...(place === 0 ? { display: true } : {}),
  }));
  return {
    users: [{ name: "Bench", email: "bench@people.example" }],
    docs: [
      {
        id: "bench",
        title: "Bench",
        tables: [{ id: "grid-bench", name: "Bench", columns, rows: [] }],
      },
    ],
  };
}

// No one waits for the disk: not for a commit, and not for the log that the pages of 4 KiB fill.
const AS_THE_SERVICE =
  "pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 20000";

/** The same rows as JSON, by prepared statements in one transaction. */
function insertBare(path: string): number {
  const Database = createRequire(join(process.cwd(), "package.json"))("libsql");
  const db = new Database(path);
  db.exec(
    `${AS_THE_SERVICE}; create table rows (id text primary key, position integer, cells text)`,
  );
  const statement = db.prepare("insert into rows values (?, ?, ?)");
  const began = performance.now();
  db.exec("begin");
  let position = 0;
  for (const cells of benchRows())
    statement.run(`i-${position}`, position++, JSON.stringify(cells));
  db.exec("commit");
  const ms = performance.now() - began;
  db.close();
  return ms;
}

/** The same with the members, the key and the indexes that the service keeps of each row. */
function insertIndexed(path: string): number {
  const Database = createRequire(join(process.cwd(), "package.json"))("libsql");
  const db = new Database(path);
  db.exec(`${AS_THE_SERVICE};
    create table rows (doc_id text, table_id text, id text, from_seq bigint, to_seq bigint, position bigint, created_at_ms bigint,
      updated_at_ms bigint, cells text, primary key (doc_id, table_id, id, from_seq));
    create index by_creation on rows (doc_id, table_id, created_at_ms, id);
    create index by_change on rows (doc_id, table_id, updated_at_ms, id);
    create index by_place on rows (doc_id, table_id, position, id)`);
  const statement = db.prepare(
    "insert into rows values ('bench', 'grid-bench', ?, 1, 9007199254740991, ?, 1767225600000, 1767225600000, ?)",
  );
  const began = performance.now();
  db.exec("begin");
  let position = 0;
  for (const cells of benchRows())
    statement.run(`i-${String(position).padStart(10, "0")}`, position++, JSON.stringify(cells));
  db.exec("commit");
  const ms = performance.now() - began;
  db.close();
  return ms;
}

async function pageBare(url: string, token: string): Promise<number> {
  let seen = 0;
  for (let query = `limit=${PAGE}`; query !== ""; ) {
    const response = await fetch(`${url}?${query}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const { items, nextPageToken } = JSON.parse(await response.text()) as {
      items: { id: string }[];
      nextPageToken?: string;
    };
    for (const { id } of items) if (id !== "") seen++;
    query = nextPageToken === undefined ? "" : `pageToken=${nextPageToken}`;
  }
  return seen;
}

function heapInMb(): number {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed / 1_048_576;
}

async function startService(args: string[]) {
  const child = spawn(process.execPath, ["dist/bin/packsmith.cjs", "service", "--json", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let text = "";
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.includes("\n")) break;
  }
  const facts = JSON.parse(text) as {
    url: string;
    controlUrl: string;
    token: string;
    docId: string;
  };
  return {
    ...facts,
    async stop() {
      child.kill("SIGINT");
      await ended;
    },
  };
}
