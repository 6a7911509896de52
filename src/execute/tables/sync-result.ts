import { findItem } from "../../define/compile/members.ts";
import { PackError } from "../../errors.ts";
import { isRecord } from "../../shared/values.ts";
import { normalizeRows, type Warn } from "../results/result.ts";

/** The checked result of one call of a sync formula. */
export interface SyncPageResult {
  /** Checked against the schema. The members have the names that the author wrote. */
  rows: unknown[];
  deletedRowIds: string[];
  /** Where an incremental sync continues; `undefined` while there is a continuation. */
  completion: unknown;
  /** One entry per row, for `executeGetPermissions`. */
  permissionsContext: unknown[];
  /** Where the next page starts; `undefined` after the last page. */
  continuation: unknown;
}

/**
 * Checks the result of a sync formula and normalises its rows.
 * @param schema of a row, or of an array of rows
 * @param warn receives a sentence about a row that became an empty object
 * @throws {PackError} RESULT_INVALID
 */
export function readPageResult(value: unknown, schema: unknown, warn?: Warn): SyncPageResult {
  // Returning nothing counts as no rows.
  if (value === undefined || value === null) value = { result: [] };
  if (!isRecord(value)) throw invalid("result", "must be an object { result, continuation }");
  const { result = [], completion } = value;
  if (!Array.isArray(result)) throw invalid("result.result", "must be an array of rows");
  const continuation = value["continuation"] ?? undefined;
  return {
    rows: normalizeRows(result, findItem(schema), "result", warn),
    continuation,
    completion: continuation === undefined ? readCompletion(completion) : undefined,
    deletedRowIds: readIds(value["deletedRowIds"] ?? value["deletedItemIds"]),
    permissionsContext: requireList(value["permissionsContext"], "permissionsContext"),
  };
}

function readCompletion(completion: unknown): unknown {
  if (completion === undefined || completion === null) return undefined;
  if (!isRecord(completion)) throw invalid("result.completion", "must be an object");
  const { incrementalContinuation, hasIncompleteResults } = completion;
  if (
    (incrementalContinuation === undefined || incrementalContinuation === null) &&
    hasIncompleteResults !== true
  )
    throw invalid(
      "result.completion",
      "must have an incrementalContinuation, or hasIncompleteResults: true",
    );
  return completion;
}

function readIds(value: unknown): string[] {
  return requireList(value, "deletedRowIds").map((id, index) => {
    if (typeof id !== "string" && typeof id !== "number")
      throw invalid(`result.deletedRowIds[${index}]`, "must be the ID of a row");
    return String(id);
  });
}

function requireList(value: unknown, name: string): unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid(`result.${name}`, "must be an array");
  return value;
}

function invalid(path: string, problem: string): PackError {
  return new PackError("RESULT_INVALID", `${path} ${problem}.`, {
    details: { path },
    hint: "Return { result: [row, …], continuation } from a sync formula, without a continuation after the last page.",
  });
}
