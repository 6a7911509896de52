import { describe, expect, it } from "vitest";
import { newPack } from "../../src/define/pack-builder.ts";

const formula = { name: "Run", description: "Runs.", parameters: [], resultType: "string", execute: () => "" } as const;
const oauth2 = { type: "OAuth2", authorizationUrl: "https://a.example/authorize", tokenUrl: "https://a.example/token" } as const;

const requirements = (pack: ReturnType<typeof newPack>) => pack.formulas.map(({ connectionRequirement }) => connectionRequirement);

describe("newPack", () => {
  it("collects the parts of a Pack, in a chain", () => {
    const pack = newPack().addNetworkDomain("a.example", "b.example").addFormula(formula).setVersion("1.2").setUserAuthentication(oauth2);
    expect(pack.networkDomains).toEqual(["a.example", "b.example"]);
    expect(pack.formulas.map(({ name }) => name)).toEqual(["Run"]);
    expect(pack).toMatchObject({ version: "1.2", defaultAuthentication: oauth2 });
  });

  it("requires an account for formulas added before and after the authentication", () => {
    const pack = newPack().addFormula(formula).setUserAuthentication(oauth2).addFormula(formula);
    expect(requirements(pack)).toEqual(["required", "required"]);
  });

  it("leaves a formula's own requirement, and takes the default of the authentication", () => {
    const pack = newPack()
      .addFormula({ ...formula, connectionRequirement: "none" })
      .addFormula(formula);
    pack.setUserAuthentication({ ...oauth2, defaultConnectionRequirement: "optional" });
    expect(requirements(pack)).toEqual(["none", "optional"]);
    expect(pack.defaultAuthentication).not.toHaveProperty("defaultConnectionRequirement");
  });

  it("requires nothing for no authentication, nor for the Pack's own", () => {
    const pack = newPack().addFormula(formula).setUserAuthentication({ type: "None" });
    pack.setSystemAuthentication({ type: "OAuth2ClientCredentials", tokenUrl: "https://a.example/token" });
    expect(requirements(pack)).toEqual([undefined]);
  });

  it("takes a whole definition, and does not change its lists", () => {
    const definition = { networkDomains: ["a.example"], defaultAuthentication: oauth2 };
    const pack = newPack(definition).addNetworkDomain("b.example").addFormula(formula);
    expect(definition.networkDomains).toEqual(["a.example"]);
    expect(requirements(pack)).toEqual(["required"]);
  });

  it("refuses what no Pack has", () => {
    // @ts-expect-error a system authentication works without a person
    newPack().setSystemAuthentication(oauth2);
    // @ts-expect-error a misspelled member
    newPack().setUserAuthentication({ ...oauth2, aditionalParams: {} });
    // @ts-expect-error an unknown type
    newPack().setUserAuthentication({ type: "Oauth2" });
  });
});
