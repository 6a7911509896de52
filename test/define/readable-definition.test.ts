import { describe, expect, it } from "vitest";
import { readableDefinition } from "../../src/define/readable-definition.ts";

describe("readableDefinition", () => {
  it("gives a definition without errors back as it was", () => {
    const definition = {
      version: "1.0.0",
      networkDomains: ["api.example.com"],
      defaultAuthentication: { type: "OAuth2", scopes: ["read"], postSetup: [{ name: "Board" }] },
      adminAuthentications: [{ name: "Crawl", authentication: { type: "HeaderBearerToken" } }],
      formulas: [{ name: "Hello", parameters: [{ name: "who" }], varargParameters: [] }],
      syncTables: [{ name: "Tasks", getter: { name: "Tasks", parameters: [] } }],
      formats: [{ name: "Task", matchers: [/^task/] }],
      skills: [{ name: "Plan", tools: [{ type: "Pack" }] }],
    };

    expect(readableDefinition(definition)).toEqual(definition);
  });

  it("makes lists of everything that is to be a list, also of what is missing", () => {
    expect(readableDefinition({ formulas: "many", mcpServers: 1, skills: [{}] })).toEqual({
      networkDomains: [],
      formulas: [],
      syncTables: [],
      formats: [],
      skills: [{ tools: [] }],
      mcpServers: [],
    });
  });

  it("leaves out parts that are not objects and domains that are not texts", () => {
    const { formulas, syncTables, networkDomains } = readableDefinition({
      formulas: [null, { name: "Hello", parameters: [null, { name: "who" }] }],
      syncTables: [{ name: "Tasks", getter: null }],
      networkDomains: ["example.com", 5],
    });

    expect(formulas).toEqual([{ name: "Hello", parameters: [{ name: "who" }] }]);
    expect(syncTables).toEqual([{ name: "Tasks", getter: { parameters: [] } }]);
    expect(networkDomains).toEqual(["example.com"]);
  });

  it("leaves out an authentication that is not an object", () => {
    const { defaultAuthentication } = readableDefinition({ defaultAuthentication: "OAuth2" });

    expect(defaultAuthentication).toBeUndefined();
  });
});
