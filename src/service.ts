export { type BulkEdit, type BulkReport, type RowOutcome, writeRows } from "./service/client/bulk-rows.ts";
export type { Exchange } from "./service/client/call.ts";
export type { Call, CallOptions, CallSettings, QueryValue, ReadSettings } from "./service/client/call-types.ts";
export { type Cell, type DecodeCellOptions, decodeCell, encodeCell } from "./service/client/cells.ts";
export {
  type AnalyticsClient,
  createServiceClient,
  type DocClient,
  type PageClient,
  type ServiceClient,
  type ServiceClientOptions,
  type SharingClient,
  type TableClient,
} from "./service/client/client.ts";
export { diffRows, type RowChanges } from "./service/client/diff-rows.ts";
export {
  AmbiguousNameError,
  ConnectionError,
  DeadlineError,
  ExportFailedError,
  ForbiddenError,
  GoneError,
  InvalidRequestError,
  MutationPendingError,
  MutationWarningError,
  NotFoundError,
  RateLimitError,
  RateLimitStuckError,
  ServerError,
  ServiceError,
  StaleDocError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnprocessableError,
} from "./service/client/errors.ts";
export { type ExportPageOptions, exportPage } from "./service/client/export-page.ts";
export { type FetchFunction, type FetchTransportOptions, fetchTransport } from "./service/client/fetch-transport.ts";
export type { List } from "./service/client/list.ts";
export { type PackFetcher, packTransport } from "./service/client/pack-transport.ts";
export type { PollOptions } from "./service/client/poll.ts";
export type { Listing, Named, Read } from "./service/client/resources.ts";
export { type RowCells, type Rows, rowQuery, type WriteOptions } from "./service/client/rows.ts";
export type { TableSchema } from "./service/client/table-schema.ts";
export type { RateLimit, RateLimits } from "./service/client/throttle.ts";
export type { CancelSignal, ServiceRequest, ServiceResponse, Timer, Transport } from "./service/client/transport.ts";
export type { MutationOutcome, WaitOptions } from "./service/client/wait-for.ts";
export type {
  AnalyticsLastUpdated,
  DocAnalytics,
  DocAnalyticsSummary,
  Metrics,
  PackAnalytics,
  PackAnalyticsSummary,
  PackFormulaAnalytics,
  PageAnalytics,
} from "./service/contract/models/analytics.ts";
export type { Envelope, Open, Resource } from "./service/contract/models/model.ts";
export type {
  AddPermissionBody,
  BeginPageExportBody,
  CanvasContent,
  CreateDocBody,
  CreatePageBody,
  DateRange,
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
  PageContent,
  PageQuery,
  PublishDocBody,
  ResolveLinkQuery,
  RowEdit,
  RowSort,
  SearchPrincipalsQuery,
  SortedQuery,
  UpdateAclSettingsBody,
  UpdateDocBody,
  UpdatePageBody,
  ValueFormat,
  WriteRowsQuery,
} from "./service/contract/models/requests.ts";
export type {
  AcceptedEdit,
  AclSettings,
  ButtonPushed,
  CellEdit,
  CellValue,
  Column,
  ColumnFormat,
  ColumnFormatType,
  ColumnReference,
  ContentStyle,
  Control,
  ControlReference,
  ControlType,
  Doc,
  DocCategory,
  DocPublished,
  Done,
  ErrorBody,
  FolderReference,
  Formula,
  FormulaReference,
  GrantedPrincipal,
  GroupPrincipal,
  Icon,
  MutationStatus,
  Page,
  PageContentItem,
  PageEdited,
  PageExport,
  PageExportBegun,
  PageReference,
  Permission,
  PersonValue,
  Principal,
  PrincipalSearch,
  ResolvedLink,
  RichValue,
  Row,
  RowEdited,
  RowEnvelope,
  RowsDeleted,
  RowsUpserted,
  ScalarEdit,
  SharingMetadata,
  Sort,
  Table,
  TableLayout,
  TableReference,
  User,
  UserSummary,
  WorkspaceReference,
} from "./service/contract/models/responses.ts";
export type { BodyOf, ItemOf, OperationTypes, QueryOf, ResponseOf } from "./service/contract/operations.ts";
export {
  type AsyncKind,
  OPERATIONS,
  type Operation,
  type OperationId,
  type PathOf,
  type RateGroup,
  type ReplayClass,
} from "./service/contract/operations.ts";
