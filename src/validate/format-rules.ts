import * as z from "zod/mini";
import type { Format } from "../define/pack.ts";
import { findNearest } from "../shared/text.ts";
import { isRecord, type Members, toList } from "../shared/values.ts";
import { createUniqueNames, MAX_NAME_LENGTH } from "./names.ts";
import type { Path, Report } from "./report.ts";
import {
  checkShape,
  describeKind,
  optionalFlag,
  optionalText,
  type ShapeOf,
  shortenValue,
  text,
} from "./shape.ts";

const MAX_FORMATS = 100;
const MAX_MATCHERS = 10;
const MAX_MATCHER_LENGTH = 300;
const MAX_COMPARED = 100;

const formatShape = z.strictObject({
  name: text,
  formulaName: text,
  instructions: optionalText,
  matchers: z.optional(z.array(z.unknown())),
  formulaNamespace: optionalText,
  hasNoConnection: optionalFlag,
  placeholder: optionalText,
} satisfies ShapeOf<Format>);

/** Column formats. */
export function checkFormats(pack: Members, report: Report): void {
  const formats = toList(pack["formats"]);
  if (formats.length > MAX_FORMATS) {
    const message = `The Pack has ${formats.length} column formats; the limit is ${MAX_FORMATS}.`;
    report("FORMAT_COUNT", ["formats"], message, "Remove some of the formats.");
  }
  const formulas = new Map<unknown, Members>();
  for (const formula of toList(pack["formulas"]))
    if (isRecord(formula)) formulas.set(formula["name"], formula);
  const checkUnique = createUniqueNames("FORMAT_NAME_DUPLICATE", "column format", report);
  formats.forEach((format, index) => {
    const path = ["formats", index];
    if (!checkShape(formatShape, format, path, { unknownKey: "KEY_UNKNOWN" }, report)) return;
    const { name, formulaName } = format;
    if (typeof name === "string" && name.length > MAX_NAME_LENGTH) {
      const message = `The name has ${name.length} characters; the limit is ${MAX_NAME_LENGTH}.`;
      report("FORMAT_NAME_LENGTH", [...path, "name"], message, "Shorten the name.");
    }
    checkUnique(name, [...path, "name"]);
    checkMatchers(format["matchers"], [...path, "matchers"], report);
    if (typeof formulaName === "string")
      checkFormula(formulaName, formulas, [...path, "formulaName"], report);
  });
}

function checkMatchers(matchers: unknown, path: Path, report: Report): void {
  const list = toList(matchers);
  if (list.length > MAX_MATCHERS) {
    const message = `The format has ${list.length} matchers; the limit is ${MAX_MATCHERS}.`;
    report("FORMAT_MATCHER_COUNT", path, message, "Combine some of the matchers with |.");
  }
  list.forEach((matcher, index) => {
    const at = [...path, index];
    if (!(matcher instanceof RegExp) && typeof matcher !== "string") {
      report(
        "FORMAT_MATCHER",
        at,
        `A matcher must be a regular expression, not ${describeKind(matcher)}.`,
        "Write /pattern/.",
      );
      return;
    }
    const pattern = String(matcher);
    if (pattern.length > MAX_MATCHER_LENGTH) {
      const message = `The matcher has ${pattern.length} characters; the limit is ${MAX_MATCHER_LENGTH}.`;
      report("FORMAT_MATCHER", at, message, "Shorten the matcher, or write several matchers.");
    } else if (!isPattern(pattern)) {
      report(
        "FORMAT_MATCHER",
        at,
        `${shortenValue(pattern)} is not a valid regular expression.`,
        "Write /pattern/ without quotes.",
      );
    }
  });
}

/** A compiled definition has matchers as text, `/pattern/flags`. */
function isPattern(text: string): boolean {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/s.exec(text) ?? [];
  if (source === undefined) return false;
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

function checkFormula(
  name: string,
  formulas: ReadonlyMap<unknown, Members>,
  path: Path,
  report: Report,
): void {
  const formula = formulas.get(name);
  if (formula === undefined) {
    const guess = findNearest(
      name,
      [...formulas.keys()].filter((key) => typeof key === "string").slice(0, MAX_COMPARED),
    );
    const hint =
      guess === undefined
        ? "Use the name of one of the Pack's formulas."
        : `Write ${shortenValue(guess)}.`;
    report("FORMAT_FORMULA", path, `The Pack has no formula ${shortenValue(name)}.`, hint);
    return;
  }
  const [first, ...rest] = toList(formula["parameters"]);
  if (first === undefined) {
    const message = `The formula ${shortenValue(name)} has no parameter for the column's text.`;
    report("FORMAT_FORMULA", path, message, "Add a parameter for the column's text.");
    return;
  }
  const required = rest.find((parameter) => isRecord(parameter) && parameter["optional"] !== true);
  if (!isRecord(required)) return;
  const message = `The formula ${shortenValue(name)} also requires ${shortenValue(required["name"])}, but a column format passes only one text.`;
  report("FORMAT_FORMULA", path, message, "Make the required parameter optional.");
}
