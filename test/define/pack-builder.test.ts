import { describe, expect, it } from "vitest";
import { makeFormula } from "../../src/define/make-formula.ts";
import { newPack } from "../../src/define/pack-builder.ts";
import { makeParameter } from "../../src/define/parameter.ts";
import type { ExecutionContext } from "../../src/define/schema.ts";

const context = {} as ExecutionContext;
const formula = (name: string) =>
  ({ name, description: "Says nothing.", parameters: [], resultType: "string", execute: () => "" }) as const;
const oauth = { type: "OAuth2", authorizationUrl: "https://a.example/authorize", tokenUrl: "https://a.example/token" } as const;

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
    expect(pack.formulas.map(({ name, connectionRequirement }) => [name, connectionRequirement])).toEqual([
      ["Before", "required"],
      ["Own", "none"],
      ["After", "required"],
    ]);
    expect(pack.defaultAuthentication).toEqual(oauth);
  });

  it("takes another default requirement, and none from the type None", () => {
    expect(
      newPack()
        .setUserAuthentication({ ...oauth, defaultConnectionRequirement: "optional" })
        .addFormula(formula("A")).formulas[0],
    ).toMatchObject({
      connectionRequirement: "optional",
    });
    expect(newPack().setUserAuthentication({ type: "None" }).addFormula(formula("A")).formulas[0]?.connectionRequirement).toBeUndefined();
  });

  it("begins with a definition and does not change it", () => {
    const definition = { networkDomains: ["a.example"], formulas: [makeFormula(formula("One"))], defaultAuthentication: oauth };
    const pack = newPack(definition).addNetworkDomain("b.example");
    expect(definition.networkDomains).toEqual(["a.example"]);
    expect(pack.formulas[0]?.connectionRequirement).toBe("required");
  });
});

describe("makeFormula", () => {
  it("reads codaType as the hint of its schema", () => {
    expect(makeFormula({ ...formula("A"), codaType: "url" }).schema).toEqual({ type: "string", codaType: "url" });
  });

  it("gives an object schema its type", () => {
    const made = makeFormula({
      name: "A",
      description: "An object.",
      parameters: [],
      resultType: "object",
      schema: { properties: { a: { type: "string" } } },
      execute: () => ({}),
    });
    expect(made.schema).toEqual({ type: "object", properties: { a: { type: "string" } } });
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
    expect(parameter).toEqual(definition);
    expect([parameter === definition, Object.isFrozen(parameter)]).toEqual([false, true]);
  });
});
