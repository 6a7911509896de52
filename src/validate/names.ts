import type { IssueCode } from "./codes.ts";
import type { Path, Report } from "./report.ts";
import { short } from "./shape.ts";

export const MAX_NAME_LENGTH = 50;
export const MAX_DESCRIPTION_LENGTH = 1000;
export const MAX_INSTRUCTIONS_LENGTH = 20_000;

/** Name form: a letter, then letters, digits or `_`, Unicode aware. */
const NAME_FORM = /^\p{L}[\p{L}\p{N}_]*$/u;

/** Rules 32, 33, 41 and 42. */
export function checkName(code: IssueCode, name: unknown, path: Path, report: Report): void {
  if (typeof name !== "string") return;
  if (name.length > MAX_NAME_LENGTH) {
    const message = `The name has ${name.length} characters; ${MAX_NAME_LENGTH} are allowed.`;
    report(code, path, message, "Shorten it.");
  } else if (!NAME_FORM.test(name)) {
    const plain = name.replace(/^[^\p{L}]+|[^\p{L}\p{N}_]+/gu, "");
    const hint = plain === "" ? "Begin with a letter." : `Write ${short(plain)}.`;
    report(code, path, `The name ${short(name)} is not a letter followed by letters, digits or underscores.`, hint);
  }
}

/** Rules 35, 36, 43 and 44. */
export function checkTexts(code: IssueCode, texts: { description?: unknown; instructions?: unknown }, path: Path, report: Report): void {
  const limits = { description: MAX_DESCRIPTION_LENGTH, instructions: MAX_INSTRUCTIONS_LENGTH } as const;
  for (const member of ["description", "instructions"] as const) {
    const value = texts[member];
    if (typeof value !== "string" || value.length <= limits[member]) continue;
    report(code, [...path, member], `${member} has ${value.length} characters; ${limits[member]} are allowed.`, "Shorten it.");
  }
}
