import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createStackMapper, type StackMapper } from "../../sandbox/host/stack-trace.ts";
import type { GroupedPackLog, PackLog } from "../../service/contract/registry/registry-models.ts";
import { readRelease } from "../release-archive.ts";
import type { RegistryClient } from "./registry-client.ts";

export type { GroupedPackLog, PackLog };

export interface LogOptions {
  client: RegistryClient;
  packId: number;
  docId: string;
  types?: readonly PackLog["type"][] | undefined;
  /** Only calls of this formula. */
  formula?: string | undefined;
  /** Only this call, by its request id. */
  request?: string | undefined;
  /** Goes on with what is new until the signal. @default false */
  follow?: boolean | undefined;
  signal?: AbortSignal | undefined;
  /** Waits between two questions. @default in real time */
  sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** Turns places in a bundle into places in the source. @default leaves them */
  mapStack?: ((stack: string, version: string) => Promise<string>) | undefined;
}

const INTERVAL_MS = 2_000;
const MAX_PAGES = 20;

/** The log of a Pack in a document, one entry for each call, the oldest first. */
export async function* readLogs(options: LogOptions): AsyncGenerator<GroupedPackLog> {
  const { client, packId, docId, types, formula, request, follow = false, signal } = options;
  const path = { packId: String(packId), docId };
  const sleep = options.sleep ?? ((ms: number, until: AbortSignal | undefined) => wait(ms, undefined, { signal: until }));
  const seen = new Set<string>();
  let after: string | undefined;
  for (;;) {
    let pageToken: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const first = {
        order: "asc" as const,
        limit: 100,
        ...(types === undefined || types.length === 0 ? {} : { logTypes: types }),
        ...(request === undefined ? {} : { requestIds: [request] }),
        ...(after === undefined ? {} : { afterTimestamp: after }),
      };
      const list = await client.call("listGroupedPackLogs", { path, query: pageToken === undefined ? first : { pageToken } });
      for (const group of list.items) {
        const { context } = headOf(group);
        if (seen.has(context.logId) || (formula !== undefined && context.formulaName !== formula)) continue;
        seen.add(context.logId);
        // The same moment is asked for again, because two calls can share it.
        after = new Date(Date.parse(context.createdAt) - 1).toISOString();
        yield await withMappedStack(group, options.mapStack);
      }
      pageToken = list.nextPageToken;
      if (pageToken === undefined) break;
    }
    if (!follow || signal?.aborted) return;
    await sleep(INTERVAL_MS, signal).catch(() => undefined);
    if (signal?.aborted) return;
  }
}

/** The entry that a group is about. */
export function headOf(group: GroupedPackLog) {
  return group.type === "invocation" ? group.invocationLog : group.authLog;
}

async function withMappedStack(group: GroupedPackLog, mapStack: LogOptions["mapStack"]): Promise<GroupedPackLog> {
  if (mapStack === undefined || group.type !== "invocation" || group.invocationLog.error?.stack === undefined) return group;
  const { error, context } = group.invocationLog;
  const stack = await mapStack(error.stack ?? "", context.packVersion);
  return { ...group, invocationLog: { ...group.invocationLog, error: { ...error, stack } } };
}

/**
 * Maps stacks by the source maps of the release archives on this machine. A stack of another version stays as it is.
 * @param name of the Pack's archives
 */
export function mapByArchives(
  name: string,
  { cwd, outDir }: { cwd: string; outDir: string },
): (stack: string, version: string) => Promise<string> {
  const mappers = new Map<string, Promise<StackMapper | undefined>>();
  return async (stack, version) => {
    const known = mappers.get(version) ?? mapperOf(join(resolve(cwd, outDir), `${name}-${version}.tgz`));
    mappers.set(version, known);
    return (await known)?.map(stack) ?? stack;
  };
}

async function mapperOf(archive: string): Promise<StackMapper | undefined> {
  const release = await readRelease(archive).catch(() => undefined);
  const map = release?.files.get("bundle.js.map");
  return map === undefined ? undefined : createStackMapper("bundle.js", Buffer.from(map).toString("utf8"));
}
