import * as z from "zod";
import {
  lenientBoolean,
  lenientList,
  lenientObject,
  lenientRecord,
  lenientText,
} from "../../shared/lenient.ts";
import type { ColumnView } from "../wire/pack.ts";
import type { SchemaView } from "../wire/run.ts";

/** Limits schemas that contain themselves. */
const MAX_DEPTH = 8;
/** Members of a schema that decide how a value looks, in addition to type and hint. */
const OPTIONS = [
  ...[
    "currencyCode",
    "precision",
    "useThousandsSeparator",
    "minimum",
    "maximum",
    "step",
    "icon",
    "maxUnit",
    "format",
  ],
  ...[
    "display",
    "force",
    "width",
    "height",
    "imageOutline",
    "imageCornerStyle",
    "imageShapeStyle",
    "showValue",
  ],
];

/** The name of a property. It may be written with a label. */
const reference = z
  .union([
    z.string().min(1),
    z.object({ property: z.string().min(1) }).transform(({ property }) => property),
  ])
  .optional()
  .catch(undefined);
const references = z.array(reference).optional().catch(undefined);

/** What the page reads of a schema. A schema may contain itself, so each level is read when needed. */
const schemaPart = lenientObject({
  type: lenientText,
  codaType: lenientText,
  identity: lenientObject({ name: lenientText }),
  displayName: lenientText,
  fromKey: lenientText,
  originalKey: lenientText,
  mutable: lenientBoolean,
  items: z.unknown().optional(),
  properties: lenientRecord.optional(),
  options: lenientList,
  allowNewValues: lenientBoolean,
  displayProperty: reference,
  primary: reference,
  titleProperty: reference,
  snippetProperty: reference,
  imageProperty: reference,
  linkProperty: reference,
  subtitleProperties: references,
  featuredProperties: references,
  featured: references,
});
type SchemaPart = z.output<typeof schemaPart>;

/** Reads one level of a schema. It may be anything: the schema of a table can be made by a run. */
export function readSchema(schema: unknown): SchemaPart {
  return schemaPart.parse(schema);
}

/**
 * The members of a schema that decide how a value looks; `undefined` for something that is not a
 * schema.
 */
export function schemaView(given: unknown, depth = 0): SchemaView | undefined {
  const schema = readSchema(given);
  const { properties } = schema;
  const type = properties === undefined ? schema.type : "object";
  if (type === undefined || depth > MAX_DEPTH) return undefined;
  return {
    type,
    hint: schema.codaType,
    label: schema.displayName,
    options: readOptions(given),
    items: schemaView(schema.items, depth + 1),
    properties:
      properties &&
      Object.fromEntries(
        Object.entries(properties).flatMap(([name, property]) => {
          const view = schemaView(property, depth + 1);
          return view === undefined
            ? []
            : [[readKey(name, property), { ...view, label: view.label ?? name }]];
        }),
      ),
    card: describeCard(schema),
  };
}

function readOptions(schema: unknown): SchemaView["options"] {
  const members = lenientRecord.parse(schema);
  return Object.fromEntries(
    OPTIONS.flatMap((name) => {
      const value = members[name];
      return isScalar(value) ? [[name, value]] : [];
    }),
  );
}

const resultPart = lenientObject({
  resultType: lenientText,
  codaType: lenientText,
  schema: z.unknown().optional(),
  items: z.unknown().optional(),
});

/** The schema of the result of a formula. */
export function resultSchemaView(formula: unknown): SchemaView | undefined {
  const { resultType: type, schema, items, codaType } = resultPart.parse(formula);
  if (type === "array" && readSchema(schema).type !== "array")
    return schemaView({ type, items: items ?? schema });
  return schemaView({ type, codaType, ...lenientRecord.parse(schema) });
}

/** The schema of the rows that a formula returns. */
export function resultRowSchema(formula: unknown): unknown {
  const { items, schema } = resultPart.parse(formula);
  return items ?? schema;
}

/** The properties of a row as the columns of a grid. Display and featured properties come first. */
export function columnViews(given: unknown): ColumnView[] {
  const schema = readSchema(readRowSchema(given));
  const properties = schema.properties ?? {};
  const first = [
    schema.displayProperty ?? schema.primary,
    ...(schema.featuredProperties ?? schema.featured ?? []),
  ].filter((name) => name !== undefined);
  const names = Object.keys(properties);
  const ordered = [...new Set([...first.filter((name) => names.includes(name)), ...names])];
  return ordered.map((name) => {
    const property = readSchema(properties[name]);
    return {
      key: readKey(name, property),
      name,
      label: property.displayName ?? name,
      type: property.type ?? "string",
      hint: property.codaType,
      isMutable: property.mutable === true,
      choices: listChoices(property),
    };
  });
}

const choicePart = lenientObject({ value: z.unknown().optional() });

/** The options of a select list, if the schema lists them and permits no others. */
function listChoices({ codaType, type, options, allowNewValues }: SchemaPart): string[] {
  if (codaType !== "selectList" || type !== "string" || allowNewValues === true) return [];
  return options.map((option) => String(choicePart.parse(option).value ?? option));
}

/** The schema of one row, from the schema of a row or of a list of rows. */
export function readRowSchema(schema: unknown): unknown {
  const { type, items } = readSchema(schema);
  return type === "array" ? items : schema;
}

/** The member that holds a property's value. */
function readKey(name: string, property: unknown): string {
  const { fromKey, originalKey } = readSchema(property);
  return fromKey ?? originalKey ?? name;
}

function describeCard(schema: SchemaPart): SchemaView["card"] {
  const translate = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : keyPath(schema, path);
  const subtitles = schema.subtitleProperties ?? schema.featuredProperties ?? schema.featured;
  return {
    title: translate(schema.titleProperty ?? schema.displayProperty ?? schema.primary),
    subtitle: (subtitles ?? []).flatMap((path) => translate(path) ?? []),
    snippet: translate(schema.snippetProperty),
    image: translate(schema.imageProperty),
    link: translate(schema.linkProperty),
  };
}

/** Translates a path of property names, such as `owner.name`, to a path of members. */
function keyPath(schema: SchemaPart, path: string): string {
  const keys: string[] = [];
  let at = schema;
  for (const name of path.split(".")) {
    at = readSchema(at.properties?.[name]);
    keys.push(readKey(name, at));
  }
  return keys.join(".");
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** How many rows are inspected, and how many columns are made at most. */
const MAX_ROWS = 50;
const MAX_COLUMNS = 40;

/**
 * The columns of rows without a schema: one per member, or one column with an empty key for the
 * values themselves.
 */
export function valueColumns(rows: readonly unknown[]): ColumnView[] {
  const seen = rows.slice(0, MAX_ROWS);
  const isObjects =
    seen.length > 0 &&
    seen.every((row) => typeof row === "object" && row !== null && !Array.isArray(row));
  const keys = isObjects
    ? [...new Set(seen.flatMap((row) => Object.keys(row as object)))].slice(0, MAX_COLUMNS)
    : [""];
  return keys.map((key) => ({
    key,
    name: key,
    label: key === "" ? "Value" : key,
    type: "",
    hint: undefined,
    isMutable: false,
    choices: [],
  }));
}
