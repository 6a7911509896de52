import { nearest } from "./nearest.ts";
import type { Path, Report } from "./report.ts";
import { schemaShapes } from "./schema-shapes.ts";
import { checkShape, isMembers, kindOf, listOf, type Members, reportUnknownValue, short } from "./shape.ts";

const MAX_DEPTH = 50;

/** Rules 63 to 72 and 78 to 80: a schema and everything inside it, each part once. */
export function checkSchema(schema: unknown, path: Path, report: Report, depth = 0): void {
  if (!isMembers(schema)) {
    report("MEMBER_TYPE", path, `${String(path.at(-1))} must be a schema, not ${kindOf(schema)}.`, "Write { type: ValueType.String }.");
    return;
  }
  if (depth > MAX_DEPTH) {
    report("SCHEMA_DEEP", path, `Schemas are nested more than ${MAX_DEPTH} deep.`, "Flatten the properties.");
    return;
  }
  const { type } = schema;
  const shapes = typeof type === "string" && Object.hasOwn(schemaShapes, type) ? schemaShapes[type] : undefined;
  if (shapes === undefined) {
    const typePath = [...path, "type"];
    if (type === undefined) report("MEMBER_MISSING", typePath, "type is missing.", "Add type: ValueType.String, or another one.");
    else reportUnknownValue("SCHEMA_TYPE_UNKNOWN", type, Object.keys(schemaShapes), typePath, report);
    return;
  }
  checkHintAndShape(schema, shapes, path, report);
  if (type === "array") {
    const items = schema["items"];
    if (items === undefined) report("MEMBER_MISSING", [...path, "items"], "items is missing.", "Add items: the schema of one element.");
    else checkSchema(items, [...path, "items"], report, depth + 1);
  }
  const { properties } = schema;
  if (type !== "object" || !isMembers(properties)) return;
  for (const [name, property] of Object.entries(properties)) checkSchema(property, [...path, "properties", name], report, depth + 1);
  checkPropertyNames(schema, properties, path, report);
}

function checkHintAndShape(
  schema: Members,
  shapes: Readonly<Record<string, Parameters<typeof checkShape>[0]>>,
  path: Path,
  report: Report,
): void {
  const { codaType = "", type } = schema;
  const shape = typeof codaType === "string" && Object.hasOwn(shapes, codaType) ? shapes[codaType] : undefined;
  if (shape !== undefined) {
    checkShape(shape, schema, path, { unknownKey: "SCHEMA_KEY_UNKNOWN", unknownValue: "SCHEMA_OPTION_VALUE" }, report);
    return;
  }
  const hintPath = [...path, "codaType"];
  const legal = Object.keys(shapes).filter((name) => name !== "");
  const homes = Object.keys(schemaShapes).filter(
    (name) => typeof codaType === "string" && Object.hasOwn(schemaShapes[name] ?? {}, codaType),
  );
  if (homes.length === 0 && legal.length > 0) {
    reportUnknownValue("SCHEMA_HINT", codaType, legal, hintPath, report);
    return;
  }
  const hint = homes.length === 0 ? "Remove codaType." : `Change type to ${homes.join(" or ")}, or remove codaType.`;
  report("SCHEMA_HINT", hintPath, `The value hint ${short(codaType)} does not go with the type ${short(type)}.`, hint);
}

/** Rules 78 to 80. The older names of these members count too. */
function checkPropertyNames(schema: Members, properties: Members, path: Path, report: Report): void {
  const check = (name: unknown, at: Path): void => {
    if (typeof name !== "string" || hasProperty(properties, name)) return;
    const known = Object.keys(properties);
    const guess = nearest(name, known);
    const hint = guess === undefined ? `Name one of the properties: ${known.join(", ") || "there is none yet"}.` : `Write ${short(guess)}.`;
    report("SCHEMA_PROPERTY_UNKNOWN", at, `The schema has no property ${short(name)}.`, hint);
  };
  for (const member of ["idProperty", "displayProperty", "id", "primary"]) check(schema[member], [...path, member]);
  for (const member of ["featuredProperties", "featured"]) {
    listOf(schema[member]).forEach((name, index) => {
      check(name, [...path, member, index]);
    });
  }
}

/** A plain key first, then a path through nested objects and arrays of them, such as `owner.name` or `owners[*].name`. */
function hasProperty(properties: Members, name: string): boolean {
  if (Object.hasOwn(properties, name)) return true;
  const [first = "", ...rest] = name.split(".");
  const key = first.replace(/\[(?:\*|\d+)\]$/, "");
  if (rest.length === 0 || !Object.hasOwn(properties, key)) return false;
  let inner = properties[key];
  for (let depth = 0; depth < MAX_DEPTH && isMembers(inner) && inner["type"] === "array"; depth++) inner = inner["items"];
  const nested = isMembers(inner) ? inner["properties"] : undefined;
  return isMembers(nested) && hasProperty(nested, rest.join("."));
}
