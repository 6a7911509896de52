import { OptionsType } from "../define/enumerations.ts";
import { normalizePropertyName } from "../define/property-name.ts";
import { isRecord, type Members, toList } from "../shared/values.ts";
import { checkPropertyReferences, findProperty } from "./property-rules.ts";
import type { Path, Report } from "./report.ts";
import { attributionShapes, schemaShapes } from "./schema-shapes.ts";
import { checkShape, describeKind, reportUnknownValue, shortenValue } from "./shape.ts";

const MAX_DEPTH = 50;

/** A schema and everything inside it. */
export function checkSchema(schema: unknown, path: Path, report: Report, depth = 0): void {
  if (!isRecord(schema)) {
    report(
      "MEMBER_TYPE",
      path,
      `${String(path.at(-1))} must be a schema, not ${describeKind(schema)}.`,
      "Write { type: ValueType.String }.",
    );
    return;
  }
  if (depth > MAX_DEPTH) {
    report(
      "SCHEMA_DEEP",
      path,
      `The schema has more than ${MAX_DEPTH} levels.`,
      "Reduce the number of nested levels in the schema.",
    );
    return;
  }
  const { type } = schema;
  const shapes =
    typeof type === "string" && Object.hasOwn(schemaShapes, type) ? schemaShapes[type] : undefined;
  if (shapes === undefined) {
    const typePath = [...path, "type"];
    if (type === undefined)
      report(
        "MEMBER_MISSING",
        typePath,
        "type is missing.",
        "Add type: ValueType.String, or another type.",
      );
    else
      reportUnknownValue("SCHEMA_TYPE_UNKNOWN", type, Object.keys(schemaShapes), typePath, report);
    return;
  }
  checkHintAndShape(schema, shapes, path, report);
  checkOlderKeys(schema, path, report);
  if (type === "array") {
    const items = schema["items"];
    if (items === undefined)
      report(
        "MEMBER_MISSING",
        [...path, "items"],
        "items is missing.",
        "Add items: the schema of one element.",
      );
    else checkSchema(items, [...path, "items"], report, depth + 1);
  }
  const { properties } = schema;
  if (type !== "object" || !isRecord(properties)) return;
  for (const [name, property] of Object.entries(properties))
    checkSchema(property, [...path, "properties", name], report, depth + 1);
  checkObjectSchema(schema, properties, path, report);
}

/** Keys and hints that are old, internal, or only in the compiled form; and options. */
function checkOlderKeys(schema: Members, path: Path, report: Report): void {
  const { type, codaType, options, autocomplete, originalKey } = schema;
  if (autocomplete !== undefined) {
    report(
      "SCHEMA_AUTOCOMPLETE",
      [...path, "autocomplete"],
      "A property cannot have the key `autocomplete`.",
      "Rename the key to options.",
    );
  }
  if (originalKey !== undefined) {
    const message = "packsmith sets originalKey, so a definition cannot set it.";
    report(
      "SCHEMA_ORIGINAL_KEY",
      [...path, "originalKey"],
      message,
      "Remove originalKey. To set the name in the result, use fromKey.",
    );
  }
  if (codaType === "codaInternalRichText") {
    const message = "CodaInternalRichText is reserved for the document service.";
    report(
      "SCHEMA_HINT_INTERNAL",
      [...path, "codaType"],
      message,
      "Write ValueHintType.Markdown or ValueHintType.Html.",
    );
  }
  if (options === undefined) return;
  if (type !== "object" && codaType !== "selectList") {
    const hint =
      type === "array"
        ? "Move the key to the schema of the items."
        : "Add codaType: ValueHintType.SelectList.";
    report(
      "SCHEMA_OPTIONS",
      [...path, "options"],
      "Only references and select lists can have options.",
      hint,
    );
  } else checkOptions(options, [...path, "options"], report);
}

/** A list of values or of `{ display, value }`, a function, or the table's own function. */
function checkOptions(options: unknown, path: Path, report: Report): void {
  if (typeof options === "function" || options === OptionsType.Dynamic) return;
  if (!Array.isArray(options)) {
    const hint = "Write a list, a function, or OptionsType.Dynamic.";
    report(
      "SCHEMA_OPTIONS",
      path,
      `options must be a list or a function, not ${describeKind(options)}.`,
      hint,
    );
    return;
  }
  options.forEach((option, index) => {
    const isPlain = option !== null && ["string", "number", "boolean"].includes(typeof option);
    if (
      isPlain ||
      (isRecord(option) && typeof option["display"] === "string" && option["value"] !== undefined)
    )
      return;
    const isRow =
      isRecord(option) && option["display"] === undefined && option["value"] === undefined;
    if (isRow) return;
    report(
      "SCHEMA_OPTIONS",
      [...path, index],
      "The option needs a display text and a value.",
      'Write { display: "Text", value: "value" }.',
    );
  });
}

function checkHintAndShape(
  schema: Members,
  shapes: Readonly<Record<string, Parameters<typeof checkShape>[0]>>,
  path: Path,
  report: Report,
): void {
  const { codaType = "", type } = schema;
  const isKnown =
    typeof codaType === "string" && Object.hasOwn(shapes, codaType) && schema["codaType"] !== "";
  const shape = isKnown ? shapes[codaType] : undefined;
  if (shape !== undefined) {
    checkShape(
      shape,
      schema,
      path,
      {
        unknownKey: type === "object" ? "KEY_UNKNOWN" : "SCHEMA_KEY_UNKNOWN",
        unknownValue: "SCHEMA_OPTION_VALUE",
      },
      report,
    );
    return;
  }
  const hintPath = [...path, "codaType"];
  const legal = Object.keys(shapes).filter(
    (name) => name !== "" && name !== "codaInternalRichText",
  );
  const homes = Object.keys(schemaShapes).filter(
    (name) =>
      typeof codaType === "string" &&
      codaType !== "" &&
      Object.hasOwn(schemaShapes[name] ?? {}, codaType),
  );
  if (homes.length === 0 && legal.length > 0) {
    reportUnknownValue("SCHEMA_HINT", codaType, legal, hintPath, report);
    return;
  }
  const hint =
    homes.length === 0
      ? "Remove codaType."
      : `Change the type to ${homes.join(" or ")}, or remove codaType.`;
  report(
    "SCHEMA_HINT",
    hintPath,
    `The value hint ${shortenValue(codaType)} does not match the type ${shortenValue(type)}.`,
    hint,
  );
}

export const IDENTITY_FORM = /^[A-Za-z0-9_-]+$/;

/** The members of an object schema, except the properties. */
function checkObjectSchema(schema: Members, properties: Members, path: Path, report: Report): void {
  checkPropertyReferences(schema, properties, path, report);
  checkIdentity(schema["identity"], [...path, "identity"], report);
  checkAttribution(schema["attribution"], [...path, "attribution"], report);
  checkPropertyKeys(properties, [...path, "properties"], report);
  if (schema["codaType"] === "reference") checkReference(schema, properties, path, report);
  if (schema["codaType"] === "person") checkPerson(schema, properties, path, report);
  const { codaType, options } = schema;
  if (options !== undefined && codaType !== "reference" && codaType !== "selectList") {
    const hint = "Add codaType: ValueHintType.SelectList, or remove options.";
    // The options of a formula's result have no effect.
    const reportOptions = path[0] === "formulas" ? report.lenient : report;
    reportOptions(
      "SCHEMA_OPTIONS",
      [...path, "options"],
      "Only references and select lists can have options.",
      hint,
    );
  }
}

function checkIdentity(identity: unknown, path: Path, report: Report): void {
  const name = isRecord(identity) ? identity["name"] : undefined;
  if (typeof name !== "string" || IDENTITY_FORM.test(name)) return;
  const message =
    name === ""
      ? "The identity's name is empty."
      : `The identity's name ${shortenValue(name)} has characters other than letters, digits, _ and -.`;
  report(
    "SCHEMA_IDENTITY_NAME",
    [...path, "name"],
    message,
    "Write the name of one row, such as Task.",
  );
}

function checkAttribution(attribution: unknown, path: Path, report: Report): void {
  toList(attribution).forEach((node, index) => {
    const at = [...path, index];
    const type = isRecord(node) ? node["type"] : undefined;
    const shape = attributionShapes[String(type)];
    if (shape === undefined) {
      const hint = "Write AttributionNodeType.Text, Link or Image.";
      report(
        "SCHEMA_OPTION_VALUE",
        [...at, "type"],
        `type is ${shortenValue(type)}; it can be 1 (text), 2 (link) or 3 (image).`,
        hint,
      );
    } else checkShape(shape, node, at, { unknownKey: "SCHEMA_KEY_UNKNOWN" }, report);
  });
}

function checkPropertyKeys(properties: Members, path: Path, report: Report): void {
  const fixedIds = new Set<unknown>();
  const compiled = new Map<string, string>();
  for (const [name, property] of Object.entries(properties)) {
    const at = [...path, name];
    const fixedId = isRecord(property) ? property["fixedId"] : undefined;
    if (fixedId !== undefined && fixedIds.has(fixedId)) {
      report(
        "SCHEMA_FIXED_ID",
        [...at, "fixedId"],
        `Another property has the same fixedId: ${shortenValue(fixedId)}.`,
        "Give this property another fixedId.",
      );
    }
    fixedIds.add(fixedId);
    const key = normalizePropertyName(name);
    const other = compiled.get(key);
    if (other !== undefined) {
      const message = `${shortenValue(name)} and ${shortenValue(other)} both become ${shortenValue(key)} in the compiled definition, so one of the properties is lost.`;
      report(
        "SCHEMA_PROPERTY_COLLISION",
        at,
        message,
        "Rename one of the two properties. Set fromKey to keep the name in the result.",
      );
    }
    compiled.set(key, other ?? name);
    if (/[A-Za-z0-9]/.test(name) && /[\p{L}\p{N}]/u.test(name.replace(/[A-Za-z0-9]/g, ""))) {
      const hint = "Use ASCII letters, and set displayName to the name that users see.";
      report(
        "SCHEMA_PROPERTY_NAME",
        at,
        `${shortenValue(name)} becomes ${shortenValue(key)} in the compiled definition: letters other than A to Z are removed.`,
        hint,
      );
    }
  }
}

/** A reference finds a row by its id and shows its display property. */
function checkReference(schema: Members, properties: Members, path: Path, report: Report): void {
  const members = {
    idProperty: schema["idProperty"] ?? schema["id"],
    displayProperty: schema["displayProperty"] ?? schema["primary"],
  };
  for (const [member, name] of Object.entries({ ...members, identity: schema["identity"] })) {
    if (name !== undefined) continue;
    const hint = `Add ${member}, or make the schema with makeReferenceSchemaFromObjectSchema.`;
    report("SCHEMA_REFERENCE", [...path, member], `A reference needs ${member}.`, hint);
  }
  for (const name of Object.values(members))
    checkRequired("SCHEMA_REFERENCE", "reference", name, properties, path, report);
}

function checkPerson(schema: Members, properties: Members, path: Path, report: Report): void {
  const id = schema["idProperty"] ?? schema["id"];
  if (id === undefined) {
    report(
      "SCHEMA_PERSON",
      [...path, "idProperty"],
      "A person needs idProperty.",
      "Add idProperty: the name of the property with the email address.",
    );
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
  const property =
    typeof name === "string" ? findProperty(properties, name, report.isLegacy) : undefined;
  if (!isRecord(property) || property["required"] === true || typeof name !== "string") return;
  report(
    code,
    [...path, "properties", name],
    `The property ${shortenValue(name)} of a ${word} must be required.`,
    "Add required: true.",
  );
}
