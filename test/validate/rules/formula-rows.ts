import { formula, oauth2, pack, parameter, withFormula, withUser } from "../definitions.ts";
import type { Row } from "./row.ts";

export const formulaRows: Row[] = [
  [
    "41",
    withFormula({ name: "N".repeat(50) }),
    withFormula({ name: "N".repeat(51) }),
    "FORMULA_NAME_INVALID formulas[0].name",
  ],
  [
    "42",
    withFormula({ name: "Größe" }),
    withFormula({ name: "My Formula" }),
    "FORMULA_NAME_INVALID formulas[0].name",
  ],
  [
    "43",
    withFormula({ description: "d".repeat(1000) }),
    withFormula({ description: "d".repeat(1001) }),
    "FORMULA_TEXT_LENGTH formulas[0].description",
  ],
  [
    "44",
    withFormula({ instructions: "d" }),
    withFormula({ instructions: "d".repeat(20_001) }),
    "FORMULA_TEXT_LENGTH formulas[0].instructions",
  ],
  [
    "45",
    withFormula({ parameters: [parameter()], examples: [{ params: ["a"], result: "b" }] }),
    withFormula({ parameters: [parameter()], examples: [{ params: [{ a: 1 }], result: "b" }] }),
    "EXAMPLE_PARAMS formulas[0].examples[0].params[0]",
  ],
  [
    "46",
    withFormula({ examples: [{ params: [], result: "" }] }),
    withFormula({ examples: [{ params: [], result: null }] }),
    "EXAMPLE_RESULT formulas[0].examples[0].result",
  ],
  [
    "48",
    withFormula({ cacheTtlSecs: 0 }),
    withFormula({ cacheTtlSecs: -1 }),
    "FORMULA_CACHE_TTL formulas[0].cacheTtlSecs",
  ],
  [
    "49",
    withFormula({ connectionRequirement: "none" }),
    withFormula({ connectionRequirement: "always" }),
    "VALUE_UNKNOWN formulas[0].connectionRequirement",
  ],
  [
    "52",
    withFormula({ resultType: "number", schema: { type: "number" } }),
    withFormula({ resultType: "number", schema: { type: "string" } }),
    "FORMULA_SCHEMA_TYPE formulas[0].schema",
  ],
  [
    "54",
    pack(),
    withFormula({ validateParameters: () => ({}) }),
    "FORMULA_VALIDATE_PARAMETERS formulas[0].validateParameters",
  ],
  [
    "55",
    pack({ formulas: Array.from({ length: 100 }, (_, index) => formula({ name: `F${index}` })) }),
    pack({ formulas: Array.from({ length: 101 }, (_, index) => formula({ name: `F${index}` })) }),
    "FORMULA_COUNT formulas",
  ],
  [
    "56",
    pack({ formulas: [formula(), formula({ name: "Walk" })] }),
    pack({ formulas: [formula(), formula({ name: "RUN" })] }),
    "FORMULA_NAME_DUPLICATE formulas[1].name",
  ],
  [
    "59",
    withUser(oauth2(), { formulas: [formula({ connectionRequirement: "required" })] }),
    withUser({ type: "None" }, { formulas: [formula({ connectionRequirement: "optional" })] }),
    "FORMULA_CONNECTION formulas[0].connectionRequirement",
  ],
  [
    "A11 count",
    withFormula({ parameters: [parameter()], examples: [{ params: ["a"], result: "b" }] }),
    withFormula({ parameters: [parameter()], examples: [{ params: [], result: "b" }] }),
    "EXAMPLE_MISMATCH formulas[0].examples[0].params",
  ],
  [
    "A11 types",
    withFormula({
      parameters: [parameter({ type: "numberArray" })],
      examples: [{ params: [[1, 2]], result: "b" }],
    }),
    withFormula({
      parameters: [parameter({ type: "numberArray" })],
      examples: [{ params: [["1"]], result: null }],
    }),
    "EXAMPLE_RESULT formulas[0].examples[0].result",
    "EXAMPLE_MISMATCH formulas[0].examples[0].params[0]",
  ],
  [
    "A12 formula",
    withFormula({ cacheTtlSecs: 1 }),
    withFormula({ cacheTtlSec: 1 }),
    "KEY_UNKNOWN formulas[0].cacheTtlSec",
  ],
];
