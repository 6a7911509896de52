import type { SyncTable } from "../define/sync-table.ts";
import type { Redactor } from "../redact.ts";
import { prepareArguments } from "./arguments.ts";
import type { ExecuteSyncTableOptions } from "./execute-sync-table.ts";
import type { ExecutionResult } from "./execution-result.ts";
import { tableNamed } from "./find-block.ts";
import { failed, run } from "./run.ts";
import { readSyncAnswer, type SyncAnswer } from "./sync-answer.ts";
import { argumentsByName, syncData } from "./sync-context.ts";

interface PageOptions {
  continuation: unknown;
  /** Of a dynamic table. @default that of the definition */
  schema: unknown;
  dynamicUrl: string | undefined;
  session: object;
}

/** What the Pack gave for a page. Neither is it checked, nor are its rows read, which takes longer than all the rest. */
interface UnreadPage {
  value: unknown;
  schema: unknown;
  /** Where the next page begins, and how many rows this one has; known ahead for most pages. */
  continuation: unknown;
  rowCount: number;
}

/** A page that the Pack works on. */
export interface StartedPage {
  answer: Promise<ExecutionResult<UnreadPage>>;
  /** Resolves when there is time for other work: the first request is on its way, or the page is over. */
  pause: Promise<unknown>;
}

export function startPage(options: ExecuteSyncTableOptions, { continuation, schema, dynamicUrl, session }: PageOptions): StartedPage {
  let table: SyncTable | undefined;
  let onWait: (() => void) | undefined;
  const requested = new Promise<void>((resolve) => {
    onWait = () => setImmediate(resolve);
  });
  const answer = run(
    options,
    () => {
      table = tableNamed(options.isolate.definition, options.table).table;
      const args = prepareArguments(table.getter, options.args, options);
      return {
        call: { kind: "sync", table: options.table, args },
        session,
        onWait,
        context: {
          ...(options.rowVersions === undefined ? {} : { rowVersions: options.rowVersions }),
          sync: syncData({
            continuation,
            previousCompletion: options.previousCompletion,
            schema,
            dynamicUrl,
            parameters: argumentsByName(table.getter, args),
            executionId: options.executionId,
            permissionSyncMode: options.permissionSyncMode,
          }),
        },
      };
    },
    (value, { rowCount }) => ({
      value,
      schema: schema ?? table?.schema,
      continuation: rowCount === undefined ? undefined : ((value as { continuation?: unknown }).continuation ?? undefined),
      rowCount: rowCount ?? 0,
    }),
  );
  // Whoever starts a page early may give it up, and does not look at what became of it.
  const over = answer.catch(() => undefined);
  return { answer, pause: Promise.race([requested, over]) };
}

/**
 * Reads the rows, and checks what the Pack gave.
 * @throws {ExecutionFailure} RESULT_INVALID, RUN_CRASHED
 */
export function readPage({ value, schema }: UnreadPage, story: Omit<ExecutionResult, "result">, redactor: Redactor): SyncAnswer {
  try {
    return readSyncAnswer(value, schema);
  } catch (error) {
    throw failed(error, story, redactor);
  }
}
