import type * as z from "zod";
import type { Envelope } from "./models/model.ts";
import type { OPERATION_MODELS } from "./operation-models.ts";

/** Requests of one group share one rate limit. */
export type RateGroup = "read" | "write" | "content" | "listDocs" | "analytics";

/**
 * What happens when a request is sent twice: `safe` reads, `idempotent` ends in the same state,
 * `keyed` does so only when the
 * request names key columns, `never` does its work again.
 */
export type ReplayClass = "safe" | "idempotent" | "keyed" | "never";

/**
 * How you learn that the work is done: from the response, from the mutation status, or from the
 * status of the export.
 */
export type AsyncKind = "none" | "requestId" | "export";

export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to the versioned API root, with path parameters in braces. */
  readonly path: string;
  readonly group: RateGroup;
  readonly replay: ReplayClass;
  /** The status of success. */
  readonly status: 200 | 202;
  readonly async: AsyncKind;
}

const DOC = "/docs/{docId}";
const PAGE = `${DOC}/pages/{pageIdOrName}` as const;
const TABLE = `${DOC}/tables/{tableIdOrName}` as const;
const ROW = `${TABLE}/rows/{rowIdOrName}` as const;
const ACL = `${DOC}/acl` as const;

/**
 * Every operation of the service: how it is requested here, what it takes and returns in
 * `OPERATION_MODELS`. A server tries them
 * in this order, so that a fixed path comes before a parameter.
 */
export const OPERATIONS = {
  listDocs: get("/docs", "listDocs"),
  createDoc: edit("POST", "/docs", "write", "never"),
  getDoc: get(DOC),
  deleteDoc: {
    method: "DELETE",
    path: DOC,
    group: "write",
    replay: "idempotent",
    status: 202,
    async: "none",
  },
  updateDoc: settle("PATCH", DOC),

  getSharingMetadata: get(`${ACL}/metadata`),
  getPermissions: get(`${ACL}/permissions`),
  addPermission: settle("POST", `${ACL}/permissions`),
  deletePermission: settle("DELETE", `${ACL}/permissions/{permissionId}`),
  searchPrincipals: get(`${ACL}/principals/search`),
  getAclSettings: get(`${ACL}/settings`),
  updateAclSettings: settle("PATCH", `${ACL}/settings`),

  listCategories: get("/categories"),
  publishDoc: edit("PUT", `${DOC}/publish`, "write", "idempotent"),
  unpublishDoc: settle("DELETE", `${DOC}/publish`),

  listPages: get(`${DOC}/pages`),
  createPage: edit("POST", `${DOC}/pages`, "content", "never"),
  getPage: get(PAGE),
  updatePage: edit("PUT", PAGE, "content", "never"),
  deletePage: edit("DELETE", PAGE, "content", "idempotent"),
  listPageContent: get(`${PAGE}/content`),
  deletePageContent: edit("DELETE", `${PAGE}/content`, "content", "idempotent"),
  beginPageContentExport: {
    method: "POST",
    path: `${PAGE}/export`,
    group: "write",
    replay: "idempotent",
    status: 202,
    async: "export",
  },
  getPageContentExportStatus: get(`${PAGE}/export/{requestId}`),
  triggerWebhookAutomation: edit("POST", `${DOC}/hooks/automation/{ruleId}`, "write", "never"),

  listTables: get(`${DOC}/tables`),
  getTable: get(TABLE),
  listColumns: get(`${TABLE}/columns`),
  getColumn: get(`${TABLE}/columns/{columnIdOrName}`),

  listRows: get(`${TABLE}/rows`),
  upsertRows: edit("POST", `${TABLE}/rows`, "content", "keyed"),
  deleteRows: edit("DELETE", `${TABLE}/rows`, "content", "idempotent"),
  getRow: get(ROW),
  updateRow: edit("PUT", ROW, "content", "idempotent"),
  deleteRow: edit("DELETE", ROW, "content", "idempotent"),
  pushButton: edit("POST", `${ROW}/buttons/{columnIdOrName}`, "content", "never"),

  listFormulas: get(`${DOC}/formulas`),
  getFormula: get(`${DOC}/formulas/{formulaIdOrName}`),
  listControls: get(`${DOC}/controls`),
  getControl: get(`${DOC}/controls/{controlIdOrName}`),

  whoami: get("/whoami"),
  listDocAnalytics: get("/analytics/docs", "analytics"),
  listDocAnalyticsSummary: get("/analytics/docs/summary", "analytics"),
  listPageAnalytics: get("/analytics/docs/{docId}/pages", "analytics"),
  listPackAnalytics: get("/analytics/packs", "analytics"),
  listPackAnalyticsSummary: get("/analytics/packs/summary", "analytics"),
  listPackFormulaAnalytics: get("/analytics/packs/{packId}/formulas", "analytics"),
  getAnalyticsLastUpdated: get("/analytics/updated", "analytics"),
  resolveBrowserLink: get("/resolveBrowserLink"),
  getMutationStatus: get("/mutationStatus/{requestId}"),
} as const satisfies { [Id in keyof typeof OPERATION_MODELS]: Operation };

export type OperationId = keyof typeof OPERATIONS;

/** The names in braces of a path. */
export type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

/** The path parameters of an operation. */
export type PathOf<Id extends OperationId> = Readonly<
  Record<PathNames<(typeof OPERATIONS)[Id]["path"]>, string>
>;

/** What each operation takes in addition to its path parameters, and what it returns. */
export type OperationTypes = {
  [Id in OperationId]: {
    query: Model<Id> extends { query: infer Query extends z.ZodType } ? z.input<Query> : object;
    body: Model<Id> extends { body: infer Body extends z.ZodType } ? z.input<Body> : undefined;
    response: z.output<Model<Id>["response"]>;
  };
};
type Model<Id extends OperationId> = (typeof OPERATION_MODELS)[Id];

export type QueryOf<Id extends OperationId> = OperationTypes[Id]["query"];
export type BodyOf<Id extends OperationId> = OperationTypes[Id]["body"];
export type ResponseOf<Id extends OperationId> = OperationTypes[Id]["response"];
/** The element of a list's `items`. */
export type ItemOf<Id extends OperationId> =
  ResponseOf<Id> extends Envelope<infer Item> ? Item : never;

function get<const Path extends string>(path: Path, group: RateGroup = "read") {
  return { method: "GET", path, group, replay: "safe", status: 200, async: "none" } as const;
}

/** A change that is made before the response. */
function settle<const Method extends Operation["method"], const Path extends string>(
  method: Method,
  path: Path,
) {
  return {
    method,
    path,
    group: "write",
    replay: "idempotent",
    status: 200,
    async: "none",
  } as const;
}

/** A change that is accepted and made later. */
function edit<const Method extends Operation["method"], const Path extends string>(
  method: Method,
  path: Path,
  group: "write" | "content",
  replay: ReplayClass,
) {
  return { method, path, group, replay, status: 202, async: "requestId" } as const;
}
