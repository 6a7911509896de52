import { describe, expect, it } from "vitest";
import { createShapeReader } from "../../../src/init/openapi/shape-reader.ts";

const description = {
  components: {
    schemas: {
      task: {
        properties: {
          title: { type: "string", description: "What to do" },
          parent: { $ref: "#/components/schemas/task" },
        },
      },
    },
  },
};

describe("the shape of a schema in a description", () => {
  it("ends where the schema contains itself, and has the name of its reference", () => {
    const readShape = createShapeReader(description);
    expect(readShape({ $ref: "#/components/schemas/task" })).toMatchObject({
      name: "Task",
      members: [{ name: "title", description: "What to do" }],
      left: ["parent: it contains the object itself"],
    });
  });

  it("has the choices of a first choice", () => {
    const readShape = createShapeReader({});
    const choices = [{ oneOf: [{ type: "string" }, { type: "string" }] }, { type: "string" }];
    expect(readShape({ anyOf: choices })).toEqual({ kind: "text" });
  });

  it("is unknown below 60 levels", () => {
    let schema: unknown = { type: "string" };
    for (let level = 0; level < 61; level++) schema = { type: "array", items: schema };
    expect(JSON.stringify(createShapeReader({})(schema))).toContain('"items":{"kind":"unknown"}');
  });
});
