import * as z from "zod";
import { PACK_FORMULA_TYPES } from "../analytics-metrics.ts";
import type {
  AcceptedEdit,
  AclSettings,
  ButtonPushed,
  CellEdit,
  CellValue,
  Column,
  ColumnFormat,
  ColumnReference,
  Control,
  ControlReference,
  Doc,
  DocCategory,
  DocPublished,
  Envelope,
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
  PrincipalSearch,
  ResolvedLink,
  Resource,
  RichValue,
  Row,
  RowEdited,
  RowsDeleted,
  RowsUpserted,
  SharingMetadata,
  Sort,
  Table,
  TableReference,
  User,
  UserSummary,
  WorkspaceReference,
} from "../wire.ts";

/** A missing or an extra member of a shape fails to compile. */
export type ShapeOf<Value> = { [Key in keyof Required<Value>]: z.ZodType<Value[Key]> };

/** Every model that a description names, by the name of its type. */
export const MODELS = z.registry<{ id: string }>();

export function named<Model extends z.ZodType>(id: string, model: Model): Model {
  MODELS.add(model, { id });
  return model;
}

/** A value of a list that may grow: the known ones, or any other text. */
export function open<const Known extends string>(...known: [Known, ...Known[]]) {
  return z.union([z.enum(known), z.string()]);
}

const text = z.string();
const url = z.url();
const time = z.iso.datetime({ offset: true });
const count = z.int().min(0);
const flag = z.boolean();

const resource = <const Type extends string>(type: Type) =>
  ({ id: text, type: z.literal(type), href: url }) satisfies ShapeOf<Resource<Type>>;

export const errorBody = named(
  "ErrorBody",
  z.object({ statusCode: z.int(), statusMessage: text, message: text } satisfies ShapeOf<ErrorBody>),
);

export const icon = named("Icon", z.object({ name: text, type: text, browserLink: url.optional() } satisfies ShapeOf<Icon>));

const workspaceReference = named(
  "WorkspaceReference",
  z.object({
    id: text,
    type: z.literal("workspace"),
    organizationId: text.optional(),
    browserLink: url,
    name: text.optional(),
  } satisfies ShapeOf<WorkspaceReference>),
);

const folderReference = named(
  "FolderReference",
  z.object({ id: text, type: z.literal("folder"), browserLink: url, name: text.optional() } satisfies ShapeOf<FolderReference>),
);

const docPublished = named(
  "DocPublished",
  z.object({
    description: text.optional(),
    browserLink: url,
    imageLink: url.optional(),
    discoverable: flag,
    earnCredit: flag,
    mode: open("view", "play", "edit"),
    // V2: two forms are in use; the client makes texts of both.
    categories: z.array(z.union([text, z.object({ name: text })])) as unknown as z.ZodType<string[]>,
  } satisfies ShapeOf<DocPublished>),
);

const docShape = {
  ...resource("doc"),
  browserLink: url,
  name: text,
  owner: text,
  ownerName: text,
  createdAt: time,
  updatedAt: time,
  workspace: workspaceReference,
  folder: folderReference,
  workspaceId: text,
  folderId: text,
  icon: icon.optional(),
  docSize: z
    .object({
      totalRowCount: count,
      tableAndViewCount: count,
      pageCount: count,
      overApiSizeLimit: flag,
      baseTableCount: count.optional(),
    } satisfies ShapeOf<NonNullable<Doc["docSize"]>>)
    .optional(),
  sourceDoc: z.object({ ...resource("doc"), browserLink: url }).optional(),
  published: docPublished.optional(),
} satisfies ShapeOf<Doc>;

export const doc = named("Doc", z.object(docShape));
export const createdDoc = named("CreatedDoc", z.object({ ...docShape, requestId: text }));
export const docCategory = named("DocCategory", z.object({ name: text } satisfies ShapeOf<DocCategory>));

const pageReferenceShape = { ...resource("page"), browserLink: url, name: text } satisfies ShapeOf<PageReference>;
const pageReference = named("PageReference", z.object(pageReferenceShape));

const personValue = named(
  "PersonValue",
  z.object({
    "@context": text,
    "@type": open("Person"),
    additionalType: text.optional(),
    name: text,
    email: text.optional(),
  } satisfies ShapeOf<PersonValue>),
);

export const page = named(
  "Page",
  z.object({
    ...pageReferenceShape,
    isHidden: flag,
    isEffectivelyHidden: flag,
    children: z.array(pageReference),
    contentType: open("canvas", "embed", "syncPage"),
    subtitle: text.optional(),
    icon: icon.optional(),
    image: z.object({ browserLink: url, type: text, width: z.number(), height: z.number() }).optional(),
    parent: pageReference.optional(),
    authors: z.array(personValue).optional(),
    createdAt: time.optional(),
    createdBy: personValue.optional(),
    updatedAt: time.optional(),
    updatedBy: personValue.optional(),
  } satisfies ShapeOf<Page>),
);

const STYLES = ["paragraph", "h1", "h2", "h3", "bulletedList", "numberedList", "checkboxList", "collapsibleList"] as const;

export const pageContentItem = named(
  "PageContentItem",
  z.object({
    id: text,
    type: open("line"),
    itemContent: z.object({
      style: open(...STYLES, "blockQuote", "pullQuote", "code"),
      format: open("plainText"),
      content: text,
      lineLevel: count.optional(),
    } satisfies ShapeOf<PageContentItem["itemContent"]>),
  } satisfies ShapeOf<PageContentItem>),
);

export const pageEdited = named("PageEdited", z.object({ requestId: text, id: text } satisfies ShapeOf<PageEdited>));

const exportShape = { id: text, status: open("inProgress", "complete", "failed"), href: url } satisfies ShapeOf<PageExportBegun>;
export const pageExportBegun = named("PageExportBegun", z.object(exportShape));
export const pageExport = named(
  "PageExport",
  z.object({ ...exportShape, downloadLink: url.optional(), error: text.optional() } satisfies ShapeOf<PageExport>),
);

const key = z.string().min(1).max(1_000);
const principalKinds = [
  z.object({ type: z.literal("email"), email: key }),
  z.object({ type: z.literal("group"), groupId: key, groupName: text.optional() }),
  z.object({ type: z.literal("domain"), domain: key }),
  z.object({ type: z.literal("workspace"), workspaceId: key }),
  z.object({ type: z.literal("anyone") }),
] as const;
export const principal = named("Principal", z.discriminatedUnion("type", principalKinds));
const grantedPrincipal: z.ZodType<GrantedPrincipal> = named(
  "GrantedPrincipal",
  z.discriminatedUnion("type", [...principalKinds, z.object({ type: z.literal("internalAccess"), internalAccessType: text })]),
);
export const permission = named(
  "Permission",
  z.object({ id: text, access: open("readonly", "write", "comment"), principal: grantedPrincipal } satisfies ShapeOf<Permission>),
);

export const sharingMetadata = named(
  "SharingMetadata",
  z.object({ canShare: flag, canShareWithWorkspace: flag, canShareWithOrg: flag, canCopy: flag } satisfies ShapeOf<SharingMetadata>),
);
export const aclSettings = named(
  "AclSettings",
  z.object({
    allowEditorsToChangePermissions: flag,
    allowCopying: flag,
    allowViewersToRequestEditing: flag,
  } satisfies ShapeOf<AclSettings>),
);
export const principalSearch = named(
  "PrincipalSearch",
  z.object({
    users: z.array(z.object({ name: text, loginId: text, type: z.literal("user") } satisfies ShapeOf<UserSummary>)),
    groups: z.array(z.object({ type: z.literal("group"), groupId: text, groupName: text } satisfies ShapeOf<GroupPrincipal>)),
  } satisfies ShapeOf<PrincipalSearch>),
);

const tableReferenceShape = {
  ...resource("table"),
  tableType: open("table", "view"),
  browserLink: url,
  name: text,
  parent: pageReference.optional(),
} satisfies ShapeOf<TableReference>;
export const tableReference = named("TableReference", z.object(tableReferenceShape));
const columnReference = named("ColumnReference", z.object(resource("column") satisfies ShapeOf<ColumnReference>));
const sort = named("Sort", z.object({ column: columnReference, direction: open("ascending", "descending") } satisfies ShapeOf<Sort>));

const CHARTS = ["areaChart", "barChart", "bubbleChart", "ganttChart", "lineChart", "pieChart", "scatterChart", "wordCloud"] as const;

export const table = named(
  "Table",
  z.object({
    ...tableReferenceShape,
    viewId: text.optional(),
    displayColumn: columnReference,
    rowCount: count,
    sorts: z.array(sort),
    layout: open("default", "calendar", "card", "detail", "form", "masterDetail", "slide", ...CHARTS),
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
      } satisfies ShapeOf<NonNullable<Table["filter"]>>)
      .optional(),
  } satisfies ShapeOf<Table>),
);

const columnFormat: z.ZodType<ColumnFormat> = named(
  "ColumnFormat",
  z.looseObject({
    type: open(
      ...(["text", "person", "lookup", "number", "percent", "currency", "date", "dateTime", "time", "duration", "email"] as const),
      ...(["link", "slider", "scale", "image", "imageReference", "attachments", "button", "checkbox", "select"] as const),
      ...(["packObject", "reaction", "canvas", "other"] as const),
    ),
    isArray: flag,
  }),
);

export const column = named(
  "Column",
  z.object({
    ...resource("column"),
    name: text,
    format: columnFormat,
    display: flag.optional(),
    calculated: flag.optional(),
    formula: text.optional(),
    defaultValue: text.optional(),
    parent: tableReference.optional(),
  } satisfies ShapeOf<Column>),
);

const scalar = z.union([text, z.number(), flag]);
/** A value that may be written. There is no null. */
export const cellEdit: z.ZodType<CellEdit> = named("CellEdit", z.union([scalar, z.array(z.union([scalar, z.array(scalar)]))]));

const richValue: z.ZodType<RichValue> = named(
  "RichValue",
  z.looseObject({ "@context": text, "@type": open("MonetaryAmount", "StructuredValue", "WebPage", "ImageObject", "Person") }),
);
const cellValue: z.ZodType<CellValue> = named("CellValue", z.union([scalar, richValue, z.array(z.lazy(() => cellValue))]));

const rowShape = {
  ...resource("row"),
  name: text,
  index: count,
  browserLink: url,
  createdAt: time,
  updatedAt: time,
  values: z.record(text, cellValue),
  parent: tableReference.optional(),
} satisfies ShapeOf<Row>;
export const row = named("Row", z.object(rowShape));

export const acceptedEdit = named("AcceptedEdit", z.object({ requestId: text } satisfies ShapeOf<AcceptedEdit>));
export const rowsUpserted = named(
  "RowsUpserted",
  z.object({ requestId: text, addedRowIds: z.array(text).optional() } satisfies ShapeOf<RowsUpserted>),
);
export const rowsDeleted = named("RowsDeleted", z.object({ requestId: text, rowIds: z.array(text) } satisfies ShapeOf<RowsDeleted>));
export const rowEdited = named("RowEdited", z.object({ requestId: text, id: text } satisfies ShapeOf<RowEdited>));
export const buttonPushed = named(
  "ButtonPushed",
  z.object({ requestId: text, rowId: text, columnId: text } satisfies ShapeOf<ButtonPushed>),
);
export const mutationStatus = named(
  "MutationStatus",
  z.object({ completed: flag, warning: z.union([text, z.null()]).optional() } satisfies ShapeOf<MutationStatus>),
);

const formulaReferenceShape = { ...resource("formula"), name: text, parent: pageReference.optional() } satisfies ShapeOf<FormulaReference>;
export const formulaReference = named("FormulaReference", z.object(formulaReferenceShape));
export const formula = named("Formula", z.object({ ...formulaReferenceShape, value: cellEdit } satisfies ShapeOf<Formula>));

const controlReferenceShape = { ...resource("control"), name: text, parent: pageReference.optional() } satisfies ShapeOf<ControlReference>;
export const controlReference = named("ControlReference", z.object(controlReferenceShape));
export const control = named(
  "Control",
  z.object({
    ...controlReferenceShape,
    controlType: open(
      ...(["aiBlock", "button", "checkbox", "datePicker", "dateRangePicker", "dateTimePicker", "lookup"] as const),
      ...(["multiselect", "select", "scale", "slider", "reaction", "textbox", "timePicker"] as const),
    ),
    value: cellEdit,
  } satisfies ShapeOf<Control>),
);

export const user = named(
  "User",
  z.object({
    name: text,
    loginId: text,
    type: z.literal("user"),
    href: url,
    scoped: flag,
    tokenName: text,
    workspace: workspaceReference,
    pictureLink: url.optional(),
  } satisfies ShapeOf<User>),
);

export const resolvedLink = named(
  "ResolvedLink",
  z.object({
    type: z.literal("apiLink"),
    href: url,
    browserLink: url.optional(),
    resource: z.object({
      type: open("doc", "page", "table", "row", "column", "formula", "control"),
      id: text,
      name: text,
      href: url,
    } satisfies ShapeOf<ResolvedLink["resource"]>),
  } satisfies ShapeOf<ResolvedLink>),
);

export const packFormulaType = open(...PACK_FORMULA_TYPES);

/** One page of a list of these items. */
export function envelope<Item extends z.ZodType>(id: string, item: Item) {
  return named(id, z.object(envelopeShape(item)));
}

export const rowEnvelope = named("RowList", z.object({ ...envelopeShape(row), nextSyncToken: text.optional() }));

function envelopeShape<Item extends z.ZodType>(item: Item) {
  return {
    items: z.array(item),
    href: url.optional(),
    nextPageLink: url.optional(),
    nextPageToken: text.optional(),
  } satisfies ShapeOf<Envelope<z.output<Item>>>;
}
