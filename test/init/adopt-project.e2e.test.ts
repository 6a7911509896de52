import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { initProject } from "../../src/init/init-project.ts";
import { createProject } from "../bundle/project.ts";
import { runCli } from "../support/cli.ts";

const PACK = `import * as coda from "@codahq/packs-sdk";\nexport const pack = coda.newPack();\n`;

describe("initProject in a project for @codahq/packs-sdk", () => {
  it("writes a missing tsconfig.json, and changes nothing else", async () => {
    await using project = await createProject({ "pack.ts": PACK, "notes.txt": "mine" });
    expect(await initProject({ directory: ".", cwd: project.directory })).toEqual({
      directory: project.directory,
      files: ["tsconfig.json"],
      left: ["npm install --save-dev packsmith", "run packsmith validate to see what to fix"],
    });
    const { compilerOptions } = JSON.parse(await readFile(project.path("tsconfig.json"), "utf8"));
    expect(compilerOptions.paths).toEqual({
      "@codahq/packs-sdk": ["./node_modules/packsmith/dist/legacy-types.d.ts"],
      "@codahq/packs-sdk/*": ["./node_modules/packsmith/dist/legacy-types.d.ts"],
      "@codahq/packs-sdk/dist/*": ["./node_modules/packsmith/dist/legacy-types.d.ts"],
      "@codahq/packs-sdk/dist/development": [
        "./node_modules/packsmith/dist/legacy-types/testing.d.ts",
      ],
      "@codahq/packs-sdk/dist/testing/*": [
        "./node_modules/packsmith/dist/legacy-types/testing.d.ts",
      ],
    });
    expect(await readFile(project.path("pack.ts"), "utf8")).toBe(PACK);
  });

  it("adds the paths to a tsconfig.json and keeps its comments", async () => {
    await using project = await createProject({
      "package.json": `{ "devDependencies": { "@codahq/packs-sdk": "^1.0.0" } }`,
      "tsconfig.json": `{
  // Ours.
  "compilerOptions": {
    "strict": true, // always
  },
}
`,
    });
    await initProject({ directory: project.directory, cwd: "/" });
    expect(await readFile(project.path("tsconfig.json"), "utf8")).toBe(`{
  // Ours.
  "compilerOptions": {
    "paths": {
      "@codahq/packs-sdk": ["./node_modules/packsmith/dist/legacy-types.d.ts"],
      "@codahq/packs-sdk/*": ["./node_modules/packsmith/dist/legacy-types.d.ts"],
      "@codahq/packs-sdk/dist/*": ["./node_modules/packsmith/dist/legacy-types.d.ts"],
      "@codahq/packs-sdk/dist/development": ["./node_modules/packsmith/dist/legacy-types/testing.d.ts"],
      "@codahq/packs-sdk/dist/testing/*": ["./node_modules/packsmith/dist/legacy-types/testing.d.ts"]
    },
    "strict": true, // always
  },
}
`);
  });

  it.each([
    ["paths of its own", `{ "compilerOptions": { "paths": { "x": ["./x"] } } }`],
    ["empty paths", `{ "compilerOptions": { "paths": {} } }`],
    ["empty compiler options", `{ "compilerOptions": {} }`],
    ["no compiler options", `{ "files": ["pack.ts"] }`],
    ["nothing", "{}"],
    ["no text", ""],
  ])("gives valid JSON for a tsconfig.json with %s, once", async (_, text) => {
    await using project = await createProject({ "src/pack.ts": PACK, "tsconfig.json": text });
    await initProject({ directory: ".", cwd: project.directory });
    const written = await readFile(project.path("tsconfig.json"), "utf8");
    const { files, compilerOptions } = JSON.parse(written);
    expect(compilerOptions.paths["@codahq/packs-sdk"]).toHaveLength(1);
    expect(compilerOptions.paths.x).toEqual(text.includes(`"x"`) ? ["./x"] : undefined);
    expect(files).toEqual(text.includes("files") ? ["pack.ts"] : undefined);
    expect(await initProject({ directory: ".", cwd: project.directory })).toMatchObject({
      files: [],
    });
    expect(await readFile(project.path("tsconfig.json"), "utf8")).toBe(written);
  });

  it.each([
    [
      "jest",
      "tests: run jest with NODE_OPTIONS=--import=packsmith/register, or use the preset packsmith/vitest",
    ],
    ["vitest", "tests: add plugins: [packsmith()] from packsmith/vitest to vitest.config.ts"],
  ])("says how a suite for %s is run", async (name, step) => {
    await using project = await createProject({
      "pack.ts": PACK,
      "package.json": JSON.stringify({ devDependencies: { packsmith: "1", [name]: "1" } }),
    });
    const { left } = await initProject({ directory: ".", cwd: project.directory });
    expect(left).toEqual([step, "run packsmith validate to see what to fix"]);
  });

  it("says what is left to do in a project with scripts, a suite and accounts", async () => {
    const scripts = { build: "coda build pack.ts", test: "mocha" };
    await using project = await createProject({
      "pack.ts": PACK,
      "package.json": JSON.stringify({
        scripts,
        devDependencies: { "@codahq/packs-sdk": "1", packsmith: "1", mocha: "10" },
      }),
      ".coda-credentials.json": "{}",
    });
    expect((await initProject({ directory: ".", cwd: project.directory })).left).toEqual([
      "scripts of package.json: replace the coda commands with packsmith validate, build, execute and auth connect",
      "tests: run mocha with --import=packsmith/register, or use the preset packsmith/vitest",
      "accounts: run packsmith auth connect, then delete .coda-credentials.json",
      "run packsmith validate to see what to fix",
    ]);
  });

  it("writes a configuration that is as loose as none, and lets ts-node compile to CommonJS", async () => {
    const manifest = JSON.stringify({ devDependencies: { "ts-node": "10" } });
    await using project = await createProject({ "pack.ts": PACK, "package.json": manifest });
    await initProject({ directory: ".", cwd: project.directory });
    const written = JSON.parse(await readFile(project.path("tsconfig.json"), "utf8"));
    expect(written.compilerOptions).toMatchObject({ strict: false });
    expect(written.compilerOptions).not.toHaveProperty("lib");
    expect(written.compilerOptions).not.toHaveProperty("types");
    expect(written["ts-node"]).toEqual({
      compilerOptions: { module: "CommonJS", moduleResolution: "node" },
    });
  });

  it("knows a project by the id of its Pack, and by a Pack in a folder of any name", async () => {
    const id = { ".coda-pack.json": "{}", "README.md": "" };
    await using linked = await createProject(id);
    expect((await initProject({ directory: ".", cwd: linked.directory })).files).toEqual([
      "tsconfig.json",
    ]);
    await using inner = await createProject({ "pack/pack.ts": PACK, "README.md": "" });
    expect((await initProject({ directory: ".", cwd: inner.directory })).files).toEqual([
      "tsconfig.json",
    ]);
  });

  it("writes a configuration that the TypeScript of the project understands", async () => {
    await using project = await createProject({
      "pack.ts": PACK,
      "node_modules/typescript/package.json": '{"version":"4.9.5","bin":{"tsc":"bin/tsc"}}',
    });
    await initProject({ directory: ".", cwd: project.directory });
    const written = JSON.parse(await readFile(project.path("tsconfig.json"), "utf8"));
    expect(written.compilerOptions).toMatchObject({ moduleResolution: "node" });
  });

  it("finds packsmith in a folder around the project", async () => {
    await using project = await createProject({
      "packs/one/pack.ts": PACK,
      "node_modules/packsmith/package.json": "{}",
    });
    await initProject({ directory: "packs/one", cwd: project.directory });
    expect(await readFile(project.path("packs/one/tsconfig.json"), "utf8")).toContain(
      `"../../node_modules/packsmith/dist/legacy-types.d.ts"`,
    );
  });

  it("reports on the command line what it changed", async () => {
    await using project = await createProject({ "pack.ts": PACK });
    const { code, stdout, stderr } = await runCli(["init", "."], { cwd: project.directory });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toBe(
      "ready .\n  tsconfig.json  resolves @codahq/packs-sdk to packsmith for the type checker\n\nleft to do:\n  npm install --save-dev packsmith\n  run packsmith validate to see what to fix\n",
    );
  });
});
