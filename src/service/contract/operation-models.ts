import * as z from "zod";
import * as analytics from "./models/analytics.ts";
import { envelope, named } from "./models/model.ts";
import * as request from "./models/requests.ts";
import * as response from "./models/responses.ts";

/** The models of an operation, with what the OpenAPI description adds. */
export interface OperationModel {
  summary: string;
  /** The refusals that it declares, in addition to 400, 401 and 429, which every operation has. */
  errors: readonly (403 | 404 | 410 | 422)[];
  query?: z.ZodObject;
  body?: z.ZodType;
  bodyRequired?: boolean;
  response: z.ZodType;
}

const done: z.ZodType<response.Done> = named("Done", z.object({}));
const categories: z.ZodType<{ items: response.DocCategory[] }> = z.object({
  items: z.array(response.docCategory),
});
const docErrors = [403, 404] as const;
const pageErrors = [403, 404, 410] as const;

/**
 * What each operation takes and returns. The types of the client and of the handlers, the checks of
 * the service and the OpenAPI
 * description are made from this. Clients and Packs import its types only, so that zod stays out of
 * bundles.
 */
export const OPERATION_MODELS = {
  listDocs: {
    summary: "List the documents that the user has opened",
    errors: docErrors,
    query: request.listDocsQuery,
    response: envelope("DocList", response.doc),
  },
  createDoc: {
    summary: "Create a document, or copy an existing document",
    errors: docErrors,
    body: request.createDocBody,
    response: response.createdDoc,
  },
  getDoc: { summary: "Read a document", errors: docErrors, response: response.doc },
  deleteDoc: { summary: "Delete a document", errors: docErrors, response: done },
  updateDoc: {
    summary: "Change the title or the icon of a document",
    errors: docErrors,
    body: request.updateDocBody,
    bodyRequired: true,
    response: done,
  },

  getSharingMetadata: {
    summary: "Read the sharing settings that the caller can change",
    errors: docErrors,
    response: response.sharingMetadata,
  },
  getPermissions: {
    summary: "List the permissions of a document",
    errors: docErrors,
    query: request.pageQuery,
    response: envelope("PermissionList", response.permission),
  },
  addPermission: {
    summary: "Share a document",
    errors: docErrors,
    body: request.addPermissionBody,
    bodyRequired: true,
    response: done,
  },
  deletePermission: { summary: "Remove a permission", errors: docErrors, response: done },
  searchPrincipals: {
    summary: "Search users and groups to share with",
    errors: docErrors,
    query: request.searchPrincipalsQuery,
    response: response.principalSearch,
  },
  getAclSettings: {
    summary: "Read the sharing settings of a document",
    errors: docErrors,
    response: response.aclSettings,
  },
  updateAclSettings: {
    summary: "Change the sharing settings of a document",
    errors: docErrors,
    body: request.updateAclSettingsBody,
    bodyRequired: true,
    response: response.aclSettings,
  },

  listCategories: {
    summary: "List the categories for published documents",
    errors: [403],
    response: named("DocCategoryList", categories),
  },
  publishDoc: {
    summary: "Publish a document",
    errors: docErrors,
    body: request.publishDocBody,
    bodyRequired: true,
    response: response.acceptedEdit,
  },
  unpublishDoc: { summary: "Unpublish a document", errors: docErrors, response: done },

  listPages: {
    summary: "List the pages of a document",
    errors: docErrors,
    query: request.pageQuery,
    response: envelope("PageList", response.page),
  },
  createPage: {
    summary: "Create a page",
    errors: docErrors,
    body: request.createPageBody,
    bodyRequired: true,
    response: response.pageEdited,
  },
  getPage: { summary: "Read a page", errors: pageErrors, response: response.page },
  updatePage: {
    summary: "Change a page and its content",
    errors: pageErrors,
    body: request.updatePageBody,
    bodyRequired: true,
    response: response.pageEdited,
  },
  deletePage: {
    summary: "Delete a page and the pages below it",
    errors: pageErrors,
    response: response.pageEdited,
  },
  listPageContent: {
    summary: "List the elements of a page",
    errors: pageErrors,
    query: request.listPageContentQuery,
    response: envelope("PageContentList", response.pageContentItem),
  },
  deletePageContent: {
    summary: "Delete some or all elements of a page",
    errors: pageErrors,
    body: request.deletePageContentBody,
    response: response.pageEdited,
  },
  beginPageContentExport: {
    summary: "Start an export of a page",
    errors: pageErrors,
    body: request.beginPageExportBody,
    bodyRequired: true,
    response: response.pageExportBegun,
  },
  getPageContentExportStatus: {
    summary: "Read the status of an export",
    errors: pageErrors,
    response: response.pageExport,
  },
  triggerWebhookAutomation: {
    summary: "Run an automation rule",
    errors: [403, 404, 422],
    body: request.automationBody,
    response: response.acceptedEdit,
  },

  listTables: {
    summary: "List the tables and views of a document",
    errors: docErrors,
    query: request.listTablesQuery,
    response: envelope("TableList", response.tableReference),
  },
  getTable: {
    summary: "Read a table or view",
    errors: docErrors,
    query: request.getTableQuery,
    response: response.table,
  },
  listColumns: {
    summary: "List the columns of a table",
    errors: docErrors,
    query: request.listColumnsQuery,
    response: envelope("ColumnList", response.column),
  },
  getColumn: { summary: "Read a column", errors: docErrors, response: response.column },

  listRows: {
    summary: "List the rows of a table or view",
    errors: docErrors,
    query: request.listRowsQuery,
    response: response.rowEnvelope,
  },
  upsertRows: {
    summary: "Insert rows, or update rows with the same keys",
    errors: docErrors,
    query: request.writeRowsQuery,
    body: request.upsertRowsBody,
    bodyRequired: true,
    response: response.rowsUpserted,
  },
  deleteRows: {
    summary: "Delete rows by id",
    errors: docErrors,
    body: request.deleteRowsBody,
    bodyRequired: true,
    response: response.rowsDeleted,
  },
  getRow: {
    summary: "Read a row",
    errors: docErrors,
    query: request.getRowQuery,
    response: response.row,
  },
  updateRow: {
    summary: "Change a row",
    errors: docErrors,
    query: request.writeRowsQuery,
    body: request.updateRowBody,
    bodyRequired: true,
    response: response.rowEdited,
  },
  deleteRow: { summary: "Delete a row", errors: docErrors, response: response.rowEdited },
  pushButton: {
    summary: "Push a button of a row",
    errors: docErrors,
    response: response.buttonPushed,
  },

  listFormulas: {
    summary: "List the named formulas of a document",
    errors: docErrors,
    query: request.sortedQuery,
    response: envelope("FormulaList", response.formulaReference),
  },
  getFormula: {
    summary: "Read a formula and its value",
    errors: docErrors,
    response: response.formula,
  },
  listControls: {
    summary: "List the controls of a document",
    errors: docErrors,
    query: request.sortedQuery,
    response: envelope("ControlList", response.controlReference),
  },
  getControl: {
    summary: "Read a control and its value",
    errors: docErrors,
    response: response.control,
  },

  whoami: {
    summary: "Read the user that the token belongs to",
    errors: [],
    response: response.user,
  },
  listDocAnalytics: {
    summary: "List daily usage counts for each document",
    errors: [403],
    query: request.docAnalyticsQuery,
    response: envelope("DocAnalyticsList", analytics.docAnalytics),
  },
  listDocAnalyticsSummary: {
    summary: "Read the totals of documents",
    errors: [403],
    query: request.docAnalyticsSummaryQuery,
    response: analytics.docAnalyticsSummary,
  },
  listPageAnalytics: {
    summary: "List daily usage counts for each page",
    errors: docErrors,
    query: request.pageAnalyticsQuery,
    response: envelope("PageAnalyticsList", analytics.pageAnalytics),
  },
  listPackAnalytics: {
    summary: "List daily usage counts for each Pack",
    errors: [403],
    query: request.packAnalyticsQuery,
    response: envelope("PackAnalyticsList", analytics.packAnalytics),
  },
  listPackAnalyticsSummary: {
    summary: "Read the totals of Packs",
    errors: [403],
    query: request.packAnalyticsSummaryQuery,
    response: analytics.packAnalyticsSummary,
  },
  listPackFormulaAnalytics: {
    summary: "List daily usage counts for each formula of a Pack",
    errors: [403],
    query: request.packFormulaAnalyticsQuery,
    response: envelope("PackFormulaAnalyticsList", analytics.packFormulaAnalytics),
  },
  getAnalyticsLastUpdated: {
    summary: "Get the latest date for which analytics are available",
    errors: [403],
    response: analytics.analyticsLastUpdated,
  },
  resolveBrowserLink: {
    summary: "Find the object that a browser link points to",
    errors: docErrors,
    query: request.resolveLinkQuery,
    response: response.resolvedLink,
  },
  getMutationStatus: {
    summary: "Check whether an edit was applied",
    errors: docErrors,
    response: response.mutationStatus,
  },
} satisfies Record<string, OperationModel>;
