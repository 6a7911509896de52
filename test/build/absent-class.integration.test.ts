import { describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { runCli } from "../support/cli-in-process.ts";
import { makeProject } from "../support/project.ts";

const pack = (packageName: string): string => `import { newPack } from "${packageName}";
import { decode } from "decoding";
export const pack = newPack();
pack.addFormula({
  name: "Read", description: "Reads.", parameters: [], resultType: "string" as never,
  execute: async () => decode(new Uint8Array([97])),
});
`;
const PACKAGE = {
  "node_modules/decoding/package.json": '{ "name": "decoding", "main": "index.js" }',
  "node_modules/decoding/index.js":
    "const decoder = new TextDecoder();\nexports.decode = (bytes) => decoder.decode(bytes);\n",
};

describe("a package that makes an object of a class that the runtime does not have while it loads", () => {
  it("is a warning where the Pack was written for another tool: it builds, and does not run", async () => {
    using project = makeProject({ ...PACKAGE, "pack.ts": pack("@codahq/packs-sdk") });
    const options = { cwd: project.path, outDir: "build", cacheDir: "cache", types: false };
    const { ok, packs, issues } = await buildPacks(["pack.ts"], options);
    expect({ ok, packs: packs.length }).toEqual({ ok: true, packs: 1 });
    const [issue, ...others] = issues.filter(({ code }) => code === "GLOBAL_ABSENT");
    expect(others).toEqual([]);
    expect(issue).toMatchObject({ severity: "warning", file: "pack.ts", line: 2 });
    expect(issue?.message).toContain("TextDecoder is not defined");
    expect(issue?.hint).toMatch(/^It is built, but does not run. Define globalThis.TextDecoder/);
    const run = await runCli(["execute", "pack.ts", "Read"], { cwd: project.path });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain("TextDecoder is not defined");
  });

  it("is an error in other Packs", async () => {
    using project = makeProject({ ...PACKAGE, "pack.ts": pack("packsmith") });
    const options = { cwd: project.path, outDir: "build", cacheDir: "cache", types: false };
    const { packs, failure } = await buildPacks(["pack.ts"], options);
    expect(packs).toEqual([]);
    expect(failure?.error.code).toBe("PACK_LOAD_FAILED");
  });
});
