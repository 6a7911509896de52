import { normalizePropertyName } from "../define/property-name.ts";
import { isRecord } from "../shared/is-record.ts";
import { findProperty } from "./property-paths.ts";
import { checkPropertyReferences } from "./property-rules.ts";
import type { Path, Report } from "./report.ts";
import { attributionShapes } from "./schema-shapes.ts";
import { checkShape, listOf, type Members, short } from "./shape.ts";

export const IDENTITY_FORM = /^[A-Za-z0-9_-]+$/;

/** What an object schema says beside its properties: rules 74 to 109, 7.4, A13 and A14. */
export function checkObjectSchema(schema: Members, properties: Members, path: Path, report: Report): void {
  checkPropertyReferences(schema, properties, path, report);
  checkIdentity(schema["identity"], [...path, "identity"], report);
  checkAttribution(schema["attribution"], [...path, "attribution"], report);
  checkPropertyKeys(properties, [...path, "properties"], report);
  if (schema["codaType"] === "reference") checkReference(schema, properties, path, report);
  if (schema["codaType"] === "person") checkPerson(schema, properties, path, report);
  const { codaType, options } = schema;
  if (options !== undefined && codaType !== "reference" && codaType !== "selectList") {
    const hint = "Add codaType: ValueHintType.SelectList, or remove options.";
    report("SCHEMA_OPTIONS", [...path, "options"], "Only references and select lists have options.", hint);
  }
}

/** Rules 75 and 76. */
function checkIdentity(identity: unknown, path: Path, report: Report): void {
  const name = isRecord(identity) ? identity["name"] : undefined;
  if (typeof name !== "string" || IDENTITY_FORM.test(name)) return;
  const message =
    name === ""
      ? "The identity's name is empty."
      : `The identity's name ${short(name)} has other characters than letters, digits, _ and -.`;
  report("SCHEMA_IDENTITY_NAME", [...path, "name"], message, "Write what a row is called, such as Task.");
}

function checkAttribution(attribution: unknown, path: Path, report: Report): void {
  listOf(attribution).forEach((node, index) => {
    const at = [...path, index];
    const type = isRecord(node) ? node["type"] : undefined;
    const shape = attributionShapes[String(type)];
    if (shape === undefined) {
      const hint = "Write AttributionNodeType.Text, Link or Image.";
      report("SCHEMA_OPTION_VALUE", [...at, "type"], `type is ${short(type)}; it can be 1 (text), 2 (link) or 3 (image).`, hint);
    } else checkShape(shape, node, at, { unknownKey: "SCHEMA_KEY_UNKNOWN" }, report);
  });
}

/** Rules 77, A13 and A14. */
function checkPropertyKeys(properties: Members, path: Path, report: Report): void {
  const fixedIds = new Set<unknown>();
  const compiled = new Map<string, string>();
  for (const [name, property] of Object.entries(properties)) {
    const at = [...path, name];
    const fixedId = isRecord(property) ? property["fixedId"] : undefined;
    if (fixedId !== undefined && fixedIds.has(fixedId)) {
      report("SCHEMA_FIXED_ID", [...at, "fixedId"], `The fixedId ${short(fixedId)} is there twice.`, "Give this property another one.");
    }
    fixedIds.add(fixedId);
    const key = normalizePropertyName(name);
    const other = compiled.get(key);
    if (other !== undefined) {
      const message = `${short(name)} and ${short(other)} both become ${short(key)}, and one of them is lost.`;
      report("SCHEMA_PROPERTY_COLLISION", at, message, "Rename one of them; fromKey keeps the name of the member.");
    }
    compiled.set(key, other ?? name);
    if (/[A-Za-z0-9]/.test(name) && /[\p{L}\p{N}]/u.test(name.replace(/[A-Za-z0-9]/g, ""))) {
      const hint = "Name it with ASCII letters and give the name that users see as displayName.";
      report("SCHEMA_PROPERTY_NAME", at, `${short(name)} becomes ${short(key)}: letters beyond A to Z are lost.`, hint);
    }
  }
}

/** 7.4: a reference leads to a row by its id and shows it by its display property. */
function checkReference(schema: Members, properties: Members, path: Path, report: Report): void {
  const members = { idProperty: schema["idProperty"] ?? schema["id"], displayProperty: schema["displayProperty"] ?? schema["primary"] };
  for (const [member, name] of Object.entries({ ...members, identity: schema["identity"] })) {
    if (name !== undefined) continue;
    const hint = `Add ${member}, or make the schema with makeReferenceSchemaFromObjectSchema.`;
    report("SCHEMA_REFERENCE", [...path, member], `A reference needs ${member}.`, hint);
  }
  for (const name of Object.values(members)) checkRequired("SCHEMA_REFERENCE", "reference", name, properties, path, report);
}

function checkPerson(schema: Members, properties: Members, path: Path, report: Report): void {
  const id = schema["idProperty"] ?? schema["id"];
  if (id === undefined) {
    report("SCHEMA_PERSON", [...path, "idProperty"], "A person needs idProperty.", "Add idProperty: the property with the e-mail address.");
  }
  checkRequired("SCHEMA_PERSON", "person", id, properties, path, report);
}

function checkRequired(
  code: "SCHEMA_REFERENCE" | "SCHEMA_PERSON",
  word: string,
  name: unknown,
  properties: Members,
  path: Path,
  report: Report,
): void {
  const property = typeof name === "string" ? findProperty(properties, name) : undefined;
  if (!isRecord(property) || property["required"] === true || typeof name !== "string") return;
  report(code, [...path, "properties", name], `The property ${short(name)} of a ${word} must be required.`, "Add required: true.");
}
