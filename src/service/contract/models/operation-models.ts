import * as z from "zod";
import type { BodyOf, Done, QueryOf, ResponseOf } from "../operation-types.ts";
import type { OperationId } from "../operations.ts";
import * as analytics from "./analytics-models.ts";
import * as request from "./request-models.ts";
import * as wire from "./wire-models.ts";

/** What an operation takes and answers, checkable. */
export interface OperationModel<Id extends OperationId = OperationId> {
  summary: string;
  /** The refusals that it declares, beside 401 and 429. */
  errors: readonly (400 | 403 | 404 | 410 | 422)[];
  query: { [Name in keyof Required<QueryOf<Id>>]: z.ZodType<QueryOf<Id>[Name]> };
  /** Undefined: it takes none. */
  body: BodyOf<Id> extends undefined ? undefined : z.ZodType<BodyOf<Id>>;
  /** A body is needed. */
  bodyRequired?: boolean;
  response: z.ZodType<ResponseOf<Id>>;
}

const text = z.string();
const flag = z.boolean().optional();
const maybe = text.optional();
const done: z.ZodType<Done> = wire.named("Done", z.object({})) as never;
const seen = [403, 404] as const;
const checked = [400, 403, 404] as const;

function read<Id extends OperationId>(
  summary: string,
  response: OperationModel<Id>["response"],
  query: OperationModel<Id>["query"],
  errors: OperationModel["errors"] = seen,
) {
  return { summary, errors, query, body: undefined, response };
}

function write<Id extends OperationId>(
  summary: string,
  body: OperationModel<Id>["body"],
  response: OperationModel<Id>["response"],
  {
    query = {},
    errors = checked,
    bodyRequired = false,
  }: { query?: object; errors?: OperationModel["errors"]; bodyRequired?: boolean } = {},
) {
  return { summary, errors, query: query as OperationModel<Id>["query"], body, bodyRequired, response };
}

const analyticsOptions = (orderBy: z.ZodType) => ({
  ...request.dateRange,
  ...request.pageQuery(1_000),
  scale: request.scale,
  orderBy: orderBy as z.ZodType<string | undefined>,
  direction: request.direction,
});

/** Every operation: client types, checks of the service and the description of the interface come from here. */
export const OPERATION_MODELS: { readonly [Id in OperationId]: OperationModel<Id> } = {
  listDocs: read<"listDocs">("List the documents that the user has opened", wire.envelope("DocList", wire.doc), {
    ...request.pageQuery(),
    query: maybe,
    isOwner: flag,
    isPublished: flag,
    isStarred: flag,
    inGallery: flag,
    sourceDoc: maybe,
    workspaceId: maybe,
    folderId: maybe,
  }),
  createDoc: write<"createDoc">("Create a document, or copy one", request.createDocBody, wire.createdDoc, { errors: [400, 403] }),
  getDoc: read<"getDoc">("Read a document", wire.doc, {}),
  deleteDoc: write<"deleteDoc">("Delete a document", undefined, done, { errors: seen }),
  updateDoc: write<"updateDoc">("Change title or icon of a document", request.updateDocBody, done, { bodyRequired: true }),

  getSharingMetadata: read<"getSharingMetadata">("Read what the caller may do with the sharing of a document", wire.sharingMetadata, {}),
  getPermissions: read<"getPermissions">(
    "List the permissions of a document",
    wire.envelope("PermissionList", wire.permission),
    request.pageQuery(),
  ),
  addPermission: write<"addPermission">("Share a document", request.addPermissionBody, done, { bodyRequired: true }),
  deletePermission: write<"deletePermission">("Take a permission away", undefined, done),
  searchPrincipals: read<"searchPrincipals">("Search users and groups to share with", wire.principalSearch, { query: maybe }, checked),
  getAclSettings: read<"getAclSettings">("Read the sharing settings of a document", wire.aclSettings, {}),
  updateAclSettings: write<"updateAclSettings">(
    "Change the sharing settings of a document",
    request.updateAclSettingsBody,
    wire.aclSettings,
    { errors: checked, bodyRequired: true },
  ),

  listCategories: read<"listCategories">(
    "List the subjects under which documents are published",
    wire.named("DocCategoryList", z.object({ items: z.array(wire.docCategory) })),
    {},
    [404],
  ),
  publishDoc: write<"publishDoc">("Publish a document", request.publishDocBody, wire.acceptedEdit, { bodyRequired: true }),
  unpublishDoc: write<"unpublishDoc">("Unpublish a document", undefined, done, { errors: seen }),

  listPages: read<"listPages">("List the pages of a document", wire.envelope("PageList", wire.page), request.pageQuery()),
  createPage: write<"createPage">("Create a page", request.createPageBody, wire.pageEdited, { bodyRequired: true }),
  getPage: read<"getPage">("Read a page", wire.page, {}, [403, 404, 410]),
  updatePage: write<"updatePage">("Change a page and its content", request.updatePageBody, wire.pageEdited, { bodyRequired: true }),
  deletePage: write<"deletePage">("Delete a page and the pages below it", undefined, wire.pageEdited),
  listPageContent: read<"listPageContent">(
    "List the elements of a page",
    wire.envelope("PageContentList", wire.pageContentItem),
    { ...request.pageQuery(50), contentFormat: z.literal("plainText").optional() },
    [400, 403, 404, 410],
  ),
  deletePageContent: write<"deletePageContent">("Delete elements of a page, or all", request.deletePageContentBody, wire.pageEdited),
  beginPageContentExport: write<"beginPageContentExport">("Start an export of a page", request.beginPageExportBody, wire.pageExportBegun, {
    errors: [400, 403, 404, 410],
    bodyRequired: true,
  }),
  getPageContentExportStatus: read<"getPageContentExportStatus">("Read the state of an export", wire.pageExport, {}, [403, 404, 410]),
  triggerWebhookAutomation: write<"triggerWebhookAutomation">("Run an automation rule", request.automationBody, wire.acceptedEdit, {
    errors: [400, 403, 404, 422],
  }),

  listTables: read<"listTables">("List the tables and views of a document", wire.envelope("TableList", wire.tableReference), {
    ...request.pageQuery(),
    ...request.sorted,
    tableTypes: z.array(z.enum(["table", "view"])).optional(),
  }),
  getTable: read<"getTable">("Read a table or view", wire.table, { useUpdatedTableLayouts: flag }),
  listColumns: read<"listColumns">("List the columns of a table", wire.envelope("ColumnList", wire.column), {
    ...request.pageQuery(),
    visibleOnly: flag,
  }),
  getColumn: read<"getColumn">("Read a column", wire.column, {}),

  listRows: read<"listRows">(
    "List the rows of a table or view",
    wire.rowEnvelope,
    {
      ...request.pageQuery(),
      ...request.valueOptions,
      query: maybe.describe('Rows with a value: `"Name":"value"`, or a column id and a JSON value.'),
      sortBy: z.enum(["createdAt", "natural", "updatedAt"]).optional(),
      visibleOnly: flag,
      syncToken: maybe.describe("Lists what changed since the listing that gave this token."),
    },
    checked,
  ),
  upsertRows: write<"upsertRows">("Insert rows, or update those that have the same keys", request.upsertRowsBody, wire.rowsUpserted, {
    query: request.parsing,
    bodyRequired: true,
  }),
  deleteRows: write<"deleteRows">("Delete rows by id", request.deleteRowsBody, wire.rowsDeleted, { bodyRequired: true }),
  getRow: read<"getRow">("Read a row", wire.row, request.valueOptions),
  updateRow: write<"updateRow">("Change a row", request.updateRowBody, wire.rowEdited, { query: request.parsing, bodyRequired: true }),
  deleteRow: write<"deleteRow">("Delete a row", undefined, wire.rowEdited, { errors: seen }),
  pushButton: write<"pushButton">("Push a button of a row", undefined, wire.buttonPushed),

  listFormulas: read<"listFormulas">("List the named formulas of a document", wire.envelope("FormulaList", wire.formulaReference), {
    ...request.pageQuery(),
    ...request.sorted,
  }),
  getFormula: read<"getFormula">("Read a formula and its value", wire.formula, {}),
  listControls: read<"listControls">("List the controls of a document", wire.envelope("ControlList", wire.controlReference), {
    ...request.pageQuery(),
    ...request.sorted,
  }),
  getControl: read<"getControl">("Read a control and its value", wire.control, {}),

  whoami: read<"whoami">("Read who the caller is", wire.user, {}, []),
  listDocAnalytics: read<"listDocAnalytics">(
    "List the counts of documents by day",
    wire.envelope("DocAnalyticsList", analytics.docAnalytics),
    {
      ...analyticsOptions(request.docOrder),
      docIds: z.array(text).optional(),
      workspaceId: maybe,
      query: maybe,
      isPublished: flag,
    },
    [400],
  ),
  listDocAnalyticsSummary: read<"listDocAnalyticsSummary">(
    "Read the totals of documents",
    analytics.docAnalyticsSummary,
    { ...request.dateRange, isPublished: flag, workspaceId: maybe },
    [400],
  ),
  listPageAnalytics: read<"listPageAnalytics">(
    "List the counts of pages by day",
    wire.envelope("PageAnalyticsList", analytics.pageAnalytics),
    { ...request.dateRange, ...request.pageQuery(1_000) },
    checked,
  ),
  listPackAnalytics: read<"listPackAnalytics">(
    "List the counts of Packs by day",
    wire.envelope("PackAnalyticsList", analytics.packAnalytics),
    {
      ...analyticsOptions(request.packOrder),
      packIds: z.array(z.int()).optional(),
      workspaceId: maybe,
      query: maybe,
      isPublished: flag,
    },
    [400],
  ),
  listPackAnalyticsSummary: read<"listPackAnalyticsSummary">(
    "Read the totals of Packs",
    analytics.packAnalyticsSummary,
    { ...request.dateRange, packIds: z.array(z.int()).optional(), workspaceId: maybe, isPublished: flag },
    [400],
  ),
  listPackFormulaAnalytics: read<"listPackFormulaAnalytics">(
    "List the counts of the formulas of a Pack by day",
    wire.envelope("PackFormulaAnalyticsList", analytics.packFormulaAnalytics),
    {
      ...analyticsOptions(request.packFormulaOrder),
      packFormulaNames: z.array(text).optional(),
      packFormulaTypes: request.packFormulaTypes,
    },
    [400],
  ),
  getAnalyticsLastUpdated: read<"getAnalyticsLastUpdated">(
    "Read up to which day analytics are counted",
    analytics.analyticsLastUpdated,
    {},
    [],
  ),
  resolveBrowserLink: read<"resolveBrowserLink">(
    "Find what a browser link leads to",
    wire.resolvedLink,
    { url: z.url(), degradeGracefully: flag },
    checked,
  ),
  getMutationStatus: read<"getMutationStatus">("Read whether an edit was applied", wire.mutationStatus, {}, [404]),
};
