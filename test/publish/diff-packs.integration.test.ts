import { rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import { chooseCases, isLong } from "../support/breadth.ts";
import { runCli } from "../support/cli-in-process.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";
import { startGit } from "./registry/git.ts";

const writePack = (parameters: string) => `import { makeParameter, newPack } from "packsmith";
import { text } from "./lib/text.ts";
export const pack = newPack({ version: "1.2.3" });
pack.addFormula({ name: "Greet", description: text, resultType: "string", parameters: [${parameters}], execute: () => text });
`;
const REQUIRED = `makeParameter({ type: "string", name: "who", description: "Whom." })`;
const OPTIONAL = `makeParameter({ type: "string", name: "how", description: "How.", optional: true })`;

function makePack(parameters: string): ProjectFolder {
  return makeProject({
    "package.json": '{"name":"greet"}',
    "packs/greet/pack.ts": writePack(parameters),
    "packs/greet/lib/text.ts": 'export const text = "Hello.";',
  });
}
const OUTSIDE = "imports a file outside of its project";
/** Replaces a file of the Pack with a link. */
function link(project: ProjectFolder, path: string, target: string): void {
  const place = join(project.path, "packs/greet", path);
  rmSync(place, { recursive: true, force: true });
  symlinkSync(target, place);
}
describe("packsmith diff", () => {
  it("compares with a revision: the Pack as it was, breaking changes with exit code 3", async () => {
    using project = makePack("");
    startGit({ cwd: project.path });
    project.write("packs/greet/pack.ts", writePack(REQUIRED));
    const done = await runCli(["diff", "HEAD", "packs/greet/pack.ts"], { cwd: project.path });
    expect(done.code).toBe(3);
    expect(done.stdout).toMatch(
      /^breaking {2}formula Greet: parameter "who" {2}added as required {2}PARAMETER_REQUIRED$/m,
    );
    expect(done.stderr).toContain("advice    1.2.3 → 2.0.0");
    const named = await runCli(
      ["diff", "HEAD:packs/greet/pack.ts", "packs/greet/pack.ts", "--json"],
      { cwd: project.path },
    );
    expect(named.json()).toMatchObject({
      ok: false,
      class: "breaking",
      version: "1.2.3",
      advice: "2.0.0",
    });
    expect(
      (await runCli(["diff", "HEAD:gone.ts", "packs/greet/pack.ts"], { cwd: project.path })).stderr,
    ).toContain("gone.ts does not exist in HEAD");
  });

  // The commit of someone else, as in a pull request.
  it.each(
    chooseCases<[string, (project: ProjectFolder, secret: string) => void, string]>(
      [
        ["an absolute path", (project, secret) => link(project, "lib/text.ts", secret), OUTSIDE],
        [
          "a path with ..",
          (project) => link(project, "lib/text.ts", `${"../".repeat(20)}etc/hostname`),
          OUTSIDE,
        ],
        [
          "the files of a process",
          (project) => link(project, "lib/text.ts", "/proc/self/environ"),
          OUTSIDE,
        ],
        ["the entry", (project, secret) => link(project, "pack.ts", secret), OUTSIDE],
        ["a folder", (project, secret) => link(project, "lib", dirname(secret)), OUTSIDE],
        [
          "the folder of packages",
          (project, secret) => {
            link(project, "node_modules", dirname(dirname(secret)));
            project.write("packs/greet/lib/text.ts", `export { text } from "private/text.ts";`);
          },
          "The package private is not installed",
        ],
        [
          "a package",
          (project, secret) => {
            project.write("packs/greet/node_modules/fine/package.json", "{}");
            link(project, "node_modules/private", dirname(secret));
            project.write("packs/greet/lib/text.ts", `export { text } from "private/text.ts";`);
          },
          "The package private is not installed",
        ],
      ],
      3,
    ),
  )(
    "a link in a commit does not reach the files of this machine: %s",
    async (_, prepare, problem) => {
      using other = makeProject({
        "private/package.json": '{"name":"private"}',
        "private/text.ts": `export const text = "planted-77a1"; ${writePack("")}`,
      });
      using project = makePack("");
      prepare(project, join(other.path, "private/text.ts"));
      startGit({ cwd: project.path });
      rmSync(join(project.path, "packs"), { recursive: true });
      project.write("packs/greet/pack.ts", writePack(""));
      project.write("packs/greet/lib/text.ts", 'export const text = "Hello.";');
      const done = await runCli(["diff", "HEAD", "packs/greet/pack.ts"], { cwd: project.path });
      expect(done.code).toBe(10);
      expect(done.stderr).toContain(problem);
      expect(done.stdout + done.stderr).not.toContain("planted-77a1");
    },
  );

  it.runIf(isLong)("compares with a build, and writes the changelog once", async () => {
    using project = makePack(REQUIRED);
    await buildPacks(["packs/greet/pack.ts"], {
      cwd: project.path,
      outDir: "old",
      types: false,
      cache: false,
    });
    project.write("packs/greet/pack.ts", writePack(`${REQUIRED}, ${OPTIONAL}`));
    project.write("CHANGELOG.md", "# Changelog\n\n## 1.2.3\n\n- First.\n");
    for (const old of [
      "old/greet/manifest.json",
      "old/greet/build.json",
      "old/greet",
      "old/greet/bundle.js",
    ]) {
      const done = await runCli(["diff", old, "packs/greet/pack.ts", "--write"], {
        cwd: project.path,
      });
      expect(done.code).toBe(0);
      expect(done.stderr).toContain("advice    1.2.3 → 1.3.0");
    }
    expect(project.read("CHANGELOG.md")).toBe(`# Changelog

## 1.3.0

### Added

- Adds parameter "how" of formula Greet.

## 1.2.3

- First.
`);
  });

  it("says nothing changed, and what it cannot compare with", async () => {
    using project = makePack(REQUIRED);
    const same = await runCli(["diff", "packs/greet/pack.ts", "packs/greet/pack.ts"], {
      cwd: project.path,
    });
    expect([same.code, same.stdout, same.stderr.trim()]).toEqual([0, "", "nothing changed"]);
    for (const other of ["nothing", "package.json"]) {
      const done = await runCli(["diff", other, "packs/greet/pack.ts"], { cwd: project.path });
      expect(done.code).toBe(2);
      expect(done.stderr).toContain("USAGE_INVALID");
    }
  });
});
