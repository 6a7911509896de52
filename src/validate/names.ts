import type { Members } from "../shared/values.ts";
import type { IssueCode } from "./codes.ts";
import type { Path, Report } from "./report.ts";
import { shortenValue } from "./shape.ts";

export const MAX_NAME_LENGTH = 50;
export const MAX_DESCRIPTION_LENGTH = 1000;
export const MAX_INSTRUCTIONS_LENGTH = 20_000;

/** A letter, then letters, digits or `_`, of any script. */
const NAME_FORM = /^\p{L}[\p{L}\p{N}_]*$/u;

/** A name: at most 50 characters, a letter followed by letters, digits or `_`. */
export function checkName(code: IssueCode, name: unknown, path: Path, report: Report): void {
  if (typeof name !== "string") return;
  if (name === "")
    report(
      code,
      path,
      "The name is empty.",
      "Start the name with a letter. Use only letters, digits and underscores.",
    );
  else if (name.length > MAX_NAME_LENGTH) {
    const message = `The name has ${name.length} characters; the limit is ${MAX_NAME_LENGTH}.`;
    report(code, path, message, "Shorten the name.");
  } else if (!NAME_FORM.test(name)) {
    const plain = name
      .replace(/^[^\p{L}]+/u, "")
      .replace(/[^\p{L}\p{N}_]+(.)?/gu, (_, next: string | undefined) =>
        (next ?? "").toUpperCase(),
      );
    const hint = plain === "" ? "Start the name with a letter." : `Write ${shortenValue(plain)}.`;
    report(
      code,
      path,
      `The name ${shortenValue(name)} must be a letter followed by letters, digits or underscores.`,
      hint,
    );
  }
}

/** Texts of an object: each not longer than its limit, and not empty when `isRequired`. */
export function checkLengths(
  code: IssueCode,
  members: Members,
  limits: Readonly<Record<string, number>>,
  path: Path,
  report: Report,
  { isRequired = false }: { isRequired?: boolean } = {},
): void {
  for (const [member, limit] of Object.entries(limits)) {
    const value = members[member];
    if (typeof value !== "string") continue;
    const at = [...path, member];
    if (value === "" && isRequired)
      report(code, at, `${member} is empty.`, `Write 1 to ${limit} characters.`);
    else if (value.length > limit)
      report(
        code,
        at,
        `${member} has ${value.length} characters; the limit is ${limit}.`,
        "Shorten the name.",
      );
  }
}

/** Checks that names of one kind are unique, ignoring case. */
export function createUniqueNames(
  code: IssueCode,
  kind: string,
  report: Report,
): (name: unknown, path: Path) => void {
  const names = new Map<string, string>();
  return (name, path) => {
    if (typeof name !== "string") return;
    const other = names.get(name.toLowerCase());
    if (other === undefined) names.set(name.toLowerCase(), name);
    else
      report(
        code,
        path,
        `Another ${kind} is named ${shortenValue(other)}.`,
        `Rename this ${kind}, or the other ${kind}.`,
      );
  };
}

/** Description and instructions: at most so long. */
export function checkTexts(code: IssueCode, texts: Members, path: Path, report: Report): void {
  checkLengths(
    code,
    texts,
    { description: MAX_DESCRIPTION_LENGTH, instructions: MAX_INSTRUCTIONS_LENGTH },
    path,
    report,
  );
}
