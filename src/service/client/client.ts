import type { AcceptedEdit } from "../contract/models/responses.ts";
import type { BodyOf } from "../contract/operations.ts";
import { type BulkEdit, type BulkReport, writeRows } from "./bulk-rows.ts";
import { createCall, type Observation } from "./call.ts";
import type { Call, CallSettings, ReadSettings } from "./call-types.ts";
import { downloadExport, type PageExportOptions } from "./export-page.ts";
import { type FetchTransportOptions, fetchTransport } from "./fetch-transport.ts";
import { createRecords, type Records } from "./records.ts";
import { createMethods, type Listing } from "./resources.ts";
import { createRows } from "./rows.ts";
import { createSchemas, type TableSchema } from "./table-schema.ts";
import type { Transport } from "./transport.ts";
import { type MutationOutcome, type WaitOptions, waitFor } from "./wait-for.ts";

export type ServiceClientOptions = {
  /** The versioned root of the service, such as `https://docs.example/apis/v1`. */
  baseUrl: string;
  /** The name of the header that requests the latest state. @default "X-Service-Doc-Version" */
  consistencyHeader?: string | undefined;
  /**
   * A function that receives every attempt, every wait and every response, without credentials. Use
   * this function to log requests, or to check requests in a test. If this function throws, the
   * call throws the same error.
   */
  observe?: ((event: Observation) => void) | undefined;
} & (
  | (FetchTransportOptions & { transport?: undefined })
  | {
      /**
       * The transport sends the requests and adds the credentials. Inside a Pack, pass
       * `packTransport(context.fetcher)`.
       */
      transport: Transport;
      token?: undefined;
    }
);

export interface ServiceClient extends ReturnType<typeof createResources> {}
export interface DocClient extends ReturnType<typeof createDoc> {}
export interface SharingClient extends ReturnType<typeof createSharing> {}
export interface PageClient extends ReturnType<typeof createPage> {}
export interface TableClient extends ReturnType<typeof createTable> {}
/** A table with column types. `packsmith service types` generates these types. */
export interface TypedTableClient<Columns extends object> extends Omit<TableClient, "records"> {
  readonly records: Records<Columns>;
}

/** Opens a table by ID or name, with or without column types. */
export interface OpenTable {
  (tableIdOrName: string): TableClient;
  <Columns extends object>(tableIdOrName: string): TypedTableClient<Columns>;
}

export interface AnalyticsClient extends ReturnType<typeof createAnalytics> {}

/**
 * Creates a client for the document service. The client sends no request until you call a method.
 */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { baseUrl, consistencyHeader = "X-Service-Doc-Version", observe } = options;
  const transport = options.transport ?? fetchTransport(options);
  return createResources(createCall({ baseUrl, transport, consistencyHeader, observe }), transport);
}

interface Context extends ReturnType<typeof createMethods> {
  call: Call;
  transport: Transport;
  schemas: ReturnType<typeof createSchemas>;
}

function createResources(call: Call, transport: Transport) {
  const context: Context = {
    call,
    transport,
    schemas: createSchemas(call),
    ...createMethods(call),
  };
  const { read, list, named } = context;
  return {
    /** Returns the user that the credentials belong to. */
    whoami: read("whoami"),
    docs: {
      /** Lists the documents that the user has opened. The most recent document is first. */
      list: list("listDocs"),
      get: (docId: string, settings?: ReadSettings) => read("getDoc", { docId })(settings),
      create: (doc: BodyOf<"createDoc"> = {}, settings: CallSettings = {}) =>
        call("createDoc", { body: doc, ...settings }),
      resolve: named("listDocs"),
    },
    doc: (docId: string): DocClient => createDoc(context, { docId }),
    /** Lists the categories for published documents. */
    categories: read("listCategories"),
    analytics: createAnalytics(context),
    /** Returns the resource for a browser link. */
    resolveLink: read("resolveBrowserLink"),
    mutationStatus: (requestId: string, settings?: ReadSettings) =>
      call("getMutationStatus", { path: { requestId }, cacheTtlSecs: 0, ...settings }),
    /**
     * Waits until the service has applied an accepted edit.
     * @throws {ServiceError} MutationPendingError, MutationWarningError
     */
    waitFor: (edit: AcceptedEdit | string, options?: WaitOptions): Promise<MutationOutcome> =>
      waitFor(call, transport.timer, edit, options),
    /** Calls any operation of the service by name. */
    call,
    /** The transport of this client. */
    transport,
  };
}

function createDoc(context: Context, path: { docId: string }) {
  const { call, read, write, act, list, named } = context;
  return {
    get: read("getDoc", path),
    update: write("updateDoc", path),
    delete: act("deleteDoc", path),
    publish: write("publishDoc", path),
    unpublish: act("unpublishDoc", path),
    sharing: createSharing(context, path),
    pages: {
      list: list("listPages", path),
      /** Creates a page. You can read the page after the service has applied the edit. */
      create: write("createPage", path),
      resolve: named("listPages", path),
    },
    page: (pageIdOrName: string): PageClient => createPage(context, { ...path, pageIdOrName }),
    tables: { list: list("listTables", path), resolve: named("listTables", path) },
    table: ((tableIdOrName: string) =>
      createTable(context, { ...path, tableIdOrName })) as OpenTable,
    formulas: {
      list: list("listFormulas", path),
      get: (formulaIdOrName: string, settings?: ReadSettings) =>
        read("getFormula", { ...path, formulaIdOrName })(settings),
      resolve: named("listFormulas", path),
    },
    controls: {
      list: list("listControls", path),
      get: (controlIdOrName: string, settings?: ReadSettings) =>
        read("getControl", { ...path, controlIdOrName })(settings),
      resolve: named("listControls", path),
    },
    /** Runs a webhook-invoked automation rule. The client never repeats the request. */
    triggerAutomation: (
      ruleId: string,
      payload: BodyOf<"triggerWebhookAutomation"> = {},
      settings: CallSettings = {},
    ) =>
      call("triggerWebhookAutomation", { path: { ...path, ruleId }, body: payload, ...settings }),
  };
}

function createSharing({ call, read, write, list }: Context, path: { docId: string }) {
  return {
    /** Returns the sharing permissions of the caller for the document. */
    metadata: read("getSharingMetadata", path),
    permissions: list("getPermissions", path),
    /**
     * Shares the document. For a user or group that already has access, the new access replaces the
     * old access.
     */
    share: write("addPermission", path),
    unshare: (permissionId: string, settings?: CallSettings) =>
      call("deletePermission", { path: { ...path, permissionId }, ...settings }),
    /** Finds users and groups to share the document with. Without a query, the result is empty. */
    searchPrincipals: read("searchPrincipals", path),
    settings: read("getAclSettings", path),
    updateSettings: write("updateAclSettings", path),
  };
}

function createPage(
  { call, transport, read, write, act, list }: Context,
  path: { docId: string; pageIdOrName: string },
) {
  return {
    get: read("getPage", path),
    update: write("updatePage", path),
    delete: act("deletePage", path),
    content: {
      list: list("listPageContent", path),
      /** Deletes these elements. Without IDs, deletes all elements. */
      delete: (elementIds?: readonly string[], settings?: CallSettings) =>
        call("deletePageContent", {
          path,
          ...(elementIds === undefined ? {} : { body: { elementIds } }),
          ...settings,
        }),
    },
    /**
     * Returns the content of the page as text. The client starts an export, waits for the export,
     * and downloads the file without credentials. If the download link has expired, the client
     * renews the link up to two times. Inside a Pack, call the function `exportPage`.
     * @throws {ServiceError} ExportFailedError
     */
    exportPage: (options: PageExportOptions): Promise<string> =>
      downloadExport(call, transport, path, options),
    /** Starts an export, and does not wait for the export. */
    beginExport: write("beginPageContentExport", path),
    exportStatus: (exportId: string, settings?: ReadSettings) =>
      call("getPageContentExportStatus", {
        path: { ...path, requestId: exportId },
        cacheTtlSecs: 0,
        ...settings,
      }),
  };
}

function createTable(
  { call, transport, schemas, read, list, named }: Context,
  path: { docId: string; tableIdOrName: string },
) {
  const rows = createRows(call, path);
  const schema = (options?: { refresh?: boolean | undefined } & ReadSettings) =>
    schemas(path, options);
  return {
    get: read("getTable", path),
    columns: {
      list: list("listColumns", path),
      get: (columnIdOrName: string, settings?: ReadSettings) =>
        read("getColumn", { ...path, columnIdOrName })(settings),
      resolve: named("listColumns", path),
    },
    /** The rows in the format of the API. */
    rows,
    /** The rows with values in the types of the columns, such as dates, money, people and rows. */
    records: createRecords({ call, transport, path, rows, schema }),
    /**
     * Inserts any number of rows. With a key, upserts the rows. The client divides the rows into
     * requests. If the service refuses a request or fails, this function does not throw: the report
     * contains the outcome of every row.
     */
    writeRows: (edit: Omit<BulkEdit, "docId" | "tableIdOrName">): Promise<BulkReport> =>
      writeRows({ call, transport }, { ...edit, ...path }),
    /** Returns the table and all columns. The client requests the table only once. */
    schema: schema as (options?: Parameters<typeof schema>[0]) => Promise<TableSchema>,
  };
}

function createAnalytics({ read, list }: Context) {
  return {
    docs: list("listDocAnalytics"),
    docsSummary: read("listDocAnalyticsSummary"),
    /** Only for documents of Enterprise workspaces. */
    pages: (docId: string, ...options: Parameters<Listing<"listPageAnalytics">>) =>
      list("listPageAnalytics", { docId })(...options),
    packs: list("listPackAnalytics"),
    packsSummary: read("listPackAnalyticsSummary"),
    packFormulas: (packId: number, ...options: Parameters<Listing<"listPackFormulaAnalytics">>) =>
      list("listPackFormulaAnalytics", { packId: String(packId) })(...options),
    lastUpdated: read("getAnalyticsLastUpdated"),
  };
}
