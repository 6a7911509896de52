import pg from "pg";
import { onTestFinished } from "vitest";

/** Tables that have a part for each document. The others are small, and a distributed server copies them to every machine. */
export const DISTRIBUTED =
  /"(?:doc_tables|columns|doc_parts|part_history|row_versions|row_deletions|row_blocks|key_indexes|row_keys|row_key_blocks|mutations)"|\b(?:row_keys|mutations) /;
/** The id of an edit does not name its document. */
const BY_REQUEST = /from "mutations" where "id" = /;
/** Looks for what is due, and for what is too old, in all documents; it belongs to no request. */
const BACKGROUND = /"state" = \$\d+ and "due_at_ms" <= |completed_at_ms is not null and completed_at_ms < /;

/** Every statement that this process sends to a server from now on. */
export function recordStatements(): Set<string> {
  const statements = new Set<string>();
  const query = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...args: never[]) {
    const [first] = args as unknown as [string | { text: string }];
    statements.add(typeof first === "string" ? first : first.text);
    return (query as (...all: never[]) => never).apply(this, args);
  } as never;
  onTestFinished(() => {
    pg.Client.prototype.query = query;
  });
  return statements;
}

/** The statements of requests on distributed tables that name no document: a distributed server would send them to every machine. */
export function withoutDocument(statements: ReadonlySet<string>): string[] {
  return [...statements].filter(
    (text) => DISTRIBUTED.test(text) && !BY_REQUEST.test(text) && !BACKGROUND.test(text) && !text.includes("doc_id"),
  );
}
