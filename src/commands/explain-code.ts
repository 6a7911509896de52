import { PackError } from "../errors.ts";
import { type Explained, explain, listExplained } from "../validate/explanations/explain.ts";
import { nearest } from "../validate/nearest.ts";

/**
 * What a code means. Its case does not matter.
 * @throws {PackError} CODE_UNKNOWN
 */
export function explainOne(code: string): Explained {
  const explained = explain(code.trim().toUpperCase());
  if (explained !== undefined) return explained;
  const known = listExplained().map((each) => each.code);
  const guess = nearest(code, known);
  const name = JSON.stringify(code.length > 60 ? `${code.slice(0, 60)}…` : code);
  throw new PackError("CODE_UNKNOWN", `${name} is not a code of packsmith.`, {
    details: { code: code.slice(0, 60) },
    hint: guess === undefined ? "Run packsmith explain to list all of them." : `Run packsmith explain ${guess}.`,
  });
}

/** Every code with its meaning: those of issues, then those of errors. */
export function listCodes(): Pick<Explained, "code" | "kind" | "severity" | "meaning">[] {
  return listExplained().map(({ code, kind, severity, meaning }) => ({ code, kind, severity, meaning }));
}
