import type { SearchPrincipalsQuery } from "../contract/models/requests.ts";
import type { AcceptedEdit, Column, ControlReference, FormulaReference, Page, TableReference } from "../contract/models/responses.ts";
import type { BodyOf, QueryOf, ResponseOf } from "../contract/operations.ts";
import { createCall, type Exchange } from "./call.ts";
import type { Call, CallSettings, ReadSettings } from "./call-types.ts";
import { fetchTransport } from "./fetch-transport.ts";
import { createReaders, type Listing, type Named, type Read } from "./resources.ts";
import { createRows, type Rows } from "./rows.ts";
import { createSchemas, type TableSchema } from "./table-schema.ts";
import type { Transport } from "./transport.ts";
import { type MutationOutcome, type WaitOptions, waitFor } from "./wait-for.ts";

export type ServiceClientOptions = {
  /** The versioned root of the service, such as `https://docs.example/apis/v1`. */
  baseUrl: string;
  /** Name of the header that asks for the latest state (V18). @default "X-Service-Doc-Version" */
  consistencyHeader?: string | undefined;
  /** Is told every exchange, without credentials: to log it, or to check it in a test. What it throws, the call throws. */
  observe?: ((exchange: Exchange) => void) | undefined;
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

export interface SharingClient {
  /** What the caller may do with the sharing of the document. */
  metadata: Read<"getSharingMetadata">;
  permissions: Listing<"getPermissions">;
  /** Shares the document. A principal who has a permission gets the new access. */
  share(permission: BodyOf<"addPermission">, settings?: CallSettings): Promise<ResponseOf<"addPermission">>;
  unshare(permissionId: string, settings?: CallSettings): Promise<ResponseOf<"deletePermission">>;
  /** Users and groups to share with; nobody without a query. */
  searchPrincipals(options: SearchPrincipalsQuery & ReadSettings): Promise<ResponseOf<"searchPrincipals">>;
  settings: Read<"getAclSettings">;
  updateSettings(settings: BodyOf<"updateAclSettings">, call?: CallSettings): Promise<ResponseOf<"updateAclSettings">>;
}

export interface PageClient {
  get: Read<"getPage">;
  update(page: BodyOf<"updatePage">, settings?: CallSettings): Promise<ResponseOf<"updatePage">>;
  delete(settings?: CallSettings): Promise<ResponseOf<"deletePage">>;
  readonly content: {
    list: Listing<"listPageContent">;
    /** Deletes these elements, or all of them. */
    delete(elementIds?: readonly string[], settings?: CallSettings): Promise<ResponseOf<"deletePageContent">>;
  };
  /** `exportPage` does all of it: begins, waits, downloads and unpacks. */
  beginExport(body: BodyOf<"beginPageContentExport">, settings?: CallSettings): Promise<ResponseOf<"beginPageContentExport">>;
  exportStatus(exportId: string, settings?: ReadSettings): Promise<ResponseOf<"getPageContentExportStatus">>;
}

export interface TableClient {
  get: Read<"getTable">;
  readonly columns: Named<Column> & {
    list: Listing<"listColumns">;
    get(columnIdOrName: string, settings?: ReadSettings): Promise<Column>;
  };
  readonly rows: Rows;
  /** The table and all of its columns. They are asked for once per client. */
  schema(options?: { refresh?: boolean | undefined } & ReadSettings): Promise<TableSchema>;
}

export interface DocClient {
  get: Read<"getDoc">;
  update(doc: BodyOf<"updateDoc">, settings?: CallSettings): Promise<ResponseOf<"updateDoc">>;
  delete(settings?: CallSettings): Promise<ResponseOf<"deleteDoc">>;
  publish(settings: BodyOf<"publishDoc">, call?: CallSettings): Promise<ResponseOf<"publishDoc">>;
  unpublish(settings?: CallSettings): Promise<ResponseOf<"unpublishDoc">>;
  readonly sharing: SharingClient;
  readonly pages: Named<Page> & {
    list: Listing<"listPages">;
    /** The page cannot be read before its edit is applied. */
    create(page: BodyOf<"createPage">, settings?: CallSettings): Promise<ResponseOf<"createPage">>;
  };
  page(pageIdOrName: string): PageClient;
  readonly tables: Named<TableReference> & { list: Listing<"listTables"> };
  table(tableIdOrName: string): TableClient;
  readonly formulas: Named<FormulaReference> & {
    list: Listing<"listFormulas">;
    get(formulaIdOrName: string, settings?: ReadSettings): Promise<ResponseOf<"getFormula">>;
  };
  readonly controls: Named<ControlReference> & {
    list: Listing<"listControls">;
    get(controlIdOrName: string, settings?: ReadSettings): Promise<ResponseOf<"getControl">>;
  };
  /** Runs a webhook-invoked automation rule. It is never repeated by itself. */
  triggerAutomation(
    ruleId: string,
    payload?: BodyOf<"triggerWebhookAutomation">,
    settings?: CallSettings,
  ): Promise<ResponseOf<"triggerWebhookAutomation">>;
}

export interface AnalyticsClient {
  docs: Listing<"listDocAnalytics">;
  docsSummary: Read<"listDocAnalyticsSummary">;
  /** For documents of Enterprise workspaces alone. */
  pages(docId: string, ...options: Parameters<Listing<"listPageAnalytics">>): ReturnType<Listing<"listPageAnalytics">>;
  packs: Listing<"listPackAnalytics">;
  packsSummary: Read<"listPackAnalyticsSummary">;
  packFormulas(
    packId: number,
    ...options: Parameters<Listing<"listPackFormulaAnalytics">>
  ): ReturnType<Listing<"listPackFormulaAnalytics">>;
  lastUpdated: Read<"getAnalyticsLastUpdated">;
}

export interface ServiceClient {
  /** The user whom the credentials stand for. */
  whoami: Read<"whoami">;
  readonly docs: {
    /** The documents that the user has opened, the latest first. */
    list: Listing<"listDocs">;
    get(docId: string, settings?: ReadSettings): Promise<ResponseOf<"getDoc">>;
    create(doc?: BodyOf<"createDoc">, settings?: CallSettings): Promise<ResponseOf<"createDoc">>;
  } & Named<ResponseOf<"getDoc">>;
  doc(docId: string): DocClient;
  /** The subjects under which documents can be published. */
  categories: Read<"listCategories">;
  readonly analytics: AnalyticsClient;
  /** What a link of a browser leads to. */
  resolveLink(options: QueryOf<"resolveBrowserLink"> & ReadSettings): Promise<ResponseOf<"resolveBrowserLink">>;
  mutationStatus(requestId: string, settings?: ReadSettings): Promise<ResponseOf<"getMutationStatus">>;
  /**
   * Waits for an accepted edit to be applied.
   * @throws {ServiceError} MutationPendingError, MutationWarningError
   */
  waitFor(edit: AcceptedEdit | string, options?: WaitOptions): Promise<MutationOutcome>;
  /** Any operation of the service by its name. */
  call: Call;
  /** How this client sends its requests. */
  readonly transport: Transport;
}

/** Creates a client of the document service. Nothing is sent until a method is called. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { baseUrl, consistencyHeader = "X-Service-Doc-Version", observe } = options;
  const transport = options.transport ?? fetchTransport({ token: options.token });
  const call = createCall({ baseUrl, transport, consistencyHeader, observe });
  const schemas = createSchemas(call);
  const { read, list, named } = createReaders(call);

  const createTable = (path: { docId: string; tableIdOrName: string }): TableClient => ({
    get: read("getTable", path),
    columns: {
      list: list("listColumns", path),
      get: (columnIdOrName, settings) => read("getColumn", { ...path, columnIdOrName })(settings),
      resolve: named("listColumns", path),
    },
    rows: createRows(call, path),
    schema: (schemaOptions) => schemas(path, schemaOptions),
  });

  const createPage = (path: { docId: string; pageIdOrName: string }): PageClient => ({
    get: read("getPage", path),
    update: (body, settings) => call("updatePage", { path, body, ...settings }),
    delete: (settings) => call("deletePage", { path, ...settings }),
    content: {
      list: list("listPageContent", path),
      delete: (elementIds, settings) =>
        call("deletePageContent", { path, ...(elementIds === undefined ? {} : { body: { elementIds } }), ...settings }),
    },
    beginExport: (body, settings) => call("beginPageContentExport", { path, body, ...settings }),
    exportStatus: (requestId, settings) =>
      call("getPageContentExportStatus", { path: { ...path, requestId }, cacheTtlSecs: 0, ...settings }),
  });

  const createDoc = (docId: string): DocClient => {
    const path = { docId };
    return {
      get: read("getDoc", path),
      update: (body, settings) => call("updateDoc", { path, body, ...settings }),
      delete: (settings) => call("deleteDoc", { path, ...settings }),
      publish: (body, settings) => call("publishDoc", { path, body, ...settings }),
      unpublish: (settings) => call("unpublishDoc", { path, ...settings }),
      sharing: {
        metadata: read("getSharingMetadata", path),
        permissions: list("getPermissions", path),
        share: (body, settings) => call("addPermission", { path, body, ...settings }),
        unshare: (permissionId, settings) => call("deletePermission", { path: { docId, permissionId }, ...settings }),
        searchPrincipals: (query) => read("searchPrincipals", path)(query),
        settings: read("getAclSettings", path),
        updateSettings: (body, settings) => call("updateAclSettings", { path, body, ...settings }),
      },
      pages: {
        list: list("listPages", path),
        create: (body, settings) => call("createPage", { path, body, ...settings }),
        resolve: named("listPages", path),
      },
      page: (pageIdOrName) => createPage({ docId, pageIdOrName }),
      tables: { list: list("listTables", path), resolve: named("listTables", path) },
      table: (tableIdOrName) => createTable({ docId, tableIdOrName }),
      formulas: {
        list: list("listFormulas", path),
        get: (formulaIdOrName, settings) => read("getFormula", { docId, formulaIdOrName })(settings),
        resolve: named("listFormulas", path),
      },
      controls: {
        list: list("listControls", path),
        get: (controlIdOrName, settings) => read("getControl", { docId, controlIdOrName })(settings),
        resolve: named("listControls", path),
      },
      triggerAutomation: (ruleId, body = {}, settings = {}) =>
        call("triggerWebhookAutomation", { path: { docId, ruleId }, body, ...settings }),
    };
  };

  return {
    whoami: read("whoami"),
    docs: {
      list: list("listDocs"),
      get: (docId, settings) => read("getDoc", { docId })(settings),
      create: (body = {}, settings = {}) => call("createDoc", { body, ...settings }),
      resolve: named("listDocs"),
    },
    doc: createDoc,
    categories: read("listCategories"),
    analytics: {
      docs: list("listDocAnalytics"),
      docsSummary: read("listDocAnalyticsSummary"),
      pages: (docId, query) => list("listPageAnalytics", { docId })(query),
      packs: list("listPackAnalytics"),
      packsSummary: read("listPackAnalyticsSummary"),
      packFormulas: (packId, query) => list("listPackFormulaAnalytics", { packId: String(packId) })(query),
      lastUpdated: read("getAnalyticsLastUpdated"),
    },
    resolveLink: (query) => read("resolveBrowserLink")(query),
    mutationStatus: (requestId, settings) => call("getMutationStatus", { path: { requestId }, cacheTtlSecs: 0, ...settings }),
    waitFor: (edit, waitOptions) => waitFor(call, transport.timer, edit, waitOptions),
    call,
    transport,
  };
}
