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

    it("vitest with the preset passes its suite", async () => {
      await project.expectPreset("@codahq/packs-sdk/vitest");
    });
  },
);
