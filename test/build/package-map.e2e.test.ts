import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runCli } from "../support/cli.ts";
import { makeProject } from "../support/project.ts";

/** Loaded before packsmith, as Yarn does: packages are where its map says. */
const HOOK = `const Module = require("node:module");
Object.defineProperty(process.versions, "pnp", { value: "3" });
const load = Module._load;
const own = { words: __dirname + "/elsewhere/cache/node_modules/words/", typescript: __dirname + "/elsewhere/tools/node_modules/typescript/" };
Module._load = function (name, ...more) {
  if (name !== "pnpapi") return load.call(this, name, ...more);
  return {
    resolveToUnqualified(request, issuer) {
      if (request === "typescript" ? issuer === __dirname + "/repo/any" : issuer.startsWith(__dirname + "/repo/") || issuer.includes("/words/"))
        if (own[request] !== undefined) return own[request];
      throw new Error(request + " is not listed by " + issuer);
    },
  };
};
`;

const MAP = JSON.stringify({
  enableTopLevelFallback: true,
  fallbackExclusionList: [],
  fallbackPool: [],
  ignorePatternData: null,
  dependencyTreeRoots: [{ name: "repo", reference: "workspace:." }],
  packageRegistryData: [
    [
      null,
      [
        [
          null,
          {
            packageLocation: "./",
            packageDependencies: [["words", "npm:1.0.0"]],
            linkType: "SOFT",
          },
        ],
      ],
    ],
    [
      "repo",
      [
        [
          "workspace:.",
          {
            packageLocation: "./",
            packageDependencies: [["words", "npm:1.0.0"]],
            linkType: "SOFT",
          },
        ],
      ],
    ],
    [
      "words",
      [
        [
          "npm:1.0.0",
          {
            packageLocation: "../elsewhere/cache/node_modules/words/",
            packageDependencies: [],
            linkType: "HARD",
          },
        ],
      ],
    ],
  ],
});

const PACK = `import { newPack, ValueType } from "packsmith";
import { word } from "words";
export const pack = newPack();
pack.addFormula({ name: "Word", description: "Says one.", parameters: [], resultType: ValueType.String, execute: async () => word });
`;

function makeMapped(typescript: "typescript" | "typescript-5.9") {
  const project = makeProject({
    "hook.cjs": HOOK,
    "repo/.pnp.data.json": MAP,
    "repo/package.json": '{ "name": "repo", "type": "module", "workspaces": ["packs/*"] }',
    "repo/packs/a/pack.ts": PACK,
    "elsewhere/cache/node_modules/words/package.json":
      '{ "name": "words", "version": "1.0.0", "main": "index.js", "types": "index.d.ts" }',
    "elsewhere/cache/node_modules/words/index.js": 'exports.word = "planted";',
    "elsewhere/cache/node_modules/words/index.d.ts": "export declare const word: string;",
  });
  mkdirSync(join(project.path, "elsewhere/tools/node_modules"), { recursive: true });
  symlinkSync(
    fileURLToPath(new URL(`../../node_modules/${typescript}`, import.meta.url)),
    join(project.path, "elsewhere/tools/node_modules/typescript"),
  );
  return project;
}

describe("with packages where the map of Yarn's Plug'n'Play says", () => {
  it("builds a Pack that imports one from outside of the project", async () => {
    using project = makeMapped("typescript-5.9");
    const options = { cwd: join(project.path, "repo") };
    const refused = await runCli(["build", "packs/a/pack.ts", "--no-types"], options);
    expect(refused.stdout).toContain("FILE_OUTSIDE_PROJECT");

    const env = { NODE_OPTIONS: `--require ${join(project.path, "hook.cjs")}` };
    const built = await runCli(["build", "packs/a/pack.ts", "--no-types"], { ...options, env });
    expect([built.code, built.stderr]).toEqual([0, expect.stringContaining("no problems")]);
    expect(project.read("repo/build/a/bundle.js")).toContain("planted");
  });

  it("checks types with the compiler of the workspace's root", async () => {
    using project = makeMapped("typescript-5.9");
    project.write("repo/packs/a/pack.ts", PACK.replace("=> word", "=> 5"));
    const built = await runCli(["build", "packs/a/pack.ts", "--trust"], {
      cwd: join(project.path, "repo"),
      env: { NODE_OPTIONS: `--require ${join(project.path, "hook.cjs")}` },
    });
    expect(built.stderr + built.stdout).toMatch(/TYPE_ERROR.*'number' is not assignable/);
  });

  it("says that a native compiler does not find packages there", async () => {
    using project = makeMapped("typescript");
    const built = await runCli(["build", "packs/a/pack.ts", "--trust"], {
      cwd: join(project.path, "repo"),
      env: { NODE_OPTIONS: `--require ${join(project.path, "hook.cjs")}` },
    });
    expect(built.code).toBe(0);
    expect(built.stderr + built.stdout).toContain("does not find packages with Yarn's Plug'n'Play");
    expect(built.stderr).not.toContain("is not installed");
  });
});
