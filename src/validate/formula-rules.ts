import * as z from "zod";
import { ConnectionRequirement, FormulaPurpose, NetworkConnection, ValueType } from "../define/enumerations.ts";
import type { CommonFormulaDefinition, Formula, Network } from "../define/formula.ts";
import { type Accounts, checkAuthenticationNames, checkConnection } from "./connection-rules.ts";
import { checkExamples } from "./example-rules.ts";
import { checkName, checkTexts, createUniqueNames } from "./names.ts";
import { checkParameters } from "./parameter-rules.ts";
import type { Path, Report } from "./report.ts";
import { checkSchema } from "./schema-rules.ts";
import {
  anything,
  checkShape,
  isMembers,
  listOf,
  type Members,
  optionalFlag,
  optionalNumber,
  optionalText,
  optionalTexts,
  type ShapeOf,
  short,
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
  varargParameters: z.array(z.unknown()).optional(),
  examples: z.array(z.strictObject({ params: z.array(z.unknown()), result: anything })).optional(),
  isAction: optionalFlag,
  connectionRequirement: z.enum(ConnectionRequirement).optional(),
  cacheTtlSecs: optionalNumber,
  isExperimental: optionalFlag,
  extraOAuthScopes: optionalTexts,
  network: z
    .strictObject({
      hasSideEffect: optionalFlag,
      requiresConnection: optionalFlag,
      connection: z.enum(NetworkConnection).optional(),
    } satisfies ShapeOf<Network>)
    .optional(),
  isSystem: optionalFlag,
  purpose: z.enum(FormulaPurpose).optional(),
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

/** Rules 41 to 59, 61, 62, A11, A12 and A15: the formulas of a Pack, and everything inside them. */
export function checkFormulas(pack: Members, accounts: Accounts, report: Report): void {
  const formulas = listOf(pack["formulas"]);
  if (formulas.length > MAX_FORMULAS) {
    const message = `The Pack has ${formulas.length} formulas; ${MAX_FORMULAS} are allowed.`;
    report("FORMULA_COUNT", ["formulas"], message, "Split it into several Packs.");
  }
  checkNamespace(pack["formulaNamespace"], formulas.length > 0, report);
  const checkUnique = createUniqueNames("FORMULA_NAME_DUPLICATE", "formula", report);
  formulas.forEach((formula, index) => {
    const path = ["formulas", index];
    if (!checkShape(formulaShape, formula, path, { unknownKey: "KEY_UNKNOWN" }, report)) return;
    checkFormula(formula, path, report);
    checkConnection(formula["connectionRequirement"], accounts, "formula", path, report);
    checkAuthenticationNames(formula, accounts, path, report);
    checkUnique(formula["name"], [...path, "name"]);
  });
}

/** Rules 57 and 58. A definition that no builder made may leave it out; the builder's own one is then meant. */
function checkNamespace(namespace: unknown, hasFormulas: boolean, report: Report): void {
  if (namespace === "" && !hasFormulas) return;
  checkName("FORMULA_NAMESPACE", namespace, ["formulaNamespace"], report);
}

function checkFormula(formula: Members, path: Path, report: Report): void {
  const { name, cacheTtlSecs, validateParameters } = formula;
  checkName("FORMULA_NAME_INVALID", name, [...path, "name"], report);
  checkTexts("FORMULA_TEXT_LENGTH", formula, path, report);
  if (typeof cacheTtlSecs === "number" && !(cacheTtlSecs >= 0 && cacheTtlSecs <= MAX_CACHE_TTL_SECS)) {
    const hint = `Write 0 to ${MAX_CACHE_TTL_SECS}.`;
    report("FORMULA_CACHE_TTL", [...path, "cacheTtlSecs"], `cacheTtlSecs is ${cacheTtlSecs}.`, hint);
  }
  if (validateParameters !== undefined) {
    const message = "validateParameters is for the formulas of sync tables.";
    report("FORMULA_VALIDATE_PARAMETERS", [...path, "validateParameters"], message, "Remove it.");
  }
  checkParameters(formula, path, report);
  checkResultSchema(formula, path, report);
  checkExamples(formula, path, report);
}

/** Rule 52, then the schemas themselves. */
function checkResultSchema({ resultType, schema, items }: Members, path: Path, report: Report): void {
  const mismatch = (member: string, message: string, hint: string): void => report("FORMULA_SCHEMA_TYPE", [...path, member], message, hint);
  if (resultType === "array") {
    if (items === undefined && schema === undefined) {
      report("MEMBER_MISSING", [...path, "items"], "items is missing.", "Add items: the schema of one element.");
    }
  } else if (items !== undefined) {
    mismatch("items", `items is for results of type array, not ${String(resultType)}.`, "Remove it, or set resultType: ValueType.Array.");
  }
  if (resultType === "object" && schema === undefined) {
    report("MEMBER_MISSING", [...path, "schema"], "schema is missing.", "Add schema: makeObjectSchema({ properties: { … } }).");
  }
  if (items !== undefined) checkSchema(items, [...path, "items"], report);
  if (schema === undefined) return;
  checkSchema(schema, [...path, "schema"], report);
  const type = isMembers(schema) ? schema["type"] : undefined;
  if (isMembers(schema) && schema["codaType"] === "selectList" && schema["options"] === undefined) {
    const message = "A formula gives a value, not a list to choose from.";
    mismatch("schema", message, "Remove codaType: ValueHintType.SelectList.");
  }
  // An older Pack gives an array's schema as the schema of its elements.
  const fits = type === resultType || (resultType === "array" && type === "object") || (resultType === "object" && type === "array");
  if (typeof type !== "string" || typeof resultType !== "string" || fits) return;
  mismatch(
    "schema",
    `The schema is of type ${short(type)}, but the result type is ${short(resultType)}.`,
    `Set resultType to ${short(type)}, or change the schema.`,
  );
}
