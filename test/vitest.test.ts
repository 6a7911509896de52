import { describe, expect, it } from "vitest";
import { packsmith } from "../src/vitest.ts";
import { runVitestProject } from "./support/child-vitest.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";
import { ValueType } from "@codahq/packs-sdk/dist/schema";

export const pack = coda.newPack();
pack.addFormula({
  name: "Shout",
  description: "Makes a text loud.",
  parameters: [coda.makeParameter({ type: coda.ParameterType.String, name: "text", description: "Any text." })],
  resultType: ValueType.String,
  execute: async ([text]) => coda.ensureNonEmptyString(text).toUpperCase(),
});
`;

const TEST = `import { executeFormulaFromPackDef } from "@codahq/packs-sdk/dist/development";
import { executeFormula, startProvider } from "packsmith/testing";
import { newPack } from "packsmith";
import { PackDefinitionBuilder } from "@codahq/packs-sdk";
import { expect, it } from "vitest";
import { pack } from "./pack.ts";

it("runs the Pack in the sandbox", async () => {
  expect(await executeFormula("pack.ts", "Shout", ["hi"])).toBe("HI");
});

it("runs the Pack's own code", async () => {
  expect(await executeFormulaFromPackDef(pack, "Shout", ["hi"])).toBe("HI");
});

it("gives one copy of packsmith under every name", () => {
  expect(newPack()).toBeInstanceOf(PackDefinitionBuilder);
  expect(pack).toBeInstanceOf(PackDefinitionBuilder);
});

it("starts a provider", async () => {
  await using provider = await startProvider();
  expect(provider.issuer).toContain("127.0.0.1");
});
`;

describe("the vitest preset", () => {
  it("leaves other modules alone", () => {
    const { resolveId, enforce } = packsmith();
    expect(enforce).toBe("pre");
    expect(resolveId("vitest")).toBeUndefined();
    expect(resolveId("./packsmith")).toBeUndefined();
    expect(resolveId("@codahq/packs-sdk/dist/development")).toMatch(/dist[\\/]legacy-testing\.js$/);
  });

  it("runs the tests of an older project, with its imports as they are", async () => {
    const { code, output } = await runVitestProject({ "pack.ts": PACK, "pack.test.ts": TEST });
    expect(output).toContain("4 passed");
    expect(code).toBe(0);
  });
});
