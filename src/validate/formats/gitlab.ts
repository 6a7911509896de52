import { sha256 } from "../../shared/crypto.ts";
import type { Issue } from "../issue.ts";

/** Every entry of a report must name a file. */
const NO_FILE = "package.json";

/** Issues as a code quality report, which GitLab shows in a merge request: one JSON array. */
export function renderGitlab(issues: readonly Issue[]): string {
  const seen = new Map<string, number>();
  return JSON.stringify(
    issues.map(({ severity, code, message, hint, path, file = NO_FILE, line = 1 }) => {
      const identity = JSON.stringify([code, file, path, message]);
      const count = (seen.get(identity) ?? 0) + 1;
      seen.set(identity, count);
      return {
        description: hint === "" ? message : `${message} ${hint}`,
        check_name: code,
        // Without the line, so that the same problem keeps its fingerprint when lines above it
        // change.
        fingerprint: sha256(`${identity} ${count}`, "hex"),
        severity: severity === "error" ? "major" : "minor",
        location: { path: file, lines: { begin: line } },
      };
    }),
  );
}
