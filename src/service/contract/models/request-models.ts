import * as z from "zod";
import { DOC_ORDERS, PACK_FORMULA_ORDERS, PACK_FORMULA_TYPES, PACK_ORDERS } from "../analytics-metrics.ts";
import type {
  AddPermissionBody,
  BeginPageExportBody,
  CanvasContent,
  CreateDocBody,
  CreatePageBody,
  DateRange,
  DeletePageContentBody,
  DeleteRowsBody,
  PageContent,
  PageQuery,
  PublishDocBody,
  UpdateAclSettingsBody,
  UpdateDocBody,
  UpdatePageBody,
  UpdateRowBody,
  UpsertRowsBody,
} from "../requests.ts";
import type { RowEdit } from "../wire.ts";
import { cellEdit, named, principal, type ShapeOf } from "./wire-models.ts";

const text = z.string();
const texts = z.array(z.string());
const flag = z.boolean();
const name = z.string().min(1).max(10_000);
const longText = z.string().max(10_000).optional();
const iconName = z.string().max(1_000).optional();
const webUrl = z.string().max(8_192).refine(isWebUrl, "must be an http or https URL");

const maybe = text.optional();
const maybeFlag = flag.optional();

export const updateDocBody = named("UpdateDocBody", z.object({ title: name.optional(), iconName } satisfies ShapeOf<UpdateDocBody>));

export const addPermissionBody = named(
  "AddPermissionBody",
  z.object({
    access: z.enum(["readonly", "write", "comment"]),
    principal,
    suppressEmail: maybeFlag,
  } satisfies ShapeOf<AddPermissionBody>),
);

export const updateAclSettingsBody = named(
  "UpdateAclSettingsBody",
  z.object({
    allowEditorsToChangePermissions: maybeFlag,
    allowCopying: maybeFlag,
    allowViewersToRequestEditing: maybeFlag,
  } satisfies ShapeOf<UpdateAclSettingsBody>),
);

export const publishDocBody = named(
  "PublishDocBody",
  z.object({
    slug: z
      .string()
      .regex(/^[\p{L}\p{N}][\p{L}\p{N}_-]{0,99}$/u, "must be letters, digits and dashes")
      .optional(),
    discoverable: maybeFlag,
    earnCredit: maybeFlag,
    categoryNames: texts.optional(),
    mode: z.enum(["view", "play", "edit"]).optional(),
  } satisfies ShapeOf<PublishDocBody>),
);

const canvasContent = named(
  "CanvasContent",
  z.object({ format: z.enum(["html", "markdown"]), content: text } satisfies ShapeOf<CanvasContent>),
);

const pageContent = named(
  "PageContent",
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("canvas"), canvasContent }),
    z.object({ type: z.literal("embed"), url: webUrl, renderMethod: z.enum(["compatibility", "standard"]).optional() }),
    z.discriminatedUnion("mode", [
      z.object({
        type: z.literal("syncPage"),
        mode: z.literal("page"),
        sourceDocId: text,
        sourcePageId: text,
        includeSubpages: maybeFlag,
      }),
      z.object({ type: z.literal("syncPage"), mode: z.literal("document"), sourceDocId: text }),
    ]),
  ]) satisfies z.ZodType<PageContent>,
);

export const createPageBody = named(
  "CreatePageBody",
  z.object({
    name: name.optional(),
    subtitle: longText,
    iconName,
    imageUrl: webUrl.optional(),
    parentPageId: maybe,
    pageContent: pageContent.optional(),
  } satisfies ShapeOf<CreatePageBody>),
);

export const createDocBody = named(
  "CreateDocBody",
  z.object({
    title: longText,
    sourceDoc: maybe,
    timezone: maybe,
    folderId: maybe,
    initialPage: createPageBody.optional(),
  } satisfies ShapeOf<CreateDocBody>),
);

export const updatePageBody = named(
  "UpdatePageBody",
  z.object({
    name: name.optional(),
    subtitle: longText,
    iconName,
    imageUrl: webUrl.optional(),
    isHidden: maybeFlag,
    contentUpdate: z
      .object({
        insertionMode: z.enum(["append", "prepend", "replace"]),
        elementId: maybe,
        canvasContent,
      } satisfies ShapeOf<NonNullable<UpdatePageBody["contentUpdate"]>>)
      .optional(),
  } satisfies ShapeOf<UpdatePageBody>),
);

export const deletePageContentBody = named(
  "DeletePageContentBody",
  z.object({ elementIds: texts.optional() } satisfies ShapeOf<DeletePageContentBody>),
);
export const beginPageExportBody = named(
  "BeginPageExportBody",
  z.object({ outputFormat: z.enum(["html", "markdown"]) } satisfies ShapeOf<BeginPageExportBody>),
);
export const automationBody = named("AutomationBody", z.record(text, z.unknown()));

const rowEdit = named("RowEdit", z.object({ cells: z.array(z.object({ column: text, value: cellEdit })) } satisfies ShapeOf<RowEdit>));
export const upsertRowsBody = named(
  "UpsertRowsBody",
  z.object({ rows: z.array(rowEdit), keyColumns: texts.optional(), rowIds: texts.optional() } satisfies ShapeOf<UpsertRowsBody>),
);
export const updateRowBody = named("UpdateRowBody", z.object({ row: rowEdit } satisfies ShapeOf<UpdateRowBody>));
export const deleteRowsBody = named("DeleteRowsBody", z.object({ rowIds: texts } satisfies ShapeOf<DeleteRowsBody>));

/** Query parameters of a list. The service caps a limit that is too large. */
export function pageQuery(fallback = 25) {
  return {
    limit: z.int().min(1).optional().describe(`Items per page, ${fallback} by default. What is more than the maximum is capped.`),
    pageToken: maybe.describe("Continues a listing. Every other parameter is ignored."),
  } satisfies ShapeOf<PageQuery>;
}

export const dateRange = {
  sinceDate: z.iso.date().optional().describe("The first day."),
  untilDate: z.iso.date().optional().describe("The last day."),
} satisfies ShapeOf<DateRange>;

export const sorted = { sortBy: z.literal("name").optional() };
export const valueOptions = {
  useColumnNames: maybeFlag.describe("Keys of the values are column names instead of ids."),
  valueFormat: z.enum(["simple", "simpleWithArrays", "rich"]).optional(),
};
export const parsing = { disableParsing: maybeFlag.describe("Stores texts as they are.") };

export const docOrder = z.enum(DOC_ORDERS).optional();
export const packOrder = z.enum(PACK_ORDERS).optional();
export const packFormulaOrder = z.enum(PACK_FORMULA_ORDERS).optional();
export const packFormulaTypes = z.array(z.enum(PACK_FORMULA_TYPES)).optional();
export const scale = z.enum(["daily", "cumulative"]).optional();
export const direction = z.enum(["ascending", "descending"]).optional();

function isWebUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
