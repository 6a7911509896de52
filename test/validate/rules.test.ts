import { describe, expect, it } from "vitest";
import { ISSUE_CODES, type IssueCodeEntry } from "../../src/validate/codes.ts";
import { validateDefinition } from "../../src/validate/validate-definition.ts";
import { families } from "./rules/families.ts";

/** Rules 167 to 171 are about agents, which packsmith does not have. */
const SKIPPED = new Set(["167", "168", "169", "170", "171"]);
/** Rules that are no rules of a definition alone, and the tests that hold them. */
const ELSEWHERE = new Set([
  // Deprecated keys.
  ...["192", "193", "194", "195", "196", "197"],
  // The size of the bundle.
  "A16",
]);

const report = (definition: unknown) => validateDefinition(definition).map(({ code, path }) => `${code} ${path}`);

describe.each(families)("rules $family", ({ rules }) => {
  it.each(rules)("%s: a definition that obeys it has no issue", (_rule, obeys) => {
    expect(report(obeys)).toEqual([]);
  });

  it.each(rules)("%s: a definition that breaks it is reported at the author's path, once", (_rule, _obeys, breaks, ...reported) => {
    expect(report(breaks).sort()).toEqual([...reported].sort());
  });
});

describe("the rules", () => {
  const rows = families.flatMap(({ rules }) => rules);

  it("have an example each: 1 to 197 and A1 to A16", () => {
    const tested = new Set(rows.map(([rule]) => rule.split(" ")[0]));
    const numbers = [
      ...Array.from({ length: 197 }, (_, index) => `${index + 1}`),
      ...Array.from({ length: 16 }, (_, index) => `A${index + 1}`),
    ];
    expect(numbers.filter((number) => !tested.has(number) && !SKIPPED.has(number) && !ELSEWHERE.has(number))).toEqual([]);
  });

  it("report a code that names them", () => {
    for (const [rule, , , ...reported] of rows) {
      const number = rule.split(" ")[0] ?? "";
      const rules = reported.flatMap((text) => (ISSUE_CODES[text.split(" ")[0] as keyof typeof ISSUE_CODES] as IssueCodeEntry).rules);
      if (/^A?\d/.test(number)) expect(rules, `${rule}: ${reported.join()}`).toContain(number);
    }
  });

  it("give every issue a hint and the severity of its code", () => {
    for (const issue of rows.flatMap(([, , breaks]) => validateDefinition(breaks))) {
      expect(issue.hint).toMatch(/^[A-Z].*[.…]$/s);
      expect(issue.message).toMatch(/^[A-Z"a-z].*[.]$/s);
      expect(ISSUE_CODES[issue.code as keyof typeof ISSUE_CODES].severity).toBe(issue.severity);
    }
  });

  it("leave no code without an example", () => {
    const codes = new Set(rows.flatMap(([, , , ...reported]) => reported.map((text) => text.split(" ")[0])));
    expect(Object.keys(ISSUE_CODES).filter((code) => !codes.has(code))).toEqual([]);
  });
});
