import { afterAll, beforeAll, describe, it } from "vitest";
import {
  expectPassed,
  hasRunners,
  makeStarterProject,
  RUNNER_ARGUMENTS,
  type StarterProject,
} from "./starter-project.ts";

describe.skipIf(!hasRunners)(
  "a repository for @codahq/packs-sdk, with packsmith from its package file",
  { timeout: 300_000 },
  () => {
    let project: StarterProject;
    beforeAll(async () => {
      project = await makeStarterProject("packsmith");
      await project.packsmith("init", ".", "--yes");
    }, 240_000);
    afterAll(() => project[Symbol.dispose]());

    it.each(["--import", "--require"])(
      "mocha %s=packsmith/register with ts-node passes its suite",
      async (option) => {
        expectPassed(await project.mocha(`${option}=packsmith/register`, ...RUNNER_ARGUMENTS));
      },
    );

    it("vitest with the preset passes its suite", async () => {
      await project.expectPreset("packsmith/vitest");
    });
  },
);
