import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PackError } from "../errors.ts";
import { sha256 } from "../shared/crypto.ts";
import { makeFolder } from "../shared/folders.ts";
import { INSTANCE_HEADER } from "./request-guard.ts";

/** A running server of a Pack. */
export interface RunningInstance {
  pid: number;
  origin: string;
  /** The instance key, so only the owner may read the file. */
  key: string;
}

/** Reads what the page of a Pack shows. */
export interface DevClient {
  /**
   * @param path such as `/api/timeline` @throws {PackError} DEV_NOT_RUNNING when the server has
   * ended
   */
  get(path: string): Promise<unknown>;
}

/** How long to wait for a server that may not be ours. */
const ANSWER_MS = 1_000;
/** How long to wait for what its page shows. */
const PAGE_MS = 5_000;

/**
 * The server that another process runs for the same Pack, with a new link to its page.
 * @param home the folder of the vault, which is never in a project
 * @returns undefined when there is none. A file that an earlier process left behind is ignored
 */
export async function findInstance(
  home: string,
  entry: string,
): Promise<(RunningInstance & { url: string }) | undefined> {
  const instance = await readInstance(getPath(home, entry));
  if (instance === undefined || instance.pid === process.pid || !isAlive(instance.pid))
    return undefined;
  // Another process may have the same id now, and another server the port. Only ours accepts the
  // key.
  const answer = await fetch(`${instance.origin}/instance/link`, {
    method: "POST",
    headers: { [INSTANCE_HEADER]: instance.key },
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => undefined);
  if (answer?.status !== 200) {
    await answer?.body?.cancel();
    return undefined;
  }
  const { url } = (await answer.json().catch(() => ({}))) as { url?: unknown };
  return typeof url === "string" && url.startsWith(`${instance.origin}/?launch=`)
    ? { ...instance, url }
    : undefined;
}

/** Records that this process serves the Pack, until the result is disposed of. */
export async function noteInstance(
  home: string,
  entry: string,
  { origin, key }: Pick<RunningInstance, "origin" | "key">,
): Promise<AsyncDisposable> {
  const path = getPath(home, entry);
  const instance: RunningInstance = { pid: process.pid, origin, key };
  try {
    makeFolder(join(home, "dev"), 0o700);
    await rm(path, { force: true });
    await writeFile(path, JSON.stringify(instance), { mode: 0o600, flag: "wx" });
  } catch {
    // Without the file, a second server may start next to this one. Nothing else depends on it.
  }
  return {
    async [Symbol.asyncDispose]() {
      if ((await readInstance(path))?.pid === process.pid) await rm(path, { force: true });
    },
  };
}

/**
 * A client of the `packsmith dev` that runs for a Pack. It only reads.
 * @param entry absolute path of the entry file
 * @throws {PackError} DEV_NOT_RUNNING
 */
export async function openDevClient(home: string, entry: string): Promise<DevClient> {
  const instance = await findInstance(home, entry);
  if (instance === undefined) throw notRunning(entry);
  const { origin, key } = instance;
  return {
    async get(path) {
      const response = await fetch(new URL(path, origin), {
        headers: { [INSTANCE_HEADER]: key },
        redirect: "manual",
        signal: AbortSignal.timeout(PAGE_MS),
      }).catch((cause: unknown) => {
        throw notRunning(entry, cause);
      });
      if (response.status === 200) return await response.json();
      await response.body?.cancel();
      throw notRunning(entry);
    },
  };
}

async function readInstance(path: string): Promise<RunningInstance | undefined> {
  try {
    const { pid, origin, key } = JSON.parse(
      await readFile(path, "utf8"),
    ) as Partial<RunningInstance>;
    const isOurs =
      typeof pid === "number" &&
      typeof key === "string" &&
      typeof origin === "string" &&
      /^http:\/\/127\.0\.0\.1:\d+$/.test(origin);
    return isOurs ? { pid, origin, key } : undefined;
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

function getPath(home: string, entry: string): string {
  return join(home, "dev", `${sha256(entry, "hex").slice(0, 24)}.json`);
}

function notRunning(entry: string, cause?: unknown): PackError<"DEV_NOT_RUNNING"> {
  return new PackError("DEV_NOT_RUNNING", `packsmith dev is not running for ${entry}.`, {
    details: undefined,
    hint: "Start packsmith dev for this file. Then run a formula or connect an account on the page.",
    cause,
  });
}
