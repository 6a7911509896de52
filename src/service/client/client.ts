import type { AcceptedEdit, Column, Doc, Envelope, Table, TableReference, User } from "../contract/wire.ts";
import { fetchTransport } from "./fetch-transport.ts";
import { createList, type List } from "./list.ts";
import { type Call, createCall } from "./request.ts";
import { createRows, type Rows } from "./rows.ts";
import type { Transport } from "./transport.ts";
import { type MutationOutcome, type WaitOptions, waitFor } from "./wait-for.ts";

export type ServiceClientOptions = {
  /** The versioned root of the service, such as `https://docs.example/apis/v1`. */
  baseUrl: string;
} & (
  | {
      /** API token; requests are sent with `fetch`. */
      token: string;
      transport?: undefined;
    }
  | {
      /** How requests are sent, and with which credentials: `packTransport(context.fetcher)` inside a Pack. */
      transport: Transport;
      token?: undefined;
    }
);

export interface ListDocsOptions {
  /** Part of the title. */
  query?: string | undefined;
  isOwner?: boolean | undefined;
  isPublished?: boolean | undefined;
  isStarred?: boolean | undefined;
  inGallery?: boolean | undefined;
  sourceDoc?: string | undefined;
  workspaceId?: string | undefined;
  folderId?: string | undefined;
  limit?: number | undefined;
}

export interface CreateDocOptions {
  /** @default "Untitled" */
  title?: string | undefined;
  /** Id of a document to copy. */
  sourceDoc?: string | undefined;
  timezone?: string | undefined;
  folderId?: string | undefined;
}

export interface ListTablesOptions {
  sortBy?: "name" | undefined;
  /** @default both */
  tableTypes?: readonly ("table" | "view")[] | undefined;
  limit?: number | undefined;
}

export interface ListColumnsOptions {
  visibleOnly?: boolean | undefined;
  limit?: number | undefined;
}

export interface TableClient {
  get(options?: { useUpdatedTableLayouts?: boolean | undefined }): Promise<Table>;
  readonly columns: {
    list(options?: ListColumnsOptions): List<Column>;
    get(columnIdOrName: string): Promise<Column>;
  };
  readonly rows: Rows;
}

export interface DocClient {
  get(): Promise<Doc>;
  readonly tables: { list(options?: ListTablesOptions): List<TableReference> };
  table(tableIdOrName: string): TableClient;
}

export interface ServiceClient {
  /** The user whom the credentials stand for. */
  whoami(): Promise<User>;
  readonly docs: {
    list(options?: ListDocsOptions): List<Doc>;
    get(docId: string): Promise<Doc>;
    create(options?: CreateDocOptions): Promise<Doc & AcceptedEdit>;
  };
  doc(docId: string): DocClient;
  /** Waits for an accepted edit to be applied. Its outcome says whether that happened in time. */
  waitFor(edit: AcceptedEdit | string, options?: WaitOptions): Promise<MutationOutcome>;
  /** Any operation of the service by its name, for those that have no method here. */
  call: Call;
}

/** Creates a client of the document service. Nothing is sent until a method is called. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const transport = options.transport ?? fetchTransport({ token: options.token });
  const call = createCall(options.baseUrl, transport);
  return {
    whoami: () => call("whoami"),
    docs: {
      list: (query = {}) => listOf(call, "listDocs", {}, { ...query }),
      get: (docId) => call("getDoc", { path: { docId } }),
      create: (body = {}) => call("createDoc", { body }),
    },
    doc: (docId) => ({
      get: () => call("getDoc", { path: { docId } }),
      tables: { list: (query = {}) => listOf(call, "listTables", { docId }, { ...query }) },
      table: (tableIdOrName) => createTable(call, { docId, tableIdOrName }),
    }),
    waitFor: (edit, waitOptions) => waitFor(call, transport.timer, edit, waitOptions),
    call,
  };
}

function createTable(call: Call, path: { docId: string; tableIdOrName: string }): TableClient {
  return {
    get: (query = {}) => call("getTable", { path, query: { ...query } }),
    columns: {
      list: (query = {}) => listOf(call, "listColumns", path, { ...query }),
      get: (columnIdOrName) => call("getColumn", { path: { ...path, columnIdOrName } }),
    },
    rows: createRows(call, path),
  };
}

function listOf<Item>(
  call: Call,
  operation: Parameters<Call>[0],
  path: Record<string, string>,
  query: NonNullable<Parameters<Call>[1]>["query"] & { limit?: number | undefined },
): List<Item> {
  return createList(({ pageToken, wanted }) =>
    call<Envelope<Item>>(operation, { path, query: pageToken === undefined ? { ...query, limit: query.limit ?? wanted } : { pageToken } }),
  );
}
