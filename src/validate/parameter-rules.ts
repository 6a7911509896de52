import * as z from "zod/mini";
import { ParameterType, PrecannedDate, PrecannedDateRange } from "../define/enumerations.ts";
import type { CrawlStrategy, Parameter, SyncTableRelation } from "../define/formula.ts";
import { isRecord, type Members, toList } from "../shared/values.ts";
import { checkName, checkTexts } from "./names.ts";
import type { Path, Report } from "./report.ts";
import {
  anything,
  checkShape,
  describeKind,
  optionalFlag,
  optionalText,
  reportUnknownValue,
  type ShapeOf,
  shortenValue,
  text,
} from "./shape.ts";

const relation = {
  tableName: text,
  propertyKey: text,
  inheritPermissions: optionalFlag,
} satisfies ShapeOf<SyncTableRelation>;

const parameterShape = z.strictObject({
  name: text,
  type: anything,
  description: text,
  instructions: optionalText,
  optional: optionalFlag,
  autocomplete: z.optional(
    z.custom(
      (value) => value === undefined || typeof value === "function" || typeof value === "object",
      "a list, or a function",
    ),
  ),
  suggestedValue: anything,
  ingestionSuggestedValue: anything,
  crawlStrategy: z.optional(
    z.strictObject({
      parentTable: z.optional(z.strictObject(relation)),
    } satisfies ShapeOf<CrawlStrategy>),
  ),
  supportsIncrementalSync: optionalFlag,
  defaultValue: anything,
  fullSyncSuggestedValue: anything,
  allowedPresetValues: z.optional(z.array(z.string())),
  allowManualInput: optionalFlag,
  inheritPermissions: optionalFlag,
} satisfies ShapeOf<Parameter>);

const TYPES: readonly string[] = Object.values(ParameterType);
/** Array types in compiled definitions: an object, and a number for a scalar. */
const isCompiledType = (type: unknown): boolean =>
  (isRecord(type) && type["type"] === "array") || typeof type === "number";

/** The parameters of one formula. */
export function checkParameters(formula: Members, path: Path, report: Report): void {
  const parameters = toList(formula["parameters"]);
  const varargs = toList(formula["varargParameters"]);
  const names = new Set<unknown>();
  const checkOne = (parameter: unknown, at: Path): parameter is Members => {
    if (!checkShape(parameterShape, parameter, at, { unknownKey: "KEY_UNKNOWN" }, report))
      return false;
    checkName("PARAMETER_NAME_INVALID", parameter["name"], [...at, "name"], report);
    checkTexts("PARAMETER_TEXT_LENGTH", parameter, at, report);
    checkType(parameter["type"], [...at, "type"], report);
    checkPresets(parameter, at, report);
    if (parameter["optional"] !== true && parameter["supportsIncrementalSync"] === false) {
      const message = "A parameter that turns off incremental sync is required.";
      report(
        "PARAMETER_INCREMENTAL",
        [...at, "supportsIncrementalSync"],
        message,
        "Add optional: true, or remove this option.",
      );
    }
    const { name } = parameter;
    if (typeof name !== "string") return true;
    if (names.has(name))
      report(
        "PARAMETER_NAME_DUPLICATE",
        [...at, "name"],
        `Another parameter is named ${shortenValue(name)}.`,
        "Rename one of the two parameters.",
      );
    names.add(name);
    return true;
  };

  let firstOptional: unknown;
  parameters.forEach((parameter, index) => {
    const at = [...path, "parameters", index];
    if (!checkOne(parameter, at)) return;
    if (parameter["optional"] === true) firstOptional ??= parameter["name"];
    else if (firstOptional !== undefined) {
      const message = `The required parameter ${shortenValue(parameter["name"])} follows the optional parameter ${shortenValue(firstOptional)}.`;
      report(
        "PARAMETER_ORDER",
        at,
        message,
        `Move the parameter before ${shortenValue(firstOptional)}, or add optional: true.`,
      );
    }
  });
  varargs.forEach((parameter, index) => {
    const at = [...path, "varargParameters", index];
    if (!checkOne(parameter, at) || parameter["optional"] !== true) return;
    const message =
      "optional has no effect on a repeating parameter: users can always leave out all repeating parameters.";
    report("PARAMETER_VARARG_OPTIONAL", [...at, "optional"], message, "Remove optional.", {
      kind: "remove",
    });
  });
}

function checkPresets({ type, allowedPresetValues }: Members, path: Path, report: Report): void {
  if (!Array.isArray(allowedPresetValues)) return;
  const at = [...path, "allowedPresetValues"];
  const values: readonly unknown[] | undefined =
    type === "date"
      ? Object.values(PrecannedDate)
      : type === "dateArray"
        ? Object.values(PrecannedDateRange)
        : undefined;
  if (values === undefined) {
    report(
      "PARAMETER_PRESETS",
      at,
      "Only a date or a list of dates can have presets.",
      "Remove allowedPresetValues.",
    );
    return;
  }
  allowedPresetValues.forEach((value, index) => {
    if (!values.includes(value))
      reportUnknownValue("PARAMETER_PRESETS", value, values.map(String), [...at, index], report);
  });
}

function checkType(type: unknown, path: Path, report: Report): void {
  if (typeof type === "string" && TYPES.includes(type)) return;
  if (type === undefined)
    report(
      "MEMBER_MISSING",
      path,
      "type is missing.",
      "Add type: ParameterType.String, or another type.",
    );
  else if (type === 2 || (isRecord(type) && type["items"] === 2) || type === "object") {
    report(
      "PARAMETER_TYPE",
      path,
      "A parameter cannot be an object.",
      "Add a parameter for each property of the object, or use a text parameter that accepts JSON.",
    );
  } else if (typeof type === "string")
    reportUnknownValue("PARAMETER_TYPE", type, TYPES, path, report);
  else if (!isCompiledType(type))
    report(
      "PARAMETER_TYPE",
      path,
      `type must be a ParameterType, not ${describeKind(type)}.`,
      "Write ParameterType.String.",
    );
}
