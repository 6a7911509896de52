import { describe, expect, it } from "vitest";
import { newPack } from "../../src/define/pack-builder.ts";
import { validateDefinition } from "../../src/validate/validate-definition.ts";

/**
 * Runs a Pack's source and returns where its problems are: the text at each position, as far as its
 * line goes.
 */
function placesIn(source: string): string[] {
  const pack = newPack().addNetworkDomain("tasks.example");
  new Function("pack", source)(pack);
  const text = `export const pack = newPack();\n${source}`;
  const lines = text.split("\n");
  return validateDefinition(pack, { sources: [{ path: "pack.ts", text }] }).map(
    ({ path, line = 0, column = 0 }) =>
      `${path} → ${line}:${column} ${lines[line - 1]?.slice(column - 1)}`,
  );
}

describe("the calls of the builder", () => {
  it("have the places of static and dynamic tables, in the order of the text", () => {
    const places = placesIn(`
      pack.addDynamicSyncTable({
        name: "First table",
        identityName: "connection",
        getName: () => "", getSchema: "none", getDisplayUrl: () => "",
        placeholderSchema: { properties: { id: { type: "text" } }, idProperty: "id", displayProperty: "id" },
        formula: { parameters: [{ type: "string", name: "1st", description: "d" }], execute: () => ({ result: [] }) },
      });
      const schema = { properties: { id: { type: "string" } }, idProperty: "id", displayProperty: "name" };
      pack.addSyncTable({
        name: "Second table",
        identityName: "My row",
        schema,
        dynamicOptions: {
          getSchema: 3,
          entity: "Row",
          propertyOptions: "none",
        },
        formula: {
          parameters: [],
          maxUpdateBatchSize: 0,
          updateOptions: { scopes: [] },
          execute: () => ({ result: [] }),
        },
      });
    `);
    expect(places).toMatchInlineSnapshot(`
      [
        "syncTables[0].getSchema → 6:28 getSchema: "none", getDisplayUrl: () => "",",
        "syncTables[0].name → 4:9 name: "First table",",
        "syncTables[0].identityName → 5:9 identityName: "connection",",
        "syncTables[0].schema.properties.id.type → 7:50 type: "text" } }, idProperty: "id", displayProperty: "id" },",
        "syncTables[0].getter.parameters[0].name → 8:51 name: "1st", description: "d" }], execute: () => ({ result: [] }) },",
        "syncTables[1].getSchema → 16:11 getSchema: 3,",
        "syncTables[1].propertyOptions → 18:11 propertyOptions: "none",",
        "syncTables[1].entity → 17:11 entity: "Row",",
        "syncTables[1].name → 12:9 name: "Second table",",
        "syncTables[1].identityName → 13:9 identityName: "My row",",
        "syncTables[1].schema.displayProperty → 10:82 displayProperty: "name" };",
        "syncTables[1].getter.updateOptions.scopes → 23:28 scopes: [] },",
        "syncTables[1].getter.maxUpdateBatchSize → 22:11 maxUpdateBatchSize: 0,",
      ]
    `);
  });

  it("have the places of formats, skills, servers, accounts of administrators and prompts", () => {
    const places = placesIn(`
      pack
        .addColumnFormat({ name: "Track", formulaName: "None", matchers: ["x"] })
        .addSkill({ name: "Plan", displayName: "Plan", description: "d", prompt: "",
          tools: [{ type: "Pack", formulas: [{ formulaName: "None" }] }] })
        .addMCPServer({ name: "My server", endpointUrl: "/mcp" });
      pack.addAdminAuthentication({ name: "audit", displayName: "", description: "d", authentication: { type: "None" } });
      pack.addSuggestedPrompt({ name: "Start", displayName: "Start", prompt: "" });
      pack.setChatSkill({
        prompt: "",
      });
      pack.setSkillEntrypoints({ defaultChat: { skillName: "None" } });
    `);
    expect(places).toMatchInlineSnapshot(`
      [
        "adminAuthentications[0].displayName → 8:52 displayName: "", description: "d", authentication: { type: "None" } });",
        "adminAuthentications[0].authentication.type → 8:105 type: "None" } });",
        "formats[0].matchers[0] → 4:75 "x"] })",
        "formats[0].formulaName → 4:43 formulaName: "None", matchers: ["x"] })",
        "skills[0].prompt → 5:74 prompt: "",",
        "skills[0].tools[0].formulas[0].formulaName → 6:48 formulaName: "None" }] }] })",
        "chatSkill.prompt → 11:9 prompt: "",",
        "skillEntrypoints.defaultChat.skillName → 13:49 skillName: "None" } });",
        "suggestedPrompts[0].prompt → 9:70 prompt: "" });",
        "mcpServers[0].name → 7:25 name: "My server", endpointUrl: "/mcp" });",
        "mcpServers[0].endpointUrl → 7:44 endpointUrl: "/mcp" });",
      ]
    `);
  });

  it("have the place of a table's identityName when its schema gets its identity from there", () => {
    expect(
      placesIn(
        `pack.addSyncTable({ name: "Rows", schema: { properties: {} }, formula: { parameters: [], execute: () => ({}) } });`,
      ),
    ).toMatchInlineSnapshot(`
      [
        "syncTables[0].identityName → 2:6 addSyncTable({ name: "Rows", schema: { properties: {} }, formula: { parameters: [], execute: () => ({}) } });",
        "syncTables[0].schema.idProperty → 2:35 schema: { properties: {} }, formula: { parameters: [], execute: () => ({}) } });",
        "syncTables[0].schema.displayProperty → 2:35 schema: { properties: {} }, formula: { parameters: [], execute: () => ({}) } });",
      ]
    `);
  });
});
