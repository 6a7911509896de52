import * as z from "zod";
import { lenientList, lenientObject, lenientText, members } from "../../shared/lenient.ts";
import { isRecord, type Members } from "../../shared/values.ts";
import { listTexts, readOwn } from "./description.ts";
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

const optionalRecord = members.optional().catch(undefined);
const optionalList = z.array(z.unknown()).optional().catch(undefined);

/** One level of a schema. */
const schemaPart = lenientObject({
  type: z
    .union([z.string(), z.array(z.unknown())])
    .optional()
    .catch(undefined),
  nullable: z.unknown().optional(),
  "x-nullable": z.unknown().optional(),
  format: lenientText,
  allOf: lenientList,
  oneOf: lenientList,
  anyOf: lenientList,
  enum: optionalList,
  const: z.unknown().optional(),
  items: z.unknown().optional(),
  properties: optionalRecord,
  additionalProperties: optionalRecord,
  required: lenientList,
});
type SchemaPart = z.output<typeof schemaPart>;

/** @param schema without a reference */
export function planShape(schema: unknown): { plan: ShapePlan; isNullable: boolean } {
  if (!isRecord(schema)) return { plan: { is: "known", shape: UNKNOWN }, isNullable: false };
  const part = schemaPart.parse(schema);
  const types = listTypes(part);
  const choices = [...part.oneOf, ...part.anyOf];
  const others = choices.filter((choice) => !isNull(choice));
  const isNullable =
    part.nullable === true || part["x-nullable"] === true || types.includes("null");
  if (part.allOf.length > 0) return { plan: planParts(schema, part.allOf), isNullable };
  if (choices.length > 0)
    return {
      plan: planChoices(schema, part, others),
      isNullable: isNullable || others.length < choices.length,
    };
  return {
    plan: planType(
      part,
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
    required: new Set(all.flatMap((part) => schemaPart.parse(part).required)),
  };
}

function planChoices(
  schema: Members,
  { properties }: SchemaPart,
  choices: readonly unknown[],
): ShapePlan {
  if (properties !== undefined)
    return {
      is: "united",
      choices: [{ ...schema, oneOf: undefined, anyOf: undefined }, ...choices],
    };
  const [choice, ...more] = choices;
  return choice !== undefined && more.length === 0
    ? { is: "same", schema: choice }
    : { is: "united", choices };
}

function planType(schema: SchemaPart, [type, ...more]: readonly string[]): ShapePlan {
  switch (more.length === 0 ? type : undefined) {
    case "string": {
      const hint = readOwn(HINTS, String(schema.format)) as TextHint | undefined;
      const texts = listTexts(schema.enum).filter((text) => text !== "");
      const choices = texts.length === 0 ? undefined : [...new Set(texts)];
      return { is: "known", shape: { kind: "text", hint, choices } };
    }
    case "integer":
    case "number": {
      const choices = (schema.enum ?? []).filter((value) => typeof value === "number");
      return { is: "known", shape: { kind: "number", choices } };
    }
    case "boolean":
      return { is: "known", shape: { kind: "boolean" } };
    case "array":
      return { is: "list", items: schema.items };
    case "object":
      return {
        is: "object",
        properties: Object.entries(schema.properties ?? {}),
        required: schema.required,
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

function listTypes({ type, ...schema }: SchemaPart): string[] {
  if (type !== undefined) return typeof type === "string" ? [type] : listTexts(type);
  if (schema.properties !== undefined || schema.additionalProperties !== undefined)
    return ["object"];
  if (schema.items !== undefined) return ["array"];
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
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
  const { type, enum: [first, ...others] = [] } = schemaPart.parse(schema);
  return type === "null" || (first === null && others.length === 0);
}
