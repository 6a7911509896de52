import * as z from "zod/mini";
import {
  AttributionNodeType,
  CurrencyFormat,
  DurationUnit,
  EmailDisplayType,
  ImageCornerStyle,
  ImageOutline,
  ImageShapeStyle,
  LifecycleBehavior,
  LinkDisplayType,
  PermissionsBehavior,
  ScaleIconSet,
} from "../define/enumerations.ts";
import type { PropertyOptions } from "../define/scalar-schemas.ts";
import type { ObjectSchema } from "../define/schema.ts";
import type {
  Identity,
  ImageAttributionNode,
  LinkAttributionNode,
  ParentDefinition,
  TextAttributionNode,
} from "../define/schema-annotations.ts";
import {
  anything,
  optionalFlag,
  optionalNumber,
  optionalText,
  optionalTexts,
  type ShapeOf,
  text,
} from "./shape.ts";

const one = (values: Readonly<Record<string, string>>): z.ZodMiniType =>
  z.optional(z.enum(Object.values(values)));
/** Rules check its entries and report more than a shape can. */
const optionalList = z.optional(z.array(z.unknown()));
const numberOrFormula = z.optional(z.union([z.number(), z.string()]));

const base = {
  type: text,
  codaType: anything,
  // Rules of their own report these.
  autocomplete: anything,
  originalKey: anything,
  options: anything,
  ...({
    description: optionalText,
    fromKey: optionalText,
    displayName: optionalText,
    required: optionalFlag,
    mutable: optionalFlag,
    fixedId: optionalText,
  } satisfies ShapeOf<PropertyOptions>),
};
const date = z.strictObject({ ...base, format: optionalText });
const dateTime = z.strictObject({ ...base, dateFormat: optionalText, timeFormat: optionalText });
const duration = z.strictObject({ ...base, precision: optionalNumber, maxUnit: one(DurationUnit) });
const range = z.strictObject({
  ...base,
  minimum: numberOrFormula,
  maximum: numberOrFormula,
  step: numberOrFormula,
  showValue: optionalFlag,
});
const plainNumber = z.strictObject({
  ...base,
  precision: optionalNumber,
  useThousandsSeparator: optionalFlag,
});
const plain = z.strictObject(base);
const image = z.strictObject({
  ...base,
  imageOutline: one(ImageOutline),
  imageCornerStyle: one(ImageCornerStyle),
  imageShapeStyle: one(ImageShapeStyle),
  width: numberOrFormula,
  height: numberOrFormula,
});
const choices = { allowNewValues: optionalFlag, requireForUpdates: optionalFlag };

/** The shape of each kind of attribution. */
export const attributionShapes: Readonly<Record<string, z.ZodMiniObject>> = {
  [AttributionNodeType.Text]: z.strictObject({
    type: anything,
    text,
  } satisfies ShapeOf<TextAttributionNode>),
  [AttributionNodeType.Link]: z.strictObject({
    type: anything,
    anchorUrl: text,
    anchorText: text,
  } satisfies ShapeOf<LinkAttributionNode>),
  [AttributionNodeType.Image]: z.strictObject({
    type: anything,
    anchorUrl: text,
    imageUrl: text,
  } satisfies ShapeOf<ImageAttributionNode>),
};

/** The members of an object schema. Its properties are checked one by one. */
const object = z.strictObject({
  ...base,
  ...({
    type: text,
    codaType: anything,
    properties: z.looseObject({}),
    idProperty: optionalText,
    displayProperty: optionalText,
    featuredProperties: optionalTexts,
    identity: z.optional(
      z.strictObject({
        name: text,
        packId: optionalNumber,
        dynamicUrl: optionalText,
        mergeKey: optionalText,
        attribution: optionalList,
      } satisfies ShapeOf<Identity>),
    ),
    includeUnknownProperties: optionalFlag,
    options: anything,
    requireForUpdates: optionalFlag,
    attribution: optionalList,
    titleProperty: anything,
    linkProperty: anything,
    subtitleProperties: optionalList,
    snippetProperty: anything,
    imageProperty: anything,
    createdAtProperty: anything,
    createdByProperty: anything,
    modifiedAtProperty: anything,
    modifiedByProperty: anything,
    userEmailProperty: anything,
    index: z.optional(z.looseObject({})),
    id: optionalText,
    primary: optionalText,
    featured: optionalTexts,
    userIdProperty: anything,
    groupIdProperty: anything,
    memberGroupIdProperty: anything,
    versionProperty: anything,
    parent: z.optional(
      z.strictObject({
        parentIdProperty: anything,
        permissions: one(PermissionsBehavior),
        lifecycle: one(LifecycleBehavior),
      } satisfies ShapeOf<ParentDefinition>),
    ),
    __packId: optionalNumber,
  } satisfies ShapeOf<Omit<ObjectSchema, keyof PropertyOptions>>),
});

/** The shape of each schema, by type and value hint; the empty text stands for no hint. */
export const schemaShapes: Readonly<Record<string, Readonly<Record<string, z.ZodMiniObject>>>> = {
  boolean: { "": plain, toggle: plain },
  number: {
    "": plainNumber,
    percent: plainNumber,
    date,
    time: date,
    datetime: dateTime,
    duration,
    currency: z.strictObject({
      ...base,
      precision: optionalNumber,
      currencyCode: optionalText,
      format: one(CurrencyFormat),
    }),
    slider: range,
    progressBar: range,
    scale: z.strictObject({ ...base, maximum: optionalNumber, icon: one(ScaleIconSet) }),
  },
  string: {
    "": plain,
    attachment: plain,
    html: plain,
    markdown: plain,
    date,
    time: date,
    datetime: dateTime,
    duration,
    email: z.strictObject({ ...base, display: one(EmailDisplayType) }),
    url: z.strictObject({ ...base, display: one(LinkDisplayType), force: optionalFlag }),
    embed: z.strictObject({ ...base, force: optionalFlag }),
    image,
    imageAttachment: image,
    selectList: z.strictObject({ ...base, ...choices }),
    codaInternalRichText: z.strictObject({ ...base, isCanvas: optionalFlag }),
  },
  array: { "": z.strictObject({ ...base, items: anything }) },
  object: { "": object, person: object, reference: object, selectList: object },
};
