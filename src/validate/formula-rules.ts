import * as z from "zod/mini";
import {
  ConnectionRequirement,
  FormulaPurpose,
  NetworkConnection,
  ReservedAuthenticationNames,
  ValueType,
} from "../define/enumerations.ts";
import type { CommonFormulaDefinition, Formula, Network } from "../define/formula.ts";
import { isRecord, type Members, toList } from "../shared/values.ts";
import { checkExamples } from "./example-rules.ts";
import { checkName, checkTexts } from "./names.ts";
import { checkParameters } from "./parameter-rules.ts";
import type { Path, Report } from "./report.ts";
import { checkSchema } from "./schema-rules.ts";
import {
  anything,
  checkShape,
  optionalFlag,
  optionalNumber,
  optionalText,
  optionalTexts,
  type ShapeOf,
  shortenValue,
  text,
} from "./shape.ts";

const MAX_FORMULAS = 100;
const MAX_CACHE_TTL_SECS = 86_400;

/** Members that the formula of a sync table has, too. */
export const commonFormulaShape = {
  name: text,
  description: text,
  instructions: optionalText,
  parameters: z.array(z.unknown()),
  varargParameters: z.optional(z.array(z.unknown())),
  examples: z.optional(z.array(z.strictObject({ params: z.array(z.unknown()), result: anything }))),
  isAction: optionalFlag,
  connectionRequirement: z.optional(z.enum(ConnectionRequirement)),
  cacheTtlSecs: optionalNumber,
  isExperimental: optionalFlag,
  extraOAuthScopes: optionalTexts,
  network: z.optional(
    z.strictObject({
      hasSideEffect: optionalFlag,
      requiresConnection: optionalFlag,
      connection: z.optional(z.enum(NetworkConnection)),
    } satisfies ShapeOf<Network>),
  ),
  isSystem: optionalFlag,
  purpose: z.optional(z.enum(FormulaPurpose)),
  allowedAuthenticationNames: optionalTexts,
} satisfies ShapeOf<CommonFormulaDefinition>;

const formulaShape = z.strictObject({
  ...({
    ...commonFormulaShape,
    resultType: z.enum(ValueType),
    schema: anything,
    items: anything,
    execute: z.custom((value) => typeof value === "function", "a function"),
  } satisfies ShapeOf<Formula>),
  validateParameters: anything,
});

/** The formulas of a Pack, and everything inside them. */
export function checkFormulas(pack: Members, report: Report): void {
  const formulas = toList(pack["formulas"]);
  if (formulas.length > MAX_FORMULAS) {
    const message = `The Pack has ${formulas.length} formulas; the limit is ${MAX_FORMULAS}.`;
    report("FORMULA_COUNT", ["formulas"], message, "Split the Pack into several Packs.");
  }
  checkNamespace(pack["formulaNamespace"], report);
  const names = new Map<string, string>();
  formulas.forEach((formula, index) => {
    const path = ["formulas", index];
    if (!checkShape(formulaShape, formula, path, { unknownKey: "KEY_UNKNOWN" }, report)) return;
    checkFormula(formula, path, report);
    checkConnection(formula, pack, path, report);
    const { name } = formula;
    if (typeof name !== "string") return;
    const other = names.get(name.toLowerCase());
    if (other === undefined) names.set(name.toLowerCase(), name);
    else
      report(
        "FORMULA_NAME_DUPLICATE",
        [...path, "name"],
        `Another formula is named ${shortenValue(other)}.`,
        "Rename one of the formulas.",
      );
  });
}

function checkFormula(formula: Members, path: Path, report: Report): void {
  const { name, cacheTtlSecs, validateParameters } = formula;
  checkName("FORMULA_NAME_INVALID", name, [...path, "name"], report);
  checkTexts("FORMULA_TEXT_LENGTH", formula, path, report);
  if (
    typeof cacheTtlSecs === "number" &&
    !(cacheTtlSecs >= 0 && cacheTtlSecs <= MAX_CACHE_TTL_SECS)
  ) {
    const hint = `Write a number from 0 to ${MAX_CACHE_TTL_SECS}.`;
    const reportTtl = cacheTtlSecs > MAX_CACHE_TTL_SECS ? report.lenient : report;
    reportTtl(
      "FORMULA_CACHE_TTL",
      [...path, "cacheTtlSecs"],
      `cacheTtlSecs is ${cacheTtlSecs}.`,
      hint,
    );
  }
  if (validateParameters !== undefined) {
    const message = "Only the formula of a sync table can have validateParameters.";
    report(
      "FORMULA_VALIDATE_PARAMETERS",
      [...path, "validateParameters"],
      message,
      "Remove validateParameters.",
    );
  }
  checkParameters(formula, path, report);
  checkResultSchema(formula, path, report);
  checkExamples(formula, path, report);
}

/** Whether the schema fits the result type, then the schema. */
function checkResultSchema(
  { resultType, schema, items }: Members,
  path: Path,
  report: Report,
): void {
  if (resultType === "array") {
    if (items === undefined && schema === undefined) {
      report(
        "MEMBER_MISSING",
        [...path, "items"],
        "items is missing.",
        "Add items: the schema of one element.",
      );
    }
  } else if (items !== undefined) {
    report.lenient(
      "FORMULA_SCHEMA_TYPE",
      [...path, "items"],
      `items is only for results of type array, not ${String(resultType)}.`,
      "Remove `items`, or set resultType: ValueType.Array.",
    );
  }
  if (resultType === "object" && schema === undefined) {
    const hint = "Add schema: makeObjectSchema({ properties: { … } }).";
    report.lenient("MEMBER_MISSING", [...path, "schema"], "schema is missing.", hint);
  }
  if (items !== undefined) checkSchema(items, [...path, "items"], report);
  if (schema === undefined) return;
  checkSchema(schema, [...path, "schema"], report);
  const type = isRecord(schema) ? schema["type"] : undefined;
  if (
    isRecord(schema) &&
    type === "string" &&
    schema["codaType"] === "selectList" &&
    schema["options"] === undefined
  ) {
    const hint = "Add `options`, or remove the value hint.";
    report(
      "SCHEMA_OPTIONS",
      [...path, "schema", "codaType"],
      "A select list needs its options.",
      hint,
    );
  }
  // Some existing Packs give the schema of an array's elements as the schema of the array.
  const fits =
    type === resultType ||
    (resultType === "array" && type === "object") ||
    (resultType === "object" && type === "array");
  if (typeof type !== "string" || typeof resultType !== "string" || fits) return;
  report(
    "FORMULA_SCHEMA_TYPE",
    [...path, "schema"],
    `The schema is of type ${shortenValue(type)}, but the result type is ${shortenValue(resultType)}.`,
    `Set resultType to ${shortenValue(type)}, or change the schema.`,
  );
}

/** The accounts that a formula or a table's formula may use. */
export function checkConnection(formula: Members, pack: Members, path: Path, report: Report): void {
  const { connectionRequirement, allowedAuthenticationNames } = formula;
  const user = pack["defaultAuthentication"];
  const hasAccount = isRecord(user) && user["type"] !== "None";
  if (
    !hasAccount &&
    (connectionRequirement === "required" || connectionRequirement === "optional")
  ) {
    const message = "The formula needs an account, but the Pack has no user authentication.";
    const hint = "Call setUserAuthentication, or remove connectionRequirement.";
    report("FORMULA_CONNECTION", [...path, "connectionRequirement"], message, hint);
  }
  if (!Array.isArray(allowedAuthenticationNames)) return;
  const at = [...path, "allowedAuthenticationNames"];
  if (connectionRequirement === "none") {
    const message = "The formula does not use an account, but sets allowedAuthenticationNames.";
    report(
      "FORMULA_AUTHENTICATION_NAME",
      at,
      message,
      "Remove allowedAuthenticationNames, or change connectionRequirement.",
    );
  }
  const known = [
    ...Object.values(ReservedAuthenticationNames),
    ...toList(pack["adminAuthentications"]).map((entry) =>
      isRecord(entry) ? entry["name"] : undefined,
    ),
  ];
  allowedAuthenticationNames.forEach((name, index) => {
    if (known.includes(name)) return;
    report(
      "FORMULA_AUTHENTICATION_NAME",
      [...at, index],
      `The Pack has no authentication ${shortenValue(name)}.`,
      `Use one of ${known.join(", ")}.`,
    );
  });
}

function checkNamespace(namespace: unknown, report: Report): void {
  if (typeof namespace === "string")
    checkName("FORMULA_NAMESPACE", namespace, ["formulaNamespace"], report);
}
