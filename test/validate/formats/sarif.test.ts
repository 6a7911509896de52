import { describe, expect, it } from "vitest";
import { explain, listExplained } from "../../../src/validate/explanations/explain.ts";
import { renderSarif } from "../../../src/validate/formats/sarif.ts";
import type { Issue } from "../../../src/validate/issue.ts";
import { sarifSchema } from "./sarif-schema.ts";

const issue: Issue = {
  code: "KEY_UNKNOWN",
  severity: "error",
  message: '"cacheTtlSec" is not a known key here.',
  path: "formulas[0].cacheTtlSec",
  file: "my packs/pack.ts",
  line: 3,
  column: 5,
  hint: "Rename the key to cacheTtlSecs.",
  fix: {
    description: "Rename cacheTtlSec to cacheTtlSecs.",
    edits: [
      { file: "my packs/pack.ts", start: 30, end: 41, text: "cacheTtlSecs" },
      { file: "my packs/pack.ts", start: 50, end: 52, text: "" },
    ],
  },
};
const parse = (issues: Issue[]) =>
  sarifSchema.parse(JSON.parse(renderSarif(issues, { version: "1.2.3", explain })));

describe("renderSarif", () => {
  it("keeps to the SARIF 2.1.0 schema, for every code that there is", () => {
    const all = listExplained().map(({ code, severity }) => ({ ...issue, code, severity }));
    expect(parse(all).runs[0]?.tool.driver.rules).toHaveLength(all.length);
    expect(parse([]).runs[0]?.results).toEqual([]);
    expect(
      parse([
        {
          ...issue,
          code: "UNKNOWN",
          file: undefined,
          line: undefined,
          path: "",
          hint: "",
          fix: undefined,
        },
      ]).runs[0]?.results,
    ).toEqual([
      { ruleId: "UNKNOWN", ruleIndex: 0, level: "error", message: { text: issue.message } },
    ]);
  });

  it("names the place, the rule and the fix", () => {
    const [run] = parse([issue, { ...issue, severity: "warning" }]).runs;
    expect(run?.tool.driver.rules?.map(({ id }) => id)).toEqual(["KEY_UNKNOWN"]);
    expect(run?.tool.driver.rules?.[0]?.help?.markdown).toContain("```ts");
    expect(run?.results?.[0]).toMatchInlineSnapshot(`
      {
        "fixes": [
          {
            "artifactChanges": [
              {
                "artifactLocation": {
                  "uri": "my%20packs/pack.ts",
                },
                "replacements": [
                  {
                    "deletedRegion": {
                      "charLength": 11,
                      "charOffset": 30,
                    },
                    "insertedContent": {
                      "text": "cacheTtlSecs",
                    },
                  },
                  {
                    "deletedRegion": {
                      "charLength": 2,
                      "charOffset": 50,
                    },
                  },
                ],
              },
            ],
            "description": {
              "text": "Rename cacheTtlSec to cacheTtlSecs.",
            },
          },
        ],
        "level": "error",
        "locations": [
          {
            "logicalLocations": [
              {
                "fullyQualifiedName": "formulas[0].cacheTtlSec",
              },
            ],
            "physicalLocation": {
              "artifactLocation": {
                "uri": "my%20packs/pack.ts",
              },
              "region": {
                "startColumn": 5,
                "startLine": 3,
              },
            },
          },
        ],
        "message": {
          "text": ""cacheTtlSec" is not a known key here. Rename the key to cacheTtlSecs.",
        },
        "ruleId": "KEY_UNKNOWN",
        "ruleIndex": 0,
      }
    `);
    expect(run?.results?.[1]?.ruleIndex).toBe(0);
  });

  it("writes files as URIs: relative ones stay so, absolute ones are file URLs", () => {
    const uris = ["a b#c%.ts", "lib/é.ts", "/elsewhere/a b.ts"].map(
      (file) =>
        parse([{ ...issue, file, fix: undefined }]).runs[0]?.results?.[0]?.locations?.[0]
          ?.physicalLocation?.artifactLocation.uri,
    );
    expect(uris).toEqual(["a%20b%23c%25.ts", "lib/%C3%A9.ts", "file:///elsewhere/a%20b.ts"]);
  });
});
