import * as z from "zod";
import {
  count,
  type Envelope,
  envelopeShape,
  flag,
  named,
  open,
  resource,
  text,
  time,
  url,
} from "./model.ts";

const validationError = z.object({ path: text, message: text });
const errorModel = z.object({
  statusCode: z.int(),
  statusMessage: text,
  message: text,
  /** What is wrong with a request, part by part. */
  codaDetail: z.object({ validationErrors: z.array(validationError).optional() }).optional(),
});
/** The body of every failed request. */
export interface ErrorBody extends z.output<typeof errorModel> {}
export const errorBody: z.ZodType<ErrorBody> = named("ErrorBody", errorModel);

/** A change that gives nothing back. */
export type Done = Record<string, never>;

const iconModel = z.object({ name: text, type: text, browserLink: url.optional() });
export interface Icon extends z.output<typeof iconModel> {}
export const icon: z.ZodType<Icon> = named("Icon", iconModel);

const workspaceModel = z.object({
  id: text,
  type: z.literal("workspace"),
  organizationId: text.optional(),
  browserLink: url,
  name: text.optional(),
});
export interface WorkspaceReference extends z.output<typeof workspaceModel> {}
const workspaceReference: z.ZodType<WorkspaceReference> = named(
  "WorkspaceReference",
  workspaceModel,
);

const folderModel = z.object({
  id: text,
  type: z.literal("folder"),
  browserLink: url,
  name: text.optional(),
});
export interface FolderReference extends z.output<typeof folderModel> {}
const folderReference: z.ZodType<FolderReference> = named("FolderReference", folderModel);

const publishedModel = z.object({
  description: text.optional(),
  browserLink: url,
  imageLink: url.optional(),
  discoverable: flag,
  earnCredit: flag,
  mode: open("view", "play", "edit"),
  // The public service sends objects with a name. The client turns both forms into texts.
  categories: z.array(z.union([text, z.object({ name: text })])) as unknown as z.ZodType<string[]>,
});
export interface DocPublished extends z.output<typeof publishedModel> {}
const docPublished: z.ZodType<DocPublished> = named("DocPublished", publishedModel);

const docModel = z.object({
  ...resource("doc"),
  browserLink: url,
  name: text,
  owner: text,
  ownerName: text,
  createdAt: time,
  updatedAt: time,
  workspace: workspaceReference,
  folder: folderReference,
  /** @deprecated */
  workspaceId: text,
  /** @deprecated */
  folderId: text,
  icon: icon.optional(),
  docSize: z
    .object({
      totalRowCount: count,
      tableAndViewCount: count,
      pageCount: count,
      overApiSizeLimit: flag,
      baseTableCount: count.optional(),
    })
    .optional(),
  sourceDoc: z.object({ ...resource("doc"), browserLink: url }).optional(),
  published: docPublished.optional(),
});
export interface Doc extends z.output<typeof docModel> {}
export const doc: z.ZodType<Doc> = named("Doc", docModel);
export const createdDoc: z.ZodType<Doc & AcceptedEdit> = named(
  "CreatedDoc",
  docModel.extend({ requestId: text }),
);

const categoryModel = z.object({ name: text });
/** A subject under which published documents are listed. */
export interface DocCategory extends z.output<typeof categoryModel> {}
export const docCategory: z.ZodType<DocCategory> = named("DocCategory", categoryModel);

const pageReferenceModel = z.object({ ...resource("page"), browserLink: url, name: text });
export interface PageReference extends z.output<typeof pageReferenceModel> {}
const pageReference: z.ZodType<PageReference> = named("PageReference", pageReferenceModel);

const personModel = z.object({
  "@context": text,
  "@type": open("Person"),
  additionalType: text.optional(),
  name: text,
  email: text.optional(),
});
/** A named person, identified by an email address. */
export interface PersonValue extends z.output<typeof personModel> {}
const personValue: z.ZodType<PersonValue> = named("PersonValue", personModel);

const pageModel = pageReferenceModel.extend({
  isHidden: flag,
  /** The page or one above it is hidden. */
  isEffectivelyHidden: flag,
  children: z.array(pageReference),
  contentType: open("canvas", "embed", "syncPage"),
  subtitle: text.optional(),
  icon: icon.optional(),
  /** The cover image. A width or height of 0 means that it is not known. */
  image: z
    .object({ browserLink: url, type: text, width: z.number(), height: z.number() })
    .optional(),
  parent: pageReference.optional(),
  authors: z.array(personValue).optional(),
  createdAt: time.optional(),
  createdBy: personValue.optional(),
  /** Last modification of the content. */
  updatedAt: time.optional(),
  updatedBy: personValue.optional(),
});
export interface Page extends z.output<typeof pageModel> {}
export const page: z.ZodType<Page> = named("Page", pageModel);

const CONTENT_STYLES = [
  "paragraph",
  "h1",
  "h2",
  "h3",
  "bulletedList",
  "numberedList",
  "checkboxList",
  "collapsibleList",
  "blockQuote",
  "pullQuote",
  "code",
] as const;
export type ContentStyle = (typeof CONTENT_STYLES)[number];

const contentItemModel = z.object({
  id: text,
  type: open("line"),
  itemContent: z.object({
    style: open(...CONTENT_STYLES),
    format: open("plainText"),
    content: text,
    /** How far the line is indented, for styles that can be. */
    lineLevel: count.optional(),
  }),
});
/** One element of a canvas page. */
export interface PageContentItem extends z.output<typeof contentItemModel> {}
export const pageContentItem: z.ZodType<PageContentItem> = named(
  "PageContentItem",
  contentItemModel,
);

const pageEditedModel = z.object({ requestId: text, id: text });
/** An edit of a page that was accepted. */
export interface PageEdited extends z.output<typeof pageEditedModel> {}
export const pageEdited: z.ZodType<PageEdited> = named("PageEdited", pageEditedModel);

const exportBegunModel = z.object({
  id: text,
  status: open("inProgress", "complete", "failed"),
  /** Gives the state of the export, with a new download link. */
  href: url,
});
/** An export that was accepted. */
export interface PageExportBegun extends z.output<typeof exportBegunModel> {}
export const pageExportBegun: z.ZodType<PageExportBegun> = named(
  "PageExportBegun",
  exportBegunModel,
);

const exportModel = exportBegunModel.extend({
  /** Expires after a short time. */
  downloadLink: url.optional(),
  error: text.optional(),
});
/** Done exactly when `downloadLink` or `error` is present. */
export interface PageExport extends z.output<typeof exportModel> {}
export const pageExport: z.ZodType<PageExport> = named("PageExport", exportModel);

const key = z.string().min(1).max(1_000);
const principalKinds = [
  z.object({ type: z.literal("email"), email: key }),
  z.object({ type: z.literal("group"), groupId: key, groupName: text.optional() }),
  z.object({ type: z.literal("domain"), domain: key }),
  z.object({ type: z.literal("workspace"), workspaceId: key }),
  z.object({ type: z.literal("anyone") }),
] as const;
export const principal = named("Principal", z.discriminatedUnion("type", principalKinds));
/** A person or group that a document is shared with. */
export type Principal = z.output<typeof principal>;

const grantedPrincipal = named(
  "GrantedPrincipal",
  z.discriminatedUnion("type", [
    ...principalKinds,
    z.object({ type: z.literal("internalAccess"), internalAccessType: text }),
  ]),
);
/** Access that the service itself gives is listed, but you cannot grant it. */
export type GrantedPrincipal = z.output<typeof grantedPrincipal>;

const permissionModel = z.object({
  id: text,
  access: open("readonly", "write", "comment"),
  principal: grantedPrincipal,
});
export interface Permission extends z.output<typeof permissionModel> {}
export const permission: z.ZodType<Permission> = named("Permission", permissionModel);

const sharingModel = z.object({
  canShare: flag,
  canShareWithWorkspace: flag,
  canShareWithOrg: flag,
  canCopy: flag,
});
/** What the caller may do with the sharing of a document. */
export interface SharingMetadata extends z.output<typeof sharingModel> {}
export const sharingMetadata: z.ZodType<SharingMetadata> = named("SharingMetadata", sharingModel);

const aclModel = z.object({
  /** When false, only the owner may change permissions. */
  allowEditorsToChangePermissions: flag,
  /** Viewers may copy. */
  allowCopying: flag,
  allowViewersToRequestEditing: flag,
});
export interface AclSettings extends z.output<typeof aclModel> {}
export const aclSettings: z.ZodType<AclSettings> = named("AclSettings", aclModel);

const userSummary = z.object({ name: text, loginId: text, type: z.literal("user") });
export interface UserSummary extends z.output<typeof userSummary> {}
const groupPrincipal = z.object({ type: z.literal("group"), groupId: text, groupName: text });
export interface GroupPrincipal extends z.output<typeof groupPrincipal> {}
const principalSearchModel = z.object({
  users: z.array(userSummary),
  groups: z.array(groupPrincipal),
});
export interface PrincipalSearch extends z.output<typeof principalSearchModel> {}
export const principalSearch: z.ZodType<PrincipalSearch> = named(
  "PrincipalSearch",
  principalSearchModel,
);

const tableReferenceModel = z.object({
  ...resource("table"),
  tableType: open("table", "view"),
  browserLink: url,
  name: text,
  parent: pageReference.optional(),
});
export interface TableReference extends z.output<typeof tableReferenceModel> {}
export const tableReference: z.ZodType<TableReference> = named(
  "TableReference",
  tableReferenceModel,
);

const columnReferenceModel = z.object(resource("column"));
export interface ColumnReference extends z.output<typeof columnReferenceModel> {}
const columnReference: z.ZodType<ColumnReference> = named("ColumnReference", columnReferenceModel);

const sortModel = z.object({ column: columnReference, direction: open("ascending", "descending") });
export interface Sort extends z.output<typeof sortModel> {}
const sort: z.ZodType<Sort> = named("Sort", sortModel);

const TABLE_LAYOUTS = [
  "default",
  "calendar",
  "card",
  "detail",
  "form",
  "masterDetail",
  "slide",
  "areaChart",
  "barChart",
  "bubbleChart",
  "ganttChart",
  "lineChart",
  "pieChart",
  "scatterChart",
  "wordCloud",
] as const;
export type TableLayout = (typeof TABLE_LAYOUTS)[number];

const tableModel = tableReferenceModel.extend({
  viewId: text.optional(),
  displayColumn: columnReference,
  rowCount: count,
  sorts: z.array(sort),
  layout: open(...TABLE_LAYOUTS),
  createdAt: time,
  updatedAt: time,
  parentTable: tableReference.optional(),
  filter: z
    .object({
      valid: flag,
      isVolatile: flag.optional(),
      hasUserFormula: flag.optional(),
      hasTodayFormula: flag.optional(),
      hasNowFormula: flag.optional(),
    })
    .optional(),
});
export interface Table extends z.output<typeof tableModel> {}
export const table: z.ZodType<Table> = named("Table", tableModel);

const COLUMN_FORMAT_TYPES = [
  "text",
  "person",
  "lookup",
  "number",
  "percent",
  "currency",
  "date",
  "dateTime",
  "time",
  "duration",
  "email",
  "link",
  "slider",
  "scale",
  "image",
  "imageReference",
  "attachments",
  "button",
  "checkbox",
  "select",
  "packObject",
  "reaction",
  "canvas",
  "other",
] as const;
export type ColumnFormatType = (typeof COLUMN_FORMAT_TYPES)[number];

const columnFormatModel = z.looseObject({ type: open(...COLUMN_FORMAT_TYPES), isArray: flag });
/**
 * How a column shows its values. The members other than `type` and `isArray` depend on the type.
 */
export interface ColumnFormat extends z.output<typeof columnFormatModel> {}
const columnFormat: z.ZodType<ColumnFormat> = named("ColumnFormat", columnFormatModel);

const columnModel = z.object({
  ...resource("column"),
  name: text,
  format: columnFormat,
  display: flag.optional(),
  calculated: flag.optional(),
  formula: text.optional(),
  defaultValue: text.optional(),
  parent: tableReference.optional(),
});
export interface Column extends z.output<typeof columnModel> {}
export const column: z.ZodType<Column> = named("Column", columnModel);

const scalar = z.union([text, z.number(), flag]);
export type ScalarEdit = z.output<typeof scalar>;
/** A value as you write it to a cell. There is no null: write the empty string to clear a cell. */
export type CellEdit = ScalarEdit | readonly (ScalarEdit | readonly ScalarEdit[])[];
export const cellEdit: z.ZodType<CellEdit, CellEdit> = named(
  "CellEdit",
  z.union([scalar, z.array(z.union([scalar, z.array(scalar)]))]) as z.ZodType<CellEdit, CellEdit>,
);

const richValueModel = z.looseObject({
  "@context": text,
  "@type": open("MonetaryAmount", "StructuredValue", "WebPage", "ImageObject", "Person"),
});
/** A JSON-LD object of the `rich` format. */
export interface RichValue extends z.output<typeof richValueModel> {}
const richValue: z.ZodType<RichValue> = named("RichValue", richValueModel);
/**
 * A value as the service returns it: plain for `simple`, with arrays for `simpleWithArrays`, with
 * objects for `rich`.
 */
export type CellValue = string | number | boolean | RichValue | readonly CellValue[];
const cellValue: z.ZodType<CellValue> = named(
  "CellValue",
  z.union([scalar, richValue, z.array(z.lazy(() => cellValue))]),
);

const rowModel = z.object({
  ...resource("row"),
  /** Text of the display column. */
  name: text,
  index: count,
  browserLink: url,
  createdAt: time,
  updatedAt: time,
  /** By column id, or by column name when the request asked for names. */
  values: z.record(text, cellValue),
  parent: tableReference.optional(),
});
export interface Row extends z.output<typeof rowModel> {}
export const row: z.ZodType<Row> = named("Row", rowModel);

const acceptedModel = z.object({ requestId: text });
/** An edit that was accepted and is applied later. */
export interface AcceptedEdit extends z.output<typeof acceptedModel> {}
export const acceptedEdit: z.ZodType<AcceptedEdit> = named("AcceptedEdit", acceptedModel);

const rowsUpsertedModel = acceptedModel.extend({
  /** In the order of the request; only when no key columns were given. */
  addedRowIds: z.array(text).optional(),
});
export interface RowsUpserted extends z.output<typeof rowsUpsertedModel> {}
export const rowsUpserted: z.ZodType<RowsUpserted> = named("RowsUpserted", rowsUpsertedModel);

const rowsDeletedModel = acceptedModel.extend({ rowIds: z.array(text) });
export interface RowsDeleted extends z.output<typeof rowsDeletedModel> {}
export const rowsDeleted: z.ZodType<RowsDeleted> = named("RowsDeleted", rowsDeletedModel);

const rowEditedModel = acceptedModel.extend({ id: text });
export interface RowEdited extends z.output<typeof rowEditedModel> {}
export const rowEdited: z.ZodType<RowEdited> = named("RowEdited", rowEditedModel);

const buttonPushedModel = acceptedModel.extend({ rowId: text, columnId: text });
export interface ButtonPushed extends z.output<typeof buttonPushedModel> {}
export const buttonPushed: z.ZodType<ButtonPushed> = named("ButtonPushed", buttonPushedModel);

const mutationModel = z.object({
  completed: flag,
  /** What went wrong although the edit counts as completed. */
  warning: z.union([text, z.null()]).optional(),
});
export interface MutationStatus extends z.output<typeof mutationModel> {}
export const mutationStatus: z.ZodType<MutationStatus> = named("MutationStatus", mutationModel);

const formulaReferenceModel = z.object({
  ...resource("formula"),
  name: text,
  parent: pageReference.optional(),
});
export interface FormulaReference extends z.output<typeof formulaReferenceModel> {}
export const formulaReference: z.ZodType<FormulaReference> = named(
  "FormulaReference",
  formulaReferenceModel,
);

const formulaModel = formulaReferenceModel.extend({ value: cellEdit });
export interface Formula extends z.output<typeof formulaModel> {}
export const formula: z.ZodType<Formula> = named("Formula", formulaModel);

const controlReferenceModel = z.object({
  ...resource("control"),
  name: text,
  parent: pageReference.optional(),
});
export interface ControlReference extends z.output<typeof controlReferenceModel> {}
export const controlReference: z.ZodType<ControlReference> = named(
  "ControlReference",
  controlReferenceModel,
);

const CONTROL_TYPES = [
  "aiBlock",
  "button",
  "checkbox",
  "datePicker",
  "dateRangePicker",
  "dateTimePicker",
  "lookup",
  "multiselect",
  "select",
  "scale",
  "slider",
  "reaction",
  "textbox",
  "timePicker",
] as const;
export type ControlType = (typeof CONTROL_TYPES)[number];

const controlModel = controlReferenceModel.extend({
  controlType: open(...CONTROL_TYPES),
  value: cellEdit,
});
export interface Control extends z.output<typeof controlModel> {}
export const control: z.ZodType<Control> = named("Control", controlModel);

const userModel = z.object({
  name: text,
  loginId: text,
  type: z.literal("user"),
  href: url,
  /** The token has restricted access. */
  scoped: flag,
  tokenName: text,
  workspace: workspaceReference,
  pictureLink: url.optional(),
});
export interface User extends z.output<typeof userModel> {}
export const user: z.ZodType<User> = named("User", userModel);

const resolvedLinkModel = z.object({
  type: z.literal("apiLink"),
  href: url,
  browserLink: url.optional(),
  resource: z.object({
    type: open("doc", "page", "table", "row", "column", "formula", "control"),
    id: text,
    name: text,
    href: url,
  }),
});
/** The resource that a browser link points to. */
export interface ResolvedLink extends z.output<typeof resolvedLinkModel> {}
export const resolvedLink: z.ZodType<ResolvedLink> = named("ResolvedLink", resolvedLinkModel);

export interface RowEnvelope<Item = Row> extends Envelope<Item> {
  /** Lists, later on, what changed since the first page of this listing. */
  nextSyncToken?: string | undefined;
}
export const rowEnvelope: z.ZodType<RowEnvelope> = named(
  "RowList",
  z.object({ ...envelopeShape(row), nextSyncToken: text.optional() }),
);
