import { CHANGE_CODES, type ChangeClass, type ChangeCode } from "../../compare/change.ts";
import { CHANGE_EXPLANATIONS, type ChangeExplanation } from "../../compare/change-explanations.ts";
import { PackError } from "../../errors.ts";
import { nearest } from "../nearest.ts";
import { type Explained, explain, listExplained } from "./explain.ts";

/** Everything that is known of a change that packsmith diff tells of. */
export interface ExplainedChange extends ChangeExplanation {
  code: ChangeCode;
  kind: "change";
  /** What it is for those who use the Pack. */
  severity: ChangeClass;
}

/**
 * What a code means: that of a problem, an error or a change. Its case does not matter.
 * @throws {PackError} CODE_UNKNOWN
 */
export function explainOne(code: string): Explained | ExplainedChange {
  const wanted = code.trim().toUpperCase();
  const explained = explain(wanted) ?? listChanges().find((each) => each.code === wanted);
  if (explained !== undefined) return explained;
  const known = listCodes().map((each) => each.code);
  const guess = nearest(code, known);
  const name = JSON.stringify(code.length > 60 ? `${code.slice(0, 60)}…` : code);
  throw new PackError("CODE_UNKNOWN", `${name} is not a code of packsmith.`, {
    details: { code: code.slice(0, 60) },
    hint: guess === undefined ? "Run packsmith explain to list all of them." : `Run packsmith explain ${guess}.`,
  });
}

/** Every code with its meaning: those of issues, then those of errors, then those of changes. */
export function listCodes(): Pick<Explained | ExplainedChange, "code" | "kind" | "severity" | "meaning">[] {
  return [...listExplained(), ...listChanges()].map(({ code, kind, severity, meaning }) => ({ code, kind, severity, meaning }));
}

function listChanges(): ExplainedChange[] {
  const codes = Object.keys(CHANGE_CODES) as ChangeCode[];
  return codes.map((code) => ({ code, kind: "change", severity: CHANGE_CODES[code], ...CHANGE_EXPLANATIONS[code] }));
}
