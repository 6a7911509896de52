export {
  type CreateDocOptions,
  createServiceClient,
  type DocClient,
  type ListColumnsOptions,
  type ListDocsOptions,
  type ListTablesOptions,
  type ServiceClient,
  type ServiceClientOptions,
  type TableClient,
} from "./service/client/client.ts";
export {
  ConnectionError,
  ForbiddenError,
  GoneError,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  ServerError,
  ServiceError,
  UnauthorizedError,
  UnexpectedResponseError,
} from "./service/client/errors.ts";
export { type FetchFunction, type FetchTransportOptions, fetchTransport } from "./service/client/fetch-transport.ts";
export type { List } from "./service/client/list.ts";
export { type PackFetcher, packTransport } from "./service/client/pack-transport.ts";
export type { Call, CallOptions, QueryValue } from "./service/client/request.ts";
export {
  type GetRowOptions,
  type ListRowsOptions,
  type RowCells,
  type Rows,
  rowQuery,
  type WriteOptions,
} from "./service/client/rows.ts";
export type { ServiceRequest, ServiceResponse, Timer, Transport } from "./service/client/transport.ts";
export type { MutationOutcome, WaitOptions } from "./service/client/wait-for.ts";
export { OPERATIONS, type Operation, type OperationId, type RateGroup, type ReplayClass } from "./service/contract/operations.ts";
export type {
  AcceptedEdit,
  ButtonPushed,
  CellEdit,
  CellValue,
  Column,
  ColumnFormat,
  Control,
  ControlReference,
  ControlType,
  Doc,
  DocPublished,
  Envelope,
  ErrorBody,
  Formula,
  FormulaReference,
  Icon,
  MutationStatus,
  Open,
  Page,
  PageReference,
  Resource,
  RichValue,
  Row,
  RowEdited,
  RowEnvelope,
  RowSort,
  RowsDeleted,
  RowsUpserted,
  Sort,
  Table,
  TableLayout,
  TableReference,
  User,
  ValueFormat,
} from "./service/contract/wire.ts";
