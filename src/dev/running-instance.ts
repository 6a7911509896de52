import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../shared/crypto.ts";
import { makeFolder } from "../shared/folders.ts";

/** A running server of a Pack. */
export interface RunningInstance {
  pid: number;
  /** Contains the launch key, so only the owner may read the file. */
  url: string;
}

/** How long to wait for a server to answer. */
const ANSWER_MS = 1_000;

/**
 * The server that another process runs for the same Pack.
 * @param home the folder of the vault, which is never in a project
 * @returns undefined when there is none. A file that an earlier process left behind is ignored
 */
export async function findInstance(
  home: string,
  entry: string,
): Promise<RunningInstance | undefined> {
  const found = await readInstance(pathOf(home, entry));
  if (found === undefined || found.pid === process.pid || !isAlive(found.pid)) return undefined;
  // Another process may have the same id now, and another server the port. Only ours accepts the
  // launch key.
  const answer = await fetch(found.url, {
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status === 303 ? found : undefined;
}

/** Records that this process serves the Pack, until the result is disposed of. */
export async function noteInstance(
  home: string,
  entry: string,
  url: string,
): Promise<AsyncDisposable> {
  const path = pathOf(home, entry);
  try {
    makeFolder(join(home, "dev"), 0o700);
    await rm(path, { force: true });
    await writeFile(path, JSON.stringify({ pid: process.pid, url } satisfies RunningInstance), {
      mode: 0o600,
      flag: "wx",
    });
  } catch {
    // Without the file, a second server may start next to this one. Nothing else depends on it.
  }
  return {
    async [Symbol.asyncDispose]() {
      if ((await readInstance(path))?.pid === process.pid) await rm(path, { force: true });
    },
  };
}

async function readInstance(path: string): Promise<RunningInstance | undefined> {
  try {
    const { pid, url } = JSON.parse(await readFile(path, "utf8")) as Partial<RunningInstance>;
    const isOurs =
      typeof pid === "number" &&
      typeof url === "string" &&
      /^http:\/\/127\.0\.0\.1:\d+\/\?launch=/.test(url);
    return isOurs ? { pid, url } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function pathOf(home: string, entry: string): string {
  return join(home, "dev", `${sha256(entry, "hex").slice(0, 24)}.json`);
}
