import { readProperties } from "../../define/compile/members.ts";
import type { ApiCaller } from "../../provider/options.ts";
import { lenientObject, lenientText } from "../../shared/lenient.ts";
import { isRecord } from "../../shared/values.ts";
import type { BodyShape } from "../../validate/source-types.ts";

/** What is known about a value from its property in a schema. */
export interface PropertyHint {
  type: string;
  hint: string | undefined;
}

export interface SampleFacts {
  caller: ApiCaller;
  /** Properties of the Pack's schemas, by the name that the API has for them. */
  properties: ReadonlyMap<string, PropertyHint>;
  /** An https origin of the API. */
  origin: string;
}

const ROWS = 2;
/** Members that lead to the next page. A generated list has one page. */
const PAGING = /next|cursor|continuation|page_?token/i;
const DAY = "2026-03-02";

/**
 * Makes a value of a shape: the same for the same shape, with two items in a list.
 * @returns undefined for a member that is left out
 */
export function createSample(shape: BodyShape, facts: SampleFacts, name = "", row = 1): unknown {
  switch (shape.kind) {
    case "object":
      return Object.fromEntries(
        shape.members.flatMap((member) => {
          if (PAGING.test(member.name))
            return member.isOptional ? [] : [[member.name, createEnd(member.shape)]];
          return [[member.name, createSample(member.shape, facts, member.name, row)]];
        }),
      );
    case "list":
      return name === "scopes"
        ? [...facts.caller.scopes]
        : Array.from({ length: ROWS }, (_, index) =>
            createSample(shape.item, facts, singular(name), index + 1),
          );
    case "text":
      return sampleText(name, row, facts);
    case "number":
      return /id$/i.test(name) ? row : /count|total/i.test(name) ? ROWS : row * 10;
    case "boolean":
      return isYes(name);
    case "null":
      return null;
    case "literal":
      return shape.value;
    case "unknown": {
      const { type } = facts.properties.get(name) ?? { type: "string" };
      return type === "number"
        ? row * 10
        : type === "boolean"
          ? isYes(name)
          : sampleText(name, row, facts);
    }
  }
}

/** The shape of the values that a schema of the Pack describes, under the names of the API. */
export function shapeOfSchema(schema: unknown, depth = 0): BodyShape {
  if (!isRecord(schema) || depth > 6) return { kind: "unknown" };
  switch (schema["type"]) {
    case "object":
      return {
        kind: "object",
        members: Object.entries(readProperties(schema)).map(([name, property]) => ({
          name: nameAtApi(name, property),
          shape: shapeOfSchema(property, depth + 1),
          isOptional: false,
        })),
      };
    case "array":
      return { kind: "list", item: shapeOfSchema(schema["items"], depth + 1) };
    case "number":
    case "boolean":
      return { kind: schema["type"] };
    default:
      return { kind: "text" };
  }
}

const schemaPart = lenientObject({
  type: lenientText,
  codaType: lenientText,
  fromKey: lenientText,
});

/** The properties of all objects in a definition. */
export function collectProperties(definition: unknown): Map<string, PropertyHint> {
  const found = new Map<string, PropertyHint>();
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) for (const each of value) walk(each);
    if (!isRecord(value)) return;
    if (value["type"] === "object")
      for (const [name, property] of Object.entries(readProperties(value))) {
        const { type = "", codaType } = schemaPart.parse(property);
        found.set(nameAtApi(name, property), { type, hint: codaType });
      }
    for (const each of Object.values(value)) walk(each);
  };
  walk(definition);
  return found;
}

function nameAtApi(name: string, property: unknown): string {
  return schemaPart.parse(property).fromKey ?? name;
}

function createEnd(shape: BodyShape): unknown {
  return shape.kind === "boolean" ? false : shape.kind === "text" ? "" : null;
}

function isYes(name: string): boolean {
  return !/^(?:done|archived|deleted|has_?more|more|truncated)$/i.test(name);
}

function sampleText(
  name: string,
  row: number,
  { caller, properties, origin }: SampleFacts,
): string {
  const hint = properties.get(name)?.hint ?? "";
  const lower = name.toLowerCase();
  if (hint === "date" || /(?:^|_)(?:date|day|due)$/.test(lower) || /(?:Date|Day)$/.test(name))
    return DAY;
  if (hint === "datetime" || /(?:_at|_time|time)$/.test(lower) || /At$/.test(name))
    return `${DAY}T09:00:00.000Z`;
  if (hint === "time") return "09:00:00";
  if (hint === "email" || /e_?mail/.test(lower)) return caller.email ?? "local-user@users.example";
  if (
    ["url", "image", "imageAttachment", "attachment", "embed"].includes(hint) ||
    /ur[li]$|link$/.test(lower)
  )
    return `${origin}/samples/${row}`;
  if (lower === "sub") return caller.sub;
  if (row === 1 && /^(?:name|login|username|display_?name|full_?name)$/.test(lower))
    return caller.name;
  if (/(?:^|_)(?:id|key|gid)$/.test(lower) || /I[dD]$/.test(name)) return String(row);
  return `Sample ${name === "" ? "text" : words(name)} ${row}`;
}

function words(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .toLowerCase();
}

export function singular(name: string): string {
  return name.replace(/ies$/, "y").replace(/([^s])s$/, "$1");
}
