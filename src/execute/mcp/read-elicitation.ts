import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/client";
import * as z from "zod";
import { isLoopbackHost } from "../../define/hosts.ts";
import { lenientList, lenientNumber, lenientObject, lenientRecord } from "../../shared/lenient.ts";
import { canParseUrl } from "../../shared/urls.ts";
import { isRecord } from "../../shared/values.ts";
import type {
  Elicitation,
  ElicitationField,
  ElicitedValue,
  FormElicitation,
  UrlElicitation,
} from "./elicitation.ts";

/** What a server wrote in the parameters of `elicitation/create`. */
export interface ElicitationParams {
  mode?: string | undefined;
  message: string;
  requestedSchema?: unknown;
  url?: unknown;
}

/** A person reads it: more is an attack or a mistake. */
const MAX_FIELDS = 30;
const MAX_OPTIONS = 200;
const MAX_TEXT = 1_000;
const MAX_URL = 8_000;
const FORMATS = ["email", "uri", "date", "date-time"] as const;

/**
 * What a server asks for. Long texts are cut.
 * @throws {ProtocolError} a form that no person would fill in, or a link that is not safe to open
 */
export function readElicitation(server: string, params: ElicitationParams): Elicitation {
  const message = shorten(params.message);
  return params.mode === "url"
    ? { mode: "url", server, message, url: readUrl(params.url) }
    : { mode: "form", server, message, fields: readFields(params.requestedSchema) };
}

/** @throws {ProtocolError} */
function readUrl(given: unknown): UrlElicitation["url"] {
  const text = String(given);
  const url = canParseUrl(text) && text.length <= MAX_URL ? new URL(text) : undefined;
  if (url === undefined) throw refuse("The URL is not valid, or too long.");
  const isSecure =
    url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname));
  if (!isSecure) throw refuse("packsmith opens only https URLs.");
  if (url.username !== "" || url.password !== "")
    throw refuse("packsmith does not open URLs with a user name or a password.");
  return url.href;
}

const optionalText = z.string().optional().catch(undefined);
const optionalList = z.array(z.unknown()).optional().catch(undefined);

const formPart = lenientObject({ properties: lenientRecord, required: lenientList });

const choicesMembers = {
  enum: optionalList,
  enumNames: lenientList,
  oneOf: optionalList,
  anyOf: optionalList,
};
const choicesPart = lenientObject(choicesMembers);
const fieldPart = lenientObject({
  ...choicesMembers,
  type: optionalText,
  title: optionalText,
  description: optionalText,
  format: optionalText,
  default: z.unknown().optional(),
  items: choicesPart,
  minLength: lenientNumber,
  minimum: lenientNumber,
  minItems: lenientNumber,
  maxLength: lenientNumber,
  maximum: lenientNumber,
  maxItems: lenientNumber,
});

/** @throws {ProtocolError} */
function readFields(schema: unknown): FormElicitation["fields"] {
  const { properties, required } = formPart.parse(schema);
  const entries = Object.entries(properties);
  if (entries.length > MAX_FIELDS) throw refuse(`A form can have at most ${MAX_FIELDS} fields.`);
  return entries.map(([name, each]) => readField(name, each, required.includes(name)));
}

function readField(name: string, given: unknown, isRequired: boolean): ElicitationField {
  const schema = fieldPart.parse(given);
  const { title = name, description, format } = schema;
  const isList = schema.type === "array";
  const options = readOptions(isList ? schema.items : schema);
  if (options.length > MAX_OPTIONS)
    throw refuse(`A field can have at most ${MAX_OPTIONS} choices.`);
  return {
    name,
    title: shorten(title),
    description: description === undefined ? undefined : shorten(description),
    type: isList ? "choices" : options.length > 0 ? "choice" : readType(schema.type),
    isRequired,
    default: schema.default as ElicitedValue | undefined,
    options,
    format: FORMATS.find((known) => known === format),
    least: schema.minLength ?? schema.minimum ?? schema.minItems,
    most: schema.maxLength ?? schema.maximum ?? schema.maxItems,
  };
}

function readType(type: string | undefined): "text" | "number" | "integer" | "boolean" {
  return type === "number" || type === "integer" || type === "boolean" ? type : "text";
}

/** Choices are an `enum`, with or without `enumNames`, or a list of constants with titles. */
function readOptions({
  enum: values,
  enumNames,
  oneOf,
  anyOf,
}: z.output<typeof choicesPart>): { value: string; title: string }[] {
  if (values !== undefined)
    return values.map((value, index) => ({
      value: String(value),
      title: shorten(String(enumNames[index] ?? value)),
    }));
  const constants = (oneOf ?? anyOf ?? []).filter(isRecord);
  return constants.map(({ const: value, title }) => ({
    value: String(value),
    title: shorten(String(title ?? value)),
  }));
}

function shorten(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}

function refuse(reason: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, reason);
}
