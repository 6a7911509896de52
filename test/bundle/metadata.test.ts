import { describe, expect, it } from "vitest";
import { compileMetadata } from "../../src/bundle/metadata.ts";
import { makeMetadataFormula, makeObjectSchema, makeParameter, newPack, ParameterType } from "../../src/index.ts";

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const common = { name: "Tasks", description: "Tasks.", parameters: [], resultType: "string", execute: () => "" } as const;

function compiledParameter(type: ParameterType, members: object = {}): Record<string, unknown> {
  const pack = newPack().addFormula({ ...common, parameters: [makeParameter({ type, name: "a", description: "A.", ...members })] });
  const { formulas } = json(compileMetadata({ ...pack })) as { formulas: { parameters: Record<string, unknown>[] }[] };
  return formulas[0]?.parameters[0] ?? {};
}

function compiledSchema(schema: object): unknown {
  const formulas = [{ ...common, resultType: "object", schema }];
  return (json(compileMetadata({ formulas })) as { formulas: { schema: unknown }[] }).formulas[0]?.schema;
}

describe("compileMetadata", () => {
  it("writes every type of parameter as its number", () => {
    const numbers = Object.fromEntries(Object.values(ParameterType).map((type) => [type, JSON.stringify(compiledParameter(type)["type"])]));
    expect(numbers).toMatchInlineSnapshot(`
      {
        "boolean": "3",
        "booleanArray": "{"type":"array","items":3}",
        "date": "4",
        "dateArray": "{"type":"array","items":4}",
        "email": "9",
        "emailArray": "{"type":"array","items":9}",
        "file": "7",
        "fileArray": "{"type":"array","items":7}",
        "html": "5",
        "htmlArray": "{"type":"array","items":5}",
        "image": "6",
        "imageArray": "{"type":"array","items":6}",
        "markdown": "8",
        "markdownArray": "{"type":"array","items":8}",
        "number": "1",
        "numberArray": "{"type":"array","items":1}",
        "sparseBooleanArray": "{"type":"array","items":3,"allowEmpty":true}",
        "sparseDateArray": "{"type":"array","items":4,"allowEmpty":true}",
        "sparseEmailArray": "{"type":"array","items":9,"allowEmpty":true}",
        "sparseFileArray": "{"type":"array","items":7,"allowEmpty":true}",
        "sparseHtmlArray": "{"type":"array","items":5,"allowEmpty":true}",
        "sparseImageArray": "{"type":"array","items":6,"allowEmpty":true}",
        "sparseMarkdownArray": "{"type":"array","items":8,"allowEmpty":true}",
        "sparseNumberArray": "{"type":"array","items":1,"allowEmpty":true}",
        "sparseStringArray": "{"type":"array","items":0,"allowEmpty":true}",
        "string": "0",
        "stringArray": "{"type":"array","items":0}",
      }
    `);
  });

  it("names properties in PascalCase and keeps the author's names (7.5)", () => {
    expect(
      compiledSchema({
        type: "object",
        properties: {
          "due-date": { type: "string" },
          Title: { type: "string" },
          owner_name: { type: "string", fromKey: "owner" },
          "名:前": { type: "string" },
          place: { type: "object", properties: { "zip code": { type: "number" } } },
        },
        idProperty: "due-date",
        titleProperty: { property: "place.zip code", label: "" },
        subtitleProperties: ["owner_name"],
        index: { properties: ["Title"], filterableProperties: ["due-date"] },
      }),
    ).toMatchInlineSnapshot(`
      {
        "idProperty": "DueDate",
        "index": {
          "filterableProperties": [
            "DueDate",
          ],
          "properties": [
            "Title",
          ],
        },
        "properties": {
          "DueDate": {
            "fromKey": "due-date",
            "originalKey": "due-date",
            "type": "string",
          },
          "OwnerName": {
            "fromKey": "owner",
            "originalKey": "owner_name",
            "type": "string",
          },
          "Place": {
            "fromKey": "place",
            "originalKey": "place",
            "properties": {
              "ZipCode": {
                "fromKey": "zip code",
                "originalKey": "zip code",
                "type": "number",
              },
            },
            "type": "object",
          },
          "Title": {
            "originalKey": "Title",
            "type": "string",
          },
          "名_前": {
            "fromKey": "名:前",
            "originalKey": "名:前",
            "type": "string",
          },
        },
        "subtitleProperties": [
          "OwnerName",
        ],
        "titleProperty": {
          "label": "",
          "property": "Place.ZipCode",
        },
        "type": "object",
      }
    `);
  });

  it("names the property that a parameter takes its values from like the property itself", () => {
    expect(compiledParameter("string", { crawlStrategy: { parentTable: { tableName: "Lists", propertyKey: "list-id" } } })).toMatchObject({
      crawlStrategy: { parentTable: { tableName: "Lists", propertyKey: "ListId" } },
    });
  });

  it("writes the current names of deprecated members (rules 192 to 197)", () => {
    expect(compiledParameter("string", { defaultValue: "a", fullSyncSuggestedValue: "b" })).toMatchObject({
      suggestedValue: "a",
      ingestionSuggestedValue: "b",
    });
    expect(
      compiledSchema({
        type: "object",
        properties: { id: { type: "string" } },
        id: "id",
        primary: "id",
        featured: ["id"],
        identity: { name: "Task", attribution: [{ type: 1, text: "From Tasks" }] },
      }),
    ).toMatchObject({
      idProperty: "Id",
      displayProperty: "Id",
      featuredProperties: ["Id"],
      identity: { name: "Task" },
      attribution: [{ type: 1, text: "From Tasks" }],
    });
    const authentication = { type: "HeaderBearerToken", postSetup: [{ type: "SetEndPoint", getOptionsFormula: () => [] }] };
    const { defaultAuthentication } = compileMetadata({ defaultAuthentication: authentication }) as {
      defaultAuthentication: { postSetup: Record<string, unknown>[] };
    };
    expect(Object.keys(defaultAuthentication.postSetup[0] ?? {})).toEqual(["type", "getOptions"]);
  });

  it("says what a table's formula can do, and names its functions", () => {
    const Task = makeObjectSchema({
      properties: { id: { type: "string" }, state: { type: "string", codaType: "selectList", options: () => ["open"] } },
      idProperty: "id",
      displayProperty: "id",
    });
    const pack = newPack().setUserAuthentication({ type: "HeaderBearerToken", getConnectionName: () => "me" });
    pack.addSyncTable({
      name: "Tasks",
      identityName: "Task",
      schema: Task,
      formula: { parameters: [], execute: () => ({ result: [] }), executeUpdate: () => ({ result: [] }) },
      dynamicOptions: { getSchema: makeMetadataFormula(() => Task, { connectionRequirement: "none" }) },
    });
    pack.addColumnFormat({ name: "Task", formulaName: "Tasks", matchers: [/^task:(\d+)$/i] });
    expect(json(compileMetadata({ ...pack }))).toMatchInlineSnapshot(`
      {
        "adminAuthentications": [],
        "defaultAuthentication": {
          "getConnectionName": {
            "connectionRequirement": "optional",
            "name": "getMetadata",
            "parameters": [
              {
                "name": "search",
                "optional": true,
                "type": 0,
              },
              {
                "name": "formulaContext",
                "optional": true,
                "type": 0,
              },
            ],
            "resultType": 2,
          },
          "type": "HeaderBearerToken",
        },
        "formats": [
          {
            "formulaName": "Tasks",
            "matchers": [
              "/^task:(\\d+)$/i",
            ],
            "name": "Task",
          },
        ],
        "formulaNamespace": "Deprecated",
        "formulas": [],
        "mcpServers": [],
        "networkDomains": [],
        "skills": [],
        "suggestedPrompts": [],
        "syncTables": [
          {
            "connectionRequirement": "required",
            "defaultAddDynamicColumns": true,
            "getSchema": {
              "connectionRequirement": "none",
              "name": "getMetadata",
              "parameters": [
                {
                  "name": "search",
                  "optional": true,
                  "type": 0,
                },
                {
                  "name": "formulaContext",
                  "optional": true,
                  "type": 0,
                },
              ],
              "resultType": 2,
            },
            "getter": {
              "cacheTtlSecs": 0,
              "connectionRequirement": "required",
              "description": "",
              "isSyncFormula": true,
              "name": "Tasks",
              "parameters": [],
              "resultType": 2,
              "schema": {
                "items": {
                  "displayProperty": "Id",
                  "idProperty": "Id",
                  "identity": {
                    "name": "Task",
                  },
                  "properties": {
                    "Id": {
                      "fromKey": "id",
                      "originalKey": "id",
                      "type": "string",
                    },
                    "State": {
                      "codaType": "selectList",
                      "fromKey": "state",
                      "options": "State",
                      "originalKey": "state",
                      "type": "string",
                    },
                  },
                  "type": "object",
                },
                "type": "array",
              },
              "supportsGetPermissions": false,
              "supportsUpdates": true,
            },
            "identityName": "Task",
            "name": "Tasks",
            "namedPropertyOptions": {
              "State": {
                "connectionRequirement": "required",
                "name": "getMetadata",
                "parameters": [],
                "resultType": 2,
              },
            },
            "schema": {
              "displayProperty": "Id",
              "idProperty": "Id",
              "identity": {
                "name": "Task",
              },
              "properties": {
                "Id": {
                  "fromKey": "id",
                  "originalKey": "id",
                  "type": "string",
                },
                "State": {
                  "codaType": "selectList",
                  "fromKey": "state",
                  "options": "State",
                  "originalKey": "state",
                  "type": "string",
                },
              },
              "type": "object",
            },
          },
        ],
      }
    `);
  });
});
