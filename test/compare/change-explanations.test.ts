import { describe, expect, it } from "vitest";
import { readMetadata } from "../../src/bundle/build-record.ts";
import { CHANGE_CODES, type ChangeCode } from "../../src/compare/change-codes.ts";
import { CHANGE_EXPLANATIONS } from "../../src/compare/change-explanations.ts";
import { comparePacks } from "../../src/compare/compare-packs.ts";
import { decodeSnapshot, encodeSnapshot } from "../../src/define/snapshot.ts";
import * as authoring from "../../src/index.ts";
import { validateDefinition } from "../../src/validate/validate-definition.ts";

const codes = Object.keys(CHANGE_CODES) as ChangeCode[];

/** Runs the statements of an example, with all names of the package, and gives the Pack. */
function run(example: string): authoring.PackDefinitionBuilder {
  const body = `const pack = newPack();\n${example}\nreturn pack;`;
  return new Function(...Object.keys(authoring), body)(
    ...Object.values(authoring),
  ) as authoring.PackDefinitionBuilder;
}

function createState(example: string) {
  const metadata = readMetadata(decodeSnapshot(encodeSnapshot(run(example), "compiled")) as object);
  return { metadata, bundle: { sha256: "the same" } };
}

describe("explanations of changes", () => {
  it.each(codes)("%s: the Pack before and the one after differ by exactly this change", (code) => {
    const { before, after } = CHANGE_EXPLANATIONS[code];
    const isCode = code === "CODE_CHANGED";
    const newer = isCode
      ? { ...createState(after), bundle: { sha256: "another" } }
      : createState(after);
    expect(comparePacks(createState(before), newer).map((change) => change.code)).toContain(code);
    expect(before).not.toBe(after);
    expect(comparePacks(createState(before), newer)[0]?.class).toBe(CHANGE_CODES[code]);
  });

  it.each(codes)("%s: both are Packs without problems", (code) => {
    for (const text of [CHANGE_EXPLANATIONS[code].before, CHANGE_EXPLANATIONS[code].after]) {
      expect(validateDefinition(run(text)).filter(({ severity }) => severity === "error")).toEqual(
        [],
      );
    }
  });

  it.each(codes)("%s: reads well", (code) => {
    const { meaning, why } = CHANGE_EXPLANATIONS[code];
    for (const sentence of [meaning, why]) expect(sentence).toMatch(/^(?!.* {2})\S.{10,280}\.$/);
  });
});
