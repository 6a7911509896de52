import type { FormulaView, ParameterView, TableView } from "../../wire/pack.ts";

/** Something that can be run. */
export type Runnable = FormulaView | TableView;

/**
 * The content of a field: text, or a list of texts. `undefined` leaves out an optional parameter.
 */
export type FieldValue = string | string[] | undefined;

/** The content of a form: a value per parameter, and a group of values per repetition. */
export interface FormValues {
  named: Record<string, FieldValue>;
  repeated: Record<string, FieldValue>[];
}

export interface ParameterKind {
  /**
   * Of one value: `string`, `number`, `boolean`, `date`, `html`, `markdown`, `image`, `file`,
   * `email`.
   */
  word: string;
  isList: boolean;
  /** Elements may be blank. */
  isSparse: boolean;
}

/** Leaves out an optional argument on a command line. */
const LEFT_OUT = "-";

export function parseKind(type: string): ParameterKind {
  const [, sparse, word = "string", list] = /^(sparse)?([A-Za-z]+?)(Array)?$/.exec(type) ?? [];
  return { word: word.toLowerCase(), isList: list !== undefined, isSparse: sparse !== undefined };
}

/** A new form: suggested values only. */
export function initialValues({ parameters }: Pick<Runnable, "parameters">): FormValues {
  return { named: initialGroup(parameters), repeated: [] };
}

export function initialGroup(parameters: readonly ParameterView[]): Record<string, FieldValue> {
  return Object.fromEntries(
    parameters.map((parameter) => [parameter.name, initialValue(parameter)]),
  );
}

function initialValue({ type, isOptional, suggested }: ParameterView): FieldValue {
  const { word, isList } = parseKind(type);
  if (suggested !== undefined)
    return isList && typeof suggested === "string" ? [suggested] : suggested;
  if (isOptional) return undefined;
  return isList ? [] : word === "boolean" ? "false" : "";
}

/**
 * Stored values for the parameters as they are now. A parameter that became a list, or no longer is
 * one, starts again.
 */
export function fittingValues(
  kept: FormValues,
  { parameters, varargs }: Pick<Runnable, "parameters" | "varargs">,
): FormValues {
  const group = (values: Record<string, FieldValue>, declared: readonly ParameterView[]) =>
    Object.fromEntries(
      declared.map((parameter) => {
        const value = values[parameter.name];
        const isFitting =
          value === undefined
            ? parameter.isOptional
            : Array.isArray(value) === parseKind(parameter.type).isList;
        return [parameter.name, isFitting ? value : initialValue(parameter)];
      }),
    );
  return {
    named: group(kept.named, parameters),
    repeated: varargs.length === 0 ? [] : kept.repeated.map((each) => group(each, varargs)),
  };
}

/**
 * Whether the form refuses to leave the field of a parameter empty. An empty list is a value, and a
 * check box always has one.
 */
export function isNeeded({ type, isOptional }: ParameterView): boolean {
  const { word, isList } = parseKind(type);
  return !isOptional && !isList && word !== "boolean";
}

/** The fields that are empty and must not be, by `fieldKey`. */
export function emptyFields(
  { parameters, varargs }: Pick<Runnable, "parameters" | "varargs">,
  values: FormValues,
): ReadonlySet<string> {
  const listEmpty = (
    declared: readonly ParameterView[],
    group: Record<string, FieldValue>,
    index?: number,
  ): string[] =>
    declared
      .filter((parameter) => isNeeded(parameter) && (group[parameter.name] ?? "") === "")
      .map(({ name }) => fieldKey(name, index));
  return new Set([
    ...listEmpty(parameters, values.named),
    ...values.repeated.flatMap((group, index) => listEmpty(varargs, group, index)),
  ]);
}

/** @param group index of the repetition that the field belongs to */
export function fieldKey(name: string, group?: number): string {
  return group === undefined ? name : `${group} ${name}`;
}

/** The form as arguments of a command line, in the order of the parameters. */
export function toArguments(
  { parameters, varargs }: Pick<Runnable, "parameters" | "varargs">,
  values: FormValues,
): string[] {
  const texts = parameters.map((parameter) => toArgument(parameter, values.named[parameter.name]));
  const repeated = values.repeated.flatMap((group) =>
    varargs.map((parameter) => toArgument(parameter, group[parameter.name])),
  );
  // Arguments that are left out at the end need no placeholder.
  while (repeated.length === 0 && texts.length > 0 && texts.at(-1) === undefined) texts.pop();
  return [...texts, ...repeated].map((text) => text ?? LEFT_OUT);
}

/** The form that gives these arguments. Those that are secret are left empty. */
export function argumentValues(
  { parameters, varargs }: Pick<Runnable, "parameters" | "varargs">,
  args: readonly { readonly text: string; readonly isSecret: boolean }[],
): FormValues {
  const read = (parameter: ParameterView, index: number): FieldValue => {
    const argument = args[index];
    if (argument === undefined || argument.isSecret || argument.text === LEFT_OUT)
      return parameter.isOptional
        ? undefined
        : initialValue({ ...parameter, suggested: undefined });
    return parseKind(parameter.type).isList ? readList(argument.text) : argument.text;
  };
  const group = (declared: readonly ParameterView[], from: number) =>
    Object.fromEntries(
      declared.map((parameter, index) => [parameter.name, read(parameter, from + index)]),
    );
  const repeated: FormValues["repeated"] = [];
  for (let at = parameters.length; varargs.length > 0 && at < args.length; at += varargs.length)
    repeated.push(group(varargs, at));
  return { named: group(parameters, 0), repeated };
}

/** A list is JSON, or a word such as last_30_days. */
function readList(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.map((item) => (item === null ? "" : String(item))) : [text];
  } catch {
    return [text];
  }
}

function toArgument({ type }: ParameterView, value: FieldValue): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string") return value;
  const kind = parseKind(type);
  // A single word such as last_30_days replaces the list.
  if (
    kind.word === "date" &&
    value.length === 1 &&
    /^[a-z]\w*$/.test(value[0] ?? "") &&
    !RELATIVE_DAYS.includes(value[0] ?? "")
  )
    return value[0];
  return JSON.stringify(value.map((text) => parseElement(text, kind)));
}

/** Words for a single day. All other words are spans of days. */
export const RELATIVE_DAYS = [
  "today",
  "yesterday",
  "tomorrow",
  "7_days_ago",
  "30_days_ago",
  "90_days_ago",
  "7_days_ahead",
  "30_days_ahead",
];

export const SPANS = [
  ...[
    "last_7_days",
    "last_30_days",
    "last_90_days",
    "last_365_days",
    "this_week",
    "this_month",
    "this_year",
    "year_to_date",
  ],
  ...[
    "last_week",
    "last_month",
    "last_year",
    "next_7_days",
    "next_30_days",
    "next_week",
    "next_month",
    "everything",
  ],
];

/** Text that does not fit the type stays text: the run reports what is wrong with it. */
function parseElement(text: string, { word, isSparse }: ParameterKind): unknown {
  if (text === "" && (isSparse || word === "number" || word === "boolean" || word === "date"))
    return null;
  if (word === "number") return Number.isNaN(Number(text)) ? text : Number(text);
  if (word === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return text;
}

/** The values by name, as a function that finds choices gets them. */
export function valuesByName(
  parameters: readonly ParameterView[],
  values: Record<string, FieldValue>,
): Record<string, unknown> {
  return Object.fromEntries(
    parameters.flatMap(({ name, type }) => {
      const value = values[name];
      const kind = parseKind(type);
      if (value === undefined || value === "") return [];
      return [
        [
          name,
          Array.isArray(value)
            ? value.map((text) => parseElement(text, kind))
            : parseElement(value, { ...kind, isSparse: false }),
        ],
      ];
    }),
  );
}

/** The command that does the same in a terminal. */
export function commandLine(
  file: string,
  target: string,
  args: readonly string[],
  options: Readonly<Record<string, string | undefined>>,
): string {
  const flags = Object.entries(options).flatMap(([flag, value]) =>
    value === undefined || value === "" ? [] : [flag, quoteArgument(value)],
  );
  // After "--", an argument that begins with a dash is not read as an option.
  const separator = args.some((text) => text.startsWith("-") && text !== "-") ? ["--"] : [];
  return [
    "packsmith",
    "execute",
    ...flags,
    quoteArgument(file),
    quoteArgument(target),
    ...separator,
    ...args.map(quoteArgument),
  ].join(" ");
}

/** A text as one word of a POSIX shell. */
function quoteArgument(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) && text !== "" ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
