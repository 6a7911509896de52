import { usageError } from "../errors.ts";
import { countText } from "../shared/count-text.ts";
import { createSourceReader } from "../shared/files.ts";
import { packageVersion } from "../shared/own-package.ts";
import { renderGithub } from "../validate/formats/github.ts";
import { renderGitlab } from "../validate/formats/gitlab.ts";
import { renderJson } from "../validate/formats/json.ts";
import { renderText } from "../validate/formats/text.ts";
import type { Issue } from "../validate/issue.ts";
import type { Output } from "./output.ts";

export const ISSUE_FORMATS = ["text", "json", "sarif", "github", "gitlab"] as const;
export type IssueFormat = (typeof ISSUE_FORMATS)[number];

/**
 * The format that the flags ask for; `--json` is short for `--format json`. @throws {PackError}
 * USAGE_INVALID
 */
export function parseIssueFormat(format: string | undefined, { json }: Output): IssueFormat {
  const named = ISSUE_FORMATS.find((name) => name === format);
  if (format !== undefined && named === undefined) {
    throw usageError(
      `"${format}" is not a valid output format.`,
      "Pass one of these formats with --format: text, json, sarif, github, gitlab.",
    );
  }
  if (json && named !== undefined && named !== "json")
    throw usageError(
      `--json and --format ${named} cannot be used together.`,
      "Remove one of the two options.",
    );
  return json ? "json" : (named ?? "text");
}

/**
 * Prints issues for a person on stdout: on a terminal with the line of the source, else one line
 * each.
 */
export function printIssues(issues: readonly Issue[], output: Output, cwd: string): void {
  if (issues.length === 0) return;
  const { dataStyle: style, dataWidth: width } = output;
  const text = renderText(issues, {
    style,
    width,
    sourceOf: width === undefined ? undefined : createSourceReader(cwd),
  });
  output.data(width === undefined ? text.trimEnd() : text);
}

/** Prints issues for a program, as one document or one line each. */
export async function writeIssues(
  issues: readonly Issue[],
  format: Exclude<IssueFormat, "text">,
  output: Output,
  members: Readonly<Record<string, unknown>>,
): Promise<void> {
  switch (format) {
    case "json":
      return output.data(renderJson(issues, members));
    case "sarif": {
      // The explanations are long; nothing else needs them.
      const [{ explain }, { renderSarif }] = await Promise.all([
        import("../validate/explanations/explain.ts"),
        import("../validate/formats/sarif.ts"),
      ]);
      return output.data(renderSarif(issues, { version: packageVersion(), explain }));
    }
    case "gitlab":
      return output.data(renderGitlab(issues));
    case "github":
      if (issues.length > 0) output.data(renderGithub(issues).trimEnd());
  }
}

/** "2 errors and 1 warning", or "no problems". */
export function countIssues(issues: readonly Issue[]): string {
  const errors = issues.filter(({ severity }) => severity === "error").length;
  const warnings = issues.length - errors;
  const parts = [plural(errors, "error"), plural(warnings, "warning")].filter(
    (part) => part !== undefined,
  );
  return parts.length === 0 ? "no problems" : parts.join(" and ");
}

/** How many issues `validate --fix` can fix; empty if none. */
export function countFixable(issues: readonly Issue[]): string {
  const count = issues.filter(({ fix }) => fix !== undefined).length;
  return count === 0 ? "" : `  (validate --fix can fix ${count})`;
}

function plural(number: number, word: string): string | undefined {
  return number === 0 ? undefined : countText(number, word);
}
