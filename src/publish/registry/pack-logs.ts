import { setTimeout as wait } from "node:timers/promises";
import type { GroupedPackLog, PackLog } from "../../service/contract/registry/registry-models.ts";
import type { RegistryClient } from "./registry-client.ts";

export type { GroupedPackLog, PackLog };

/** A call with its entries; or a single entry, when entries were asked for. */
export type LogEntry = GroupedPackLog | PackLog;

export interface LogOptions {
  client: RegistryClient;
  packId: number;
  docId: string;
  /** Only entries of these types, each by itself. @default calls with all their entries */
  types?: readonly PackLog["type"][] | undefined;
  /** Only the entries of this call, by its request id. */
  request?: string | undefined;
  /** Only calls of this formula. */
  formula?: string | undefined;
  /** Only what failed, or only what did not. */
  status?: "error" | "ok" | undefined;
  /** A query in the language of the registry, such as a word. */
  search?: string | undefined;
  /** Only what is newer than this time. */
  since?: Date | undefined;
  /** Only what is older than this time. */
  until?: Date | undefined;
  /** @default 100 */
  limit?: number | undefined;
  /** Turns places in a bundle into places in the source. @default leaves them */
  mapStack?: ((stack: string, version: string) => Promise<string>) | undefined;
}

export interface LogPage {
  /** The newest first. */
  entries: LogEntry[];
  /** There is more that fits the question, and is older. */
  hasOlder: boolean;
  /** The registry left out entries of some calls. */
  isIncomplete: boolean;
}

const DEFAULT_LIMIT = 100;
/** What an entry must be like is not always known to the registry, so many may be read for a few. */
const MAX_PAGES = 20;
const MAX_PAGE = 100;

/** The log of a Pack in a document, the newest first. */
export async function readLogs(options: LogOptions): Promise<LogPage> {
  const { limit = DEFAULT_LIMIT, mapStack } = options;
  const entries: LogEntry[] = [];
  let isIncomplete = false;
  let pages = 0;
  for await (const page of readPages(options)) {
    isIncomplete ||= page.isIncomplete;
    const wanted = page.items.filter((entry) => fits(entry, options));
    const taken = wanted.slice(0, limit - entries.length);
    for (const entry of taken) entries.push(await withMappedStack(entry, mapStack));
    const hasOlder = page.hasNext || taken.length < wanted.length;
    if (entries.length === limit || ++pages === MAX_PAGES)
      return { entries, hasOlder, isIncomplete };
  }
  return { entries, hasOlder: false, isIncomplete };
}

export interface FollowOptions extends LogOptions {
  signal: AbortSignal;
  /** Waits between two requests. @default in real time */
  sleep?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
}

const INTERVAL_MS = 2_000;
/** A call is in the log when it has ended: one that started before the newest may appear after it. */
const OVERLAP_MS = 60_000;
/** What appears between two requests is read completely. */
const FOLLOW_LIMIT = MAX_PAGES * MAX_PAGE;

/** The same as `readLogs`, the oldest first, and then what is new, until the signal aborts. */
export async function* followLogs(options: FollowOptions): AsyncGenerator<LogEntry> {
  const { signal, sleep = (ms, until) => wait(ms, undefined, { signal: until }) } = options;
  let shown = new Set<string>();
  let { since, limit } = options;
  try {
    while (!signal.aborted) {
      const { entries, hasOlder } = await readLogs({ ...options, since, limit });
      const heads = entries.map((entry) => readHead(entry).context);
      for (const entry of entries.toReversed())
        if (!shown.has(readHead(entry).context.logId)) yield entry;
      shown = new Set(heads.map(({ logId }) => logId));
      since = nextStart(
        heads.map(({ createdAt }) => Date.parse(createdAt)),
        hasOlder,
        since,
      );
      limit = FOLLOW_LIMIT;
      await sleep(INTERVAL_MS, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** The time from which the next request reads. @param timesMs of what was read, the newest first */
function nextStart(
  timesMs: readonly number[],
  hasOlder: boolean,
  since: Date | undefined,
): Date | undefined {
  const [newestMs] = timesMs;
  if (newestMs === undefined) return since;
  // Older entries than those that were shown first stay unseen.
  const earliestMs = hasOlder ? (timesMs.at(-1) ?? 0) - 1 : (since?.getTime() ?? 0);
  return new Date(Math.max(newestMs - OVERLAP_MS, earliestMs));
}

interface RegistryPage {
  items: LogEntry[];
  hasNext: boolean;
  isIncomplete: boolean;
}

async function* readPages(options: LogOptions): AsyncGenerator<RegistryPage> {
  const { client, packId, docId, types = [], request, search, since, until, limit } = options;
  const path = { packId: String(packId), docId };
  const asksForEntries = types.length > 0 || request !== undefined;
  // What is left out here may make most entries of a page unwanted.
  const isFiltered = options.formula !== undefined || options.status !== undefined;
  const first = {
    order: "desc" as const,
    limit: isFiltered ? MAX_PAGE : Math.min(limit ?? DEFAULT_LIMIT, MAX_PAGE),
    ...(search === undefined ? {} : { q: search }),
    ...(since === undefined ? {} : { afterTimestamp: since.toISOString() }),
    ...(until === undefined ? {} : { beforeTimestamp: until.toISOString() }),
  };
  const chosen = {
    ...(types.length === 0 ? {} : { logTypes: types }),
    ...(request === undefined ? {} : { requestIds: [request] }),
  };
  let pageToken: string | undefined;
  do {
    const next = pageToken === undefined ? undefined : { pageToken };
    const page = asksForEntries
      ? await client.call("listPackLogs", { path, query: next ?? { ...first, ...chosen } })
      : await client.call("listGroupedPackLogs", { path, query: next ?? first });
    pageToken = page.nextPageToken;
    yield {
      items: page.items.filter(isKnown),
      hasNext: pageToken !== undefined,
      isIncomplete: "incompleteRelatedLogs" in page && page.incompleteRelatedLogs,
    };
  } while (pageToken !== undefined);
}

export function isCall(entry: LogEntry): entry is GroupedPackLog {
  return "relatedLogs" in entry;
}

/** The entry that a call is about; an entry itself. */
export function readHead(entry: LogEntry): PackLog {
  if (!isCall(entry)) return entry;
  return entry.type === "invocation" ? entry.invocationLog : entry.authLog;
}

/** A registry may have groups that this version does not know. */
function isKnown(entry: LogEntry): boolean {
  return readHead(entry)?.context !== undefined;
}

function fits(entry: LogEntry, { formula, status }: LogOptions): boolean {
  const head = readHead(entry);
  if (formula !== undefined && head.context.formulaName !== formula) return false;
  return status === undefined || hasFailed(head) === (status === "error");
}

/** Whether an entry is about something that did not work. */
export function hasFailed(log: PackLog): boolean {
  switch (log.type) {
    case "invocation":
    case "mcp":
      return log.error !== undefined;
    case "auth":
      return log.errorMessage !== undefined;
    case "fetcher":
      return log.responseCode === undefined || log.responseCode >= 400;
    case "agentRuntime":
      return false;
    default:
      return log.level === "error";
  }
}

async function withMappedStack(
  entry: LogEntry,
  mapStack: LogOptions["mapStack"],
): Promise<LogEntry> {
  if (mapStack === undefined) return entry;
  if (!isCall(entry)) return await withMappedError(entry, mapStack);
  return entry.type === "invocation"
    ? { ...entry, invocationLog: await withMappedError(entry.invocationLog, mapStack) }
    : entry;
}

async function withMappedError<Log extends PackLog>(
  log: Log,
  mapStack: NonNullable<LogOptions["mapStack"]>,
): Promise<Log> {
  if (log.type !== "invocation" || log.error?.stack === undefined) return log;
  const stack = await mapStack(log.error.stack, log.context.packVersion);
  return { ...log, error: { ...log.error, stack } };
}
