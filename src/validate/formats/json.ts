import type { Issue } from "../issue.ts";

/**
 * Issues as one JSON document in one line, for one Pack or many.
 * @param members further members of the document, such as the error that a command ended with
 */
export function renderJson(
  issues: readonly Issue[],
  members: Readonly<Record<string, unknown>> = {},
): string {
  return JSON.stringify({
    ok: !issues.some(({ severity }) => severity === "error"),
    issues,
    ...members,
  });
}
