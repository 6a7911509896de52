import { CHANGE_CODES, type ChangeCode } from "../../compare/change-codes.ts";
import { CHANGE_EXPLANATIONS } from "../../compare/change-explanations.ts";
import { PACK_ERROR_CODES, PackError, type PackErrorCode } from "../../errors.ts";
import { findNearest } from "../../shared/text.ts";
import { ISSUE_CODES, type IssueCode, type IssueCodeEntry } from "../codes.ts";
import { accountErrorExplanations } from "./account-errors.ts";
import { agentExplanations } from "./agents.ts";
import { authenticationExplanations } from "./authentication.ts";
import { commandErrorExplanations } from "./command-errors.ts";
import type { Explained, ExplainedChange, ExplainedCode } from "./explained.ts";
import type { ErrorExplanation, Explanation } from "./explanation.ts";
import { formulaExplanations } from "./formulas.ts";
import { publishErrorExplanations } from "./publish-errors.ts";
import { schemaExplanations } from "./schemas.ts";
import { skillExplanations } from "./skills.ts";
import { sourceExplanations } from "./source.ts";
import { tableExplanations } from "./tables.ts";

/** Why each issue code exists. A test fails for a code without an entry. */
export const ISSUE_EXPLANATIONS: Readonly<Partial<Record<IssueCode, Explanation>>> = {
  ...authenticationExplanations,
  ...formulaExplanations,
  ...schemaExplanations,
  ...tableExplanations,
  ...skillExplanations,
  ...agentExplanations,
  ...sourceExplanations,
};

/** What each error means. A test fails for a code without an entry. */
export const ERROR_EXPLANATIONS: Readonly<Partial<Record<PackErrorCode, ErrorExplanation>>> = {
  ...commandErrorExplanations,
  ...accountErrorExplanations,
  ...publishErrorExplanations,
};

/**
 * Explains an issue code or an error code.
 *
 * @returns `undefined` for a code that does not exist
 */
export function explain(code: string): Explained | undefined {
  return listExplained().find((each) => each.code === code);
}

/**
 * Explains a code of an issue, an error or a change, in any case.
 *
 * @throws {PackError} CODE_UNKNOWN
 */
export function explainOne(code: string): Explained | ExplainedChange {
  const wanted = code.trim().toUpperCase();
  const explained = explain(wanted) ?? listChanges().find((each) => each.code === wanted);
  if (explained !== undefined) return explained;
  const name = JSON.stringify(code.length > 60 ? `${code.slice(0, 60)}…` : code);
  throw new PackError("CODE_UNKNOWN", `${name} is not a code of packsmith.`, {
    details: { code: code.slice(0, 60) },
    hint: hintFor(wanted),
  });
}

/** More codes are not a hint. */
const MAX_SUGGESTED = 4;

function hintFor(wanted: string): string {
  const known = listCodes().map((each) => each.code);
  const near = findNearest(wanted, known);
  const containing = known.filter((code) => wanted.length > 2 && code.includes(wanted));
  const guesses = near === undefined ? containing : [near];
  const [only] = guesses;
  if (only === undefined || guesses.length > MAX_SUGGESTED)
    return "Run packsmith explain to list all codes.";
  return guesses.length === 1
    ? `Did you mean ${only}? Run packsmith explain ${only}.`
    : `Did you mean one of ${guesses.join(", ")}?`;
}

/** Every code with its meaning: issues first, then errors, then changes. */
export function listCodes(): ExplainedCode[] {
  return [...listExplained(), ...listChanges()].map(({ code, kind, severity, meaning }) => ({
    code,
    kind,
    severity,
    meaning,
  }));
}

/** Every issue code, then every error code, with its explanation. */
export function listExplained(): Explained[] {
  const issues = Object.entries(ISSUE_CODES) as [IssueCode, IssueCodeEntry][];
  return [
    ...issues.flatMap(([code, { severity, meaning }]): Explained[] => {
      const explanation = ISSUE_EXPLANATIONS[code];
      return explanation === undefined
        ? []
        : [{ code, kind: "issue", severity, meaning, ...explanation }];
    }),
    ...PACK_ERROR_CODES.flatMap((code): Explained[] => {
      const explanation = ERROR_EXPLANATIONS[code];
      return explanation === undefined
        ? []
        : [{ code, kind: "error", severity: "error", ...explanation }];
    }),
  ];
}

function listChanges(): ExplainedChange[] {
  const codes = Object.keys(CHANGE_CODES) as ChangeCode[];
  return codes.map((code) => ({
    code,
    kind: "change",
    severity: CHANGE_CODES[code],
    ...CHANGE_EXPLANATIONS[code],
  }));
}
