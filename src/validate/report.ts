import { ISSUE_CODES, type IssueCode, type IssueCodeEntry } from "./codes.ts";
import type { Issue } from "./issue.ts";

/** Where in the definition: `["formulas", 0, "name"]`. */
export type Path = readonly (string | number)[];

/** How a finding can be mended, in terms of the definition. */
export type FixIntent =
  /** The key gets another name. */
  | { kind: "rename"; to: string }
  /** The member, or the element of a list, goes away. */
  | { kind: "remove" }
  /** The text becomes another one. */
  | { kind: "replace"; text: string }
  /** The member moves into the object around its own. */
  | { kind: "hoist" };

/** An issue before its path became text and its position was found. */
export interface Finding {
  code: IssueCode;
  severity: Issue["severity"];
  path: Path;
  message: string;
  hint: string;
  fix?: FixIntent | undefined;
}

/** Takes one problem. The hint is the one edit that mends it; `fix` says the same to a program, when it is certain. */
export type Report = (code: IssueCode, path: Path, message: string, hint: string, fix?: FixIntent) => void;

/** Collects findings; the same code at the same place counts once, and where nothing could be read nothing else is missing. */
export function createReporter(compatibility: boolean): { findings: readonly Finding[]; report: Report } {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  const report: Report = (code, path, message, hint, fix) => {
    const key = JSON.stringify([code, path]);
    const unreadable = JSON.stringify(["DEFINITION_UNREADABLE", path]);
    if (seen.has(key) || seen.has(unreadable)) return;
    seen.add(key);
    const entry: IssueCodeEntry = ISSUE_CODES[code];
    const severity = compatibility && entry.isLenient === true ? "warning" : entry.severity;
    findings.push({ code, severity, path, message, hint, ...(fix === undefined ? {} : { fix }) });
  };
  return { findings, report };
}

/** Writes a path as its author would: `formulas[0].parameters[2].name`. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key)) return `${text}[${JSON.stringify(key)}]`;
    return text === "" ? key : `${text}.${key}`;
  }, "");
}
