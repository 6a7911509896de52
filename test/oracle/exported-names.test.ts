import { describe, expect, it } from "vitest";
import * as library from "../../src/legacy.ts";
import { askPublished, hasPublishedPackage } from "./published-package.ts";

describe.skipIf(!hasPublishedPackage)("what the published package exports", () => {
  it("is exported here, too: functions as functions, enumerations with equal members in the same order", async () => {
    const theirs = await askPublished<[string, unknown][]>({ kind: "exported" });
    expect(theirs.length).toBeGreaterThan(60);
    const own: ReadonlyMap<string, unknown> = new Map(Object.entries(library));
    const ours = theirs.map(([name]) => [
      name,
      typeof own.get(name) === "function" ? "function" : JSON.stringify(own.get(name)),
    ]);
    // Two of its values end in a character that no parameter type has.
    const formatText = (value: unknown) =>
      value === "function" ? value : JSON.stringify(value).replaceAll("Array`", "Array");
    expect(ours).toEqual(theirs.map(([name, value]) => [name, formatText(value)]));
  });

  it("gives the same answers where Packs import published files", async () => {
    const schema = `{ type: "array", items: { type: "object", idProperty: "a b", displayProperty: "c.d", index: { properties: ["c.d"], other: 1 }, other: 1, otherProperty: "c",
      properties: { "a b": { type: "string" }, c: { type: "object", properties: { d: { type: "number", fromKey: "e" } } } } } }`;
    const sources = {
      schema: `return file("schema").normalizeSchema(${schema});`,
      objectSchema: `return file("schema").normalizeObjectSchema(${schema}.items);`,
      keys: `return file("handler_templates").untransformKeys(["AB", "C", "Other"], file("schema").normalizeSchema(${schema}));`,
      query: `return file("helpers/url").withQueryParams("https://a.example/", { q: "!'()*~ -_.+&é" });`,
      keysWithoutSchema: `return file("handler_templates").untransformKeys(["AB"], undefined);`,
      hints: `const { StringHintValueTypes, NumberHintValueTypes, BooleanHintValueTypes, ObjectHintValueTypes } = file("schema");
        return [StringHintValueTypes, NumberHintValueTypes, BooleanHintValueTypes, ObjectHintValueTypes];`,
      metadata: `const wrapped = file("api").wrapMetadataFunction((context, search, args) => [search, args]);
        return [wrapped.name, await wrapped.execute(["a", JSON.stringify({ b: 1 })], {}), file("api").wrapMetadataFunction(wrapped) === wrapped, file("api").wrapMetadataFunction(undefined) === undefined];`,
    };
    const bodies = Object.values(sources).map(
      (source) => `const file = FILE; return (async () => { ${source} })();`,
    );
    const theirs = await askPublished({
      kind: "evaluate",
      sources: bodies.map((body) => body.replace("FILE", '(name) => published(name + ".js")')),
    });
    const ours = bodies.map(async (body) => ({
      value: JSON.parse(
        JSON.stringify(await new Function("coda", body.replace("FILE", "() => coda"))(library)),
      ) as unknown,
    }));
    expect(await Promise.all(ours)).toEqual(theirs);
  });
});
