import { describe, expect, it } from "vitest";
import { validateDefinition } from "../../src/validate/validate-definition.ts";
import {
  type Definition,
  formula,
  oauth2,
  pack,
  rows,
  table,
  withFormula,
  withRows,
  withTables,
  withUser,
} from "./definitions.ts";

const report = (definition: unknown) =>
  validateDefinition(definition).map(({ code, path }) => `${code} ${path}`);

describe("validateDefinition", () => {
  it("names the nearest known key and value", () => {
    const hints = validateDefinition(withFormula({ cacheTtlSec: 1, resultType: "strin" })).map(
      ({ hint }) => hint,
    );
    expect(hints).toEqual(['Write "string".', "Rename the key to cacheTtlSecs."]);
  });

  it.each([
    ["a short name of a required member", { params: [] }, "parameters"],
    ["a misspelt name inside a list", { examples: [{ parms: [], result: "" }] }, "params"],
  ])("names the member that is missing for %s", (_, members, name) => {
    const { parameters, ...rest } = formula();
    const definition = pack({
      formulas: [{ ...rest, ...("params" in members ? {} : { parameters }), ...members }],
    });
    expect(validateDefinition(definition).map(({ hint }) => hint)).toEqual([
      `Rename the key to ${name}.`,
    ]);
  });

  it("names the formula of a table in the author's words", () => {
    const { getter, ...rest } = table() as Record<string, unknown>;
    expect(validateDefinition(withTables({ ...rest, formla: getter }))).toMatchObject([
      { code: "TABLE_KEY_UNKNOWN", hint: "Rename the key to formula." },
    ]);
  });

  it("reports a misspelt key once, and not that the key it means is missing", () => {
    const { description: desciption, ...rest } = formula();
    const misspelt = pack({ formulas: [{ ...rest, desciption }] });
    expect(report(misspelt)).toEqual(["KEY_UNKNOWN formulas[0].desciption"]);
    const { formulas } = misspelt as { formulas: object[] };
    const issues = validateDefinition({ formulas }, { compatibility: true });
    // A warning does not replace the error.
    expect(issues.map(({ severity, code }) => `${severity} ${code}`)).toEqual([
      "error MEMBER_MISSING",
      "warning KEY_UNKNOWN",
    ]);
  });

  it("warns only about what another toolchain lets pass, but keeps what guards secrets an error", () => {
    const severities = (definition: Definition) =>
      validateDefinition(definition, { compatibility: true }).map(
        ({ code, severity }) => `${severity} ${code}`,
      );
    expect(severities(withUser(oauth2({ scopes: [""] })))).toEqual(["warning AUTH_SCOPE_INVALID"]);
    expect(severities(withUser(oauth2({ additionalParams: { state: "x" } })))).toEqual([
      "error AUTH_PARAM_RESERVED",
    ]);
    const keys = { "foo-bar": { type: "string" }, fooBar: { type: "string" } };
    expect(severities(withRows(keys))).toEqual(["warning SCHEMA_PROPERTY_COLLISION"]);
    expect(severities(withTables(table({ name: "Run" })))).toEqual(["warning NAME_SHARED"]);
    expect(severities(withTables(table({ entity: "" })))).toEqual(["warning TABLE_KEY_UNKNOWN"]);
  });

  it("checks a schema that a formula and a table share in both places, each once", () => {
    const schema = rows({ a: { type: "text" } });
    expect(
      report(
        pack({
          formulas: [formula({ resultType: "object", schema })],
          syncTables: [table({ schema })],
        }),
      ),
    ).toEqual([
      "SCHEMA_TYPE_UNKNOWN formulas[0].schema.properties.a.type",
      "SCHEMA_TYPE_UNKNOWN syncTables[0].schema.properties.a.type",
    ]);
  });

  it.each([[undefined], [null], [3], ["pack"], [[]], [() => 1]])(
    "says that %s is no Pack",
    (definition) => {
      expect(report(definition)).toEqual(["DEFINITION_INVALID "]);
    },
  );

  it("reports absent and mistyped members without the value, which may be a secret", () => {
    const issues = validateDefinition(
      withUser({ type: "CustomHeaderToken", headerName: { secret: "s3cret" } }),
    );
    expect(issues.map(({ message }) => message)).toEqual([
      "headerName must be text, not an object.",
    ]);
    expect(report({ formulas: [{}] })).toEqual(
      ["name", "description", "parameters", "resultType", "execute"].map(
        (name) => `MEMBER_MISSING formulas[0].${name}`,
      ),
    );
  });
});
