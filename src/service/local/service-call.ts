import type { OperationId } from "../contract/operations.ts";
import type { Caller } from "./caller.ts";
import type { StoredColumn, StoredTable } from "./column.ts";
import { findByIdOrName, findDoc, listColumns, listTables, type StoredDoc } from "./doc-store.ts";
import { HttpError } from "./http-error.ts";
import type { ServiceState } from "./state.ts";

/** One authenticated request of an operation. */
export interface ServiceCall {
  readonly state: ServiceState;
  readonly operation: OperationId;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed body; undefined when there is none. */
  readonly body: unknown;
  /** The API root as the caller reached it, such as `http://127.0.0.1:4711/apis/v1` (decision 110). */
  readonly root: string;
  /** Path of the request below the root, without its query. */
  readonly path: string;
}

export type Handler = (call: ServiceCall) => Promise<object>;

/** What the caller may do with a document. */
export type Access = "owner" | "write" | "comment" | "readonly";

/**
 * @throws {HttpError} 404 for a document that the caller cannot see, 403 for one that the token does not reach (decision 83)
 */
export async function openDoc(call: ServiceCall): Promise<StoredDoc & { access: Access }> {
  const { state, caller, params } = call;
  const doc = await findDoc(state.storage.db, params["docId"] ?? "");
  const access = doc === undefined ? undefined : await accessTo(call, doc);
  if (doc === undefined || access === undefined) throw new HttpError(404, "Could not find a doc with the specified ID.");
  if (caller.docId !== undefined && caller.docId !== doc.id) throw forbidden();
  return { ...doc, access };
}

/** The caller's access; undefined when the document is not shared with the caller. */
export async function accessTo(
  { state, caller }: Pick<ServiceCall, "state" | "caller">,
  doc: Pick<StoredDoc, "id" | "ownerId">,
): Promise<Access | undefined> {
  if (doc.ownerId === caller.userId) return "owner";
  const permissions = await state.storage.db
    .selectFrom("doc_parts")
    .select("record")
    .where("doc_id", "=", doc.id)
    .where("kind", "=", "permission")
    .execute();
  const granted = permissions
    .map(({ record }) => JSON.parse(record) as { access: Access; principal: { type: string; email?: string } })
    .filter(({ principal }) => principal.type === "anyone" || (principal.type === "email" && principal.email === caller.email))
    .map(({ access }) => access);
  return (["write", "comment", "readonly"] as const).find((access) => granted.includes(access));
}

export interface OpenTable {
  doc: StoredDoc & { access: Access };
  table: StoredTable;
  /** The table that holds the rows: the table itself, or the one that a view shows. */
  base: StoredTable;
  columns: StoredColumn[];
  tables: StoredTable[];
}

export async function openTable(call: ServiceCall): Promise<OpenTable> {
  const doc = await openDoc(call);
  const { db } = call.state.storage;
  const tables = await listTables(db, doc.id);
  const table = findByIdOrName(tables, call.params["tableIdOrName"] ?? "");
  const base = table?.parentTableId === undefined ? table : tables.find(({ id }) => id === table.parentTableId);
  if (table === undefined || base === undefined) throw new HttpError(404, "Could not find a table with the specified ID or name.");
  const { tableId } = call.caller;
  if (tableId !== undefined && tableId !== table.id && tableId !== base.id) throw forbidden();
  return { doc, table, base, tables, columns: await listColumns(db, doc.id, base.id) };
}

/** @throws {HttpError} 403 for a caller who may only read or comment (decision 84) */
export function requireWriteAccess({ access }: { access: Access }): void {
  if (access !== "owner" && access !== "write") throw forbidden();
}

export function forbidden(): HttpError {
  return new HttpError(403, "API token does not grant access");
}
