import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { commandLine } from "../../../../src/dev/web/run/form-values.ts";

/** What a shell makes of a line: the words after the first. */
function splitWords(line: string): string[] {
  const script = `packsmith() { for word in "$@"; do printf '%s\\0' "$word"; done; }\n${line}`;
  return execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1);
}

describe("the command that runs what a form holds", () => {
  it("is one word per argument for a shell, and runs nothing else", () => {
    const hostile = [
      "$(touch pwned)",
      "`id`",
      "a'b",
      '"',
      "\\",
      "a b",
      "",
      "*",
      "~",
      "!x",
      "é\n€",
      ";exit",
      "-",
      "--flag",
    ];
    expect(splitWords(commandLine("my pack.ts", "Formula", hostile, {}))).toEqual([
      "execute",
      "my pack.ts",
      "Formula",
      "--",
      ...hostile,
    ]);
    fc.assert(
      fc.property(
        fc.array(
          fc.string().filter((text) => !text.includes("\0")),
          { maxLength: 4 },
        ),
        (args) => {
          expect(
            splitWords(commandLine("pack.ts", "F", args, {})).slice(-args.length || undefined),
          ).toEqual(args.length === 0 ? ["execute", "pack.ts", "F"] : args);
        },
      ),
      { numRuns: 25 },
    );
  });

  it("has an option only for what is set", () => {
    expect(
      commandLine("pack.ts", "Tasks", ["-"], { "--account": "work", "--dynamic-url": undefined }),
    ).toBe("packsmith execute --account work pack.ts Tasks -");
  });
});
