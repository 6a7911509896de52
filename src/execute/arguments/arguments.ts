import { PackError } from "../../errors.ts";
import { type ArgumentClock, parseDate, relativeDate, relativeRange } from "./relative-dates.ts";

/** The members of a parameter that the checks read. */
export interface DeclaredParameter {
  readonly name: string;
  /** The text of the author, or the type of the definition. */
  readonly type: unknown;
  readonly optional?: boolean | undefined;
}

export interface DeclaredParameters {
  readonly parameters?: readonly DeclaredParameter[] | undefined;
  readonly varargParameters?: readonly DeclaredParameter[] | undefined;
}

/**
 * Arguments as values, or as text from a command line, which is converted to the declared types.
 */
export type FormulaArguments = readonly unknown[] | TextArguments;

export interface TextArguments {
  /** In the order of the declaration. */
  text: readonly string[];
  /** Arguments by the name of their parameter, instead of by position in `text`. */
  named?: Readonly<Record<string, string>> | undefined;
}

/** On a command line, omits an optional argument. */
const SKIPPED_ARGUMENT = "-";

type Scalar = "string" | "number" | "boolean" | "date";
interface ParameterKind {
  scalar: Scalar;
  isArray: boolean;
  isSparse: boolean;
}

/**
 * Checks the arguments of a formula against its parameters.
 * @returns the values in the order of the declaration; an omitted optional argument is `undefined`
 * @throws {PackError} ARGUMENT_COUNT, ARGUMENT_TYPE
 */
export function prepareArguments(
  formula: DeclaredParameters,
  args: FormulaArguments,
  clock: ArgumentClock = {},
): unknown[] {
  const parameters = formula.parameters ?? [];
  const varargs = formula.varargParameters ?? [];
  const isText = "text" in args;
  const given: readonly unknown[] = isText ? withNamed(parameters, args) : args;
  assertCount(given.length, parameters, varargs);
  return given.map((value, index) => {
    const parameter = parameters[index] ?? varargs[(index - parameters.length) % varargs.length];
    if (parameter === undefined) return value;
    const isLeftOut =
      value === undefined || (isText && value === SKIPPED_ARGUMENT && parameter.optional === true);
    if (isLeftOut) {
      if (parameter.optional !== true) throw wrongType(parameter, "a value: it is not optional");
      return undefined;
    }
    const converted = isText ? fromText(parameter, String(value), clock) : value;
    return checkArgument(parameter, converted);
  });
}

/**
 * Puts the named arguments in their positions; the others fill the remaining positions in order.
 */
function withNamed(
  parameters: readonly DeclaredParameter[],
  { text, named = {} }: TextArguments,
): (string | undefined)[] {
  const names = parameters.map(({ name }) => name);
  const unknown = Object.keys(named).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const isEmpty = names.length === 0;
    const expected = isEmpty ? "an argument without a name" : `one of ${names.join(", ")}`;
    throw new PackError("ARGUMENT_TYPE", `The formula has no parameter named ${unknown}.`, {
      details: { parameter: unknown, expected },
      hint: isEmpty
        ? "The formula has no parameters that you can pass by name. Pass repeating parameters by position."
        : `Use one of these names: ${names.join(", ")}. You cannot pass repeating parameters by name.`,
    });
  }
  const rest = [...text];
  const placed: (string | undefined)[] = names.map((name) =>
    Object.hasOwn(named, name) ? named[name] : rest.shift(),
  );
  placed.push(...rest);
  while (placed.length > 0 && placed.at(-1) === undefined) placed.pop();
  return placed;
}

function assertCount(
  received: number,
  parameters: readonly DeclaredParameter[],
  varargs: readonly DeclaredParameter[],
): void {
  const required = parameters.filter(({ optional }) => optional !== true).length;
  const extra = received - parameters.length;
  const isFine =
    received >= required && (extra <= 0 || (varargs.length > 0 && extra % varargs.length === 0));
  if (isFine) return;
  const names = parameters.map(({ name, optional }) => (optional === true ? `[${name}]` : name));
  if (varargs.length > 0) names.push(`[${varargs.map(({ name }) => name).join(" ")}]…`);
  const expected =
    varargs.length > 0
      ? `at least ${required}${varargs.length > 1 ? `, then groups of ${varargs.length}` : ""}`
      : required === parameters.length
        ? `${required}`
        : `${required} to ${parameters.length}`;
  throw new PackError(
    "ARGUMENT_COUNT",
    `The formula takes ${expected} argument${expected === "1" ? "" : "s"}, not ${received}.`,
    {
      details: { expected, received },
      hint:
        names.length === 0
          ? "Call the formula without arguments."
          : `Pass these arguments, in this order: ${names.join(" ")}`,
    },
  );
}

/** What a parameter holds, by its declared type. */
export function parseKind(parameter: DeclaredParameter): ParameterKind {
  const type = parameter.type;
  const match = typeof type === "string" ? /^(sparse)?([A-Za-z]+?)(Array)?$/.exec(type) : null;
  const word = (match?.[2] ?? "string").toLowerCase();
  const scalar: Scalar =
    word === "number" || word === "boolean" || word === "date" ? word : "string";
  return { scalar, isArray: match?.[3] !== undefined, isSparse: match?.[1] !== undefined };
}

// ---- text
// --------------------------------------------------------------------------------------------------------

function fromText(parameter: DeclaredParameter, text: string, clock: ArgumentClock): unknown {
  const { scalar, isArray, isSparse } = parseKind(parameter);
  if (!isArray) return scalarFromText(parameter, scalar, text, clock);
  if (text.trimStart().startsWith("[")) return arrayFromJson(parameter, scalar, text, clock);
  if (text.trim() === "") return [];
  const range = scalar === "date" ? relativeRange(text.trim(), clock) : undefined;
  if (range !== undefined) return range;
  return splitAtCommas(text).map((part) => {
    if (part === "" && isSparse) return undefined;
    if (part === "")
      throw wrongType(
        parameter,
        `a ${scalar} before and after each comma (write an empty text as JSON)`,
      );
    return scalarFromText(parameter, scalar, part, clock);
  });
}

function arrayFromJson(
  parameter: DeclaredParameter,
  scalar: Scalar,
  text: string,
  clock: ArgumentClock,
): unknown {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw wrongType(parameter, "a JSON array, or values separated by commas");
  }
  if (!Array.isArray(parsed)) return parsed;
  return parsed.map((item) => {
    if (item === null) return undefined;
    return scalar === "date" && typeof item === "string"
      ? scalarFromText(parameter, "date", item, clock)
      : item;
  });
}

function scalarFromText(
  parameter: DeclaredParameter,
  scalar: Scalar,
  text: string,
  clock: ArgumentClock,
): unknown {
  switch (scalar) {
    case "number": {
      const number = text.trim() === "" ? Number.NaN : Number(text);
      if (!Number.isFinite(number)) throw wrongType(parameter, "a number", text);
      return number;
    }
    case "boolean": {
      const word = text.trim().toLowerCase();
      if (word !== "true" && word !== "false") throw wrongType(parameter, "true or false", text);
      return word === "true";
    }
    case "date": {
      const date = relativeDate(text.trim(), clock) ?? parseDate(text.trim(), clock);
      if (date === undefined)
        throw wrongType(
          parameter,
          "an ISO date such as 2026-01-31 or 2026-01-31T12:00:00Z, or a word such as today",
          text,
        );
      return date;
    }
    case "string":
      return text;
  }
}

/** `\,` is a comma inside a value, `\\` a backslash; outer spaces are removed. */
function splitAtCommas(text: string): string[] {
  const parts = [""];
  for (const token of text.match(/\\[\\,]|[\s\S]/g) ?? []) {
    if (token === ",") parts.push("");
    else
      parts[parts.length - 1] +=
        token.length === 2 && token.startsWith("\\") ? token.slice(1) : token;
  }
  return parts.map((part) => part.trim());
}

// ---- values
// ------------------------------------------------------------------------------------------------------

function checkArgument(parameter: DeclaredParameter, value: unknown): unknown {
  const { scalar, isArray, isSparse } = parseKind(parameter);
  if (!isArray) return checkedScalar(parameter, scalar, value);
  if (!Array.isArray(value)) throw wrongType(parameter, "an array");
  return value.map((item) => {
    if (item !== undefined && item !== null) return checkedScalar(parameter, scalar, item);
    if (!isSparse) throw wrongType(parameter, "an array without empty elements");
    return undefined;
  });
}

function checkedScalar(parameter: DeclaredParameter, scalar: Scalar, value: unknown): unknown {
  if (scalar === "date") {
    if (value instanceof Date && !Number.isNaN(value.getTime())) return value;
    throw wrongType(parameter, "a valid Date");
  }
  if (typeof value !== scalar || (typeof value === "number" && Number.isNaN(value)))
    throw wrongType(parameter, `a ${scalar}`);
  return value;
}

function wrongType(
  parameter: DeclaredParameter,
  expected: string,
  text?: string,
): PackError<"ARGUMENT_TYPE"> {
  const got =
    text === undefined
      ? ""
      : `, not ${JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text)}`;
  return new PackError(
    "ARGUMENT_TYPE",
    `The argument ${parameter.name} must be ${expected}${got}.`,
    {
      details: { parameter: parameter.name, expected },
      hint:
        parameter.optional === true
          ? "Correct the argument. To omit an optional argument, write - in its place."
          : `Correct the argument. The type of the parameter is ${String(parameter.type)}.`,
    },
  );
}

/**
 * Converts the cells that a button passes to an action into values of the declared types: a cell
 * holds a date as text, and a
 * blank cell is empty text. A cell that cannot be converted is kept, so that the check of the
 * arguments refuses it.
 */
export function cellArguments(
  { parameters = [], varargParameters = [] }: DeclaredParameters,
  cells: readonly unknown[],
): unknown[] {
  return cells.map((cell, index) => {
    const parameter =
      parameters[index] ?? varargParameters[(index - parameters.length) % varargParameters.length];
    if (parameter === undefined) return cell;
    if (cell === "" && parameter.optional === true) return undefined;
    if (!parseKind(parameter).isArray) return cellValue(parameter, cell);
    return (Array.isArray(cell) ? cell : cell === "" ? [] : [cell]).map((item) =>
      cellValue(parameter, item),
    );
  });
}

function cellValue(parameter: DeclaredParameter, cell: unknown): unknown {
  const { scalar } = parseKind(parameter);
  if (scalar === "string")
    return typeof cell === "number" || typeof cell === "boolean" ? String(cell) : cell;
  if (typeof cell !== "string") return cell;
  if (scalar === "date") return parseDate(cell, {}) ?? cell;
  if (scalar === "boolean")
    return /^true$/i.test(cell) ? true : /^false$/i.test(cell) ? false : cell;
  return cell.trim() === "" || Number.isNaN(Number(cell)) ? cell : Number(cell);
}

/**
 * @returns the arguments by the names of their parameters, as `context.sync.parameters` has them
 */
export function argumentsByName(
  { parameters = [] }: DeclaredParameters,
  args: readonly unknown[],
): Record<string, unknown> {
  return Object.fromEntries(
    parameters.flatMap(({ name }, index) =>
      args[index] === undefined ? [] : [[name, args[index]]],
    ),
  );
}
