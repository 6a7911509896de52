import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createStackMapper, type StackMapper } from "../../sandbox/host/stack-trace.ts";
import type {
  GroupedPackLog,
  PackLog,
  PackVersionSummary,
} from "../../service/contract/registry/registry-models.ts";
import { isRecord } from "../../shared/is-record.ts";
import { readRelease } from "../release-archive.ts";
import { contentHashOf, hashContent, type UploadContent } from "./build-notes.ts";
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
  /** The name of the Pack's builds and archives. */
  name: string;
  /** Folders with builds. */
  buildFolders: readonly string[];
  /** The folder with release archives. */
  archiveFolder: string;
  /** Called once for each version whose stacks stay as they are. */
  onUnmapped(version: string): void;
}

/**
 * Maps stacks by the source map of the same version on this machine: that of its release archive,
 * or of a build with the content that
 * was uploaded. A stack of another version stays as it is.
 */
export function createVersionMapper(
  options: StackMapOptions,
): (stack: string, version: string) => Promise<string> {
  const { client, packId, name, buildFolders, archiveFolder, onUnmapped } = options;
  const mappers = new Map<string, Promise<StackMapper | undefined>>();
  let versions: Promise<PackVersionSummary[]> | undefined;

  const buildOf = async (version: string): Promise<string | undefined> => {
    const builds = await Promise.all(buildFolders.map((folder) => readContent(join(folder, name))));
    const present = builds.filter((build) => build !== undefined);
    if (present.length === 0) return undefined;
    versions ??= listVersions(client, packId).catch(() => []);
    const uploaded = (await versions).find(({ packVersion }) => packVersion === version);
    const hash = uploaded === undefined ? undefined : contentHashOf(uploaded.buildNotes);
    return present.find((content) => hashContent(content) === hash)?.sourceMap;
  };
  const mapperOf = async (version: string): Promise<StackMapper | undefined> => {
    const map =
      (await archivedMap(join(archiveFolder, `${name}-${version}.tgz`))) ??
      (await buildOf(version));
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

async function archivedMap(archive: string): Promise<string | undefined> {
  const release = await readRelease(archive).catch(() => undefined);
  const map = release?.files.get("bundle.js.map");
  return map === undefined ? undefined : Buffer.from(map).toString("utf8");
}

/**
 * What an upload of a build in a folder would contain; undefined when there is no complete build.
 */
async function readContent(folder: string): Promise<UploadContent | undefined> {
  try {
    const [bundle, sourceMap, manifest] = await Promise.all(
      ["bundle.js", "bundle.js.map", "manifest.json"].map((file) =>
        readFile(join(folder, file), "utf8"),
      ),
    );
    const metadata: unknown = JSON.parse(manifest ?? "");
    return isRecord(metadata)
      ? { metadata, bundle: bundle ?? "", sourceMap: sourceMap ?? "" }
      : undefined;
  } catch {
    return undefined;
  }
}
