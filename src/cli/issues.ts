import type { Issue } from "../validate/issue.ts";
import type { Output } from "./output.ts";
import { printable } from "./output.ts";

/** Prints issues for a person: where, how bad, what, and the one thing to do. */
export function printIssues(issues: readonly Issue[], output: Output): void {
  for (const issue of issues) {
    const place = issue.file === undefined ? issue.path : `${issue.file}:${issue.line ?? 1}:${issue.column ?? 1}`;
    const severity = issue.severity === "error" ? output.style("bad", "error") : output.style("warning", "warning");
    output.progress(`${place}  ${severity}  ${output.style("strong", issue.code)}  ${printable(issue.message)}`);
    if (issue.hint !== "") output.progress(`  ${output.style("quiet", "→")} ${printable(issue.hint)}`);
  }
}

/** "2 errors and 1 warning", or "no problems". */
export function countIssues(issues: readonly Issue[]): string {
  const errors = issues.filter(({ severity }) => severity === "error").length;
  const warnings = issues.length - errors;
  const parts = [plural(errors, "error"), plural(warnings, "warning")].filter((part) => part !== undefined);
  return parts.length === 0 ? "no problems" : parts.join(" and ");
}

function plural(count: number, word: string): string | undefined {
  return count === 0 ? undefined : `${count} ${word}${count === 1 ? "" : "s"}`;
}
