import { PACK_ERROR_CODES, type PackErrorCode } from "../../errors.ts";
import { ISSUE_CODES, type IssueCode, type IssueCodeEntry } from "../codes.ts";
import { accountErrorExplanations } from "./account-errors.ts";
import { authenticationExplanations } from "./authentication.ts";
import { commandErrorExplanations } from "./command-errors.ts";
import type { ErrorExplanation, Explanation } from "./explanation.ts";
import { formatExplanations } from "./formats.ts";
import { formulaExplanations } from "./formulas.ts";
import { networkExplanations } from "./network.ts";
import { oauthAdditionExplanations } from "./oauth-additions.ts";
import { propertyExplanations } from "./properties.ts";
import { schemaExplanations } from "./schemas.ts";
import { shapeExplanations } from "./shape.ts";
import { skillExplanations } from "./skills.ts";
import { sourceExplanations } from "./source.ts";
import { tableExplanations } from "./tables.ts";

/** Why each issue code exists. A test fails for a code without an entry. */
export const ISSUE_EXPLANATIONS: Readonly<Partial<Record<IssueCode, Explanation>>> = {
  ...shapeExplanations,
  ...networkExplanations,
  ...authenticationExplanations,
  ...oauthAdditionExplanations,
  ...formulaExplanations,
  ...schemaExplanations,
  ...propertyExplanations,
  ...tableExplanations,
  ...formatExplanations,
  ...skillExplanations,
  ...sourceExplanations,
};

/** What each error means. A test fails for a code without an entry. */
export const ERROR_EXPLANATIONS: Readonly<Partial<Record<PackErrorCode, ErrorExplanation>>> = {
  ...commandErrorExplanations,
  ...accountErrorExplanations,
};

/** Rules have a number; other reasons, such as the shape of a definition, have none. */
const RULE_NUMBER = /^A?\d+$/;

/** Everything that is known of a code. */
export interface Explained extends ErrorExplanation {
  code: string;
  /** An issue is found in a Pack; an error ends a command. */
  kind: "issue" | "error";
  severity: "error" | "warning";
  /** The numbers of the rules behind an issue. */
  rules: readonly string[];
}

/** @returns `undefined` for a code that does not exist */
export function explain(code: string): Explained | undefined {
  return listExplained().find((each) => each.code === code);
}

/** Every code: those of issues, then those of errors. */
export function listExplained(): Explained[] {
  const issues = Object.entries(ISSUE_CODES) as [IssueCode, IssueCodeEntry][];
  return [
    ...issues.flatMap(([code, { severity, rules, meaning }]): Explained[] => {
      const explanation = ISSUE_EXPLANATIONS[code];
      const numbers = rules.filter((rule) => RULE_NUMBER.test(rule));
      return explanation === undefined ? [] : [{ code, kind: "issue", severity, rules: numbers, meaning, ...explanation }];
    }),
    ...PACK_ERROR_CODES.flatMap((code): Explained[] => {
      const explanation = ERROR_EXPLANATIONS[code];
      return explanation === undefined ? [] : [{ code, kind: "error", severity: "error", rules: [], ...explanation }];
    }),
  ];
}
