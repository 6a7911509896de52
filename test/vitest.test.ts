import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { packsmith } from "../src/vitest.ts";
import { makeTemporaryFolder } from "./support/temporary-folder.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

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

const TEST = `import { executeFormula } from "@codahq/packs-sdk/dist/development";
import { executeFormula as sameFormula, startProvider } from "packsmith/testing";
import { newPack } from "packsmith";
import { PackDefinitionBuilder } from "@codahq/packs-sdk";
import { expect, it } from "vitest";
import { pack } from "./pack.ts";

it("runs the Pack in the sandbox", async () => {
  expect(await executeFormula("pack.ts", "Shout", ["hi"])).toBe("HI");
});

it("runs the Pack's own code", async () => {
  expect(await pack.formulas[0]?.execute(["hi"], {} as never)).toBe("HI");
});

it("gives one copy of packsmith under every name", () => {
  expect(executeFormula).toBe(sameFormula);
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
    expect(resolveId("@codahq/packs-sdk/dist/development")).toMatch(/dist[\\/]testing\.js$/);
  });

  it("runs the tests of an older project, with its imports as they are", async () => {
    using folder = makeTemporaryFolder();
    const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
    write("package.json", JSON.stringify({ type: "module" }));
    write("pack.ts", PACK);
    write("pack.test.ts", TEST);
    write(
      "vitest.config.ts",
      `import { packsmith } from "packsmith/vitest";
import { defineConfig } from "vitest/config";
export default defineConfig({ plugins: [packsmith()] });
`,
    );
    mkdirSync(join(folder.path, "node_modules"));
    symlinkSync(root, join(folder.path, "node_modules", "packsmith"), "junction");
    symlinkSync(join(root, "node_modules", "vitest"), join(folder.path, "node_modules", "vitest"), "junction");
    const { code, output } = await runVitest(folder.path);
    expect(output).toContain("4 passed");
    expect(code).toBe(0);
  }, 60_000);
});

function runVitest(cwd: string): Promise<{ code: number | null; output: string }> {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run"], {
    cwd,
    env: { PATH, HOME, NO_COLOR: "1", CI: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += String(chunk);
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, output }));
  });
}
