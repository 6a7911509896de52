import type { Column } from "../contract/models/responses.ts";

/** The kind of values in a column. */
export type ColumnKind =
  | "text"
  | "option"
  | "number"
  | "money"
  | "boolean"
  | "date"
  | "dateTime"
  | "person"
  | "row"
  | "link"
  | "image"
  | "button"
  | "other";

const KINDS: { readonly [type: string]: ColumnKind } = {
  text: "text",
  email: "text",
  select: "option",
  number: "number",
  percent: "number",
  slider: "number",
  scale: "number",
  currency: "money",
  checkbox: "boolean",
  date: "date",
  dateTime: "dateTime",
  person: "person",
  lookup: "row",
  link: "link",
  image: "image",
  imageReference: "image",
  attachments: "image",
  button: "button",
};

/**
 * The kind of a column. Types that have no rule here are `other`: their values stay as they are.
 */
export function getKind({ format }: Pick<Column, "format">): ColumnKind {
  return KINDS[format.type] ?? "other";
}

/** What a select column offers, or undefined where it does not say. */
export function findOptions({ format }: Pick<Column, "format">): string[] | undefined {
  const options = format["options"] as readonly { name?: unknown }[] | undefined;
  const names = Array.isArray(options) ? options.map((each) => each?.name) : [];
  return names.length > 0 && names.every((name) => typeof name === "string")
    ? (names as string[])
    : undefined;
}

/**
 * What a record calls each column: by its name, or by its id where several columns have the name.
 */
export function indexByKey<Each extends Pick<Column, "id" | "name">>(
  columns: readonly Each[],
): Map<string, Each> {
  const counts = new Map<string, number>();
  for (const { name } of columns) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(columns.map((each) => [counts.get(each.name) === 1 ? each.name : each.id, each]));
}
