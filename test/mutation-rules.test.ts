import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findRulePlace, RULES, TESTS } from "../.ci/mutation/security-rules.mjs";

const source = new URL("../src/", import.meta.url);

describe("the changes that break a security rule", () => {
  it.each(RULES)("rule %i: %s has the text once: %s", (_rule, file, text, replacement) => {
    const code = readFileSync(new URL(file, source), "utf8");
    const { start, end } = findRulePlace(file, code, text);
    expect(end).toBeGreaterThan(start);
    expect(replacement).not.toBe(text);
  });

  it("each has tests that must notice it", () => {
    const files = new Set(RULES.map(([, file]) => file));
    expect([...files].filter((file) => TESTS[file] === undefined)).toEqual([]);
    expect(Object.keys(TESTS).filter((file) => !existsSync(new URL(file, source)))).toEqual([]);
  });

  it("each has tests in the suites that see a change of a source", () => {
    const tests = readdirSync(new URL(".", import.meta.url), { recursive: true, encoding: "utf8" })
      .filter((path) => /(?<!\.(?:e2e|long))\.test\.ts$/.test(path))
      .filter((path) => !/^(?:browser|compatibility|conformance|docs|e2e|oracle)\b/.test(path));
    const isFound = (name: string) => tests.some((path) => path.includes(name));
    expect(Object.entries(TESTS).filter(([, names]) => !names.some(isFound))).toEqual([]);
  });
});
