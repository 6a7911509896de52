import type {
  AnalyticsLastUpdated,
  DocAnalytics,
  DocAnalyticsSummary,
  PackAnalytics,
  PackAnalyticsSummary,
  PackFormulaAnalytics,
  PageAnalytics,
} from "./analytics-items.ts";
import type { OperationId } from "./operations.ts";
import type {
  AddPermissionBody,
  BeginPageExportBody,
  CreateDocBody,
  CreatePageBody,
  DeletePageContentBody,
  DeleteRowsBody,
  DocAnalyticsQuery,
  DocAnalyticsSummaryQuery,
  GetRowQuery,
  GetTableQuery,
  ListColumnsQuery,
  ListDocsQuery,
  ListPageContentQuery,
  ListRowsQuery,
  ListTablesQuery,
  PackAnalyticsQuery,
  PackAnalyticsSummaryQuery,
  PackFormulaAnalyticsQuery,
  PageAnalyticsQuery,
  PageQuery,
  PublishDocBody,
  ResolveLinkQuery,
  SearchPrincipalsQuery,
  SortedQuery,
  UpdateAclSettingsBody,
  UpdateDocBody,
  UpdatePageBody,
  UpdateRowBody,
  UpsertRowsBody,
  WriteRowsQuery,
} from "./requests.ts";
import type {
  AcceptedEdit,
  AclSettings,
  ButtonPushed,
  Column,
  Control,
  ControlReference,
  Doc,
  DocCategory,
  Envelope,
  Formula,
  FormulaReference,
  MutationStatus,
  Page,
  PageContentItem,
  PageEdited,
  PageExport,
  PageExportBegun,
  Permission,
  PrincipalSearch,
  ResolvedLink,
  Row,
  RowEdited,
  RowEnvelope,
  RowsDeleted,
  RowsUpserted,
  SharingMetadata,
  Table,
  TableReference,
  User,
} from "./wire.ts";

/** A change that tells nothing. */
export type Done = Record<string, never>;

interface Shape<Response, Query = object, Body = undefined> {
  query: Query;
  body: Body;
  response: Response;
}

/** What each operation takes beside its path parameters, and what it answers. */
export interface OperationTypes {
  listDocs: Shape<Envelope<Doc>, ListDocsQuery>;
  createDoc: Shape<Doc & AcceptedEdit, object, CreateDocBody>;
  getDoc: Shape<Doc>;
  deleteDoc: Shape<Done>;
  updateDoc: Shape<Done, object, UpdateDocBody>;

  getSharingMetadata: Shape<SharingMetadata>;
  getPermissions: Shape<Envelope<Permission>, PageQuery>;
  addPermission: Shape<Done, object, AddPermissionBody>;
  deletePermission: Shape<Done>;
  searchPrincipals: Shape<PrincipalSearch, SearchPrincipalsQuery>;
  getAclSettings: Shape<AclSettings>;
  updateAclSettings: Shape<AclSettings, object, UpdateAclSettingsBody>;

  listCategories: Shape<{ items: DocCategory[] }>;
  publishDoc: Shape<AcceptedEdit, object, PublishDocBody>;
  unpublishDoc: Shape<Done>;

  listPages: Shape<Envelope<Page>, PageQuery>;
  createPage: Shape<PageEdited, object, CreatePageBody>;
  getPage: Shape<Page>;
  updatePage: Shape<PageEdited, object, UpdatePageBody>;
  deletePage: Shape<PageEdited>;
  listPageContent: Shape<Envelope<PageContentItem>, ListPageContentQuery>;
  deletePageContent: Shape<PageEdited, object, DeletePageContentBody>;
  beginPageContentExport: Shape<PageExportBegun, object, BeginPageExportBody>;
  getPageContentExportStatus: Shape<PageExport>;
  triggerWebhookAutomation: Shape<AcceptedEdit, object, Readonly<Record<string, unknown>>>;

  listTables: Shape<Envelope<TableReference>, ListTablesQuery>;
  getTable: Shape<Table, GetTableQuery>;
  listColumns: Shape<Envelope<Column>, ListColumnsQuery>;
  getColumn: Shape<Column>;

  listRows: Shape<RowEnvelope, ListRowsQuery>;
  upsertRows: Shape<RowsUpserted, WriteRowsQuery, UpsertRowsBody>;
  deleteRows: Shape<RowsDeleted, object, DeleteRowsBody>;
  getRow: Shape<Row, GetRowQuery>;
  updateRow: Shape<RowEdited, WriteRowsQuery, UpdateRowBody>;
  deleteRow: Shape<RowEdited>;
  pushButton: Shape<ButtonPushed>;

  listFormulas: Shape<Envelope<FormulaReference>, SortedQuery>;
  getFormula: Shape<Formula>;
  listControls: Shape<Envelope<ControlReference>, SortedQuery>;
  getControl: Shape<Control>;

  whoami: Shape<User>;
  listDocAnalytics: Shape<Envelope<DocAnalytics>, DocAnalyticsQuery>;
  listDocAnalyticsSummary: Shape<DocAnalyticsSummary, DocAnalyticsSummaryQuery>;
  listPageAnalytics: Shape<Envelope<PageAnalytics>, PageAnalyticsQuery>;
  listPackAnalytics: Shape<Envelope<PackAnalytics>, PackAnalyticsQuery>;
  listPackAnalyticsSummary: Shape<PackAnalyticsSummary, PackAnalyticsSummaryQuery>;
  listPackFormulaAnalytics: Shape<Envelope<PackFormulaAnalytics>, PackFormulaAnalyticsQuery>;
  getAnalyticsLastUpdated: Shape<AnalyticsLastUpdated>;
  resolveBrowserLink: Shape<ResolvedLink, ResolveLinkQuery>;
  getMutationStatus: Shape<MutationStatus>;
}

export type QueryOf<Id extends OperationId> = OperationTypes[Id]["query"];
export type BodyOf<Id extends OperationId> = OperationTypes[Id]["body"];
export type ResponseOf<Id extends OperationId> = OperationTypes[Id]["response"];
/** The element of a list's `items`. */
export type ItemOf<Id extends OperationId> = ResponseOf<Id> extends Envelope<infer Item> ? Item : never;
