import { expect, it } from "vitest";
import { groupIssues } from "../../../../src/dev/web/overview/group-issues.ts";
import type { IssueView } from "../../../../src/dev/wire/pack.ts";

const issue = (
  file: string | undefined,
  severity: IssueView["severity"],
  code: string,
): IssueView => ({
  code,
  severity,
  message: "",
  hint: "",
  path: "",
  line: undefined,
  column: undefined,
  frame: [],
  file,
});

it("groups problems by file, those with errors first, and keeps the index that the server knows", () => {
  const groups = groupIssues([
    issue("a.ts", "warning", "A1"),
    issue("b.ts", "warning", "B1"),
    issue(undefined, "error", "N1"),
    issue("b.ts", "error", "B2"),
  ]);
  expect(groups.map(({ file, errors, warnings }) => [file, errors, warnings])).toEqual([
    ["b.ts", 1, 1],
    [undefined, 1, 0],
    ["a.ts", 0, 1],
  ]);
  expect(
    groups.map(({ issues }) => issues.map(({ index, issue: { code } }) => [index, code])),
  ).toEqual([
    [
      [1, "B1"],
      [3, "B2"],
    ],
    [[2, "N1"]],
    [[0, "A1"]],
  ]);
});
