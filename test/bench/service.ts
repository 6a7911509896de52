import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Express } from "express";
import { CompiledQuery } from "kysely";
import type { openDatabase as OpenDatabase } from "../../src/storage/database.ts";
import { fromDist } from "./from-dist.ts";
import { computeMedian } from "./section.ts";
import { measureLatency, measureRate } from "./service-load.ts";

const TOKEN = "bench-token";
const ROUNDS = 3;
const ROUND_MS = 1_500;
const SMALL = 1_000;
const LARGE = Number(process.env["BENCH_ROWS"] ?? 1_000_000);
const CURRENT = Number.MAX_SAFE_INTEGER;

export interface ServiceFigures {
  /** 25-row lists a second, and what bare express answers with the same query. */
  list: { ours: number; bare: number };
  /** A page of 25 rows in a table of a million rows and of a thousand, in milliseconds. */
  page: { large: number; small: number };
  /** A keyed upsert until it is applied, in milliseconds. */
  upsert: { large: number; small: number };
  startMs: number;
  resetMs: number;
  residentMb: number;
}

/** Measures the local service from outside, each thing in turn with what it is compared to. */
export async function measureService(work: string): Promise<ServiceFigures> {
  const seed = join(work, "service-seed.json");
  writeFileSync(seed, JSON.stringify(benchSeed()));
  const database = join(work, "service.db");
  const start = () =>
    startProcess([
      join(process.cwd(), "dist/bin/packsmith.cjs"),
      "service",
      "--json",
      "--seed",
      seed,
      "--database",
      database,
    ]);
  await (await start()).stop();
  await fill(database);

  const starts: number[] = [];
  for (let at = 0; at < 5; at++) {
    const began = performance.now();
    const demo = await startProcess([
      join(process.cwd(), "dist/bin/packsmith.cjs"),
      "service",
      "--json",
    ]);
    starts.push(performance.now() - began);
    await demo.stop();
  }

  const service = await start();
  const { url = "", controlUrl = "" } = service.facts;
  await fetch(`${controlUrl}/latency`, { method: "POST", body: '{"latency":"immediate"}' });
  const bare = await startProcess([process.argv[1] ?? "", "bare-rows", database]);
  const table = (name: string) => `${url}/docs/bench/tables/${name}/rows`;
  const list = { ours: [] as number[], bare: [] as number[] };
  for (let round = -1; round < ROUNDS; round++) {
    const ours = await measureRate(`${table("grid-small")}?limit=25`, TOKEN, ROUND_MS);
    const theirs = await measureRate(bare.facts.url ?? "", TOKEN, ROUND_MS);
    // The first round warms both up.
    if (round < 0) continue;
    list.ours.push(ours);
    list.bare.push(theirs);
  }
  const residentMb = measureResident(service.process);

  await measureUpsert(url, "grid-large", LARGE, 1);
  const page = { large: [] as number[], small: [] as number[] };
  const upsert = { large: [] as number[], small: [] as number[] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const [size, count] of [
      ["small", SMALL],
      ["large", LARGE],
    ] as const) {
      const pageMs = await measureLatency(
        `${table(`grid-${size}`)}?pageToken=${await tokenInside(table(`grid-${size}`))}`,
        TOKEN,
        200,
      );
      const upsertMs = await measureUpsert(url, `grid-${size}`, count);
      if (round < 0) continue;
      page[size].push(pageMs);
      upsert[size].push(upsertMs);
    }
  }
  await Promise.all([service.stop(), bare.stop()]);

  const demo = await startProcess([
    join(process.cwd(), "dist/bin/packsmith.cjs"),
    "service",
    "--json",
  ]);
  const resetMs = await measureLatency(`${demo.facts.controlUrl}/reset`, "", 50, {
    method: "POST",
    body: () => "{}",
  });
  await demo.stop();
  const best = (values: number[]) => Math.min(...values);
  return {
    list: { ours: Math.max(...list.ours), bare: Math.max(...list.bare) },
    page: { large: best(page.large), small: best(page.small) },
    upsert: { large: best(upsert.large), small: best(upsert.small) },
    startMs: best(starts),
    resetMs,
    residentMb,
  };
}

/**
 * Bare express, the same query, and rows with the documented members. It is a process of its own,
 * as the service is.
 */
export async function serveBareRows(database: string): Promise<void> {
  const load = createRequire(join(process.cwd(), "package.json"));
  const express = load("express") as () => Express;
  const Sqlite = load("libsql") as new (
    file: string,
  ) => { prepare(text: string): { all(...values: unknown[]): BareRow[] } };
  const statement = new Sqlite(database).prepare(
    `select id, position, created_at_ms, updated_at_ms, from_seq, cells from row_versions where doc_id = ? and table_id = ? and from_seq <= ? and to_seq = ${CURRENT} order by created_at_ms, id limit ?`,
  );
  const app = express();
  app.disable("etag");
  app.get("/", (_request, response) => {
    const rows = statement.all("bench", "grid-small", 1, 26);
    const href = "http://127.0.0.1/apis/v1/docs/bench/tables/grid-small/rows/";
    const items = rows.slice(0, 25).map(({ id, position, created_at_ms, updated_at_ms, cells }) => {
      const values = JSON.parse(cells) as Record<string, string>;
      return {
        id,
        type: "row",
        href: href + id,
        name: values["c-0"],
        index: position,
        browserLink: `http://127.0.0.1/d/_dbench#small_tusmall/_ru${id}`,
        createdAt: new Date(created_at_ms).toISOString(),
        updatedAt: new Date(updated_at_ms).toISOString(),
        values,
      };
    });
    response.json({ items });
  });
  const server = app.listen(0, "127.0.0.1", () => {
    console.log(
      JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }),
    );
  });
}

interface BareRow {
  id: string;
  position: number;
  created_at_ms: number;
  updated_at_ms: number;
  cells: string;
}

async function measureUpsert(
  url: string,
  tableId: string,
  count: number,
  requests = 100,
): Promise<number> {
  const rows = `${url}/docs/bench/tables/${tableId}/rows`;
  const times: number[] = [];
  for (let request = 0; request < requests; request++) {
    const key = `row ${((request + 1) * 7_919) % count}`;
    const body = {
      rows: [
        {
          cells: [
            { column: "c-0", value: key },
            { column: "c-1", value: request },
          ],
        },
      ],
      keyColumns: ["c-0"],
    };
    const began = performance.now();
    const answer = await fetch(rows, {
      method: "POST",
      headers: { Authorization: `Bearer ${TOKEN}` },
      body: JSON.stringify(body),
    });
    const { requestId } = (await answer.json()) as { requestId: string };
    for (let completed = false; !completed; ) {
      const status = await fetch(`${url}/mutationStatus/${requestId}`, {
        headers: { Authorization: `Bearer ${TOKEN}` },
      });
      completed = ((await status.json()) as { completed: boolean }).completed;
    }
    times.push(performance.now() - began);
  }
  return computeMedian(times);
}

/** A page token from the second page on: the middle of a listing, not its begin. */
async function tokenInside(rows: string): Promise<string> {
  const answer = await fetch(`${rows}?limit=25`, { headers: { Authorization: `Bearer ${TOKEN}` } });
  return ((await answer.json()) as { nextPageToken: string }).nextPageToken;
}

interface Started {
  facts: { url?: string; controlUrl?: string };
  process: ChildProcess;
  stop(): Promise<void>;
}

async function startProcess(args: string[]): Promise<Started> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let text = "";
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      text += String(chunk);
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")));
    });
    child.once("close", (code) => reject(new Error(`${args.join(" ")} ended with ${code}`)));
  });
  const stop = async () => {
    child.kill("SIGTERM");
    await closed;
  };
  return { facts: JSON.parse(line) as Started["facts"], process: child, stop };
}

function measureResident({ pid }: ChildProcess): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1_024;
}

function benchSeed(): object {
  const columns = Array.from({ length: 8 }, (_, at) => ({
    id: `c-${at}`,
    name: `Column ${at}`,
    type: at === 1 ? "number" : "text",
  }));
  const tables = ["small", "large"].map((name) => ({ id: `grid-${name}`, name, columns }));
  return {
    users: [{ name: "Bench", email: "bench@service.example" }],
    tokens: [{ token: TOKEN }],
    docs: [{ id: "bench", title: "Bench", tables }],
  };
}

/** Straight into the tables: what is measured is reading. */
async function fill(url: string): Promise<void> {
  const { openDatabase } = await fromDist<{ openDatabase: typeof OpenDatabase }>(
    "storage/database.js",
  );
  const { serviceMigrations: migrations } = await fromDist<
    typeof import("../../src/service/local/store/schema.ts")
  >("service/local/store/schema.js");
  await using storage = await openDatabase({ url, migrations });
  const cells = Array.from(
    { length: 8 },
    (_, at) =>
      `'c-${at}', ${at === 1 ? "i" : `'row ' || i${at === 0 ? "" : " || ' some more text'"}`}`,
  ).join();
  for (const [name, count] of [
    ["small", SMALL],
    ["large", LARGE],
  ] as const) {
    await storage.db.executeQuery(
      CompiledQuery.raw(`with recursive n(i) as (select 0 union all select i + 1 from n where i + 1 < ${count})
        insert into row_versions (doc_id, table_id, id, from_seq, to_seq, position, created_at_ms, updated_at_ms, name, cells, compared)
        select 'bench', 'grid-${name}', printf('i-%010d', i), 1, ${CURRENT}, i, 1767225600000 + i, 1767225600000 + i, 'row ' || i, json_object(${cells}), '{}' from n`),
    );
    await storage.db.executeQuery(
      CompiledQuery.raw(
        `update doc_tables set row_count = ${count}, next_position = ${count} where id = 'grid-${name}'`,
      ),
    );
  }
}
