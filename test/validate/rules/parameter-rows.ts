import { parameter, withFormula, withParameters } from "../definitions.ts";
import type { Row } from "./row.ts";

export const parameterRows: Row[] = [
  [
    "32",
    withParameters(parameter({ name: "n".repeat(50) })),
    withParameters(parameter({ name: "n".repeat(51) })),
    "PARAMETER_NAME_INVALID formulas[0].parameters[0].name",
  ],
  [
    "33",
    withParameters(parameter({ name: "prénom_1" })),
    withParameters(parameter({ name: "1st" })),
    "PARAMETER_NAME_INVALID formulas[0].parameters[0].name",
  ],
  [
    "34",
    withParameters(parameter({ type: "sparseDateArray" })),
    withParameters(parameter({ type: "object" })),
    "PARAMETER_TYPE formulas[0].parameters[0].type",
  ],
  [
    "35",
    withParameters(parameter({ description: "d".repeat(1000) })),
    withParameters(parameter({ description: "d".repeat(1001) })),
    "PARAMETER_TEXT_LENGTH formulas[0].parameters[0].description",
  ],
  [
    "36",
    withParameters(parameter({ instructions: "d".repeat(20_000) })),
    withParameters(parameter({ instructions: "d".repeat(20_001) })),
    "PARAMETER_TEXT_LENGTH formulas[0].parameters[0].instructions",
  ],
  [
    "37",
    withParameters(parameter({ optional: true, supportsIncrementalSync: false })),
    withParameters(parameter({ supportsIncrementalSync: false })),
    "PARAMETER_INCREMENTAL formulas[0].parameters[0].supportsIncrementalSync",
  ],
  [
    "47",
    withParameters(parameter(), parameter({ name: "b", optional: true })),
    withParameters(parameter({ optional: true }), parameter({ name: "b" })),
    "PARAMETER_ORDER formulas[0].parameters[1]",
  ],
  [
    "53",
    withFormula({ parameters: [parameter()], varargParameters: [parameter({ name: "b" })] }),
    withFormula({ parameters: [parameter()], varargParameters: [parameter()] }),
    "PARAMETER_NAME_DUPLICATE formulas[0].varargParameters[0].name",
  ],
  [
    "A12 parameter",
    withParameters(parameter({ suggestedValue: "a" })),
    withParameters(parameter({ sugestedValue: "a" })),
    "KEY_UNKNOWN formulas[0].parameters[0].sugestedValue",
  ],
  [
    "A15",
    withFormula({ varargParameters: [parameter()] }),
    withFormula({ varargParameters: [parameter({ optional: true })] }),
    "PARAMETER_VARARG_OPTIONAL formulas[0].varargParameters[0].optional",
  ],
];
