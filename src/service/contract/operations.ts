/** Requests of one group share one rate limit (decisions 95 to 99). */
export type RateGroup = "read" | "write" | "content" | "listDocs" | "analytics";

/**
 * What happens when a request is sent twice: `safe` reads, `idempotent` ends in the same state, `keyed` does so only when the
 * request names key columns, `never` does its work once more (decision 58).
 */
export type ReplayClass = "safe" | "idempotent" | "keyed" | "never";

export interface Operation {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to the versioned API root, with path parameters in braces. */
  readonly path: string;
  readonly group: RateGroup;
  readonly replay: ReplayClass;
  /** The status of success. */
  readonly status: 200 | 202;
}

const DOC = "/docs/{docId}";
const PAGE = `${DOC}/pages/{pageIdOrName}`;
const TABLE = `${DOC}/tables/{tableIdOrName}`;
const ROW = `${TABLE}/rows/{rowIdOrName}`;

/** Every operation of the service. A server tries them in this order, so that a fixed path comes before a parameter. */
export const OPERATIONS = {
  listDocs: get("/docs", "listDocs"),
  createDoc: { method: "POST", path: "/docs", group: "write", replay: "never", status: 202 },
  getDoc: get(DOC),
  deleteDoc: { method: "DELETE", path: DOC, group: "write", replay: "idempotent", status: 202 },
  updateDoc: { method: "PATCH", path: DOC, group: "write", replay: "idempotent", status: 200 },

  getSharingMetadata: get(`${DOC}/acl/metadata`),
  getPermissions: get(`${DOC}/acl/permissions`),
  addPermission: { method: "POST", path: `${DOC}/acl/permissions`, group: "write", replay: "idempotent", status: 200 },
  deletePermission: { method: "DELETE", path: `${DOC}/acl/permissions/{permissionId}`, group: "write", replay: "idempotent", status: 200 },
  searchPrincipals: get(`${DOC}/acl/principals/search`),
  getAclSettings: get(`${DOC}/acl/settings`),
  updateAclSettings: { method: "PATCH", path: `${DOC}/acl/settings`, group: "write", replay: "idempotent", status: 200 },

  listCategories: get("/categories"),
  publishDoc: { method: "PUT", path: `${DOC}/publish`, group: "write", replay: "idempotent", status: 202 },
  unpublishDoc: { method: "DELETE", path: `${DOC}/publish`, group: "write", replay: "idempotent", status: 200 },

  listPages: get(`${DOC}/pages`),
  createPage: { method: "POST", path: `${DOC}/pages`, group: "content", replay: "never", status: 202 },
  getPage: get(PAGE),
  updatePage: { method: "PUT", path: PAGE, group: "content", replay: "never", status: 202 },
  deletePage: { method: "DELETE", path: PAGE, group: "content", replay: "idempotent", status: 202 },
  listPageContent: get(`${PAGE}/content`),
  deletePageContent: { method: "DELETE", path: `${PAGE}/content`, group: "content", replay: "idempotent", status: 202 },
  beginPageContentExport: { method: "POST", path: `${PAGE}/export`, group: "write", replay: "idempotent", status: 202 },
  getPageContentExportStatus: get(`${PAGE}/export/{requestId}`),
  triggerWebhookAutomation: { method: "POST", path: `${DOC}/hooks/automation/{ruleId}`, group: "write", replay: "never", status: 202 },

  listTables: get(`${DOC}/tables`),
  getTable: get(TABLE),
  listColumns: get(`${TABLE}/columns`),
  getColumn: get(`${TABLE}/columns/{columnIdOrName}`),

  listRows: get(`${TABLE}/rows`),
  upsertRows: { method: "POST", path: `${TABLE}/rows`, group: "content", replay: "keyed", status: 202 },
  deleteRows: { method: "DELETE", path: `${TABLE}/rows`, group: "content", replay: "idempotent", status: 202 },
  getRow: get(ROW),
  updateRow: { method: "PUT", path: ROW, group: "content", replay: "idempotent", status: 202 },
  deleteRow: { method: "DELETE", path: ROW, group: "content", replay: "idempotent", status: 202 },
  pushButton: { method: "POST", path: `${ROW}/buttons/{columnIdOrName}`, group: "content", replay: "never", status: 202 },

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
} as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof OPERATIONS;

function get(path: string, group: RateGroup = "read"): Operation {
  return { method: "GET", path, group, replay: "safe", status: 200 };
}
