/** A value out of a list that may grow: the known members complete in an editor, any other text is accepted. */
export type Open<Known extends string> = Known | (string & {});

/** What every resource has. */
export interface Resource<Type extends string> {
  id: string;
  type: Type;
  /** Absolute URL of the latest details. */
  href: string;
}

/** One page of a list. More results exist exactly when `nextPageToken` is present. */
export interface Envelope<Item> {
  items: Item[];
  href?: string | undefined;
  nextPageLink?: string | undefined;
  nextPageToken?: string | undefined;
}

export interface RowEnvelope<Item = Row> extends Envelope<Item> {
  /** Lists, later on, what changed since the first page of this listing. */
  nextSyncToken?: string | undefined;
}

/** The body of every failed request. */
export interface ErrorBody {
  statusCode: number;
  statusMessage: string;
  message: string;
}

export interface WorkspaceReference {
  id: string;
  type: "workspace";
  organizationId?: string | undefined;
  browserLink: string;
  name?: string | undefined;
}

export interface FolderReference {
  id: string;
  type: "folder";
  browserLink: string;
  name?: string | undefined;
}

export interface User {
  name: string;
  loginId: string;
  type: "user";
  href: string;
  /** The token has restricted access. */
  scoped: boolean;
  tokenName: string;
  workspace: WorkspaceReference;
  pictureLink?: string | undefined;
}

export interface Doc extends Resource<"doc"> {
  browserLink: string;
  name: string;
  owner: string;
  ownerName: string;
  createdAt: string;
  updatedAt: string;
  workspace: WorkspaceReference;
  folder: FolderReference;
  /** @deprecated */
  workspaceId: string;
  /** @deprecated */
  folderId: string;
  icon?: Icon | undefined;
  docSize?:
    | {
        totalRowCount: number;
        tableAndViewCount: number;
        pageCount: number;
        overApiSizeLimit: boolean;
        baseTableCount?: number | undefined;
      }
    | undefined;
  sourceDoc?: (Resource<"doc"> & { browserLink: string }) | undefined;
  published?: DocPublished | undefined;
}

export interface Icon {
  name: string;
  type: string;
  browserLink?: string | undefined;
}

export interface DocPublished {
  description?: string | undefined;
  browserLink: string;
  imageLink?: string | undefined;
  discoverable: boolean;
  earnCredit: boolean;
  mode: Open<"view" | "play" | "edit">;
  categories: string[];
}

export interface PageReference extends Resource<"page"> {
  browserLink: string;
  name: string;
}

export interface Page extends PageReference {
  isHidden: boolean;
  /** The page or one above it is hidden. */
  isEffectivelyHidden: boolean;
  children: PageReference[];
  contentType: Open<"canvas" | "embed" | "syncPage">;
  subtitle?: string | undefined;
  icon?: Icon | undefined;
  /** The cover image. A width or height of 0 is not known. */
  image?: { browserLink: string; type: string; width: number; height: number } | undefined;
  parent?: PageReference | undefined;
  authors?: PersonValue[] | undefined;
  createdAt?: string | undefined;
  createdBy?: PersonValue | undefined;
  /** Last modification of the content. */
  updatedAt?: string | undefined;
  updatedBy?: PersonValue | undefined;
}

/** A named person, identified by an e-mail address. */
export interface PersonValue {
  "@context": string;
  "@type": Open<"Person">;
  additionalType?: string | undefined;
  name: string;
  email?: string | undefined;
}

export type ContentStyle =
  | "paragraph"
  | "h1"
  | "h2"
  | "h3"
  | "bulletedList"
  | "numberedList"
  | "checkboxList"
  | "collapsibleList"
  | "blockQuote"
  | "pullQuote"
  | "code";

/** One element of a canvas page. */
export interface PageContentItem {
  id: string;
  type: Open<"line">;
  itemContent: {
    style: Open<ContentStyle>;
    format: Open<"plainText">;
    content: string;
    /** How far it is indented, where a line can be. */
    lineLevel?: number | undefined;
  };
}

/** An edit of a page that was accepted. */
export interface PageEdited extends AcceptedEdit {
  id: string;
}

/** An export that was accepted. */
export interface PageExportBegun {
  id: string;
  status: Open<"inProgress" | "complete" | "failed">;
  /** Tells the state, and gives a fresh link. */
  href: string;
}

/** Done exactly when `downloadLink` or `error` is present. */
export interface PageExport extends PageExportBegun {
  /** Expires after a short time. */
  downloadLink?: string | undefined;
  error?: string | undefined;
}

/** Whom a document is shared with. */
export type Principal =
  | { type: "email"; email: string }
  | { type: "group"; groupId: string; groupName?: string | undefined }
  | { type: "domain"; domain: string }
  | { type: "workspace"; workspaceId: string }
  | { type: "anyone" };

/** Access that the service itself gives is told, but cannot be granted. */
export type GrantedPrincipal = Principal | { type: "internalAccess"; internalAccessType: string };

export interface Permission {
  id: string;
  access: Open<"readonly" | "write" | "comment">;
  principal: GrantedPrincipal;
}

/** What the caller may do with the sharing of a document. */
export interface SharingMetadata {
  canShare: boolean;
  canShareWithWorkspace: boolean;
  canShareWithOrg: boolean;
  canCopy: boolean;
}

export interface AclSettings {
  /** When false, only the owner may change permissions. */
  allowEditorsToChangePermissions: boolean;
  /** Viewers may copy. */
  allowCopying: boolean;
  allowViewersToRequestEditing: boolean;
}

export interface UserSummary {
  name: string;
  loginId: string;
  type: "user";
}

export interface GroupPrincipal {
  type: "group";
  groupId: string;
  groupName: string;
}

export interface PrincipalSearch {
  users: UserSummary[];
  groups: GroupPrincipal[];
}

/** A subject under which published documents are listed. */
export interface DocCategory {
  name: string;
}

/** What a browser link leads to. */
export interface ResolvedLink {
  type: "apiLink";
  href: string;
  browserLink?: string | undefined;
  resource: { type: Open<"doc" | "page" | "table" | "row" | "column" | "formula" | "control">; id: string; name: string; href: string };
}

export interface TableReference extends Resource<"table"> {
  tableType: Open<"table" | "view">;
  browserLink: string;
  name: string;
  parent?: PageReference | undefined;
}

export interface ColumnReference extends Resource<"column"> {}

export interface Sort {
  column: ColumnReference;
  direction: Open<"ascending" | "descending">;
}

export type TableLayout =
  | "default"
  | "areaChart"
  | "barChart"
  | "bubbleChart"
  | "calendar"
  | "card"
  | "detail"
  | "form"
  | "ganttChart"
  | "lineChart"
  | "masterDetail"
  | "pieChart"
  | "scatterChart"
  | "slide"
  | "wordCloud";

export interface Table extends TableReference {
  viewId?: string | undefined;
  displayColumn: ColumnReference;
  rowCount: number;
  sorts: Sort[];
  layout: Open<TableLayout>;
  createdAt: string;
  updatedAt: string;
  parentTable?: TableReference | undefined;
  filter?:
    | {
        valid: boolean;
        isVolatile?: boolean | undefined;
        hasUserFormula?: boolean | undefined;
        hasTodayFormula?: boolean | undefined;
        hasNowFormula?: boolean | undefined;
      }
    | undefined;
}

export type ColumnFormatType =
  | "text"
  | "person"
  | "lookup"
  | "number"
  | "percent"
  | "currency"
  | "date"
  | "dateTime"
  | "time"
  | "duration"
  | "email"
  | "link"
  | "slider"
  | "scale"
  | "image"
  | "imageReference"
  | "attachments"
  | "button"
  | "checkbox"
  | "select"
  | "packObject"
  | "reaction"
  | "canvas"
  | "other";

/** How a column shows its values. The members beside `type` and `isArray` depend on the type. */
export interface ColumnFormat {
  type: Open<ColumnFormatType>;
  isArray: boolean;
  [member: string]: unknown;
}

export interface Column extends Resource<"column"> {
  name: string;
  format: ColumnFormat;
  display?: boolean | undefined;
  calculated?: boolean | undefined;
  formula?: string | undefined;
  defaultValue?: string | undefined;
  parent?: TableReference | undefined;
}

/** A value as the service returns it: plain for `simple`, with arrays for `simpleWithArrays`, with objects for `rich`. */
export type CellValue = string | number | boolean | RichValue | readonly CellValue[];

/** A JSON-LD object of the `rich` format. */
export interface RichValue {
  "@context": string;
  "@type": Open<"MonetaryAmount" | "StructuredValue" | "WebPage" | "ImageObject" | "Person">;
  [member: string]: unknown;
}

export interface Row extends Resource<"row"> {
  /** Text of the display column. */
  name: string;
  index: number;
  browserLink: string;
  createdAt: string;
  updatedAt: string;
  /** By column id, or by column name when the request asked for names. */
  values: Record<string, CellValue>;
  parent?: TableReference | undefined;
}

export type ScalarEdit = string | number | boolean;
/** A value as a caller may write it. There is no null: write the empty string to blank a cell. */
export type CellEdit = ScalarEdit | readonly (ScalarEdit | readonly ScalarEdit[])[];

export interface RowEdit {
  cells: { column: string; value: CellEdit }[];
}

export type ValueFormat = "simple" | "simpleWithArrays" | "rich";
export type RowSort = "createdAt" | "natural" | "updatedAt";

/** An edit that was accepted and is applied later. */
export interface AcceptedEdit {
  requestId: string;
}

export interface RowsUpserted extends AcceptedEdit {
  /** In the order of the request; only when no key columns were given. */
  addedRowIds?: string[] | undefined;
}

export interface RowsDeleted extends AcceptedEdit {
  rowIds: string[];
}

export interface RowEdited extends AcceptedEdit {
  id: string;
}

export interface ButtonPushed extends AcceptedEdit {
  rowId: string;
  columnId: string;
}

export interface MutationStatus {
  completed: boolean;
  /** What went wrong although the edit counts as completed. */
  warning?: string | null | undefined;
}

export interface FormulaReference extends Resource<"formula"> {
  name: string;
  parent?: PageReference | undefined;
}

export interface Formula extends FormulaReference {
  value: CellEdit;
}

export interface ControlReference extends Resource<"control"> {
  name: string;
  parent?: PageReference | undefined;
}

export type ControlType =
  | "aiBlock"
  | "button"
  | "checkbox"
  | "datePicker"
  | "dateRangePicker"
  | "dateTimePicker"
  | "lookup"
  | "multiselect"
  | "select"
  | "scale"
  | "slider"
  | "reaction"
  | "textbox"
  | "timePicker";

export interface Control extends ControlReference {
  controlType: Open<ControlType>;
  value: CellEdit;
}
