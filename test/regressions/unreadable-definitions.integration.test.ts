import { expect, it } from "vitest";
import { createIsolate } from "../../src/sandbox/host/isolate.ts";
import { validateDefinition } from "../../src/validate/validate-definition.ts";
import { isLong } from "../support/breadth.ts";

/** What `validate` says of a Pack that only a sandbox may read. */
async function findIssues(code: string): Promise<string[]> {
  await using isolate = await createIsolate({ code, fileName: "bundle.js" });
  const { definition, lostParts } = isolate;
  return validateDefinition(definition, { plain: true, lostParts }).map(
    (issue) => `${issue.path}: ${issue.message}`,
  );
}

it("a getter that throws is an issue, not a member that nobody wrote", async () => {
  expect(
    await findIssues(
      "module.exports.pack = { networkDomains: [], get formulas() { throw new Error() } };",
    ),
  ).toEqual(["formulas: formulas throws an error when packsmith reads it."]);
});

it("a schema that contains itself is told as that, not as a schema without a type", async () => {
  const schema =
    'const schema = { type: "object", properties: {} }; schema.properties.self = schema;';
  const formula =
    '{ name: "A", description: "d", parameters: [], resultType: "object", schema, execute() {} }';
  expect(
    await findIssues(
      `${schema} module.exports.pack = { networkDomains: [], formulas: [${formula}] };`,
    ),
  ).toEqual(["formulas[0].schema.properties.self: self contains itself."]);
});

it.runIf(isLong)(
  "a definition that was cut gives one issue, not one for each member behind the cut",
  async () => {
    const text = '"x".repeat(9_000_000)';
    expect(
      await findIssues(
        `module.exports.pack = { networkDomains: [], formulas: [${text}, ${text}, ${text}] };`,
      ),
    ).toEqual([": The definition is larger than 20 MB."]);
  },
);

it("a schema that a hundred formulas share is read for each of them", async () => {
  const schema =
    'const schema = { type: "object", properties: { title: { type: "string", description: "x".repeat(900) } } };';
  const formula =
    '{ name: "A" + i, description: "d", parameters: [], resultType: "object", schema, execute() {} }';
  const formulas = `Array.from({ length: 100 }, (_, i) => (${formula}))`;
  expect(
    await findIssues(
      `${schema} module.exports.pack = { networkDomains: [], formulas: ${formulas} };`,
    ),
  ).toEqual([]);
});
