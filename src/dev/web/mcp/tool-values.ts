import type { ToolFieldView } from "../../wire/mcp.ts";

/** The form of a tool: a text per argument. An empty text leaves the argument out. */
export type ToolValues = Readonly<Record<string, string>>;

export interface ToolArguments {
  /** The arguments, without those that have a problem. */
  value: Readonly<Record<string, unknown>>;
  /** What is wrong with the fields, by name. */
  problems: ReadonlyMap<string, string>;
}

/** A new form. What the server fills in itself is empty, unless it demands the argument. */
export function initialToolValues(fields: readonly ToolFieldView[]): ToolValues {
  return Object.fromEntries(
    fields.flatMap((field) =>
      field.isRequired && field.fallback !== undefined
        ? [[field.name, writeText(field, JSON.parse(field.fallback))]]
        : [],
    ),
  );
}

/** The form as the arguments of a call. */
export function readToolArguments(
  fields: readonly ToolFieldView[],
  values: ToolValues,
): ToolArguments {
  const members: [string, unknown][] = [];
  const problems = new Map<string, string>();
  for (const field of fields) {
    const { name, isRequired, kind } = field;
    const text = textFor(name, values);
    const value = text === "" ? undefined : parseField(field, text);
    if (value !== undefined) members.push([name, value]);
    else if (text !== "")
      problems.set(name, kind === "number" ? "This is not a number." : "This is not valid JSON.");
    else if (isRequired) problems.set(name, `Enter a value for ${name}.`);
  }
  return { value: Object.fromEntries(members), problems };
}

/** The texts of the form for these arguments: the opposite of `readToolArguments`. */
export function writeToolValues(
  fields: readonly ToolFieldView[],
  args: Readonly<Record<string, unknown>>,
): ToolValues {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      writeText(fields.find((field) => field.name === name) ?? JSON_FIELD, value),
    ]),
  );
}

/** The fields of a tool, and one as JSON for each argument that its schema does not name. */
export function withOtherFields(
  fields: readonly ToolFieldView[],
  values: ToolValues,
): ToolFieldView[] {
  const others = Object.keys(values).filter((name) => !fields.some((field) => field.name === name));
  return [...fields, ...others.map((name) => ({ ...JSON_FIELD, name }))];
}

const JSON_FIELD: ToolFieldView = {
  name: "",
  description: "",
  kind: "json",
  type: "JSON",
  isRequired: false,
  options: [],
  fallback: undefined,
};

/** The object that a JSON text contains; undefined for anything else. */
export function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = text.trim() === "" ? {} : parseJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** The text of a field. */
export function textFor(name: string, values: ToolValues): string {
  return Object.hasOwn(values, name) ? (values[name] ?? "") : "";
}

function parseField({ kind }: ToolFieldView, text: string): unknown {
  if (kind === "text") return text;
  if (kind !== "number") return parseJson(text);
  const number = Number(text);
  return Number.isFinite(number) && text.trim() !== "" ? number : undefined;
}

function writeText({ kind }: ToolFieldView, value: unknown): string {
  return kind === "text" && typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
