import type { SyncRows } from "../sandbox/host/isolate.ts";
import type { SyncData } from "../sandbox/protocol.ts";
import type { Redactor } from "../shared/redact.ts";
import { prepareArguments } from "./arguments.ts";
import type { ExecutionResult } from "./execution-result.ts";
import { tableNamed } from "./find-block.ts";
import { failed, type PreparedCall, run } from "./run.ts";
import { readSyncAnswer, type SyncAnswer } from "./sync-answer.ts";
import { argumentsByName, syncData } from "./sync-context.ts";
import type { ExecuteSyncTableOptions } from "./sync-options.ts";

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
    const sync = syncData({ previousCompletion, ...dynamic, parameters, executionId, permissionSyncMode });
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
          sync: syncData({ continuation, ...sync }),
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
  story: Omit<ExecutionResult, "result">,
  redactor: Redactor,
): Promise<SyncAnswer> {
  try {
    return readSyncAnswer(rows === undefined ? value : { ...(value as object), result: await rows.read() }, schema);
  } catch (error) {
    throw failed(error, story, redactor);
  }
}
