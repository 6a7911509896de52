import { execFile, execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "./find-program.ts";

const run = promisify(execFile);
const DEBIAN = "/usr/lib/postgresql";

/** Settings of a server, such as `jit=off`. */
type Settings = readonly string[];

/** For a server that is never stopped while its data is needed. */
const FAST: Settings = ["synchronous_commit=off", "full_page_writes=off"];
/** What was committed is there after the server was stopped at once. */
const DURABLE: Settings = [];

/** The folder with the programs of a PostgreSQL server; undefined where there is none. */
export const postgresPrograms: string | undefined = findPrograms();

/** A server that is running, and what ends it. */
export interface Cluster {
  url: string;
  folder: string;
}

/** A PostgreSQL server of the test's own, which it can stop and start again. */
export interface PostgresCluster extends AsyncDisposable {
  url: string;
  start(): Promise<void>;
  /** Ends every connection at once, as a machine does that is switched off. */
  stop(): Promise<void>;
}

export async function startPostgresCluster(): Promise<PostgresCluster> {
  const cluster = await startCluster(DURABLE);
  const { folder, url } = cluster;
  return {
    url,
    start: () => start(folder, Number(new URL(url).port), DURABLE),
    stop: () => stop(folder),
    [Symbol.asyncDispose]: () => removeCluster(cluster),
  };
}

/** Starts a server, which runs until `removeCluster`, whatever happens to this process. */
export async function startCluster(settings: Settings = FAST): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), "packsmith-postgres-"));
  const port = await findFreePort();
  if (isRoot()) {
    const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"]).toString());
    chownSync(folder, id("-u"), id("-g"));
  }
  await runProgram(folder, "initdb", "-D", "data", "-U", "packsmith", "-A", "trust", "--no-sync");
  await start(folder, port, settings);
  return { url: `postgres://packsmith@127.0.0.1:${port}/postgres`, folder };
}

export async function removeCluster({ folder }: Cluster): Promise<void> {
  await stop(folder).catch(() => {});
  rmSync(folder, { recursive: true, force: true });
}

async function start(folder: string, port: number, settings: Settings): Promise<void> {
  const options = [
    ...["-c listen_addresses=127.0.0.1", `-p ${port}`, `-k ${folder}`, "-c fsync=off"],
    ...settings.map((setting) => `-c ${setting}`),
  ].join(" ");
  await runProgram(folder, "pg_ctl", "-D", "data", "-w", "-l", "log", "-o", options, "start");
}

async function stop(folder: string): Promise<void> {
  await runProgram(folder, "pg_ctl", "-D", "data", "-m", "immediate", "stop");
}

async function runProgram(folder: string, name: string, ...args: string[]): Promise<void> {
  const command = [join(postgresPrograms ?? "", name), ...args];
  // The server refuses to run as root.
  const asNobody = [
    "setpriv",
    "--reuid=nobody",
    "--regid=nogroup",
    "--clear-groups",
    "env",
    `HOME=${folder}`,
  ];
  const [file = "", ...others] = isRoot() ? [...asNobody, ...command] : command;
  await run(file, others, { cwd: folder });
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function findPrograms(): string | undefined {
  const initdb = findProgram("initdb");
  if (initdb !== undefined) return dirname(initdb);
  try {
    // Debian keeps several versions, and none of them in PATH.
    const version = readdirSync(DEBIAN).sort((one, other) => Number(other) - Number(one))[0];
    return version === undefined ? undefined : join(DEBIAN, version, "bin");
  } catch {
    return undefined;
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
