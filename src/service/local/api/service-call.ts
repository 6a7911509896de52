import type { OperationId, ResponseOf } from "../../contract/operations.ts";
import type { AnyOperationId } from "../../contract/registry/registry-operations.ts";
import type { StoredColumn, StoredTable } from "../content/column.ts";
import type { ServiceState } from "../state.ts";
import { listPageNames, listParts } from "../store/doc-parts.ts";
import { listColumns, listTables, type StoredDoc } from "../store/doc-store.ts";
import { keysIncluding } from "../store/principal.ts";
import type { Caller } from "./caller.ts";
import { HttpError } from "./http-error.ts";
import { readMemberships } from "./memberships.ts";

/** One authenticated request of an operation. */
export interface ServiceCall {
  readonly state: ServiceState;
  readonly operation: AnyOperationId;
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The parsed body; undefined when there is none. */
  readonly body: unknown;
  /** The API root as the caller reached it, such as `http://127.0.0.1:4711/apis/v1`. */
  readonly root: string;
  /** Path of the request below the root, without its query. */
  readonly path: string;
  /** Headers of the response that only the local service sends. */
  readonly notes: Map<string, string>;
}

export type Handler<Id extends OperationId> = (call: ServiceCall) => Promise<ResponseOf<Id>>;

/** What the caller may do with a document. */
export type Access = "owner" | "write" | "comment" | "readonly";

export type OpenDoc = Readonly<StoredDoc> & { readonly access: Access };

/**
 * @throws {HttpError} 404 for a document that the caller cannot see, 403 for one that the token
 *   does not reach
 */
export async function openDoc(call: ServiceCall): Promise<OpenDoc> {
  const { state, caller, params } = call;
  const docId = params["docId"] ?? "";
  const doc = await state.cache.readDoc(docId);
  const access =
    doc === undefined
      ? undefined
      : await state.cache.read(`access ${docId} ${caller.userId}`, { structureOf: docId }, () =>
          accessTo(call, doc),
        );
  if (doc === undefined || access === undefined)
    throw new HttpError(404, "Could not find a doc with the specified ID.");
  if (doc.isDeleted) throw new HttpError(404, "Doc has been deleted.");
  if (caller.docId !== undefined && caller.docId !== doc.id) throw forbidden();
  return { access, ...doc };
}

/**
 * A document for an operation that a token of one table does not reach. @throws {HttpError} 404,
 * 403
 */
export async function openWholeDoc(call: ServiceCall): Promise<OpenDoc> {
  const doc = await openDoc(call);
  if (call.caller.tableId !== undefined) throw forbidden();
  return doc;
}

/** The caller's access; undefined when the document is not shared with the caller. */
export async function accessTo(
  { state, caller }: Pick<ServiceCall, "state" | "caller">,
  doc: Pick<StoredDoc, "id" | "ownerId">,
): Promise<Access | undefined> {
  if (doc.ownerId === caller.userId) return "owner";
  const permissions = await listParts(state.storage.db, doc.id, "permission");
  if (permissions.length === 0) return undefined;
  const keys = keysIncluding(await readMemberships(state.storage.db, caller));
  const granted = permissions.filter(({ name }) => keys.includes(name)).map(({ access }) => access);
  return (["write", "comment", "readonly"] as const).find((access) => granted.includes(access));
}

export interface OpenTable {
  doc: OpenDoc;
  table: StoredTable;
  /** The table that holds the rows: the table itself, or the one that a view shows. */
  base: StoredTable;
  columns: StoredColumn[];
  tables: StoredTable[];
}

export async function openTable(call: ServiceCall): Promise<OpenTable> {
  const { tableIdOrName = "" } = call.params;
  const doc = await openDoc(call);
  // At once: a database server is a round trip away. Most paths have the id of a base table.
  const [tables, columns] = await Promise.all([
    readTables(call, doc.id),
    readColumns(call.state, doc.id, tableIdOrName),
  ]);
  const table = findNamed(call, tables, tableIdOrName);
  const base =
    table?.parentTableId === undefined
      ? table
      : tables.find(({ id }) => id === table.parentTableId);
  if (table === undefined || base === undefined)
    throw new HttpError(404, "Could not find a table with the specified ID or name.");
  const { tableId } = call.caller;
  if (tableId !== undefined && tableId !== table.id && tableId !== base.id) throw forbidden();
  const isOfBase = base.id === tableIdOrName;
  return {
    doc,
    table,
    base,
    tables,
    columns: isOfBase ? columns : await readColumns(call.state, doc.id, base.id),
  };
}

/** The tables and views of a document in the order in which they were created. */
export function readTables({ state: { cache, storage } }: ServiceCall, docId: string) {
  return cache.read(`tables ${docId}`, { structureOf: docId }, () => listTables(storage.db, docId));
}

/** The columns of a base table. */
function readColumns({ cache, storage }: ServiceState, docId: string, tableId: string) {
  return cache.read(`columns ${docId} ${tableId}`, { structureOf: docId }, () =>
    listColumns(storage.db, docId, tableId),
  );
}

/** The pages of a document by their ids, as references show them. */
export function readPageNames({ state: { cache, storage } }: ServiceCall, docId: string) {
  return cache.read(`pages ${docId}`, { structureOf: docId }, () =>
    listPageNames(storage.db, docId),
  );
}

/** @throws {HttpError} 403 for a caller who may only read or comment */
export function requireWriteAccess({ access }: { access: Access }): void {
  if (access !== "owner" && access !== "write") throw forbidden();
}

/** @throws {HttpError} 403 for an Editor: pages and titles are for Doc Makers and Admins */
export function requireDocMaker({ caller }: ServiceCall, what: string): void {
  if (caller.role === "Editor") throw new HttpError(403, `${what} requires the Doc Maker role.`);
}

export function forbidden(): HttpError {
  return new HttpError(403, "API token does not grant access");
}

/**
 * The item of a path, by its id or else by its exact name. Of equal names the oldest is found, or
 * any one when the service
 * shuffles them, and a header says how many there are.
 */
export function findNamed<Item extends { id: string; name: string }>(
  call: ServiceCall,
  items: readonly Item[],
  idOrName: string,
): Item | undefined {
  return (
    items.find(({ id }) => id === idOrName) ??
    chooseNamed(
      call,
      items.filter(({ name }) => name === idOrName),
    )
  );
}

/** One of the items that have the same name, which come in the order of their creation. */
export function chooseNamed<Item>(call: ServiceCall, named: readonly Item[]): Item | undefined {
  if (named.length > 1) call.notes.set("X-Emulator-Ambiguous-Name", String(named.length));
  return named[
    call.state.settings.shuffleNames ? Math.floor(call.state.random() * named.length) : 0
  ];
}
