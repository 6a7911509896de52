import { type Definition, withProperty, withSchema } from "../definitions.ts";
import type { Row } from "./row.ts";

const object = (members: Definition) =>
  withSchema({ type: "object", properties: { id: { type: "string" } }, ...members });
/** A list of lists of lists … */
const lists = (depth: number): Definition =>
  depth === 0 ? { type: "string" } : { type: "array", items: lists(depth - 1) };
export const scalarSchemaRows: Row[] = [
  [
    "63",
    withProperty({ type: "number", codaType: "scale", icon: "star" }),
    withProperty({ type: "number", codaType: "slider", icon: "star" }),
    "SCHEMA_KEY_UNKNOWN formulas[0].schema.properties.a.icon",
  ],
  [
    "63 in arrays",
    withProperty({ type: "array", items: { type: "string" } }),
    withProperty({ type: "array", items: { type: "string", precision: 1 } }),
    "SCHEMA_KEY_UNKNOWN formulas[0].schema.properties.a.items.precision",
  ],
  [
    "64",
    withProperty({ type: "string", codaType: "url" }),
    withProperty({ type: "number", codaType: "url" }),
    "SCHEMA_HINT formulas[0].schema.properties.a.codaType",
  ],
  [
    "65",
    withProperty({ type: "number", codaType: "scale", icon: "heart" }),
    withProperty({ type: "number", codaType: "scale", icon: "hart" }),
    "SCHEMA_OPTION_VALUE formulas[0].schema.properties.a.icon",
  ],
  [
    "78",
    object({ idProperty: "id" }),
    object({ idProperty: "Id" }),
    "SCHEMA_PROPERTY_UNKNOWN formulas[0].schema.idProperty",
  ],
  [
    "79",
    object({ displayProperty: "id" }),
    object({ displayProperty: "name" }),
    "SCHEMA_PROPERTY_UNKNOWN formulas[0].schema.displayProperty",
  ],
  [
    "80",
    object({ featuredProperties: ["id"] }),
    object({ featuredProperties: ["id", "no"] }),
    "SCHEMA_PROPERTY_UNKNOWN formulas[0].schema.featuredProperties[1]",
  ],
  [
    "80 paths",
    object({
      properties: {
        owners: {
          type: "array",
          items: { type: "object", properties: { name: { type: "string" } } },
        },
      },
      featuredProperties: ["owners[*].name", "owners.name"],
    }),
    object({
      properties: { owner: { type: "object", properties: { name: { type: "string" } } } },
      featuredProperties: ["owner.mail", "owner.name.first"],
    }),
    "SCHEMA_PROPERTY_UNKNOWN formulas[0].schema.featuredProperties[0]",
    "SCHEMA_PROPERTY_UNKNOWN formulas[0].schema.featuredProperties[1]",
  ],
  [
    "A12 object schema",
    object({ titleProperty: "id" }),
    object({ titlePropety: "id" }),
    "KEY_UNKNOWN formulas[0].schema.titlePropety",
  ],
  [
    "66",
    withProperty({ type: "number", codaType: "currency", format: "accounting" }),
    withProperty({ type: "number", codaType: "currency", format: "none" }),
    "SCHEMA_OPTION_VALUE formulas[0].schema.properties.a.format",
  ],
  [
    "67",
    withProperty({ type: "number", codaType: "duration", maxUnit: "hours" }),
    withProperty({ type: "number", codaType: "duration", maxUnit: "none" }),
    "SCHEMA_OPTION_VALUE formulas[0].schema.properties.a.maxUnit",
  ],
  [
    "68",
    withProperty({ type: "string", codaType: "email", display: "iconOnly" }),
    withProperty({ type: "string", codaType: "email", display: "none" }),
    "SCHEMA_OPTION_VALUE formulas[0].schema.properties.a.display",
  ],
  [
    "69",
    withProperty({ type: "string", codaType: "url", display: "card" }),
    withProperty({ type: "string", codaType: "url", display: "none" }),
    "SCHEMA_OPTION_VALUE formulas[0].schema.properties.a.display",
  ],
  [
    "70",
    withProperty({ type: "string", codaType: "image", imageOutline: "solid" }),
    withProperty({ type: "string", codaType: "image", imageOutline: "none" }),
    "SCHEMA_OPTION_VALUE formulas[0].schema.properties.a.imageOutline",
  ],
  [
    "71",
    withProperty({ type: "string", codaType: "image", imageCornerStyle: "square" }),
    withProperty({ type: "string", codaType: "image", imageCornerStyle: "none" }),
    "SCHEMA_OPTION_VALUE formulas[0].schema.properties.a.imageCornerStyle",
  ],
  [
    "72",
    withProperty({ type: "string", codaType: "imageAttachment", imageShapeStyle: "circle" }),
    withProperty({ type: "string", codaType: "imageAttachment", imageShapeStyle: "none" }),
    "SCHEMA_OPTION_VALUE formulas[0].schema.properties.a.imageShapeStyle",
  ],
  [
    "63 types",
    withProperty({ type: "string" }),
    withProperty({ type: "text" }),
    "SCHEMA_TYPE_UNKNOWN formulas[0].schema.properties.a.type",
  ],
  [
    "63 depth",
    withProperty(lists(45)),
    withProperty(lists(51)),
    `SCHEMA_DEEP formulas[0].schema.properties.a${".items".repeat(50)}`,
  ],
];
