import { isMembers, type Members, short } from "./shape.ts";

/** What a member of an object schema, such as `titleProperty`, can name. */
export interface PropertyKind {
  /** In words, for a message. */
  expected: string;
  fits(property: Members): boolean;
}

const isOneOf =
  (member: "type" | "codaType", ...values: readonly string[]) =>
  (schema: Members): boolean =>
    typeof schema[member] === "string" && values.includes(schema[member]);

const isText = isOneOf("type", "string");
const isPersonObject = (schema: Members): boolean => schema["type"] === "object" && schema["codaType"] === "person";
const isPerson = (schema: Members): boolean => isPersonObject(schema) || (isText(schema) && schema["codaType"] === "email");
const isUser = (schema: Members): boolean =>
  schema["type"] === "object" && (schema["userEmailProperty"] !== undefined || schema["userIdProperty"] !== undefined);
const isListOf = (schema: Members, fits: (items: Members) => boolean): boolean =>
  schema["type"] === "array" && isMembers(schema["items"]) && fits(schema["items"]);

/** For members whose rules are elsewhere, or that have none (rules 103 and 147). */
export const ANY_PROPERTY: PropertyKind = { expected: "a property", fits: () => true };
const text: PropertyKind = { expected: "text", fits: isText };
const textOrTexts: PropertyKind = { expected: "text or a list of texts", fits: (schema) => isText(schema) || isListOf(schema, isText) };
const number: PropertyKind = { expected: "a number", fits: isOneOf("type", "number") };
const textOrNumber: PropertyKind = { expected: "text or a number", fits: isOneOf("type", "string", "number") };
const moment: PropertyKind = {
  expected: "text or a number with the value hint Date or DateTime",
  fits: (schema) => textOrNumber.fits(schema) && isOneOf("codaType", "date", "datetime")(schema),
};
const person: PropertyKind = { expected: "a Person object, or text with the value hint Email", fits: isPerson };
const UNFIT_SUBTITLES = ["image", "imageAttachment", "attachment", "embed", "scale"];

/** Members of an object schema that name one property, and what they can name (rules 81 to 94). */
export const CARD_PROPERTIES: readonly (readonly [member: string, kind: PropertyKind])[] = Object.entries({
  titleProperty: { expected: "text or an object", fits: isOneOf("type", "string", "object") },
  linkProperty: { expected: "text with the value hint Url", fits: (schema) => isText(schema) && schema["codaType"] === "url" },
  imageProperty: {
    expected: "text with the value hint ImageReference or ImageAttachment",
    fits: (schema) => isText(schema) && isOneOf("codaType", "image", "imageAttachment")(schema),
  },
  snippetProperty: textOrTexts,
  createdAtProperty: moment,
  modifiedAtProperty: moment,
  createdByProperty: person,
  modifiedByProperty: person,
  userEmailProperty: person,
  userIdProperty: textOrNumber,
  groupIdProperty: textOrNumber,
  memberGroupIdProperty: textOrNumber,
  versionProperty: text,
});

/** Rule 85. */
export const SUBTITLE: PropertyKind = {
  expected: "something else than an image, an attachment, an embed or a scale",
  fits: (schema) => !isOneOf("codaType", ...UNFIT_SUBTITLES)(schema),
};
/** Rule 102. */
export const INDEXED = textOrTexts;
/** Rules 104 and 105. */
export const NORM = number;
/** Rules 96 to 100. */
export const MAIL_PART = text;
/** Rule 106. */
export const FILTERABLE: PropertyKind = {
  expected: "a boolean, a number, text, a Person, a user, or a list of numbers, texts, Persons or users",
  fits: (schema) =>
    isOneOf("type", "boolean", "number", "string")(schema) ||
    isPersonObject(schema) ||
    isUser(schema) ||
    isListOf(schema, (items) => isOneOf("type", "number", "string")(items) || isPersonObject(items) || isUser(items)),
};

/** A property's kind in words, such as `text with the value hint "url"`. */
export function kindOfProperty({ type, codaType }: Members): string {
  const nouns: Record<string, string> = { string: "text", number: "a number", boolean: "a boolean", array: "a list", object: "an object" };
  const noun = typeof type === "string" ? (nouns[type] ?? short(type)) : "no schema";
  return typeof codaType === "string" ? `${noun} with the value hint ${short(codaType)}` : noun;
}
