import { type Members, toList, toMembers, toText } from "../../shared/values.ts";
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

/**
 * The members of a schema that decide how a value looks; `undefined` for something that is not a
 * schema.
 */
export function schemaView(given: unknown, depth = 0): SchemaView | undefined {
  const schema = toMembers(given);
  const isObject = schema["properties"] !== undefined;
  const type = isObject ? "object" : toText(schema["type"]);
  if (type === undefined || depth > MAX_DEPTH) return undefined;
  const properties = toMembers(schema["properties"]);
  return {
    type,
    hint: toText(schema["codaType"]),
    label: toText(schema["displayName"]),
    options: Object.fromEntries(
      OPTIONS.flatMap((name) => (isScalar(schema[name]) ? [[name, schema[name]]] : [])),
    ),
    items: schemaView(schema["items"], depth + 1),
    properties: isObject
      ? Object.fromEntries(
          Object.entries(properties).flatMap(([name, property]) => {
            const view = schemaView(property, depth + 1);
            return view === undefined
              ? []
              : [[readKey(name, property), { ...view, label: view.label ?? name }]];
          }),
        )
      : undefined,
    card: describeCard(schema),
  };
}

/** The schema of the result of a formula. */
export function resultSchemaView(formula: Members): SchemaView | undefined {
  const { resultType: type, schema, items, codaType } = formula;
  if (type === "array" && toMembers(schema)["type"] !== "array")
    return schemaView({ type, items: items ?? schema });
  return schemaView(
    schema === undefined ? { type, codaType } : { type, codaType, ...toMembers(schema) },
  );
}

/** The properties of a row as the columns of a grid. Display and featured properties come first. */
export function columnViews(given: unknown): ColumnView[] {
  const schema = readRowSchema(given);
  const properties = toMembers(schema["properties"]);
  const first = [
    schema["displayProperty"] ?? schema["primary"],
    ...toList(schema["featuredProperties"] ?? schema["featured"]),
  ].map(readName);
  const names = Object.keys(properties);
  const ordered = [...new Set([...first.filter((name) => names.includes(name)), ...names])];
  return ordered.map((name) => {
    const property = toMembers(properties[name]);
    return {
      key: readKey(name, property),
      name,
      label: toText(property["displayName"]) ?? name,
      type: toText(property["type"]) ?? "string",
      hint: toText(property["codaType"]),
      isMutable: property["mutable"] === true,
      choices: listChoices(property),
    };
  });
}

/** The options of a select list, if the schema lists them and permits no others. */
function listChoices({ codaType, type, options, allowNewValues }: Members): string[] {
  if (codaType !== "selectList" || type !== "string" || allowNewValues === true) return [];
  return toList(options).map((option) => String(toMembers(option)["value"] ?? option));
}

/** The schema of one row, from the schema of a row or of a list of rows. */
export function readRowSchema(schema: unknown): Members {
  const members = toMembers(schema);
  return members["type"] === "array" ? toMembers(members["items"]) : members;
}

/** The member that holds a property's value. */
function readKey(name: string, property: unknown): string {
  const { fromKey, originalKey } = toMembers(property);
  return toText(fromKey) ?? toText(originalKey) ?? name;
}

function describeCard(schema: Members): SchemaView["card"] {
  const readPath = (given: unknown): string | undefined => {
    const name = readName(given);
    return name === "" ? undefined : keyPath(schema, name);
  };
  const featured = schema["featuredProperties"] ?? schema["featured"];
  const subtitles = toList(schema["subtitleProperties"] ?? featured);
  return {
    title: readPath(schema["titleProperty"] ?? schema["displayProperty"] ?? schema["primary"]),
    subtitle: subtitles.flatMap((given) => readPath(given) ?? []),
    snippet: readPath(schema["snippetProperty"]),
    image: readPath(schema["imageProperty"]),
    link: readPath(schema["linkProperty"]),
  };
}

/** Translates a path of property names, such as `owner.name`, to a path of members. */
function keyPath(schema: Members, path: string): string {
  const keys: string[] = [];
  let at = schema;
  for (const name of path.split(".")) {
    const property = toMembers(toMembers(at["properties"])[name]);
    keys.push(readKey(name, property));
    at = property;
  }
  return keys.join(".");
}

/** The name of a property, which may be given with a label. */
function readName(given: unknown): string {
  return toText(given) ?? toText(toMembers(given)["property"]) ?? "";
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
