import { describe, expect, it } from "vitest";
import { validateDefinition } from "../../src/validate/validate-definition.ts";
import {
  type Definition,
  formula,
  pack,
  parameter,
  rows,
  skill,
  table,
  withProperty,
  withRows,
  withSchema,
  withSkills,
  withTables,
  withUser,
} from "./definitions.ts";

const report = (definition: unknown) =>
  validateDefinition(definition).map(({ code, path }) => `${code} ${path}`);
const messages = (definition: unknown) =>
  validateDefinition(definition).map(({ message, hint }) => `${message} ${hint}`);

/** A table that is filled from others. */
const filledFrom = (name: string, ...parents: string[]) =>
  table(
    { name, identityName: `${name}Row` },
    {
      name,
      parameters: parents.map((tableName) =>
        parameter({
          name: `from${tableName}`,
          crawlStrategy: { parentTable: { tableName, propertyKey: "taskId" } },
        }),
      ),
    },
  );

describe("bugs of another validator that are not repeated", () => {
  it("the cycle check that stops at the first leaf child", () => {
    const cyclic = withTables(filledFrom("Leaf", "A"), filledFrom("A", "B"), filledFrom("B", "A"));
    expect(messages(cyclic)).toEqual([
      "The tables take their values from each other: A → B → A. Remove crawlStrategy from one of these tables.",
    ]);
  });

  it.each([
    { type: "None" },
    { type: "Various" },
    { type: "HeaderBearerToken", requiresEndpointUrl: true },
    undefined,
  ])("the loop over authentications that ends at %j", (defaultAuthentication) => {
    const system = { type: "HeaderBearerToken", networkDomain: "evil.example" };
    expect(report(pack({ defaultAuthentication, systemConnectionAuthentication: system }))).toEqual(
      ["AUTH_NETWORK_DOMAIN_UNDECLARED systemConnectionAuthentication.networkDomain"],
    );
    const audit = {
      name: "audit",
      displayName: "Audit",
      description: "For audits.",
      authentication: system,
    };
    expect(report(pack({ defaultAuthentication, adminAuthentications: [audit] }))).toEqual([
      "AUTH_NETWORK_DOMAIN_UNDECLARED adminAuthentications[0].authentication.networkDomain",
    ]);
  });

  it("a rule that URLs share a domain, which many providers break", () => {
    const oauth = {
      type: "OAuth2",
      authorizationUrl: "https://login.one.example/authorize",
      tokenUrl: "https://two.example/token",
      useProofKeyForCodeExchange: true,
    };
    expect(report(withUser(oauth))).toEqual([]);
  });

  it("paths that do not exist in the definition", () => {
    const account = { type: "HeaderBearerToken", networkDomain: "x.example" };
    const definition = pack({
      formulas: [formula({ allowedAuthenticationNames: ["audit"] })],
      adminAuthentications: [
        { name: "own", displayName: "Own", description: "Own.", authentication: account },
      ],
      syncTables: [
        table(
          {
            schema: rows(
              { a: { type: "text" } },
              {
                featuredProperties: ["no"],
                index: { properties: ["title"], filterableProperties: ["no"] },
              },
            ),
          },
          { parameters: [parameter({ name: "1" })] },
        ),
      ],
    });
    expect(report(definition).map((text) => text.split(" ")[1])).toEqual([
      "adminAuthentications[0].authentication.networkDomain",
      "formulas[0].allowedAuthenticationNames[0]",
      "syncTables[0].schema.properties.a.type",
      "syncTables[0].schema.featuredProperties[0]",
      "syncTables[0].schema.index.filterableProperties[0]",
      "syncTables[0].getter.parameters[0].name",
    ]);
  });

  it("names in another spelling than the author's, and every issue of a table's schema twice", () => {
    const definition = withRows(
      { x_y: { type: "string", precision: 1 } },
      { featuredProperties: ["nope"] },
    );
    expect(report(definition)).toEqual([
      "SCHEMA_KEY_UNKNOWN syncTables[0].schema.properties.x_y.precision",
      "SCHEMA_PROPERTY_UNKNOWN syncTables[0].schema.featuredProperties[0]",
    ]);
    expect(messages(definition)[1]).toContain('"nope"');
  });

  it("a wrong value hint with half of the legal ones and a second issue", () => {
    const [message, ...others] = messages(withProperty({ type: "string", codaType: "Url" }));
    const hints = [
      "attachment",
      "html",
      "markdown",
      "date",
      "time",
      "datetime",
      "duration",
      "email",
      "url",
      "embed",
      "image",
      "selectList",
    ];
    for (const hint of hints) expect(message).toContain(hint);
    expect(message).toMatch(/Write "url"\.$/);
    expect(others).toEqual([]);
  });

  it("an identifier in a list, or with a label, that is taken for a path although a property has that name", () => {
    const properties = { "first.name": { type: "string" }, id: { type: "string" } };
    const definition = withSchema({
      type: "object",
      properties,
      idProperty: "first.name",
      featuredProperties: ["first.name"],
      subtitleProperties: ["first.name", { property: "first.name", label: "Name" }],
      index: {
        properties: [{ property: "first.name", strategy: "standard" }],
        contextProperties: [{ property: "first.name" }],
      },
    });
    expect(report(definition)).toEqual([]);
  });

  it("the limit of functions that list options, which was that of a name's length", () => {
    const select = (index: number) => [
      `p${index}`,
      { type: "string", codaType: "selectList", options: () => [] },
    ];
    const withFunctions = (count: number) =>
      withRows(Object.fromEntries(Array.from({ length: count }, (_, index) => select(index))));
    expect(report(withFunctions(50))).toEqual([]);
    expect(messages(withFunctions(51))[0]).toContain(
      "51 functions that list options; the limit is 50",
    );
  });

  it("missing members that are found by reading an English message", () => {
    // Text that looks like such a message is just a value.
    expect(report(pack({ formulas: [formula({ description: "Required" }), {}] }))).toEqual([
      ...["name", "description", "parameters", "resultType", "execute"].map(
        (member) => `MEMBER_MISSING formulas[1].${member}`,
      ),
    ]);
  });

  it("messages that are cut", () => {
    const definition = pack({
      formulas: Array.from({ length: 90 }, (_, index) => formula({ name: `Formula ${index}` })),
    });
    expect(validateDefinition(definition)).toHaveLength(90);
  });

  it("duplicates of a Custom authentication that name another type", () => {
    const entry = { name: "key", description: "Key" };
    expect(messages(withUser({ type: "Custom", params: [entry, entry] }))).toEqual([
      '"key" is listed twice. Rename or remove this credential.',
    ]);
  });

  it("unions that answer with nothing that helps", () => {
    const index = { properties: ["id"], filterableProperty: [] };
    const schema = (members: Definition) =>
      withSchema({ type: "object", properties: { id: { type: "string" } }, ...members });
    expect(messages(schema({ index }))).toEqual([
      '"filterableProperty" is not a known key here. Rename the key to filterableProperties.',
    ]);
    expect(messages(schema({ titleProperty: 3 }))).toEqual([
      'titleProperty must be the name of a property. Write the name of a property, or { property: "name", label: "Label" }.',
    ]);
    expect(
      messages(schema({ attribution: [{ type: 2, anchorUrl: "https://tasks.example" }] })),
    ).toEqual(["anchorText is missing. Add anchorText: text."]);
    expect(
      messages(withSkills(skill({ tools: [{ type: "Knowledge", source: { type: "Web" } }] }))),
    ).toEqual(['type is "Web"; it can be Global or Pack. Write one of these values.']);
  });
});
