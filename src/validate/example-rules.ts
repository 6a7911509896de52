import { isRecord, type Members, toList } from "../shared/values.ts";
import type { Path, Report } from "./report.ts";
import { describeKind, shortenValue } from "./shape.ts";

/** The examples of a formula. */
export function checkExamples(formula: Members, path: Path, report: Report): void {
  toList(formula["examples"]).forEach((example, index) => {
    if (!isRecord(example)) return;
    const at = [...path, "examples", index];
    const params = toList(example["params"]);
    const { result } = example;
    if (result === undefined || result === null) {
      report(
        "EXAMPLE_RESULT",
        [...at, "result"],
        "The example has no result.",
        "Add the result of the call.",
      );
    } else checkResult(formula["resultType"], result, [...at, "result"], report);
    if (
      params.every((value, position) =>
        isPossibleArgument(value, [...at, "params", position], report),
      )
    ) {
      checkParams(formula, params, [...at, "params"], report);
    }
  });
}

function isPossibleArgument(value: unknown, path: Path, report: Report): boolean {
  const isScalar = (item: unknown): boolean =>
    item === undefined ||
    item === null ||
    ["string", "number", "boolean"].includes(typeof item) ||
    item instanceof Date;
  if (isScalar(value) || (Array.isArray(value) && value.every(isScalar))) return true;
  const hint = "Use a string, a number, a Boolean, a date, or a list of these values.";
  report("EXAMPLE_PARAMS", path, `An argument cannot be ${describeKind(value)}.`, hint);
  return false;
}

function checkParams(
  formula: Members,
  params: readonly unknown[],
  path: Path,
  report: Report,
): void {
  const parameters = toList(formula["parameters"]);
  const varargs = toList(formula["varargParameters"]);
  const required = parameters.filter(
    (parameter) => isRecord(parameter) && parameter["optional"] !== true,
  ).length;
  const extra = params.length - parameters.length;
  const fits =
    params.length >= required &&
    (extra <= 0 || (varargs.length > 0 && extra % varargs.length === 0));
  if (!fits) {
    const expected =
      required === parameters.length ? `${required}` : `${required} to ${parameters.length}`;
    const message = `The example has ${params.length} arguments; the formula takes ${expected}.`;
    report(
      "EXAMPLE_MISMATCH",
      path,
      message,
      "Write one argument for each parameter, in the same order.",
    );
    return;
  }
  params.forEach((value, index) => {
    const parameter =
      parameters[index] ?? varargs[(index - parameters.length) % Math.max(1, varargs.length)];
    if (
      value === undefined ||
      value === null ||
      !isRecord(parameter) ||
      typeof parameter["type"] !== "string"
    )
      return;
    const problem = problemOfArgument(parameter["type"], value);
    if (problem === undefined) return;
    const message = `The argument for ${shortenValue(parameter["name"])} must be ${problem}, not ${describeKind(value)}.`;
    report("EXAMPLE_MISMATCH", [...path, index], message, `Write ${problem}.`);
  });
}

function problemOfArgument(type: string, value: unknown): string | undefined {
  const [, word = "", list] = /^(?:sparse)?([A-Za-z]+?)(Array)?$/.exec(type) ?? [];
  const scalar = word.toLowerCase();
  const isOne = (item: unknown): boolean =>
    scalar === "number" || scalar === "boolean"
      ? typeof item === scalar
      : scalar === "date"
        ? item instanceof Date || (typeof item === "string" && !Number.isNaN(Date.parse(item)))
        : typeof item === "string";
  const noun =
    scalar === "number"
      ? "a number"
      : scalar === "boolean"
        ? "true or false"
        : scalar === "date"
          ? "a date"
          : "text";
  if (list === undefined) return isOne(value) ? undefined : noun;
  const fits =
    Array.isArray(value) &&
    value.every((item) => item === null || item === undefined || isOne(item));
  return fits
    ? undefined
    : `a list of ${noun === "text" ? "texts" : noun.replace(/^a (\w+)$/, "$1s")}`;
}

function checkResult(resultType: unknown, result: unknown, path: Path, report: Report): void {
  const isFine =
    resultType === "array"
      ? Array.isArray(result)
      : resultType === "object"
        ? isRecord(result)
        : resultType === "string"
          ? typeof result === "string" || result instanceof Date || typeof result === "number"
          : resultType === "number"
            ? typeof result === "number" || result instanceof Date
            : resultType !== "boolean" || typeof result === "boolean";
  if (isFine) return;
  const message = `The result type is ${String(resultType)}, but the result in the example is ${describeKind(result)}.`;
  report("EXAMPLE_MISMATCH", path, message, "Write a result of this type.");
}
