import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Express } from "express";

/** A process of the bench that prints one line of JSON when it is ready. */
export interface Running extends AsyncDisposable {
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

export async function startProcess(args: string[]): Promise<Running> {
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
  const readRows = await bareDatabase(load, database);
  const app = express();
  app.disable("etag");
  app.get("/", async (request, response) => {
    const rows = await readRows(String(request.query["sql"]));
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
