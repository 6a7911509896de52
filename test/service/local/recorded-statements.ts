import pg from "pg";
import { onTestFinished } from "vitest";

/**
 * Tables that have a part for each document. The others are small, and a distributed server copies
 * them to every machine.
 */
export const DISTRIBUTED =
  /"(?:doc_tables|columns|doc_parts|part_history|row_versions|row_deletions|mutations)"|\bmutations /;
/** The id of an edit does not name its document. */
const BY_REQUEST = /from "mutations" where "id" = /;
/** Looks for what is due, and for what is too old, in all documents; it belongs to no request. */
const BACKGROUND =
  /completed_at_ms is not null and completed_at_ms < |"kind" = '(?:dropped|copied)Table'|state = '(?:running|offered)'/;

/** Every statement that this process sends to a server from now on. */
export function recordStatements(): Set<string> {
  const statements = new Set<string>();
  watchQueries((statement) => statements.add(statement));
  return statements;
}

/** The same in their order, those that were sent again, too. */
export function recordEachStatement(): string[] {
  const statements: string[] = [];
  watchQueries((statement) => void statements.push(statement));
  return statements;
}

/** Every row that this process gets from a server from now on. */
export function recordRows(): unknown[] {
  const rows: unknown[] = [];
  watchQueries(
    (_, answer) =>
      void answer?.then((result) => rows.push(...(result?.rows ?? []))).catch(() => {}),
  );
  return rows;
}

function watchQueries(
  watch: (statement: string, answer: Promise<pg.QueryResult> | undefined) => void,
): void {
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...args: never[]) {
    const [first] = args as unknown as [string | { text: string }];
    const answer = (query as (...all: never[]) => never).apply(this, args);
    watch(typeof first === "string" ? first : first.text, answer);
    return answer;
  } as never;
  onTestFinished(() => {
    pg.Client.prototype.query = query;
  });
}

/**
 * The statements of requests with a distributed table for which they name no document: a
 * distributed server would send them to every
 * machine.
 */
export function withoutDocument(statements: ReadonlySet<string>): string[] {
  return [...statements].filter(
    (text) =>
      !BY_REQUEST.test(text) && !BACKGROUND.test(text) && uses(text).some(isWithoutDocument),
  );
}

/** From each table of a statement up to the next one. */
function uses(text: string): string[] {
  return text.split(/\b(?:from|join|into|update)\b/).slice(1);
}

function isWithoutDocument(use: string): boolean {
  return new RegExp(`^\\s*(?:${DISTRIBUTED.source})`).test(use) && !use.includes("doc_id");
}
