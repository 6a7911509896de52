import * as z from "zod";
import {
  AttributionNodeType,
  CurrencyFormat,
  DurationUnit,
  EmailDisplayType,
  ImageCornerStyle,
  ImageOutline,
  ImageShapeStyle,
  IndexingStrategy,
  LifecycleBehavior,
  LinkDisplayType,
  PermissionsBehavior,
  ScaleIconSet,
} from "../define/enumerations.ts";
import type {
  CategorizationIndexDefinition,
  CustomIndexDefinition,
  Identity,
  ImageAttributionNode,
  LinkAttributionNode,
  ObjectSchema,
  ParentDefinition,
  PropertyIdentifierDetails,
  PropertyOptions,
  TextAttributionNode,
} from "../define/schema.ts";
import { anything, optionalFlag, optionalNumber, optionalText, optionalTexts, type ShapeOf, text } from "./shape.ts";

const one = (values: Readonly<Record<string, string>>): z.ZodType => z.enum(Object.values(values)).optional();
const numberOrFormula = z.union([z.number(), z.string()]).optional();

const base = {
  type: text,
  codaType: anything,
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
const plainNumber = z.strictObject({ ...base, precision: optionalNumber, useThousandsSeparator: optionalFlag });
const plain = z.strictObject(base);
const image = z.strictObject({
  ...base,
  imageOutline: one(ImageOutline),
  imageCornerStyle: one(ImageCornerStyle),
  imageShapeStyle: one(ImageShapeStyle),
  width: numberOrFormula,
  height: numberOrFormula,
});
const choices = { options: anything, allowNewValues: optionalFlag, requireForUpdates: optionalFlag };

/** Names a property: text, or with a label of its own. */
const identifier = z.union([
  z.string(),
  z.strictObject({ property: text, label: optionalText, placeholder: optionalText } satisfies ShapeOf<PropertyIdentifierDetails>),
]);
const optionalIdentifier = identifier.optional();
const attributionNode = z.union([
  z.strictObject({ type: z.literal(AttributionNodeType.Text), text } satisfies ShapeOf<TextAttributionNode>),
  z.strictObject({ type: z.literal(AttributionNodeType.Link), anchorUrl: text, anchorText: text } satisfies ShapeOf<LinkAttributionNode>),
  z.strictObject({ type: z.literal(AttributionNodeType.Image), anchorUrl: text, imageUrl: text } satisfies ShapeOf<ImageAttributionNode>),
]);
const baseIndex = {
  contextProperties: z.array(identifier).optional(),
  filterableProperties: z.array(identifier).optional(),
  authorityNormProperty: optionalIdentifier,
  popularityNormProperty: optionalIdentifier,
};
const customIndex = z.strictObject({
  ...baseIndex,
  properties: z.array(z.union([identifier, z.strictObject({ property: identifier, strategy: z.enum(IndexingStrategy) })])),
} satisfies ShapeOf<CustomIndexDefinition>);
const categorizationIndex = z.strictObject({
  ...baseIndex,
  contentCategorization: z.looseObject({ type: text }),
} satisfies ShapeOf<CategorizationIndexDefinition>);

/** An object schema's own members. Its properties are checked one by one. */
const object = z.strictObject({
  ...base,
  ...({
    type: text,
    codaType: anything,
    properties: z.looseObject({}),
    idProperty: optionalText,
    displayProperty: optionalText,
    featuredProperties: optionalTexts,
    identity: z
      .strictObject({
        name: text,
        packId: optionalNumber,
        dynamicUrl: optionalText,
        mergeKey: optionalText,
        attribution: z.array(attributionNode).optional(),
      } satisfies ShapeOf<Identity>)
      .optional(),
    includeUnknownProperties: optionalFlag,
    options: anything,
    requireForUpdates: optionalFlag,
    attribution: z.array(attributionNode).optional(),
    titleProperty: optionalIdentifier,
    linkProperty: optionalIdentifier,
    subtitleProperties: z.array(identifier).optional(),
    snippetProperty: optionalIdentifier,
    imageProperty: optionalIdentifier,
    createdAtProperty: optionalIdentifier,
    createdByProperty: optionalIdentifier,
    modifiedAtProperty: optionalIdentifier,
    modifiedByProperty: optionalIdentifier,
    userEmailProperty: optionalIdentifier,
    index: z.union([customIndex, categorizationIndex]).optional(),
    id: optionalText,
    primary: optionalText,
    featured: optionalTexts,
    userIdProperty: optionalIdentifier,
    groupIdProperty: optionalIdentifier,
    memberGroupIdProperty: optionalIdentifier,
    versionProperty: optionalIdentifier,
    parent: z
      .strictObject({
        parentIdProperty: identifier,
        permissions: one(PermissionsBehavior),
        lifecycle: one(LifecycleBehavior),
      } satisfies ShapeOf<ParentDefinition>)
      .optional(),
    __packId: optionalNumber,
  } satisfies ShapeOf<Omit<ObjectSchema, keyof PropertyOptions>>),
});

/** The shape of each schema, by type and value hint; the empty hint stands for none (rules 63 and 64). */
export const schemaShapes: Readonly<Record<string, Readonly<Record<string, z.ZodObject>>>> = {
  boolean: { "": plain, toggle: plain },
  number: {
    "": plainNumber,
    percent: plainNumber,
    date,
    time: date,
    datetime: dateTime,
    duration,
    currency: z.strictObject({ ...base, precision: optionalNumber, currencyCode: optionalText, format: one(CurrencyFormat) }),
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
