import { normalizePropertyName } from "../define/property-name.ts";
import { findNearest } from "../shared/text.ts";
import { isRecord, type Members, toList } from "../shared/values.ts";
import type { IssueCode } from "./codes.ts";
import type { Path, Report } from "./report.ts";
import { describeKind, shortenValue } from "./shape.ts";

const MAX_FILTERABLE_PROPERTIES = 5;
const MAX_LISTED = 20;
const MAX_COMPARED = 100;
const CATEGORIES = ["Messaging", "Document", "Email", "Comment"];

/** What a property must be to serve a purpose: in words, and as a test of its schema. */
interface Purpose {
  words: string;
  accepts: (schema: Members) => boolean;
}

const is =
  (types: readonly string[], hints?: readonly string[]) =>
  ({ type, codaType }: Members): boolean =>
    types.includes(String(type)) && (hints === undefined || hints.includes(String(codaType)));
const isTextList = (schema: Members): boolean =>
  schema["type"] === "array" &&
  isRecord(findItem(schema)) &&
  is(["string"])(findItem(schema) as Members);

const TEXT: Purpose = { words: "text", accepts: is(["string"]) };
const NUMBER: Purpose = { words: "a number", accepts: is(["number"]) };
const TEXT_OR_LIST: Purpose = {
  words: "text or a list of texts",
  accepts: (schema) => is(["string"])(schema) || isTextList(schema),
};
const TEXT_OR_NUMBER: Purpose = { words: "text or a number", accepts: is(["string", "number"]) };
const DATE: Purpose = {
  words: "a date: text or a number with the hint Date or DateTime",
  accepts: is(["string", "number"], ["date", "datetime"]),
};
const PERSON: Purpose = {
  words: "a person: an object with the hint Person, or text with the hint Email",
  accepts: (schema) => is(["object"], ["person"])(schema) || is(["string"], ["email"])(schema),
};
const ANYTHING: Purpose = { words: "a property", accepts: () => true };

/** Members of an object schema that name one property. */
const PURPOSES: Readonly<Record<string, Purpose>> = {
  titleProperty: { words: "text or an object", accepts: is(["string", "object"]) },
  linkProperty: { words: "a link: text with the hint Url", accepts: is(["string"], ["url"]) },
  imageProperty: {
    words: "an image: text with the hint ImageReference or ImageAttachment",
    accepts: is(["string"], ["image", "imageAttachment"]),
  },
  snippetProperty: TEXT_OR_LIST,
  createdAtProperty: DATE,
  modifiedAtProperty: DATE,
  createdByProperty: PERSON,
  modifiedByProperty: PERSON,
  userEmailProperty: PERSON,
  userIdProperty: TEXT_OR_NUMBER,
  groupIdProperty: TEXT_OR_NUMBER,
  memberGroupIdProperty: TEXT_OR_NUMBER,
  versionProperty: TEXT,
};
const SUBTITLE: Purpose = {
  words: "a value that fits in a line, not an image, an attachment, an embedded page or a scale",
  accepts: ({ codaType }) =>
    !["image", "imageAttachment", "attachment", "embed", "scale"].includes(String(codaType)),
};
const FILTERABLE: Purpose = {
  words: "yes or no, a number, text, a person, or a list of numbers, texts or persons",
  accepts: (schema) => {
    const item = findItem(schema);
    if (!isRecord(item)) return false;
    const isUser = item["userEmailProperty"] !== undefined || item["userIdProperty"] !== undefined;
    const isPlain = is(
      schema["type"] === "array" ? ["number", "string"] : ["boolean", "number", "string"],
    )(item);
    return isPlain || is(["object"], ["person"])(item) || (item["type"] === "object" && isUser);
  },
};

/** Every member of an object schema that names properties, including old names of members. */
export function checkPropertyReferences(
  schema: Members,
  properties: Members,
  path: Path,
  report: Report,
): void {
  const check = createPropertyCheck(properties, report);
  for (const member of ["idProperty", "displayProperty", "id", "primary"])
    check(schema[member], [...path, member], ANYTHING);
  for (const member of ["featuredProperties", "featured"])
    checkEach(schema[member], [...path, member], ANYTHING, check);
  for (const member of Object.keys(schema)) {
    const purpose = Object.hasOwn(PURPOSES, member) ? PURPOSES[member] : undefined;
    if (purpose !== undefined) check(schema[member], [...path, member], purpose);
  }
  checkEach(schema["subtitleProperties"], [...path, "subtitleProperties"], SUBTITLE, check);
  if (isRecord(schema["index"])) checkIndex(schema["index"], [...path, "index"], check, report);
  const { parent } = schema;
  if (!isRecord(parent)) return;
  const parentId = [...path, "parent", "parentIdProperty"];
  if (parent["parentIdProperty"] !== undefined)
    check(parent["parentIdProperty"], parentId, ANYTHING);
  else
    report(
      "MEMBER_MISSING",
      parentId,
      "parentIdProperty is missing.",
      "Add parentIdProperty: the name of a reference property.",
    );
}

type PropertyCheck = (identifier: unknown, path: Path, purpose: Purpose) => void;

function createPropertyCheck(properties: Members, report: Report): PropertyCheck {
  let known: readonly string[] | undefined;
  return (identifier, path, purpose) => {
    if (identifier === undefined) return;
    const at = isRecord(identifier) ? [...path, "property"] : path;
    const name = checkIdentifier(identifier, path, report);
    if (name === undefined) return;
    const found = findProperty(properties, name, report.isLegacy);
    if (found === undefined) {
      known ??= Object.keys(properties);
      return reportUnknownProperty(name, known, at, report);
    }
    if (isRecord(found) && !purpose.accepts(found)) {
      const hint = "Choose another property, or change the schema of the property.";
      report(
        "SCHEMA_PROPERTY_TYPE",
        at,
        `The property ${shortenValue(name)} must be ${purpose.words}.`,
        hint,
      );
    }
  };
}

/** @returns the property's name, when it is not empty */
function checkIdentifier(identifier: unknown, path: Path, report: Report): string | undefined {
  const name = identifierText(identifier);
  const known = ["property", "label", "placeholder"];
  if (name === undefined) {
    const message = `${String(path.at(-1))} must be the name of a property.`;
    report(
      "MEMBER_TYPE",
      path,
      message,
      'Write the name of a property, or { property: "name", label: "Label" }.',
    );
    return undefined;
  }
  for (const key of isRecord(identifier) ? Object.keys(identifier) : []) {
    if (!known.includes(key))
      report(
        "SCHEMA_KEY_UNKNOWN",
        [...path, key],
        `${shortenValue(key)} is not a known key here.`,
        "Remove the key: it has no effect.",
      );
  }
  if (name.trim() !== "") return name;
  report(
    "SCHEMA_PROPERTY_EMPTY",
    path,
    "The name of the property is empty.",
    "Use the name of a property in the schema.",
  );
  return undefined;
}

function reportUnknownProperty(
  name: string,
  known: readonly string[],
  path: Path,
  report: Report,
): void {
  // A schema may have thousands of properties, and as many wrong names of them.
  const guess = findNearest(name, known.slice(0, MAX_COMPARED));
  const listed =
    known.length > MAX_LISTED
      ? `${known.slice(0, MAX_LISTED).join(", ")} and others`
      : known.join(", ");
  const others =
    listed === ""
      ? `Add the property ${shortenValue(name)} to the schema.`
      : `Use one of these properties: ${listed}.`;
  const hint = guess === undefined ? others : `Write ${shortenValue(guess)}.`;
  report(
    "SCHEMA_PROPERTY_UNKNOWN",
    path,
    `The schema has no property ${shortenValue(name)}.`,
    hint,
  );
}

function checkEach(value: unknown, path: Path, purpose: Purpose, check: PropertyCheck): void {
  toList(value).forEach((identifier, index) => {
    check(identifier, [...path, index], purpose);
  });
}

function checkIndex(index: Members, path: Path, check: PropertyCheck, report: Report): void {
  const { contentCategorization, properties, contextProperties, filterableProperties } = index;
  for (const key of Object.keys(index)) {
    if (INDEX_KEYS.includes(key)) continue;
    const guess = findNearest(key, INDEX_KEYS);
    const hint =
      guess === undefined ? "Remove the key: it has no effect." : `Rename the key to ${guess}.`;
    report(
      "SCHEMA_KEY_UNKNOWN",
      [...path, key],
      `${shortenValue(key)} is not a known key here.`,
      hint,
    );
  }
  if (contentCategorization !== undefined)
    checkCategorization(contentCategorization, [...path, "contentCategorization"], check, report);
  else checkNotEmpty(properties, [...path, "properties"], report);
  if (contextProperties !== undefined)
    checkNotEmpty(contextProperties, [...path, "contextProperties"], report);
  if (filterableProperties !== undefined && !Array.isArray(filterableProperties)) {
    const hint = 'Write a list of names, such as ["status"].';
    report(
      "MEMBER_TYPE",
      [...path, "filterableProperties"],
      `filterableProperties must be a list, not ${describeKind(filterableProperties)}.`,
      hint,
    );
  }
  toList(properties).forEach((entry, position) => {
    // A property with a strategy: the identifier is one level down.
    const isDetailed = isRecord(entry) && entry["strategy"] !== undefined;
    const at = [...path, "properties", position];
    if (isDetailed && entry["property"] === undefined) {
      report(
        "MEMBER_MISSING",
        [...at, "property"],
        "property is missing.",
        "Add property: the name of a property.",
      );
    }
    check(
      isDetailed ? entry["property"] : entry,
      isDetailed ? [...at, "property"] : at,
      TEXT_OR_LIST,
    );
    if (isDetailed && entry["strategy"] !== "standard" && entry["strategy"] !== "raw") {
      report(
        "SCHEMA_OPTION_VALUE",
        [...at, "strategy"],
        `strategy is ${shortenValue(entry["strategy"])}.`,
        'Write "standard" or "raw".',
      );
    }
  });
  checkEach(contextProperties, [...path, "contextProperties"], ANYTHING, check);
  checkEach(filterableProperties, [...path, "filterableProperties"], FILTERABLE, check);
  for (const member of ["authorityNormProperty", "popularityNormProperty"])
    check(index[member], [...path, member], NUMBER);
  const count = toList(filterableProperties).length;
  if (count > MAX_FILTERABLE_PROPERTIES) {
    const message = `The index has ${count} filterable properties; the limit is ${MAX_FILTERABLE_PROPERTIES}.`;
    report(
      "SCHEMA_INDEX_COUNT",
      [...path, "filterableProperties"],
      message,
      "Keep only the properties that users filter by.",
    );
  }
}

const INDEX_KEYS = [
  "properties",
  "contextProperties",
  "filterableProperties",
  "authorityNormProperty",
  "popularityNormProperty",
  "contentCategorization",
];

function checkNotEmpty(value: unknown, path: Path, report: Report): void {
  if (Array.isArray(value) && value.length > 0) return;
  const code: IssueCode =
    value === undefined
      ? "MEMBER_MISSING"
      : Array.isArray(value)
        ? "SCHEMA_INDEX_EMPTY"
        : "MEMBER_TYPE";
  report(
    code,
    path,
    `${String(path.at(-1))} does not contain any properties.`,
    "Add at least one property of the schema.",
  );
}

function checkCategorization(
  value: unknown,
  path: Path,
  check: PropertyCheck,
  report: Report,
): void {
  const type = isRecord(value) ? value["type"] : undefined;
  if (!isRecord(value) || !CATEGORIES.includes(String(type))) {
    report(
      "SCHEMA_OPTION_VALUE",
      [...path, "type"],
      `type can be ${CATEGORIES.join(", ")}.`,
      "Write one of these types.",
    );
    return;
  }
  if (type !== "Email") return;
  for (const member of [
    "toProperty",
    "fromProperty",
    "subjectProperty",
    "htmlBodyProperty",
    "plainTextBodyProperty",
  ]) {
    const at = [...path, member];
    if (value[member] === undefined)
      report(
        "MEMBER_MISSING",
        at,
        `${member} is missing.`,
        `Add ${member}: the name of a property.`,
      );
    check(value[member], at, TEXT);
  }
}

const MAX_DEPTH = 50;

/** @returns the text of a property identifier, which is text or an object around it. */
function identifierText(identifier: unknown): string | undefined {
  const text = isRecord(identifier) ? identifier["property"] : identifier;
  return typeof text === "string" ? text : undefined;
}

/**
 * Finds a property: a plain key first, then a path through nested objects and lists of them, such
 * as `owner.name` or
 * `owners[*].name`.
 * @param inAnySpelling also finds `id` for `Id`, its name in the compiled definition
 */
export function findProperty(properties: Members, name: string, inAnySpelling = false): unknown {
  const findKey = (text: string): string | undefined => {
    if (Object.hasOwn(properties, text)) return text;
    if (!inAnySpelling) return undefined;
    const compiled = normalizePropertyName(text);
    return Object.keys(properties).find((key) => normalizePropertyName(key) === compiled);
  };
  const whole = findKey(name);
  if (whole !== undefined && !name.includes(".")) return properties[whole];
  if (Object.hasOwn(properties, name)) return properties[name];
  const [first = "", ...rest] = name.split(".");
  const key = findKey(first.replace(/\[(?:\*|\d+)\]$/, ""));
  if (key === undefined) return whole === undefined ? undefined : properties[whole];
  if (rest.length === 0) return findItem(properties[key]);
  const inner = findItem(properties[key]);
  const nested = isRecord(inner) ? inner["properties"] : undefined;
  return isRecord(nested) ? findProperty(nested, rest.join("."), inAnySpelling) : undefined;
}

/** @returns what a list holds in the end; anything else is itself. */
export function findItem(schema: unknown): unknown {
  let inner = schema;
  for (let depth = 0; depth < MAX_DEPTH && isRecord(inner) && inner["type"] === "array"; depth++)
    inner = inner["items"];
  return inner;
}
