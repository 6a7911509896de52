import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explain } from "../../../src/validate/explanations/explain.ts";
import { renderGithub } from "../../../src/validate/formats/github.ts";
import { renderJson } from "../../../src/validate/formats/json.ts";
import { renderSarif } from "../../../src/validate/formats/sarif.ts";
import { renderText } from "../../../src/validate/formats/text.ts";
import type { Issue } from "../../../src/validate/issue.ts";
import { sarifSchema } from "./sarif-schema.ts";

const text = fc.string({ unit: "grapheme", maxLength: 40 });
const file = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
const edit = fc
  .record({ file, start: fc.nat(100), end: fc.nat(100), text })
  .map((each) => ({ ...each, end: each.start + each.end }));
const issue: fc.Arbitrary<Issue> = fc.record({
  code: file,
  severity: fc.constantFrom("error" as const, "warning" as const),
  message: text,
  path: text,
  hint: text,
  file: fc.option(file, { nil: undefined }),
  line: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  column: fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }),
  fix: fc.option(
    fc.record({ description: text, edits: fc.array(edit, { minLength: 1, maxLength: 3 }) }),
    { nil: undefined },
  ),
});

describe("every format", () => {
  it("takes whatever names, messages and sources hold", () => {
    fc.assert(
      fc.property(
        fc.array(issue, { maxLength: 4 }),
        fc.array(text, { maxLength: 5 }),
        fc.integer({ min: 0, max: 200 }),
        (issues, lines, width) => {
          const source = lines.join("\n");
          expect(renderText(issues).split("\n").length).toBe(issues.length + 1);
          renderText(issues, { sourceOf: () => source, width });
          expect(renderGithub(issues).split("\n").length).toBe(issues.length + 1);
          expect(JSON.parse(renderJson(issues)).issues).toHaveLength(issues.length);
          expect(
            sarifSchema.parse(JSON.parse(renderSarif(issues, { version: "1", explain }))).runs[0]
              ?.results,
          ).toHaveLength(issues.length);
        },
      ),
      { numRuns: 300 },
    );
  });
});
