import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasRunners, makeStarterProject, type StarterProject } from "./starter-project.ts";

describe.skipIf(!hasRunners)(
  "a repository in whose package.json @codahq/packs-sdk is an alias of packsmith",
  { timeout: 300_000 },
  () => {
    let project: StarterProject;
    beforeAll(async () => {
      project = await makeStarterProject("@codahq/packs-sdk", ["sinon"]);
    }, 240_000);
    afterAll(() => project[Symbol.dispose]());

    it("register adds the deprecated factories, which tests do not find without it", async () => {
      writeFileSync(
        join(project.path, "deprecated.cjs"),
        'console.log(typeof require("@codahq/packs-sdk").makeStringFormula);',
      );
      const hook = "--require=@codahq/packs-sdk/register";
      expect(await project.run("deprecated.cjs")).toMatch(/^undefined$/m);
      expect(await project.run(hook, "deprecated.cjs")).toMatch(/^function$/m);
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
