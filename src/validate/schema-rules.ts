import { AttributionNodeType } from "../define/enumerations.ts";
import { checkIndex } from "./index-rules.ts";
import { checkNamedProperties } from "./property-rules.ts";
import { checkReference } from "./reference-rules.ts";
import type { Path, Report } from "./report.ts";
import { checkIdentityName, checkPropertyKeys } from "./schema-name-rules.ts";
import { attributionShapes, schemaShapes } from "./schema-shapes.ts";
import { checkShape, isMembers, kindOf, listOf, type Members, reportUnknownValue, short } from "./shape.ts";

const MAX_DEPTH = 50;

/** Value hints that exist for other tools than Packs (rule 95). */
const INTERNAL_HINT = "codaInternalRichText";

/** Rules 63 to 109, A13, A14 and section 7.4: a schema and everything inside it, each part once. */
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
  checkMisplacedKeys(schema, path, report);
  if (type === "array") {
    const items = schema["items"];
    if (items === undefined) report("MEMBER_MISSING", [...path, "items"], "items is missing.", "Add items: the schema of one element.");
    else checkSchema(items, [...path, "items"], report, depth + 1);
  }
  if (type === "object") checkObject(schema, path, report, depth);
}

function checkObject(schema: Members, path: Path, report: Report, depth: number): void {
  const { properties, identity } = schema;
  if (isMembers(identity)) {
    checkIdentityName(identity["name"], [...path, "identity", "name"], report);
    checkAttribution(identity["attribution"], [...path, "identity", "attribution"], report);
  }
  checkAttribution(schema["attribution"], [...path, "attribution"], report);
  checkReference(schema, path, report);
  if (!isMembers(properties)) return;
  checkPropertyKeys(properties, [...path, "properties"], report);
  for (const [name, property] of Object.entries(properties)) checkSchema(property, [...path, "properties", name], report, depth + 1);
  checkNamedProperties(schema, path, report);
  checkIndex(schema["index"], properties, [...path, "index"], report);
}

/** Rules 73, 74 and section 7.2: keys that belong to another schema, or to another time. */
function checkMisplacedKeys(schema: Members, path: Path, report: Report): void {
  const { type, codaType, options, autocomplete, originalKey } = schema;
  if (autocomplete !== undefined) {
    const hint = "Rename it to options, and set codaType: ValueHintType.SelectList.";
    report("SCHEMA_AUTOCOMPLETE", [...path, "autocomplete"], "autocomplete is for parameters; a property has options.", hint);
  }
  if (originalKey !== undefined) {
    report("SCHEMA_ORIGINAL_KEY", [...path, "originalKey"], "originalKey is written by tools.", "Remove it, or name it fromKey.");
  }
  if (options === undefined || codaType === "selectList" || codaType === "reference") return;
  const message = "options is for select lists and references.";
  const hint = type === "array" ? "Move it into items." : "Add codaType: ValueHintType.SelectList.";
  report("SCHEMA_OPTIONS", [...path, "options"], message, hint);
}

/** One issue per node: its type says which members it has. */
function checkAttribution(nodes: unknown, path: Path, report: Report): void {
  listOf(nodes).forEach((node, index) => {
    const at = [...path, index];
    if (!isMembers(node)) {
      report("MEMBER_TYPE", at, `Entry ${index} must be an object, not ${kindOf(node)}.`, "Call makeAttributionNode.");
      return;
    }
    const { type } = node;
    const shape = Object.values(AttributionNodeType).find((value) => value === type);
    if (shape !== undefined) checkShape(attributionShapes[shape], node, at, { unknownKey: "KEY_UNKNOWN" }, report);
    else if (type === undefined) report("MEMBER_MISSING", [...at, "type"], "type is missing.", "Add type: AttributionNodeType.Text.");
    else {
      const message = `type is ${short(type)}; it can be Text (1), Link (2) or Image (3).`;
      report("VALUE_UNKNOWN", [...at, "type"], message, "Write AttributionNodeType.Text, .Link or .Image.");
    }
  });
}

function checkHintAndShape(
  schema: Members,
  shapes: Readonly<Record<string, Parameters<typeof checkShape>[0]>>,
  path: Path,
  report: Report,
): void {
  const { codaType = "", type } = schema;
  const shape = typeof codaType === "string" && Object.hasOwn(shapes, codaType) ? shapes[codaType] : undefined;
  const hintPath = [...path, "codaType"];
  if (shape !== undefined) {
    // Unknown keys of objects are let pass by another toolchain (rule A12), those of other schemas are not (rule 63).
    const unknownKey = type === "object" ? "KEY_UNKNOWN" : "SCHEMA_KEY_UNKNOWN";
    checkShape(shape, schema, path, { unknownKey, unknownValue: "SCHEMA_OPTION_VALUE" }, report);
    if (codaType === INTERNAL_HINT)
      report("SCHEMA_INTERNAL_HINT", hintPath, `Packs cannot use ${INTERNAL_HINT}.`, "Write ValueHintType.Html.");
    return;
  }
  const legal = Object.keys(shapes).filter((name) => name !== "" && name !== INTERNAL_HINT);
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
