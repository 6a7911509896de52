import { readdirSync, readFileSync } from "node:fs";
import { transform } from "esbuild";
import { describe, expect, it } from "vitest";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import { createProject } from "./project.ts";

const define = new URL("../../dist/define/", import.meta.url);
const carried = new URL("../../dist/authoring/define/", import.meta.url);
const files = readdirSync(define).filter((name) => /^([a-z]+-)?enumerations\.js$/.test(name));

async function listMembers(code: string, loader: "js" | "ts"): Promise<Record<string, unknown>> {
  const { code: script } = await transform(
    code.replace(/^import .*$/gm, "").replace(/^export \{.*$/gm, ""),
    { loader, format: "cjs" },
  );
  const module = { exports: {} };
  new Function("module", "exports", script)(module, module.exports);
  return { ...module.exports };
}

describe("our enumerations in a bundle", () => {
  it.each(files)("%s has the same members as before", async (file) => {
    const code = readFileSync(new URL(file, define), "utf8");
    const changed = readFileSync(new URL(file.replace(/js$/, "ts"), carried), "utf8");
    expect(changed.split("\n")).toHaveLength(code.split("\n").length);
    expect(JSON.stringify(await listMembers(changed, "ts"))).toBe(
      JSON.stringify(await listMembers(code, "js")),
    );
  });

  it("all of those that authors name have texts only, and are changed", () => {
    const code = readFileSync(new URL("enumerations.ts", carried), "utf8");
    for (const name of ["ParameterType", "ValueType", "ValueHintType", "AuthenticationType"])
      expect(code).toContain(`export enum ${name} {`);
  });

  it.each(["packsmith", "@codahq/packs-sdk"])(
    "leave only the values that a Pack names (%s)",
    async (name) => {
      await using project = await createProject({
        "pack.ts": `import * as sdk from "${name}";
export const pack = sdk.newPack();
pack.addFormula({ name: "A", description: sdk.ValueHintType.SelectList, parameters: [], resultType: sdk.ValueType.String, execute: async () => "" });`,
      });
      const { code } = await bundlePack({ entry: "pack.ts", cwd: project.directory });
      expect(code).toContain('"selectList"');
      expect(code).not.toContain("imageAttachment");
    },
  );

  it("stay complete where a Pack lists them or looks into them", async () => {
    await using project = await createProject({
      "pack.ts": `import { newPack, ValueType } from "packsmith";
export const pack = newPack();
const names = Object.values(ValueType);
pack.setVersion(names.join() + ValueType[names.length as never]);`,
    });
    const { code } = await bundlePack({ entry: "pack.ts", cwd: project.directory });
    expect(code).toMatch(/Boolean="boolean".*Object="object"/);
  });
});
