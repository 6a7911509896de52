import { execFile, execFileSync } from "node:child_process";
import { chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe } from "vitest";

const run = promisify(execFile);
const ROOT = "/usr/lib/postgresql";

/**
 * Tests that stop and start a server. They run where its programs are, and where servers are tested
 * at all.
 */
export const describePostgresCluster =
  process.env["PACKSMITH_TEST_POSTGRES"] === undefined || binaries() === undefined
    ? describe.skip
    : describe;

/** A PostgreSQL server of the test's own, which it can stop and start again. */
export interface PostgresCluster extends AsyncDisposable {
  url: string;
  start(): Promise<void>;
  /** Ends every connection at once, as a machine does that is switched off. */
  stop(): Promise<void>;
}

export async function startPostgresCluster(): Promise<PostgresCluster> {
  const bin = binaries() ?? "";
  const folder = mkdtempSync(join(tmpdir(), "packsmith-postgres-"));
  const port = await freePort();
  // The server refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    const id = (flag: string) => Number(execFileSync("id", [flag, "nobody"]).toString());
    chownSync(folder, id("-u"), id("-g"));
  }
  const program = async (name: string, ...args: string[]) => {
    const command = [join(bin, name), ...args];
    const all = isRoot
      ? [
          "setpriv",
          "--reuid=nobody",
          "--regid=nogroup",
          "--clear-groups",
          "env",
          `HOME=${folder}`,
          ...command,
        ]
      : command;
    await run(all[0] ?? "", all.slice(1), { cwd: folder });
  };
  const settings = `-c listen_addresses=127.0.0.1 -p ${port} -k ${folder} -c fsync=off`;
  const start = () => program("pg_ctl", "-D", "data", "-w", "-l", "log", "-o", settings, "start");
  const stop = () => program("pg_ctl", "-D", "data", "-m", "immediate", "stop");
  await program("initdb", "-D", "data", "-U", "packsmith", "-A", "trust", "--no-sync");
  await start();
  return {
    url: `postgres://packsmith@127.0.0.1:${port}/postgres`,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      await stop().catch(() => {});
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function binaries(): string | undefined {
  try {
    const version = readdirSync(ROOT).sort((one, other) => Number(other) - Number(one))[0];
    return version === undefined ? undefined : join(ROOT, version, "bin");
  } catch {
    return undefined;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
