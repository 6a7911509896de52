import * as z from "zod";
import {
  DOC_ORDERS,
  PACK_FORMULA_ORDERS,
  PACK_FORMULA_TYPES,
  PACK_ORDERS,
} from "../analytics-metrics.ts";
import { choice, flag, many, named, text } from "./model.ts";
import { cellEdit, principal } from "./responses.ts";

const name = z.string().min(1).max(10_000);
const longText = z.string().max(10_000);
const iconName = z.string().max(1_000);
const webUrl = z.string().max(8_192).refine(isWebUrl, "must be an http or https URL");

export const updateDocBody = named(
  "UpdateDocBody",
  z.object({ title: name.optional(), iconName: iconName.optional() }),
);
export interface UpdateDocBody extends z.input<typeof updateDocBody> {}

export const addPermissionBody = named(
  "AddPermissionBody",
  z.object({
    access: choice("readonly", "write", "comment"),
    principal,
    /** Sends no e-mail about it. @default false */
    suppressEmail: flag.optional(),
  }),
);
export interface AddPermissionBody extends z.input<typeof addPermissionBody> {}

export const updateAclSettingsBody = named(
  "UpdateAclSettingsBody",
  z.object({
    allowEditorsToChangePermissions: flag.optional(),
    allowCopying: flag.optional(),
    allowViewersToRequestEditing: flag.optional(),
  }),
);
export interface UpdateAclSettingsBody extends z.input<typeof updateAclSettingsBody> {}

export const publishDocBody = named(
  "PublishDocBody",
  z.object({
    slug: z
      .string()
      .regex(/^[\p{L}\p{N}][\p{L}\p{N}_-]{0,99}$/u, "must be letters, digits and dashes")
      .optional(),
    discoverable: flag.optional(),
    earnCredit: flag.optional(),
    categoryNames: many(text).optional(),
    mode: choice("view", "play", "edit").optional(),
  }),
);
export interface PublishDocBody extends z.input<typeof publishDocBody> {}

const canvasContent = named(
  "CanvasContent",
  z.object({ format: choice("html", "markdown"), content: text }),
);
/** Text of a page as it is written. */
export interface CanvasContent extends z.input<typeof canvasContent> {}

const pageContent = named(
  "PageContent",
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("canvas"), canvasContent }),
    z.object({
      type: z.literal("embed"),
      url: webUrl,
      renderMethod: choice("compatibility", "standard").optional(),
    }),
    z.discriminatedUnion("mode", [
      z.object({
        type: z.literal("syncPage"),
        mode: z.literal("page"),
        sourceDocId: text,
        sourcePageId: text,
        includeSubpages: flag.optional(),
      }),
      z.object({ type: z.literal("syncPage"), mode: z.literal("document"), sourceDocId: text }),
    ]),
  ]),
);
/** Content of a new page: text, another site, or a page or document that it mirrors. */
export type PageContent = z.input<typeof pageContent>;

export const createPageBody = named(
  "CreatePageBody",
  z.object({
    name: name.optional(),
    subtitle: longText.optional(),
    iconName: iconName.optional(),
    /** Cover image. */
    imageUrl: webUrl.optional(),
    /** Id of the page above. */
    parentPageId: text.optional(),
    pageContent: pageContent.optional(),
  }),
);
export interface CreatePageBody extends z.input<typeof createPageBody> {}

export const createDocBody = named(
  "CreateDocBody",
  z.object({
    /** @default "Untitled" */
    title: longText.optional(),
    /** Id of a document to copy. */
    sourceDoc: text.optional(),
    /** IANA name, such as `America/New_York`. */
    timezone: text.optional(),
    folderId: text.optional(),
    initialPage: createPageBody.optional(),
  }),
);
export interface CreateDocBody extends z.input<typeof createDocBody> {}

export const updatePageBody = named(
  "UpdatePageBody",
  z.object({
    name: name.optional(),
    subtitle: longText.optional(),
    iconName: iconName.optional(),
    imageUrl: webUrl.optional(),
    isHidden: flag.optional(),
    contentUpdate: z
      .object({
        insertionMode: choice("append", "prepend", "replace"),
        /** The element that the mode refers to; the complete page when absent. */
        elementId: text.optional(),
        canvasContent,
      })
      .optional(),
  }),
);
export interface UpdatePageBody extends z.input<typeof updatePageBody> {}

export const deletePageContentBody = named(
  "DeletePageContentBody",
  z.object({
    /** All content when absent or empty. */
    elementIds: many(text).optional(),
  }),
);

export const beginPageExportBody = named(
  "BeginPageExportBody",
  z.object({ outputFormat: choice("html", "markdown") }),
);
export interface BeginPageExportBody extends z.input<typeof beginPageExportBody> {}

export const automationBody: z.ZodType<
  Record<string, unknown>,
  Readonly<Record<string, unknown>>
> = named("AutomationBody", z.record(text, z.unknown()));

const rowEdit = named(
  "RowEdit",
  z.object({ cells: z.array(z.object({ column: text, value: cellEdit })) }),
);
export interface RowEdit extends z.input<typeof rowEdit> {}

export const upsertRowsBody = named(
  "UpsertRowsBody",
  z.object({
    rows: many<RowEdit, RowEdit>(rowEdit),
    /** Ids, URLs or names of the columns by which rows are found; absent: every row is inserted. */
    keyColumns: many(text).optional(),
    /**
     * Unique ids for the rows. They make a repeated request harmless where the service accepts
     * them.
     */
    rowIds: many(text).optional(),
  }),
);
export interface UpsertRowsBody extends z.input<typeof upsertRowsBody> {}

export const updateRowBody = named("UpdateRowBody", z.object({ row: rowEdit }));

export const deleteRowsBody = named("DeleteRowsBody", z.object({ rowIds: many(text) }));

const pageToken = text
  .optional()
  .describe("Continues a listing. Every other parameter is ignored.");

function limit(fallback: number) {
  return z
    .int()
    .min(1)
    .optional()
    .describe(`Items per page, ${fallback} by default. Higher values are reduced to the maximum.`);
}

export const pageQuery = z.object({
  /** Items per page; the service caps what is more than its maximum. @default 25 */
  limit: limit(25),
  /** Continues an earlier listing. Every other option is ignored, because the token implies it. */
  pageToken,
});
/** The query of every list. */
export interface PageQuery extends z.input<typeof pageQuery> {}

export const listDocsQuery = pageQuery.extend({
  /** Part of the title. */
  query: text.optional(),
  isOwner: flag.optional(),
  isPublished: flag.optional(),
  /** False lists the documents without a star. */
  isStarred: flag.optional(),
  inGallery: flag.optional(),
  /** Id of the document that they were copied from. */
  sourceDoc: text.optional(),
  workspaceId: text.optional(),
  folderId: text.optional(),
});
export interface ListDocsQuery extends z.input<typeof listDocsQuery> {}

export const searchPrincipalsQuery = z.object({ query: text.optional() });
export interface SearchPrincipalsQuery extends z.input<typeof searchPrincipalsQuery> {}

export const listPageContentQuery = z.object({
  /** Items per page; the service caps what is more than its maximum. @default 50 */
  limit: limit(50),
  pageToken,
  /** @default "plainText" */
  contentFormat: z.literal("plainText").optional(),
});
export interface ListPageContentQuery extends z.input<typeof listPageContentQuery> {}

export const sortedQuery = pageQuery.extend({
  /** @default in the order of creation */
  sortBy: z.literal("name").optional(),
});
export interface SortedQuery extends z.input<typeof sortedQuery> {}

export const listTablesQuery = sortedQuery.extend({
  /** @default both */
  tableTypes: many(choice("table", "view")).optional(),
});
export interface ListTablesQuery extends z.input<typeof listTablesQuery> {}

export const getTableQuery = z.object({
  /** Gives the layouts `detail` and `form`, which are both `masterDetail` otherwise. */
  useUpdatedTableLayouts: flag.optional(),
});
export interface GetTableQuery extends z.input<typeof getTableQuery> {}

export const listColumnsQuery = pageQuery.extend({
  /** Ignored for views. */
  visibleOnly: flag.optional(),
});
export interface ListColumnsQuery extends z.input<typeof listColumnsQuery> {}

export const getRowQuery = z.object({
  /** Keys of `values` are column names instead of ids. @default false */
  useColumnNames: flag
    .optional()
    .describe("Returns values with column names as keys, instead of column IDs."),
  /** @default "simple" */
  valueFormat: z.enum(["simple", "simpleWithArrays", "rich"]).optional(),
});
export interface GetRowQuery extends z.input<typeof getRowQuery> {}
export type ValueFormat = NonNullable<GetRowQuery["valueFormat"]>;

export const listRowsQuery = pageQuery.extend({
  ...getRowQuery.shape,
  /** Rows with this value in this column; `rowQuery` writes it. */
  query: text
    .optional()
    .describe(
      'Returns only rows with this value in a column, such as `"Name":"value"`: a column name in quotes or a column ID, a colon, and a JSON value.',
    ),
  /** @default "createdAt" */
  sortBy: z.enum(["createdAt", "natural", "updatedAt"]).optional(),
  visibleOnly: flag.optional(),
  /** Lists the changes since the listing that returned this token. Deleted rows are never listed. */
  syncToken: text
    .optional()
    .describe("Lists the changes since the listing that returned this token."),
});
export interface ListRowsQuery extends z.input<typeof listRowsQuery> {}
export type RowSort = NonNullable<ListRowsQuery["sortBy"]>;

export const writeRowsQuery = z.object({
  /**
   * Stores texts as they are, instead of reading numbers, dates and row names in them. @default
   * false
   */
  disableParsing: flag.optional().describe("Stores text without conversion."),
});
export interface WriteRowsQuery extends z.input<typeof writeRowsQuery> {}

const dateRange = z.object({
  sinceDate: z.iso.date().optional().describe("The first day."),
  untilDate: z.iso.date().optional().describe("The last day."),
});
/** Days such as `2026-01-31`, both included. */
export interface DateRange extends z.input<typeof dateRange> {}

function analyticsQuery<const Order extends string>(orders: readonly [Order, ...Order[]]) {
  return dateRange.extend({
    /** @default 1000, at most 5000 */
    limit: limit(1_000),
    pageToken,
    /** Each day on its own, or running totals of the range. @default "daily" */
    scale: z.enum(["daily", "cumulative"]).optional(),
    /** @default "date" */
    orderBy: choice(...orders).optional(),
    /** @default "ascending" */
    direction: z.enum(["ascending", "descending"]).optional(),
  });
}

export const docAnalyticsQuery = analyticsQuery(DOC_ORDERS).extend({
  docIds: many(text).optional(),
  workspaceId: text.optional(),
  query: text.optional(),
  isPublished: flag.optional(),
});
export interface DocAnalyticsQuery extends z.input<typeof docAnalyticsQuery> {}

export const docAnalyticsSummaryQuery = dateRange.extend({
  isPublished: flag.optional(),
  workspaceId: text.optional(),
});
export interface DocAnalyticsSummaryQuery extends z.input<typeof docAnalyticsSummaryQuery> {}

export const pageAnalyticsQuery = dateRange.extend({ limit: limit(1_000), pageToken });
export interface PageAnalyticsQuery extends z.input<typeof pageAnalyticsQuery> {}

export const packAnalyticsQuery = analyticsQuery(PACK_ORDERS).extend({
  packIds: many(z.int()).optional(),
  workspaceId: text.optional(),
  query: text.optional(),
  isPublished: flag.optional(),
});
export interface PackAnalyticsQuery extends z.input<typeof packAnalyticsQuery> {}

export const packAnalyticsSummaryQuery = dateRange.extend({
  packIds: many(z.int()).optional(),
  workspaceId: text.optional(),
  isPublished: flag.optional(),
});
export interface PackAnalyticsSummaryQuery extends z.input<typeof packAnalyticsSummaryQuery> {}

export const packFormulaAnalyticsQuery = analyticsQuery(PACK_FORMULA_ORDERS).extend({
  packFormulaNames: many(text).optional(),
  /** As many as there are names. */
  packFormulaTypes: many(choice(...PACK_FORMULA_TYPES)).optional(),
});
export interface PackFormulaAnalyticsQuery extends z.input<typeof packFormulaAnalyticsQuery> {}

export const resolveLinkQuery = z.object({
  url: z.url(),
  /** Resolves to what holds a deleted object, up to the document itself. @default false */
  degradeGracefully: flag.optional(),
});
export interface ResolveLinkQuery extends z.input<typeof resolveLinkQuery> {}

function isWebUrl(value: string): boolean {
  try {
    return /^https?:$/.test(new URL(value).protocol);
  } catch {
    return false;
  }
}
