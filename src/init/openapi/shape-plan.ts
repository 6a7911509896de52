import { isRecord, type Members, toList } from "../../shared/values.ts";
import { listEntries, readOwn } from "./description.ts";
import { type Shape, type TextHint, UNKNOWN } from "./shapes.ts";

/** How the shape of a schema is made from the schemas inside it. */
export type ShapePlan =
  | { is: "known"; shape: Shape }
  | { is: "list"; items: unknown }
  | {
      is: "object";
      properties: readonly (readonly [name: string, schema: unknown])[];
      required: readonly unknown[];
    }
  /** Has the members of all parts. */
  | { is: "merged"; parts: readonly unknown[]; required: ReadonlySet<unknown> }
  /** The same as another schema. */
  | { is: "same"; schema: unknown }
  | { is: "united"; choices: readonly unknown[] };

/** @param schema without a reference */
export function planShape(schema: unknown): { plan: ShapePlan; isNullable: boolean } {
  if (!isRecord(schema)) return { plan: { is: "known", shape: UNKNOWN }, isNullable: false };
  const types = listTypes(schema);
  const parts = toList(schema["allOf"]);
  const choices = [...toList(schema["oneOf"]), ...toList(schema["anyOf"])];
  const others = choices.filter((choice) => !isNull(choice));
  const isNullable =
    schema["nullable"] === true || schema["x-nullable"] === true || types.includes("null");
  if (parts.length > 0) return { plan: planParts(schema, parts), isNullable };
  if (choices.length > 0)
    return {
      plan: planChoices(schema, others),
      isNullable: isNullable || others.length < choices.length,
    };
  return {
    plan: planType(
      schema,
      types.filter((type) => type !== "null"),
    ),
    isNullable,
  };
}

function planParts(schema: Members, parts: readonly unknown[]): ShapePlan {
  const all = [{ ...schema, allOf: undefined }, ...parts];
  return {
    is: "merged",
    parts: all.filter((part) => !saysNothing(part)),
    required: new Set(all.flatMap((part) => toList(readOwn(part, "required")))),
  };
}

function planChoices(schema: Members, choices: readonly unknown[]): ShapePlan {
  if (isRecord(schema["properties"]))
    return {
      is: "united",
      choices: [{ ...schema, oneOf: undefined, anyOf: undefined }, ...choices],
    };
  const [choice, ...more] = choices;
  return choice !== undefined && more.length === 0
    ? { is: "same", schema: choice }
    : { is: "united", choices };
}

function planType(schema: Members, [type, ...more]: readonly string[]): ShapePlan {
  switch (more.length === 0 ? type : undefined) {
    case "string": {
      const hint = readOwn(HINTS, String(schema["format"])) as TextHint | undefined;
      return { is: "known", shape: { kind: "text", hint, choices: textsIn(schema["enum"]) } };
    }
    case "integer":
    case "number": {
      const choices = toList(schema["enum"]).filter((value) => typeof value === "number");
      return { is: "known", shape: { kind: "number", choices } };
    }
    case "boolean":
      return { is: "known", shape: { kind: "boolean" } };
    case "array":
      return { is: "list", items: schema["items"] };
    case "object":
      return {
        is: "object",
        properties: listEntries(schema["properties"]),
        required: toList(schema["required"]),
      };
    default:
      return { is: "known", shape: UNKNOWN };
  }
}

const HINTS: Readonly<Record<string, TextHint>> = {
  date: "Date",
  "date-time": "DateTime",
  email: "Email",
  uri: "Url",
  url: "Url",
};

function listTypes(schema: Members): string[] {
  const { type } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((each) => typeof each === "string");
  if (isRecord(schema["properties"]) || isRecord(schema["additionalProperties"])) return ["object"];
  if (schema["items"] !== undefined) return ["array"];
  const values = toList(schema["enum"] ?? (schema["const"] === undefined ? [] : [schema["const"]]));
  return values.length > 0 && values.every((value) => typeof value === "string") ? ["string"] : [];
}

/** Whether a part of `allOf` adds only descriptions or required names. */
function saysNothing(schema: unknown): boolean {
  if (!isRecord(schema)) return true;
  return [
    "$ref",
    "type",
    "properties",
    "allOf",
    "oneOf",
    "anyOf",
    "items",
    "enum",
    "additionalProperties",
  ].every((key) => schema[key] === undefined);
}

function isNull(schema: unknown): boolean {
  return (
    readOwn(schema, "type") === "null" ||
    (toList(readOwn(schema, "enum")).length === 1 && toList(readOwn(schema, "enum"))[0] === null)
  );
}

function textsIn(value: unknown): string[] | undefined {
  const texts = toList(value).filter(
    (item): item is string => typeof item === "string" && item !== "",
  );
  return texts.length === 0 ? undefined : [...new Set(texts)];
}
