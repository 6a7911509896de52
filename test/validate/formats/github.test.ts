import { describe, expect, it } from "vitest";
import { renderGithub } from "../../../src/validate/formats/github.ts";

describe("renderGithub", () => {
  it("writes one workflow command for each issue", () => {
    const issue = {
      code: "A_B",
      severity: "error" as const,
      message: "First.",
      path: "version",
      hint: "Mend it.",
    };
    expect(
      renderGithub([
        { ...issue, file: "pack.ts", line: 3, column: 5 },
        { ...issue, severity: "warning", hint: "" },
      ]),
    ).toMatchInlineSnapshot(`
      "::error file=pack.ts,line=3,col=5,title=A_B::First.%0AMend it.
      ::warning title=A_B::version: First.
      "
    `);
    expect(renderGithub([])).toBe("");
  });

  it("escapes what would end a message or a property, so that no text can start a command of its own", () => {
    const hostile = "100%\r\n::set-output name=a,b:c";
    const text = renderGithub([
      {
        code: "A",
        severity: "error",
        message: hostile,
        path: "",
        file: hostile,
        line: 1,
        column: 1,
        hint: hostile,
      },
    ]);
    expect(text.trimEnd().split("\n")).toHaveLength(1);
    expect(text).toMatchInlineSnapshot(`
      "::error file=100%25%0D%0A%3A%3Aset-output name=a%2Cb%3Ac,line=1,col=1,title=A::100%25%0D%0A::set-output name=a,b:c%0A100%25%0D%0A::set-output name=a,b:c
      "
    `);
  });
});
