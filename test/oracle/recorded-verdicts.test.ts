import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { definitionForm } from "../../src/define/definition-form.ts";
import { hasDeprecatedKeys } from "../../src/validate/deprecated-keys.ts";
import { validateDefinition } from "../../src/validate/validate-definition.ts";
import { listDifferences, RECORDED } from "./intended-differences.ts";
import { hasPublishedPackage, runPublished } from "./published-package.ts";

/** A definition that the published validator judged in its own tests. */
interface RecordedVerdict {
  /** The titles of the test and of the suites around it. */
  test: string;
  /** The version of the SDK that the definition claims to be made with. */
  version?: string;
  definition: Record<string, unknown>;
  isAccepted: boolean;
}

/** Whether packsmith runs it, as a Pack for `@codahq/packs-sdk`. */
function isAccepted({ definition }: RecordedVerdict): boolean {
  const pack = withFunctions(definition) as {
    formulas?: object[];
    syncTables?: { getter?: object }[];
  };
  // Metadata has no functions; a definition has them.
  for (const part of [
    ...(pack.formulas ?? []),
    ...(pack.syncTables ?? []).map(({ getter }) => getter),
  ])
    if (part !== undefined) Object.assign(part, { execute: async () => undefined, ...part });
  const issues = validateDefinition(definitionForm(pack), { plain: true, compatibility: true });
  return issues.every(({ severity }) => severity !== "error");
}

/**
 * Whether `validate`, `build` and `upload` accept it, as far as the versions are concerned for which
 * the published validator has its newest rules.
 */
function isSent(each: RecordedVerdict): boolean {
  return (
    isAccepted(each) &&
    !(
      each.version !== undefined &&
      Number.parseInt(each.version, 10) >= 1 &&
      hasDeprecatedKeys(each.definition)
    )
  );
}

function withFunctions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withFunctions);
  if (typeof value !== "object" || value === null) return value;
  if ("$function" in value) return async () => undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, withFunctions(member)]),
  );
}

describe.skipIf(!hasPublishedPackage)(
  "the definitions in the tests of the published validator",
  () => {
    it("get the same verdict here, except where docs/migrating.md says that it differs", {
      timeout: 600_000,
    }, async () => {
      const recorded = await runPublished<RecordedVerdict[]>("recorded-verdicts.cjs");
      expect(recorded.length).toBeGreaterThan(400);
      expect(recorded.filter((each) => each.isAccepted).length).toBeGreaterThan(150);
      // `coda validate` gives a Pack without a version one before it asks the validator.
      const judged = recorded.filter(({ definition }) => Object.keys(definition).length > 0);
      const different = judged
        .filter((each) => isAccepted(each) !== each.isAccepted)
        .map(({ test }) => test);
      expect([...new Set(different)]).toEqual(Object.keys(RECORDED));
      expect(different.length / recorded.length).toBeLessThan(0.04);
      // What is published is judged more strictly than what runs here: it has no old names of
      // members.
      const sentElsewhere = judged
        .filter((each) => isSent(each) !== each.isAccepted)
        .map(({ test }) => test);
      expect([...new Set(sentElsewhere)]).toEqual(
        Object.keys(RECORDED).filter((test) => !test.startsWith("deprecation warnings")),
      );
      expect(sentElsewhere.length / recorded.length).toBeLessThan(0.025);
    });
  },
);

it("each of those differences is a row of docs/migrating.md", () => {
  const page = readFileSync(new URL("../../docs/migrating.md", import.meta.url), "utf8");
  const rows = listDifferences(page).map(({ before }) => before);
  expect(
    Object.values(RECORDED).filter((row) => !rows.some((each) => each.startsWith(row))),
  ).toEqual([]);
});
