import type { IssueView } from "../../wire/pack.ts";

/** The problems of one file. */
export interface IssueGroup {
  file: string | undefined;
  errors: number;
  warnings: number;
  /** With their indexes in the complete list, by which the server knows them. */
  issues: { issue: IssueView; index: number }[];
}

/** Files with errors come first; otherwise files and problems stay in the order of the list. */
export function groupIssues(issues: readonly IssueView[]): IssueGroup[] {
  const groups = new Map<string | undefined, IssueGroup>();
  for (const [index, issue] of issues.entries()) {
    const group = groups.get(issue.file) ?? {
      file: issue.file,
      errors: 0,
      warnings: 0,
      issues: [],
    };
    groups.set(issue.file, group);
    group.issues.push({ issue, index });
    if (issue.severity === "error") group.errors++;
    else group.warnings++;
  }
  return [...groups.values()].sort(
    (left, right) => Number(right.errors > 0) - Number(left.errors > 0),
  );
}
