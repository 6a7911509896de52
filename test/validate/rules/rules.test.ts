import { describe, expect, it } from "vitest";
import { validateDefinition } from "../../../src/validate/validate-definition.ts";
import type { Definition } from "../definitions.ts";
import { addTitle } from "./row.ts";
import { schemaRows } from "./schema-rows.ts";
import { tableRows } from "./table-rows.ts";

/** Old names of members count as the current ones; another warning reports that they are old. */
const codes = (definition: Definition): string[] => {
  const issues = validateDefinition(definition).filter(({ code }) => code !== "DEPRECATED_KEY");
  return [...new Set(issues.map(({ code, path }) => `${code} ${path}`))];
};

describe.each([
  ["schemas", schemaRows],
  ["tables", tableRows],
])("the rules of %s", (_family, rows) => {
  it.each(rows.map(addTitle).map((row, index) => [row[0], index, ...row.slice(1)] as const))(
    "%s: a definition that breaks it is reported, one that obeys it is not (row %i)",
    (_rules, _index, obeys, breaks, ...reported) => {
      expect(codes(obeys as Definition)).toEqual([]);
      expect(codes(breaks as Definition)).toEqual(reported);
    },
  );
});
