import type { Edit } from "./edit.ts";

export interface PendingEdit {
  id: string;
  userId: string;
  edit: Edit;
  /** How many characters it has. */
  size: number;
}

/**
 * How many rows edits change at most that are applied together: in an embedded database nothing
 * else is done meanwhile.
 */
const MAX_ROWS = 200;

/**
 * Edits in their order, those that are applied together in one list: they change rows of one table
 * in the same way, so that one
 * statement does what each would do on its own.
 */
export function* splitIntoRuns(edits: Iterable<PendingEdit>): Generator<readonly PendingEdit[]> {
  let run: PendingEdit[] = [];
  let way: string | undefined;
  let rows = 0;
  for (const each of edits) {
    const next = findWay(each.edit);
    rows += countRows(each.edit);
    if (run.length > 0 && (next === undefined || next !== way || rows > MAX_ROWS)) {
      yield run;
      run = [];
      rows = countRows(each.edit);
    }
    run.push(each);
    way = next;
  }
  if (run.length > 0) yield run;
}

/**
 * What edits have in common that are applied together; undefined for one that is applied on its
 * own.
 */
function findWay(edit: Edit): string | undefined {
  const { kind } = edit;
  if (kind === "delete") return JSON.stringify([kind, edit.tableId]);
  if (kind === "update") return JSON.stringify([kind, edit.tableId, edit.parse]);
  // With row ids of the caller, a row that an earlier edit adds would have to be looked for.
  if (kind === "insert" && !edit.once)
    return JSON.stringify([kind, edit.tableId, edit.parse, edit.keyColumns]);
  return undefined;
}

function countRows(edit: Edit): number {
  if (edit.kind === "insert") return edit.rows.length;
  return edit.kind === "delete" ? edit.rowIds.length : 1;
}
