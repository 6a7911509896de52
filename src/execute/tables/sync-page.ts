import type { SyncRows } from "../../sandbox/host/isolate.ts";
import type { SyncData } from "../../sandbox/protocol.ts";
import type { Redactor } from "../../shared/redact.ts";
import { argumentsByName, type FormulaArguments, prepareArguments } from "../arguments/arguments.ts";
import type { ExecutionResult } from "../execution-result.ts";
import { tableNamed } from "../find-block.ts";
import { failed, type PreparedCall, type RunOptions, run, withoutAbsent } from "../run.ts";
import { readPageResult, type SyncPageResult } from "./sync-result.ts";

/** What all pages of a sync have in common. */
interface SyncCall {
  args: readonly unknown[];
  /** Without the continuation. */
  sync: SyncData;
  schema: unknown;
}

/**
 * @param dynamic which table, and its schema, when it is dynamic
 * @returns a function that looks at the arguments when it is first called
 * @throws {PackError} TABLE_UNKNOWN, ARGUMENT_COUNT, ARGUMENT_TYPE, by the function
 */
export function syncCallOf(options: ExecuteSyncTableOptions, dynamic: { schema: unknown; dynamicUrl: string | undefined }): () => SyncCall {
  let known: SyncCall | undefined;
  const prepare = (): SyncCall => {
    const { table } = tableNamed(options.isolate.definition, options.table);
    const args = prepareArguments(table.getter, options.args, options);
    const { previousCompletion, executionId, permissionSyncMode } = options;
    const parameters = argumentsByName(table.getter, args);
    const sync = withoutAbsent({ previousCompletion, ...dynamic, parameters, executionId, permissionSyncMode });
    return { args, sync, schema: dynamic.schema ?? table.schema };
  };
  return () => {
    known ??= prepare();
    return known;
  };
}

interface PageOptions {
  syncCall: () => SyncCall;
  continuation: unknown;
  session: object;
}

/** What the Pack gave for a page. Neither is it checked, nor are its rows read, which takes longer than all the rest. */
interface UnreadPage {
  /** Without its `result` when `rows` are apart. */
  value: unknown;
  rows: SyncRows | undefined;
  schema: unknown;
  /** Where the next page begins; known ahead when `rows` are apart. */
  continuation: unknown;
}

/** A response that comes so soon is given to the Pack before other work begins: the Pack works on it meanwhile. */
const SOON_MS = 5;

/** A page that the Pack works on. */
export interface StartedPage {
  answer: Promise<ExecutionResult<UnreadPage>>;
  /** Resolves when there is time for other work: the Pack works on its first response, waits long for it, or is done. */
  pause: Promise<unknown>;
}

export function startPage(options: ExecuteSyncTableOptions, { syncCall, continuation, session }: PageOptions): StartedPage {
  let onRequest: PreparedCall["onRequest"];
  const requested = new Promise<void>((resolve) => {
    onRequest = (response) => {
      onRequest = undefined;
      const timer = setTimeout(resolve, SOON_MS);
      void response.then(() => {
        clearTimeout(timer);
        // It goes into the sandbox first.
        setImmediate(resolve);
      });
    };
  });
  const answer = run(
    options,
    () => {
      const { args, sync } = syncCall();
      return {
        call: { kind: "sync", table: options.table, args },
        session,
        onRequest: (response) => onRequest?.(response),
        context: {
          ...(options.rowVersions === undefined ? {} : { rowVersions: options.rowVersions }),
          sync: withoutAbsent({ continuation, ...sync }),
        },
      };
    },
    (value, { rows }) => ({
      value,
      rows,
      schema: syncCall().schema,
      continuation: rows === undefined ? undefined : ((value as { continuation?: unknown }).continuation ?? undefined),
    }),
  );
  // Whoever starts a page early may give it up, and does not look at what became of it.
  const over = answer.catch(() => undefined);
  return { answer, pause: Promise.race([requested, over]) };
}

/**
 * Reads the rows, and checks what the Pack gave.
 * @throws {ExecutionFailure} RESULT_INVALID, RUN_*
 */
export async function readPage(
  { value, rows, schema }: UnreadPage,
  trace: Omit<ExecutionResult, "result">,
  redactor: Redactor,
): Promise<SyncPageResult> {
  try {
    return readPageResult(rows === undefined ? value : { ...(value as object), result: await rows.read() }, schema);
  } catch (error) {
    throw failed(error, trace, redactor);
  }
}

export interface ExecuteSyncTableOptions extends RunOptions {
  table: string;
  args: FormulaArguments;
  /** Which table, when it is dynamic. */
  dynamicUrl?: string | undefined;
  /** The schema of a dynamic table. @default the Pack's `getSchema` is asked */
  schema?: unknown;
  /** The sync ends when it has this many rows; those beyond are left out. @default 1_000 */
  maxRows?: number | undefined;
  /** The sync ends after this many pages. @default 100 */
  maxPages?: number | undefined;
  /** Begins with this page. @default the first one */
  continuation?: unknown;
  /** What the sync before ended with: only what changed since is synced. @default all rows are synced */
  previousCompletion?: unknown;
  /** What `syncStateService.getLatestRowVersions` gives, by row id. */
  rowVersions?: Readonly<Record<string, string>> | undefined;
  /** How the rows are to be read; accepted from older Packs. */
  permissionSyncMode?: string | undefined;
  /**
   * Begins the next page while this one is checked and worked with. A caller who does not take all pages has asked for one too
   * many. Not where requests are recorded, replayed or answered by a test. @default false
   */
  readsAhead?: boolean | undefined;
}
