import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bundlePack } from "../../../src/bundle/bundle-pack.ts";
import { PACK_ERROR_CODES } from "../../../src/errors.ts";
import * as authoring from "../../../src/index.ts";
import { ISSUE_CODES, type IssueCode } from "../../../src/validate/codes.ts";
import {
  ERROR_EXPLANATIONS,
  explain,
  ISSUE_EXPLANATIONS,
  listExplained,
} from "../../../src/validate/explanations/explain.ts";
import { applyFixes } from "../../../src/validate/fixes.ts";
import { validateDefinition } from "../../../src/validate/validate-definition.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

/**
 * Codes that a definition cannot cause: the bundler, the compiler, the source text or the metadata
 * of an issuer causes them.
 */
const OF_THE_SOURCE: readonly string[] = [
  "BUILD_WARNING",
  "BUNDLE_BUDGET",
  "BUNDLE_SIZE",
  "DYNAMIC_IMPORT",
  "NATIVE_ADDON",
  "FILE_OUTSIDE_PROJECT",
  "CODE_FROM_TEXT",
  "WEBASSEMBLY_ABSENT",
  "PROCESS_ABSENT",
  "FILE_PATH_ABSENT",
  "TIMER_ABSENT",
  "GLOBAL_ABSENT",
  "TYPE_ERROR",
  "TYPE_CHECK_FAILED",
  "DEPRECATED_FACTORY",
  "AUTH_MEMBER_REPEATED",
];
const codes = Object.keys(ISSUE_CODES) as IssueCode[];
const ofDefinitions = codes.filter((code) => !OF_THE_SOURCE.includes(code));

describe("explanations", () => {
  it("exist for every code of an issue and of an error", () => {
    expect(codes.filter((code) => ISSUE_EXPLANATIONS[code] === undefined)).toEqual([]);
    expect(PACK_ERROR_CODES.filter((code) => ERROR_EXPLANATIONS[code] === undefined)).toEqual([]);
    expect(listExplained()).toHaveLength(codes.length + PACK_ERROR_CODES.length);
    expect(explain("NOTHING")).toBeUndefined();
  });

  it.each(listExplained())("read well: $code", ({ meaning, why, bad, good }) => {
    for (const sentence of [meaning, why]) expect(sentence).toMatch(/^(?!.* {2})\S.{10,280}\.$/);
    expect(why).not.toBe(meaning);
    expect(bad).not.toBe("");
    expect(good).not.toBe("");
  });

  it.each(ofDefinitions)(
    "%s: the bad example is reported with exactly this code, the good one with nothing",
    (code) => {
      const { bad, good } = ISSUE_EXPLANATIONS[code] ?? { bad: "", good: "" };
      expect(new Set(validateDefinition(run(bad)).map((issue) => issue.code))).toEqual(
        new Set([code]),
      );
      expect(validateDefinition(run(good))).toEqual([]);
    },
  );

  it("bad examples with a fix are no longer reported after it", () => {
    const fixed = ofDefinitions.filter((code) => {
      const { bad } = ISSUE_EXPLANATIONS[code] ?? { bad: "" };
      const text = writePack(bad);
      const fixes = validateDefinition(run(bad), { sources: [{ path: "pack.ts", text }] }).flatMap(
        ({ fix }) => fix ?? [],
      );
      if (fixes.length === 0) return false;
      const after = applyFixes(text, fixes).text.slice(writePack("").trimEnd().length + 1);
      expect(after).not.toBe(bad);
      // A corrected type may require other members.
      expect(validateDefinition(run(after)).map((issue) => issue.code)).not.toContain(code);
      return true;
    });
    expect(fixed).toEqual(
      expect.arrayContaining([
        "VALUE_UNKNOWN",
        "KEY_UNKNOWN",
        "NETWORK_DOMAIN_INVALID",
        "TABLE_KEY_UNKNOWN",
        "DEPRECATED_KEY",
      ]),
    );
  });

  const ofErrors = Object.entries(ERROR_EXPLANATIONS).filter(([, { good }]) =>
    /^(pack\.|export const pack)/.test(good),
  );
  it.each(ofErrors)("%s: the good example is a Pack without problems", (_, { good }) => {
    expect(validateDefinition(run(good))).toEqual([]);
  });

  it("DEPRECATED_FACTORY: the bad example is reported with exactly this code, the good one with nothing", () => {
    const found = (text: string) =>
      validateDefinition(run(""), {
        sources: [{ path: "pack.ts", text: writePack(text, "makeStringParameter") }],
      })
        .map(({ code }) => code)
        .filter((code) => code === "DEPRECATED_FACTORY");
    const { bad, good } = ISSUE_EXPLANATIONS.DEPRECATED_FACTORY ?? { bad: "", good: "" };
    expect(found(bad)).toEqual(["DEPRECATED_FACTORY"]);
    // The name is still imported, but not used.
    expect(found(good)).toEqual(["DEPRECATED_FACTORY"]);
    expect(
      validateDefinition(run(good), { sources: [{ path: "pack.ts", text: writePack(good) }] }),
    ).toEqual([]);
  });

  it("BUILD_WARNING: the bad example is reported with exactly this code, the good one with nothing", async () => {
    using folder = makeTemporaryFolder();
    const warnings = async (text: string) => {
      writeFileSync(join(folder.path, "pack.ts"), writePack(text));
      const { issues } = await bundlePack({ entry: "pack.ts", cwd: folder.path });
      return issues.map(({ code }) => code);
    };
    const { bad, good } = ISSUE_EXPLANATIONS.BUILD_WARNING ?? { bad: "", good: "" };
    expect(await warnings(bad)).toEqual(["BUILD_WARNING"]);
    expect(await warnings(good)).toEqual([]);
  });
});

/** Runs the statements of an example with all names of the package, and returns the Pack. */
function run(example: string): authoring.PackDefinitionBuilder {
  const names = Object.keys(authoring);
  const own = /^export const pack = (.*);$/.exec(example)?.[1];
  const body =
    own === undefined ? `const pack = newPack();\n${example}\nreturn pack;` : `return ${own};`;
  return new Function(...names, body)(
    ...Object.values(authoring),
  ) as authoring.PackDefinitionBuilder;
}

/** An example as the text of a Pack file. */
function writePack(example: string, ...more: string[]): string {
  return `import { ${[...Object.keys(authoring), ...more].join(", ")} } from "packsmith";\nexport const pack = newPack();\n${example}\n`;
}
