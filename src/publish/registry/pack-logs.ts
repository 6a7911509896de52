import { setTimeout as wait } from "node:timers/promises";
import { openPack } from "../../execute/open-pack.ts";
import { createStackMapper, type StackMapper } from "../../sandbox/host/stack-trace.ts";
import type {
  GroupedPackLog,
  PackLog,
  PackVersionSummary,
} from "../../service/contract/registry/registry-models.ts";
import {
  contentHashOf,
  hashContent,
  readUploadContent,
  type UploadContent,
} from "./build-notes.ts";
import type { RegistryClient } from "./registry-client.ts";
import { listVersions } from "./registry-versions.ts";

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
/** A call is in the log when it has ended: one that began before the newest may come after it. */
const OVERLAP_MS = 60_000;
const MAX_PAGES = 20;

/**
 * The log of a Pack in a document, one entry for each call, the oldest first. Ends when the signal
 * aborts.
 */
export async function* readLogs(options: LogOptions): AsyncGenerator<GroupedPackLog> {
  const { formula, follow = false, signal, mapStack } = options;
  const sleep =
    options.sleep ??
    ((ms: number, until: AbortSignal | undefined) => wait(ms, undefined, { signal: until }));
  let shown = new Set<string>();
  let newestMs = 0;
  for (;;) {
    const again = new Set<string>();
    try {
      for await (const group of readOnce(
        options,
        newestMs === 0 ? undefined : new Date(newestMs - OVERLAP_MS).toISOString(),
      )) {
        const { logId, createdAt, formulaName } = headOf(group).context;
        again.add(logId);
        newestMs = Math.max(newestMs, Date.parse(createdAt));
        if (shown.has(logId) || (formula !== undefined && formulaName !== formula)) continue;
        yield await withMappedStack(group, mapStack);
      }
      shown = again;
      if (!follow) return;
      await sleep(INTERVAL_MS, signal);
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
    if (signal?.aborted) return;
  }
}

async function* readOnce(
  { client, packId, docId, types, request }: LogOptions,
  after: string | undefined,
): AsyncGenerator<GroupedPackLog> {
  const path = { packId: String(packId), docId };
  const first = {
    order: "asc" as const,
    limit: 100,
    ...(types === undefined || types.length === 0 ? {} : { logTypes: types }),
    ...(request === undefined ? {} : { requestIds: [request] }),
    ...(after === undefined ? {} : { afterTimestamp: after }),
  };
  let pageToken: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const list = await client.call("listGroupedPackLogs", {
      path,
      query: pageToken === undefined ? first : { pageToken },
    });
    yield* list.items;
    pageToken = list.nextPageToken;
    if (pageToken === undefined) return;
  }
}

/** The entry that a group is about. */
export function headOf(group: GroupedPackLog) {
  return group.type === "invocation" ? group.invocationLog : group.authLog;
}

async function withMappedStack(
  group: GroupedPackLog,
  mapStack: LogOptions["mapStack"],
): Promise<GroupedPackLog> {
  if (
    mapStack === undefined ||
    group.type !== "invocation" ||
    group.invocationLog.error?.stack === undefined
  )
    return group;
  const { error, context } = group.invocationLog;
  const stack = await mapStack(error.stack ?? "", context.packVersion);
  return { ...group, invocationLog: { ...group.invocationLog, error: { ...error, stack } } };
}

export interface StackMapOptions {
  client: RegistryClient;
  packId: number;
  /** Entry file of the Pack. */
  file: string;
  cwd: string;
  /** Called once for each version whose stacks stay as they are. */
  onUnmapped(version: string): void;
}

/**
 * Maps places in the bundle of a version to places in the source, if the source builds exactly what
 * was uploaded as that version. A stack of another version stays as it is.
 */
export function createVersionMapper(
  options: StackMapOptions,
): (stack: string, version: string) => Promise<string> {
  const { client, packId, onUnmapped } = options;
  const mappers = new Map<string, Promise<StackMapper | undefined>>();
  let source: Promise<UploadContent | undefined> | undefined;
  let versions: Promise<PackVersionSummary[]> | undefined;

  const findMap = async (version: string): Promise<string | undefined> => {
    source ??= buildSource(options).catch(() => undefined);
    versions ??= listVersions(client, packId).catch(() => []);
    const build = await source;
    if (build === undefined) return undefined;
    const uploaded = (await versions).find(({ packVersion }) => packVersion === version);
    const hash = uploaded === undefined ? undefined : contentHashOf(uploaded.buildNotes);
    return hashContent(build) === hash ? build.sourceMap : undefined;
  };
  const mapperOf = async (version: string): Promise<StackMapper | undefined> => {
    const map = await findMap(version);
    if (map === undefined) onUnmapped(version);
    return map === undefined ? undefined : createStackMapper("bundle.js", map);
  };

  return async (stack, version) => {
    const mapper = mappers.get(version) ?? mapperOf(version);
    mappers.set(version, mapper);
    // The platform may name the bundle with its folder.
    return (await mapper)?.map(stack.replace(/[^\s(]*[\\/](?=bundle\.js:\d)/g, "")) ?? stack;
  };
}

async function buildSource({ file, cwd }: StackMapOptions): Promise<UploadContent> {
  await using pack = await openPack(file, { cwd });
  return readUploadContent(pack);
}
