import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  expectPassed,
  hasRunners,
  makeStarterProject,
  RUNNER_ARGUMENTS,
  type StarterProject,
} from "./starter-project.ts";

describe.skipIf(!hasRunners)(
  "a repository in whose package.json @codahq/packs-sdk is an alias of packsmith",
  { timeout: 300_000 },
  () => {
    let project: StarterProject;
    beforeAll(async () => {
      project = await makeStarterProject("@codahq/packs-sdk", ["sinon"]);
    }, 240_000);
    afterAll(() => project[Symbol.dispose]());

    it("mocha with ts-node passes its suite without a change, and checks its types", async () => {
      expectPassed(await project.mocha(...RUNNER_ARGUMENTS));
    });

    it.each(["node", "NodeNext", "bundler"])(
      "the types of published files agree with those of the package, with moduleResolution %s",
      async (resolution) => {
        const module = { node: "CommonJS", bundler: "ESNext" }[resolution] ?? resolution;
        const options = [
          "--module",
          module,
          "--moduleResolution",
          resolution,
          "--esModuleInterop",
          "false",
        ];
        const output = await project.run(
          ...["node_modules/typescript/bin/tsc", "-p", ".", "--noEmit", ...options],
        );
        expect(output).toBe("");
      },
    );

    it("register adds the deprecated factories, which tests do not find without it", async () => {
      writeFileSync(
        join(project.path, "deprecated.cjs"),
        'console.log(typeof require("@codahq/packs-sdk").makeStringFormula);',
      );
      const hook = "--require=@codahq/packs-sdk/register";
      expect(await project.run("deprecated.cjs")).toMatch(/^undefined$/m);
      expect(await project.run(hook, "deprecated.cjs")).toMatch(/^function$/m);
    });

    it("vitest with the preset passes its suite", async () => {
      await project.expectPreset("@codahq/packs-sdk/vitest");
    });

    it("the command validates, builds and runs its Pack", async () => {
      const read = async (...words: string[]) =>
        JSON.parse(await project.packsmith(...words, "--json")) as unknown;
      expect(await read("validate", "pack.ts")).toEqual({ ok: true, issues: [] });
      expect(await read("build", "pack.ts")).toMatchObject({ ok: true });
      expect(await read("execute", "pack.ts", "Greet", "Ada")).toMatchObject({
        result: "Good day, Ada!",
      });
    });

    it("init changes nothing, and asks for no other package", async () => {
      const before = readFileSync(join(project.path, "tsconfig.json"), "utf8");
      const output = await project.packsmith("init", ".", "--yes");
      expect(output).not.toMatch(/npm install|packsmith\/register/);
      expect(readFileSync(join(project.path, "tsconfig.json"), "utf8")).toBe(before);
    });
  },
);
