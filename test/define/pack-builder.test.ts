import { describe, expect, it } from "vitest";
import { definitionForm } from "../../src/define/definition-form.ts";
import type { ParameterType } from "../../src/define/enumerations.ts";
import { makeFormula } from "../../src/define/make-formula.ts";
import { newPack } from "../../src/define/pack-builder.ts";
import { makeParameter } from "../../src/define/parameter.ts";
import type { ExecutionContext } from "../../src/define/schema.ts";
import { decodeSnapshot, encodeSnapshot } from "../../src/define/snapshot.ts";

/** What validation sees. */
const readDefinition = (pack: object) =>
  definitionForm(decodeSnapshot(encodeSnapshot(pack))) as ReturnType<typeof newPack>;
const context = {} as ExecutionContext;
const formula = (name: string) =>
  ({
    name,
    description: "Says nothing.",
    parameters: [],
    resultType: "string",
    execute: () => "",
  }) as const;
const oauth = {
  type: "OAuth2",
  authorizationUrl: "https://a.example/authorize",
  tokenUrl: "https://a.example/token",
} as const;

describe("newPack", () => {
  it("collects what its methods add, and each returns the builder", () => {
    const pack = newPack()
      .setVersion("1.2")
      .addNetworkDomain("a.example", "b.example")
      .addFormula(formula("One"))
      .setSystemAuthentication({ type: "HeaderBearerToken" });
    expect(pack).toMatchObject({
      version: "1.2",
      networkDomains: ["a.example", "b.example"],
      systemConnectionAuthentication: { type: "HeaderBearerToken" },
    });
    expect(pack.formulas.map(({ name }) => name)).toEqual(["One"]);
  });

  it("makes formulas need an account, whether they were added before the authentication or after it", () => {
    const pack = newPack()
      .addFormula(formula("Before"))
      .addFormula({ ...formula("Own"), connectionRequirement: "none" })
      .setUserAuthentication(oauth)
      .addFormula(formula("After"));
    for (const { formulas } of [pack, readDefinition(pack)])
      expect(
        formulas.map(({ name, connectionRequirement }) => [name, connectionRequirement]),
      ).toEqual([
        ["Before", "required"],
        ["Own", "none"],
        ["After", "required"],
      ]);
    expect(pack.defaultAuthentication).toEqual(oauth);
    expect(pack).toHaveProperty("_defaultConnectionRequirement", "required");
  });

  it("gives the requirement of a formula to the choices of its parameters, in either order of the calls", () => {
    const choice = makeParameter({
      type: "string",
      name: "size",
      description: "The size.",
      autocomplete: ["S", "M"],
    });
    const plain = makeParameter({ type: "string", name: "note", description: "A note." });
    const chosen = {
      ...formula("Choose"),
      parameters: [choice, plain],
      varargParameters: [choice],
    } as const;
    const before = newPack().setUserAuthentication(oauth).addFormula(chosen);
    const after = newPack().addFormula(chosen).setUserAuthentication(oauth);
    for (const { formulas } of [before, after]) {
      const autocomplete = { name: "getMetadata", connectionRequirement: "required" };
      expect(formulas).toMatchObject([
        {
          parameters: [{ type: 0, autocomplete }, { type: 0 }],
          varargParameters: [{ autocomplete }],
        },
      ]);
      expect(formulas[0]?.parameters[1]?.autocomplete).toBeUndefined();
    }
    expect(JSON.parse(JSON.stringify(after))).toEqual(JSON.parse(JSON.stringify(before)));
    expect(choice.autocomplete, "the parameter itself stays as it is").toMatchObject({
      connectionRequirement: "optional",
    });
    expect(newPack().addFormula(chosen).formulas[0]?.parameters[0]?.autocomplete).toMatchObject({
      connectionRequirement: "optional",
    });
    const own = newPack()
      .setUserAuthentication(oauth)
      .addFormula({ ...chosen, connectionRequirement: "none" });
    expect(own.formulas).toMatchObject([
      { parameters: [{ autocomplete: { connectionRequirement: "none" } }, {}] },
    ]);
  });

  it("makes metadata formulas of the functions of an authentication; validation sees the functions", () => {
    const names = { getConnectionName: () => "Ada", getConnectionUserId: () => "1" };
    const postSetup = [
      {
        type: "SetEndPoint" as const,
        name: "site",
        description: "The site.",
        getOptions: () => [],
      },
    ];
    const pack = newPack().setUserAuthentication({
      ...oauth,
      ...names,
      postSetup,
      defaultConnectionRequirement: "optional",
    });
    pack.setSystemAuthentication({ type: "HeaderBearerToken" });
    const getMetadata = { name: "getMetadata", connectionRequirement: "optional", resultType: 2 };
    expect(pack.defaultAuthentication).toMatchObject({
      getConnectionName: getMetadata,
      getConnectionUserId: getMetadata,
      postSetup: [{ name: "site", getOptions: getMetadata }],
    });
    expect(pack.defaultAuthentication).not.toHaveProperty("defaultConnectionRequirement");
    const anyFunction = expect.any(Function);
    expect(readDefinition(pack).defaultAuthentication).toEqual({
      ...oauth,
      getConnectionName: anyFunction,
      getConnectionUserId: anyFunction,
      postSetup: [{ ...postSetup[0], getOptions: anyFunction }],
    });
  });

  it("takes another default requirement, and none from the type None", () => {
    expect(
      newPack()
        .setUserAuthentication({ ...oauth, defaultConnectionRequirement: "optional" })
        .addFormula(formula("A")).formulas[0],
    ).toMatchObject({
      connectionRequirement: "optional",
    });
    expect(
      newPack().setUserAuthentication({ type: "None" }).addFormula(formula("A")).formulas[0]
        ?.connectionRequirement,
    ).toBeUndefined();
  });

  it("changes nothing for a default requirement that is empty, which validation reports", () => {
    const pack = newPack().addFormula(formula("A"));
    pack.setUserAuthentication({ ...oauth, defaultConnectionRequirement: null as never });
    expect(pack.formulas[0]?.connectionRequirement).toBeUndefined();
    expect(readDefinition(pack).formulas[0]?.name).toBe("A");
  });

  it("begins with a definition and does not change it; its authentication does not set a default requirement", () => {
    const definition = {
      networkDomains: ["a.example"],
      formulas: [makeFormula(formula("One"))],
      defaultAuthentication: oauth,
    };
    const pack = newPack(definition).addNetworkDomain("b.example");
    expect(definition.networkDomains).toEqual(["a.example"]);
    expect(definition.formulas).toHaveLength(1);
    pack.addFormula(formula("Two"));
    expect(definition.formulas).toHaveLength(1);
    expect(pack.formulas.map(({ connectionRequirement }) => connectionRequirement)).toEqual([
      undefined,
      undefined,
    ]);
    expect(pack.defaultAuthentication).toEqual(oauth);
    expect(pack._defaultConnectionRequirement).toBeUndefined();
  });
});

describe("makeFormula", () => {
  it("reads codaType as the hint of its schema", () => {
    expect(makeFormula({ ...formula("A"), codaType: "url" }).schema).toEqual({
      type: "string",
      codaType: "url",
    });
  });

  it("numbers the type of the result; a list is data with the schema of a list", () => {
    const common = { name: "A", description: "Anything.", parameters: [] } as const;
    const made = [
      makeFormula(formula("A")),
      makeFormula({ ...common, resultType: "number", execute: () => 1 }),
      makeFormula({ ...common, resultType: "boolean", execute: () => true }),
      makeFormula({ ...common, resultType: "array", items: { type: "string" }, execute: () => [] }),
    ];
    expect(made.map(({ resultType, schema }) => [resultType, schema])).toEqual([
      [0, undefined],
      [1, undefined],
      [3, undefined],
      [2, { type: "array", items: { type: "string" } }],
    ]);
    for (const each of made) expect(each).not.toHaveProperty("items");
    expect(
      readDefinition(newPack({ formulas: made })).formulas.map(({ resultType, items }) => [
        resultType,
        items,
      ]),
    ).toEqual([
      ["string", undefined],
      ["number", undefined],
      ["boolean", undefined],
      ["array", { type: "string" }],
    ]);
  });

  it("gives an object schema its type and the names of the compiled form; validation sees the author's", () => {
    const made = makeFormula({
      name: "A",
      description: "An object.",
      parameters: [],
      resultType: "object",
      schema: {
        properties: {
          "due date": { type: "string", codaType: "date" },
          Id: { type: "string", fromKey: "key" },
        },
        displayProperty: "due date",
        idProperty: "Id",
      },
      execute: () => ({}),
    });
    expect(made.resultType).toBe(2);
    expect(made.schema).toEqual({
      type: "object",
      properties: {
        DueDate: { type: "string", codaType: "date", fromKey: "due date", originalKey: "due date" },
        Id: { type: "string", fromKey: "key", originalKey: "Id" },
      },
      displayProperty: "DueDate",
      idProperty: "Id",
    });
    expect(readDefinition(newPack({ formulas: [made] })).formulas).toMatchObject([
      {
        resultType: "object",
        schema: {
          type: "object",
          properties: {
            "due date": { type: "string", codaType: "date" },
            Id: { type: "string", fromKey: "key" },
          },
          displayProperty: "due date",
          idProperty: "Id",
        },
      },
    ]);
  });

  it("hands a failure to onError, whose value is the result", async () => {
    const made = makeFormula({
      ...formula("A"),
      execute: () => {
        throw new Error("no");
      },
      onError: (error) => `caught: ${error.message}`,
    });
    expect(await made.execute([], context)).toBe("caught: no");
  });

  it("lets a failure through without onError", async () => {
    const made = makeFormula({
      ...formula("A"),
      execute: async (): Promise<string> => {
        throw new Error("no");
      },
    });
    await expect(made.execute([], context)).rejects.toThrow("no");
  });
});

describe("makeParameter", () => {
  it("gives a frozen copy", () => {
    const definition = { type: "string", name: "a", description: "A text." } as const;
    const parameter = makeParameter(definition);
    expect(parameter).toEqual({ ...definition, type: 0, allowManualInput: true });
    expect([(parameter as object) === definition, Object.isFrozen(parameter)]).toEqual([
      false,
      true,
    ]);
    expect(makeParameter({ ...definition, allowManualInput: false }).allowManualInput).toBe(false);
  });

  it("numbers every type; lists have the number of their items, and those with gaps say so", () => {
    const readType = (type: ParameterType) =>
      makeParameter({ type, name: "a", description: "Anything." }).type as unknown;
    const types = [
      "string",
      "number",
      "boolean",
      "date",
      "html",
      "image",
      "file",
      "markdown",
      "email",
    ] as const;
    expect(types.map(readType)).toEqual([0, 1, 3, 4, 5, 6, 7, 8, 9]);
    for (const type of types) {
      const sparse =
        `sparse${type.slice(0, 1).toUpperCase()}${type.slice(1)}Array` as ParameterType;
      expect(readType(`${type}Array`)).toEqual({ type: "array", items: readType(type) });
      expect(readType(sparse)).toEqual({ type: "array", items: readType(type), allowEmpty: true });
    }
  });

  it("names the column of its crawl strategy as the compiled form does", () => {
    const crawlStrategy = {
      parentTable: { tableName: "Lists", propertyKey: "list-id", inheritPermissions: true },
    };
    expect(
      makeParameter({ type: "string", name: "a", description: "A text.", crawlStrategy })
        .crawlStrategy,
    ).toEqual({
      parentTable: { tableName: "Lists", propertyKey: "ListId", inheritPermissions: true },
    });
  });
});
