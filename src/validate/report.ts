import { ISSUE_CODES, type IssueCode, type IssueCodeEntry } from "./codes.ts";
import type { Issue } from "./issue.ts";

/** Where in the definition: `["formulas", 0, "name"]`. */
export type Path = readonly (string | number)[];

/** How to fix a finding, in terms of the definition. */
export type FixIntent =
  /** Rename the key. */
  | { kind: "rename"; to: string }
  /** Remove the member, or the element of a list. */
  | { kind: "remove" }
  /** Replace the text. */
  | { kind: "replace"; text: string }
  /** Move the member into the object around its own. */
  | { kind: "hoist" };

/** An issue whose path is not text yet and whose position is not known yet. */
export interface Finding {
  code: IssueCode;
  severity: Issue["severity"];
  path: Path;
  message: string;
  hint: string;
  fix?: FixIntent | undefined;
}

/**
 * Reports one problem. The hint is the edit that fixes it; `fix` is the same edit for a program,
 * when it is certain.
 */
export interface Report {
  (code: IssueCode, path: Path, message: string, hint: string, fix?: FixIntent): void;
  /**
   * Reports a problem that is only a warning for a Pack that was written for `@codahq/packs-sdk`.
   */
  lenient: (code: IssueCode, path: Path, message: string, hint: string) => void;
  /** Whether the Pack was written for `@codahq/packs-sdk`. */
  isLegacy: boolean;
}

/**
 * Collects findings. The same code at the same place counts once, and an unreadable part has no
 * other problem.
 */
export function createReporter(compatibility: boolean): {
  findings: readonly Finding[];
  report: Report;
} {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  const add = (
    isLenient: boolean,
    ...[code, path, message, hint, fix]: Parameters<Report>
  ): void => {
    const key = JSON.stringify([code, path]);
    const unreadable = JSON.stringify(["DEFINITION_UNREADABLE", path]);
    if (seen.has(key) || seen.has(unreadable)) return;
    seen.add(key);
    const entry: IssueCodeEntry = ISSUE_CODES[code];
    const severity =
      compatibility && (isLenient || entry.isLenient === true) ? "warning" : entry.severity;
    findings.push({ code, severity, path, message, hint, ...(fix === undefined ? {} : { fix }) });
  };
  const report: Report = Object.assign((...finding: Parameters<Report>) => add(false, ...finding), {
    lenient: (...finding: Parameters<Report["lenient"]>) => add(true, ...finding),
    isLegacy: compatibility,
  });
  return { findings, report };
}

/** Writes a path as its author would: `formulas[0].parameters[2].name`. */
export function pathText(path: Path): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key))
      return `${text}[${JSON.stringify(key)}]`;
    return text === "" ? key : `${text}.${key}`;
  }, "");
}
