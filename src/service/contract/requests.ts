import type { DOC_ORDERS, PACK_FORMULA_ORDERS, PACK_ORDERS, PackFormulaType } from "./analytics-metrics.ts";
import type { Open, Principal, RowEdit, RowSort, ValueFormat } from "./wire.ts";

/** What every list takes. */
export interface PageQuery {
  /** Items per page; the service caps what is more than its maximum. @default 25 */
  limit?: number | undefined;
  /** Continues an earlier listing. Every other option is ignored, because the token implies it. */
  pageToken?: string | undefined;
}

export interface ListDocsQuery extends PageQuery {
  /** Part of the title. */
  query?: string | undefined;
  isOwner?: boolean | undefined;
  isPublished?: boolean | undefined;
  /** False lists the documents without a star. */
  isStarred?: boolean | undefined;
  inGallery?: boolean | undefined;
  /** Id of the document that they were copied from. */
  sourceDoc?: string | undefined;
  workspaceId?: string | undefined;
  folderId?: string | undefined;
}

export interface CreateDocBody {
  /** @default "Untitled" */
  title?: string | undefined;
  /** Id of a document to copy. */
  sourceDoc?: string | undefined;
  /** IANA name, such as `America/New_York`. */
  timezone?: string | undefined;
  folderId?: string | undefined;
  initialPage?: CreatePageBody | undefined;
}

export interface UpdateDocBody {
  title?: string | undefined;
  iconName?: string | undefined;
}

export interface AddPermissionBody {
  access: Open<"readonly" | "write" | "comment">;
  principal: Principal;
  /** Sends no e-mail about it. @default false */
  suppressEmail?: boolean | undefined;
}

export interface SearchPrincipalsQuery {
  query?: string | undefined;
}

export interface UpdateAclSettingsBody {
  allowEditorsToChangePermissions?: boolean | undefined;
  allowCopying?: boolean | undefined;
  allowViewersToRequestEditing?: boolean | undefined;
}

export interface PublishDocBody {
  slug?: string | undefined;
  discoverable?: boolean | undefined;
  earnCredit?: boolean | undefined;
  categoryNames?: readonly string[] | undefined;
  mode?: Open<"view" | "play" | "edit"> | undefined;
}

/** Text of a page as it is written. */
export interface CanvasContent {
  format: Open<"html" | "markdown">;
  content: string;
}

/** What a new page holds: text, another site, or a page or document that it mirrors. */
export type PageContent =
  | { type: "canvas"; canvasContent: CanvasContent }
  | { type: "embed"; url: string; renderMethod?: Open<"compatibility" | "standard"> | undefined }
  | { type: "syncPage"; mode: "page"; sourceDocId: string; sourcePageId: string; includeSubpages?: boolean | undefined }
  | { type: "syncPage"; mode: "document"; sourceDocId: string };

export interface CreatePageBody {
  name?: string | undefined;
  subtitle?: string | undefined;
  iconName?: string | undefined;
  /** Cover image. */
  imageUrl?: string | undefined;
  /** Id of the page above. */
  parentPageId?: string | undefined;
  pageContent?: PageContent | undefined;
}

export interface UpdatePageBody {
  name?: string | undefined;
  subtitle?: string | undefined;
  iconName?: string | undefined;
  imageUrl?: string | undefined;
  isHidden?: boolean | undefined;
  contentUpdate?:
    | {
        insertionMode: Open<"append" | "prepend" | "replace">;
        /** The element that the mode refers to; the whole page when absent. */
        elementId?: string | undefined;
        canvasContent: CanvasContent;
      }
    | undefined;
}

export interface ListPageContentQuery extends PageQuery {
  /** @default "plainText" */
  contentFormat?: "plainText" | undefined;
}

export interface DeletePageContentBody {
  /** All content when absent or empty. */
  elementIds?: readonly string[] | undefined;
}

export interface BeginPageExportBody {
  outputFormat: Open<"html" | "markdown">;
}

export interface SortedQuery extends PageQuery {
  /** @default in the order of creation */
  sortBy?: "name" | undefined;
}

export interface ListTablesQuery extends SortedQuery {
  /** @default both */
  tableTypes?: readonly Open<"table" | "view">[] | undefined;
}

export interface GetTableQuery {
  /** Tells the layouts `detail` and `form` apart, which are both `masterDetail` otherwise. */
  useUpdatedTableLayouts?: boolean | undefined;
}

export interface ListColumnsQuery extends PageQuery {
  /** Ignored for views. */
  visibleOnly?: boolean | undefined;
}

export interface GetRowQuery {
  /** Keys of `values` are column names instead of ids. @default false */
  useColumnNames?: boolean | undefined;
  /** @default "simple" */
  valueFormat?: ValueFormat | undefined;
}

export interface ListRowsQuery extends PageQuery, GetRowQuery {
  /** Rows with this value in this column; `rowQuery` writes it. */
  query?: string | undefined;
  /** @default "createdAt" */
  sortBy?: RowSort | undefined;
  visibleOnly?: boolean | undefined;
  /** Lists what changed since the listing that gave this token. Deleted rows are never told. */
  syncToken?: string | undefined;
}

export interface WriteRowsQuery {
  /** Stores texts as they are, instead of reading numbers, dates and row names in them. @default false */
  disableParsing?: boolean | undefined;
}

export interface UpsertRowsBody {
  rows: readonly RowEdit[];
  /** Ids, URLs or names of the columns by which rows are found; absent: every row is inserted. */
  keyColumns?: readonly string[] | undefined;
  /** Unique ids for the rows, which make a repeated request harmless where the service takes them (V14). */
  rowIds?: readonly string[] | undefined;
}

export interface UpdateRowBody {
  row: RowEdit;
}

export interface DeleteRowsBody {
  rowIds: readonly string[];
}

/** Days such as `2026-01-31`, both included. */
export interface DateRange {
  sinceDate?: string | undefined;
  untilDate?: string | undefined;
}

interface AnalyticsQuery<Order extends string> extends DateRange {
  /** Each day alone, or running totals of the range. @default "daily" */
  scale?: "daily" | "cumulative" | undefined;
  /** @default "date" */
  orderBy?: Open<Order> | undefined;
  /** @default "ascending" */
  direction?: "ascending" | "descending" | undefined;
  /** @default 1000, at most 5000 */
  limit?: number | undefined;
  pageToken?: string | undefined;
}

export interface DocAnalyticsQuery extends AnalyticsQuery<(typeof DOC_ORDERS)[number]> {
  docIds?: readonly string[] | undefined;
  workspaceId?: string | undefined;
  query?: string | undefined;
  isPublished?: boolean | undefined;
}

export interface DocAnalyticsSummaryQuery extends DateRange {
  isPublished?: boolean | undefined;
  workspaceId?: string | undefined;
}

export interface PageAnalyticsQuery extends DateRange, PageQuery {}

export interface PackAnalyticsQuery extends AnalyticsQuery<(typeof PACK_ORDERS)[number]> {
  packIds?: readonly number[] | undefined;
  workspaceId?: string | undefined;
  query?: string | undefined;
  isPublished?: boolean | undefined;
}

export interface PackAnalyticsSummaryQuery extends DateRange {
  packIds?: readonly number[] | undefined;
  workspaceId?: string | undefined;
  isPublished?: boolean | undefined;
}

export interface PackFormulaAnalyticsQuery extends AnalyticsQuery<(typeof PACK_FORMULA_ORDERS)[number]> {
  packFormulaNames?: readonly string[] | undefined;
  /** As many as there are names. */
  packFormulaTypes?: readonly Open<PackFormulaType>[] | undefined;
}

export interface ResolveLinkQuery {
  url: string;
  /** Resolves to what holds a deleted object, up to the document itself. @default false */
  degradeGracefully?: boolean | undefined;
}
