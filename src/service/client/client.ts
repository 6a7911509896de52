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
  /** Name of the header that asks for the latest state. @default "X-Service-Doc-Version" */
  consistencyHeader?: string | undefined;
  /**
   * Receives every attempt with its status, every wait with its length, and every response, without
   * credentials: to log it, or to
   * check it in a test. What it throws, the call throws.
   */
  observe?: ((event: Observation) => void) | undefined;
} & (
  | (FetchTransportOptions & { transport?: undefined })
  | {
      /**
       * How requests are sent, and with which credentials: `packTransport(context.fetcher)` inside
       * a Pack.
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
/** A table whose columns the compiler knows: `packsmith service types` writes their types. */
export interface TypedTableClient<Columns extends object> extends Omit<TableClient, "records"> {
  readonly records: Records<Columns>;
}

/** Opens a table by its id or name, with the types of its columns or without. */
export interface OpenTable {
  (tableIdOrName: string): TableClient;
  <Columns extends object>(tableIdOrName: string): TypedTableClient<Columns>;
}

export interface AnalyticsClient extends ReturnType<typeof createAnalytics> {}

/** Creates a client of the document service. Nothing is sent until you call a method. */
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
    /** The user whose credentials the client has. */
    whoami: read("whoami"),
    docs: {
      /** The documents that the user has opened, the latest first. */
      list: list("listDocs"),
      get: (docId: string, settings?: ReadSettings) => read("getDoc", { docId })(settings),
      create: (doc: BodyOf<"createDoc"> = {}, settings: CallSettings = {}) =>
        call("createDoc", { body: doc, ...settings }),
      resolve: named("listDocs"),
    },
    doc: (docId: string): DocClient => createDoc(context, { docId }),
    /** The subjects under which documents can be published. */
    categories: read("listCategories"),
    analytics: createAnalytics(context),
    /** The resource that a link of a browser points to. */
    resolveLink: read("resolveBrowserLink"),
    mutationStatus: (requestId: string, settings?: ReadSettings) =>
      call("getMutationStatus", { path: { requestId }, cacheTtlSecs: 0, ...settings }),
    /**
     * Waits for an accepted edit to be applied.
     * @throws {ServiceError} MutationPendingError, MutationWarningError
     */
    waitFor: (edit: AcceptedEdit | string, options?: WaitOptions): Promise<MutationOutcome> =>
      waitFor(call, transport.timer, edit, options),
    /** Any operation of the service by its name. */
    call,
    /** How this client sends its requests. */
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
      /** The page cannot be read before its edit is applied. */
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
    /** What the caller may do with the sharing of the document. */
    metadata: read("getSharingMetadata", path),
    permissions: list("getPermissions", path),
    /** Shares the document. A principal who has a permission gets the new access. */
    share: write("addPermission", path),
    unshare: (permissionId: string, settings?: CallSettings) =>
      call("deletePermission", { path: { ...path, permissionId }, ...settings }),
    /** Users and groups to share with. Without a query, the result is empty. */
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
      /** Deletes these elements, or all of them. */
      delete: (elementIds?: readonly string[], settings?: CallSettings) =>
        call("deletePageContent", {
          path,
          ...(elementIds === undefined ? {} : { body: { elementIds } }),
          ...settings,
        }),
    },
    /**
     * The content of the page as one text: starts an export, waits for it, downloads the file
     * without credentials and unpacks it. A link that has expired is renewed twice. Inside a Pack,
     * call the function `exportPage`.
     * @throws {ServiceError} ExportFailedError
     */
    exportPage: (options: PageExportOptions): Promise<string> =>
      downloadExport(call, transport, path, options),
    /** Only starts the export. */
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
    /** The rows as the interface has them. */
    rows,
    /** The rows with values of the types of their columns: dates, money, people, rows. */
    records: createRecords({ call, transport, path, rows, schema }),
    /**
     * Inserts or, with a key, upserts any number of rows, in as many requests as their number and
     * size need. It does not throw when the service refuses or fails: the report has the outcome
     * of every row.
     */
    writeRows: (edit: Omit<BulkEdit, "docId" | "tableIdOrName">): Promise<BulkReport> =>
      writeRows({ call, transport }, { ...edit, ...path }),
    /** The table and all of its columns. The client requests them once. */
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
