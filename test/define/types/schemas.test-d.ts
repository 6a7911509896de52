import { expectTypeOf } from "vitest";
import {
  AttributionNodeType,
  generateSchema,
  makeAttributionNode,
  makeObjectSchema,
  makeReferenceSchemaFromObjectSchema,
  makeSchema,
  OptionsType,
  type PropertyOptionsExecutionContext,
  type Schema,
  type SchemaType,
  ValueHintType,
  ValueType,
  withIdentity,
} from "../../../src/index.ts";

// What each schema describes.
expectTypeOf<SchemaType<{ type: "string" }>>().toEqualTypeOf<string>();
expectTypeOf<SchemaType<{ type: "number" }>>().toEqualTypeOf<number>();
expectTypeOf<SchemaType<{ type: "boolean"; codaType: "toggle" }>>().toEqualTypeOf<boolean>();
expectTypeOf<SchemaType<{ type: "string"; codaType: "date" }>>().toEqualTypeOf<
  string | number | Date
>();
expectTypeOf<SchemaType<{ type: "string"; codaType: "datetime" }>>().toEqualTypeOf<
  string | number | Date
>();
expectTypeOf<SchemaType<{ type: "number"; codaType: "date" }>>().toEqualTypeOf<number | Date>();
expectTypeOf<SchemaType<{ type: "string"; codaType: "duration" }>>().toEqualTypeOf<string>();
expectTypeOf<SchemaType<{ type: "number"; codaType: "currency" }>>().toEqualTypeOf<number>();
expectTypeOf<
  SchemaType<{ type: "array"; items: { type: "array"; items: { type: "number" } } }>
>().toEqualTypeOf<number[][]>();

// Objects: required, optional, renamed, nested, with members that no property names.
const properties = {
  id: { type: ValueType.String, required: true },
  title: { type: ValueType.String, fromKey: "name", required: true },
  due: { type: ValueType.String, codaType: ValueHintType.Date },
  tags: { type: ValueType.Array, items: { type: ValueType.String } },
} as const;
const Task = makeObjectSchema({
  properties,
  idProperty: "id",
  displayProperty: "title",
  featuredProperties: ["due"],
});
interface TaskValue {
  id: string;
  name: string;
  due?: string | number | Date | null | undefined;
  tags?: string[] | null | undefined;
}
expectTypeOf<SchemaType<typeof Task>>().toEqualTypeOf<TaskValue>();
expectTypeOf(Task.idProperty).toEqualTypeOf<"id" | undefined>();
expectTypeOf(Task.type).toEqualTypeOf<"object">();
// A schema in place, through makeSchema and through makeObjectSchema describes the same.
expectTypeOf<SchemaType<{ properties: typeof properties }>>().toEqualTypeOf<TaskValue>();
const same = makeSchema({ type: "object", properties });
expectTypeOf<SchemaType<typeof same>>().toEqualTypeOf<TaskValue>();
const open = makeObjectSchema({
  properties: { id: { type: "string", required: true } },
  includeUnknownProperties: true,
});
expectTypeOf<SchemaType<typeof open>["id"]>().toEqualTypeOf<string>();
expectTypeOf<SchemaType<typeof open>["anything"]>().toEqualTypeOf<unknown>();
expectTypeOf(Task).toExtend<Schema>();

// Every value hint with its own members.
makeSchema({ type: "number", codaType: "percent", precision: 1, useThousandsSeparator: true });
makeSchema({ type: "number", codaType: "date", format: "YYYY" });
makeSchema({ type: "number", codaType: "time", format: "HH:mm" });
makeSchema({ type: "number", codaType: "datetime", dateFormat: "YYYY", timeFormat: "HH:mm" });
makeSchema({ type: "number", codaType: "duration", precision: 1, maxUnit: "hours" });
makeSchema({ type: "number", codaType: "currency", currencyCode: "EUR", format: "accounting" });
makeSchema({
  type: "number",
  codaType: "slider",
  minimum: 0,
  maximum: "Max()",
  step: 1,
  showValue: true,
});
makeSchema({ type: "number", codaType: "progressBar", minimum: 0, maximum: 10 });
makeSchema({ type: "number", codaType: "scale", maximum: 5, icon: "star" });
makeSchema({ type: "string", codaType: "date", format: "YYYY" });
makeSchema({ type: "string", codaType: "datetime", dateFormat: "YYYY" });
makeSchema({ type: "string", codaType: "duration", maxUnit: "days" });
makeSchema({ type: "string", codaType: "email", display: "iconOnly" });
makeSchema({ type: "string", codaType: "url", display: "card", force: true });
makeSchema({ type: "string", codaType: "embed", force: true });
makeSchema({
  type: "string",
  codaType: "image",
  imageOutline: "solid",
  imageCornerStyle: "square",
  imageShapeStyle: "circle",
  width: 10,
});
makeSchema({
  type: "string",
  codaType: "selectList",
  options: ["a", { display: "B", value: "b" }],
  allowNewValues: true,
});
makeSchema({
  type: "string",
  codaType: "selectList",
  options: OptionsType.Dynamic,
  requireForUpdates: true,
});
makeSchema({
  type: "string",
  codaType: "selectList",
  options: async (context) => {
    expectTypeOf(context).toEqualTypeOf<PropertyOptionsExecutionContext>();
    return { result: [context.search], cacheTtlSecs: 60 };
  },
});

// @ts-expect-error a hint of another type
makeSchema({ type: "string", codaType: "currency" });
// @ts-expect-error precison
makeSchema({ type: "number", codaType: "percent", precison: 1 });
// @ts-expect-error no such icon
makeSchema({ type: "number", codaType: "scale", icon: "unicorn" });
// @ts-expect-error no such unit
makeSchema({ type: "string", codaType: "duration", maxUnit: "weeks" });
// @ts-expect-error the items are missing
makeSchema({ type: "array" });
// @ts-expect-error no such type
makeSchema({ type: "date" });
// @ts-expect-error options are text
makeSchema({ type: "string", codaType: "selectList", options: [1] });

// Misspellings in objects and in their properties, and properties that are not there.
// @ts-expect-error idPropery
makeObjectSchema({ properties, idPropery: "id" });
// @ts-expect-error requird
makeObjectSchema({ properties: { id: { type: "string", requird: true } } });
// @ts-expect-error there is no property `key`
makeObjectSchema({ properties, idProperty: "key" });
// @ts-expect-error there is no property `name`: it is the name in the object
makeObjectSchema({ properties, displayProperty: "name" });
// @ts-expect-error there is no property `duo`
makeObjectSchema({ properties, idProperty: "id", featuredProperties: ["due", "duo"] });
// @ts-expect-error a list
makeObjectSchema({ properties, featuredProperties: "due" });
// @ts-expect-error names are text
makeObjectSchema({ properties, featuredProperties: [1] });
makeObjectSchema({ properties, featuredProperties: [] });
makeObjectSchema({
  properties: { owner: { type: "object", properties: { name: { type: "string" } } } },
  featuredProperties: ["owner", "owner.name"],
});
const featured = ["due", "tags"] as const;
expectTypeOf(
  makeObjectSchema({ properties, featuredProperties: featured }).featuredProperties,
).toEqualTypeOf<string[] | undefined>();
// @ts-expect-error a currency is a number
makeObjectSchema({ properties: { price: { type: "string", codaType: "currency" } } });
// @ts-expect-error a table is no object
makeObjectSchema({ properties, codaType: "table" });

// Everything else that an object schema says.
makeObjectSchema({
  properties,
  titleProperty: { property: "title", label: "", placeholder: "None" },
  subtitleProperties: ["due", { property: "tags", label: "Tags: {VALUE}" }],
  index: { properties: ["title"], contextProperties: ["due"], filterableProperties: ["due"] },
  attribution: [{ type: AttributionNodeType.Text, text: "From Tasks" }],
  identity: { name: "Task", dynamicUrl: "https://tasks.example/1" },
});
// @ts-expect-error a link has two texts
makeAttributionNode({ type: AttributionNodeType.Link, anchorUrl: "https://tasks.example" });

// Helpers.
const reference = makeReferenceSchemaFromObjectSchema(Task, "Task");
expectTypeOf<SchemaType<typeof reference>>().toEqualTypeOf<{ id: string; name: string }>();
expectTypeOf(withIdentity(Task, "Task").identity.name).toEqualTypeOf<string>();
const generated = generateSchema({ name: "a", done: true, sizes: [1] });
expectTypeOf(generated.properties.done.type).toEqualTypeOf<"boolean">();
expectTypeOf(generated.properties.sizes.items.type).toEqualTypeOf<"number">();
expectTypeOf(
  makeAttributionNode({ type: AttributionNodeType.Text, text: "a" }).type,
).toEqualTypeOf<1>();
