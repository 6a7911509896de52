import { describe, expect, it } from "vitest";
import { renderGitlab } from "../../../src/validate/formats/gitlab.ts";

const issue = {
  code: "A_B",
  severity: "error" as const,
  message: "First.",
  path: "version",
  hint: "Mend it.",
};

describe("renderGitlab", () => {
  it("writes the five members that a code quality report must have", () => {
    const [error, warning] = JSON.parse(
      renderGitlab([
        { ...issue, file: "packs/a/pack.ts", line: 3, column: 5 },
        { ...issue, severity: "warning", hint: "" },
      ]),
    );
    expect(error).toEqual({
      description: "First. Mend it.",
      check_name: "A_B",
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      severity: "major",
      location: { path: "packs/a/pack.ts", lines: { begin: 3 } },
    });
    expect(warning).toMatchObject({
      description: "First.",
      severity: "minor",
      location: { path: "package.json", lines: { begin: 1 } },
    });
    expect(renderGitlab([])).toBe("[]");
  });

  it("gives a problem the same fingerprint on another line, and two that are alike different ones", () => {
    const fingerprints = (lines: number[]) =>
      (
        JSON.parse(
          renderGitlab(lines.map((line) => ({ ...issue, file: "a.ts", line, column: 1 }))),
        ) as { fingerprint: string }[]
      ).map(({ fingerprint }) => fingerprint);
    expect(fingerprints([3, 9])).toEqual(fingerprints([4, 12]));
    expect(new Set(fingerprints([3, 9])).size).toBe(2);
  });
});
