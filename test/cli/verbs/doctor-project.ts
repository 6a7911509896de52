import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Examination, Finding } from "../../../src/doctor/examination.ts";
import type { CliRun } from "../../support/cli-run.ts";
import { makeProject } from "../../support/project.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/**
 * A project with the package itself installed, and a home of its own.
 * @param runCli in this process, or the built command
 */
export function setUpDoctor(
  runCli: (
    args: string[],
    options: { cwd: string; env: Record<string, string> },
  ) => Promise<CliRun>,
  files: Record<string, string> = {},
) {
  const project = makeProject({ "package.json": "{}", ...files }, "typescript");
  const home = makeProject({});
  symlinkSync(root, join(project.path, "node_modules", "packsmith"));
  const doctor = (env: Record<string, string> = {}, args: string[] = []) =>
    runCli(["doctor", ...args], {
      cwd: project.path,
      env: { PACKSMITH_HOME: home.path, HOME: home.path, ...env },
    });
  return {
    project,
    home,
    doctor,
    /** What is found of one part, and the exit code. */
    async findings(check: Finding["check"], env: Record<string, string> = {}, args: string[] = []) {
      const run = await doctor(env, [...args, "--json"]);
      const found = run.json<Examination>().findings.filter((each) => each.check === check);
      return { code: run.code, found, text: JSON.stringify(found) };
    },
    [Symbol.dispose]() {
      project[Symbol.dispose]();
      home[Symbol.dispose]();
    },
  };
}
