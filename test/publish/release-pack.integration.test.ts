import { existsSync, watch } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isPackError, PackError, type PackErrorCode } from "../../src/errors.ts";
import { type ReleasePackOptions, releasePack } from "../../src/publish/release-pack.ts";
import { chooseCases, isLong } from "../support/breadth.ts";
import { runCli } from "../support/cli-in-process.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";
import { commitAll, git as runGit, startGit } from "./registry/git.ts";

const formula = (name: string): string =>
  `pack.addFormula({ name: "${name}", description: "A.", resultType: "string", parameters: [], execute: () => "a" });\n`;
const writePack = (version: string, ...names: string[]): string =>
  `import { newPack } from "packsmith";\nexport const pack = newPack({ version: ${version} });\n${names.map(formula).join("")}`;

/** A repository in which all is committed. */
function makeRepository(files: Record<string, string>): ProjectFolder {
  const project = makeProject({
    "package.json": '{"name":"tasks"}',
    ...files,
  });
  startGit({ cwd: project.path });
  return project;
}

const git = (project: ProjectFolder, ...args: string[]) => runGit(project.path, ...args);

const commit = (project: ProjectFolder): string => commitAll({ cwd: project.path });

const release = (project: ProjectFolder, options: Partial<ReleasePackOptions> = {}) =>
  releasePack("pack.ts", { cwd: project.path, types: false, ...options });

async function catchFailure(run: Promise<unknown>, code: PackErrorCode) {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isPackError(error)) throw error ?? new Error("Nothing was thrown.");
  expect(error.code).toBe(code);
  return error;
}

describe("a release", () => {
  it.runIf(isLong)("is the commit of a version that no commit has changed since", async () => {
    using project = makeRepository({ "pack.ts": writePack('"1.0.0"', "A") });
    await catchFailure(release(project), "RELEASE_UNCHANGED");
    const head = git(project, "rev-parse", "HEAD");
    expect(await release(project, { wanted: { bump: "patch" } })).toMatchObject({
      version: "1.0.1",
      previous: "1.0.0",
      commit: undefined,
    });
    expect(project.read("pack.ts")).toBe(writePack('"1.0.1"', "A"));
    const made = commit(project);
    expect(made).not.toBe(head);
    expect(await release(project, { since: head, changelog: false })).toMatchObject({
      version: "1.0.1",
      commit: made,
    });
  });

  it("raises the version where it is written, and writes the changelog", async () => {
    using project = makeRepository({ "pack.ts": writePack("'1.0.0'", "A") });
    project.write("pack.ts", writePack("'1.0.0'", "A", "B"));
    commit(project);
    const result = await release(project);
    expect(result).toMatchObject({
      version: "1.1.0",
      previous: "1.0.0",
      class: "safe",
      edited: { file: "pack.ts", line: 2, column: 40 },
    });
    expect(project.read("pack.ts")).toBe(writePack("'1.1.0'", "A", "B"));
    expect(project.read("CHANGELOG.md")).toMatch(/^## 1\.1\.0 - \d{4}-\d\d-\d\d$/m);
    expect(project.read("CHANGELOG.md")).toContain("### Added\n\n- Adds formula B.\n");
  });

  it.runIf(isLong)(
    "is compared with the commit that wrote the version, whatever was committed since",
    async () => {
      using project = makeRepository({ "pack.ts": writePack('"1.0.0"', "A") });
      for (const names of [["A", "B"], ["B"]]) {
        project.write("pack.ts", writePack('"1.0.0"', ...names));
        commit(project);
      }
      const { version, changes } = await release(project, { commit: true });
      expect(version).toBe("2.0.0");
      expect(changes.map(({ subject, message }) => `${subject}: ${message}`)).toEqual([
        "formula A: removed",
        "formula B: added",
        "code: the bundle changed",
      ]);
      // The next one starts from here.
      project.write("pack.ts", writePack('"2.0.0"', "B", "C"));
      commit(project);
      expect(await release(project)).toMatchObject({ version: "2.1.0", previous: "2.0.0" });
    },
  );

  it.runIf(isLong)(
    "with a version that is not committed yet is compared with the last commit",
    async () => {
      using project = makeRepository({ "pack.ts": writePack('"1.0.0"', "A") });
      project.write("pack.ts", writePack('"1.5.0"', "A", "B"));
      expect(await release(project, { allowDirty: true })).toMatchObject({
        version: "1.5.0",
        previous: "1.0.0",
        edited: undefined,
        commit: undefined,
      });
    },
  );

  it.runIf(isLong)(
    "in a clone that has not the commit of the version says how to get it",
    async () => {
      using project = makeRepository({ "pack.ts": writePack('"1.0.0"', "A") });
      project.write("pack.ts", writePack('"1.0.0"', "A", "B"));
      commit(project);
      using clone = makeProject({});
      git(clone, "clone", "--quiet", "--depth=1", `file://${project.path}`, "shallow");
      const options = { cwd: clone.path, types: false };
      const error = await catchFailure(releasePack("shallow/pack.ts", options), "GIT_FAILED");
      expect(error.hint).toContain("git fetch --unshallow");
      git(clone, "-C", "shallow", "fetch", "--quiet", "--unshallow");
      expect((await releasePack("shallow/pack.ts", options)).version).toBe("1.1.0");
    },
  );

  it.runIf(isLong)("runs no program that the settings of the repository name", async () => {
    using project = makeRepository({
      "pack.ts": writePack('"1.0.0"', "A"),
      ".gitattributes": "*.ts diff=own\n",
    });
    git(project, "config", "diff.own.textconv", `touch ${join(project.path, "ran")} && cat`);
    project.write("pack.ts", writePack('"1.0.0"', "A", "B"));
    commit(project);
    await release(project, { dryRun: true });
    expect(existsSync(join(project.path, "ran"))).toBe(false);
  });

  it.runIf(isLong)(
    "changes the version in the file of its own in which it is written",
    async () => {
      using project = makeRepository({
        "pack.ts": `import { VERSION } from "./version";\n${writePack("VERSION", "A")}`,
        "version.ts": 'export const VERSION = "1.0.0";\n',
      });
      const result = await release(project, { wanted: { bump: "major" } });
      expect(result).toMatchObject({
        version: "2.0.0",
        edited: { file: "version.ts", line: 1, column: 24 },
      });
      expect(project.read("version.ts")).toBe('export const VERSION = "2.0.0";\n');
    },
  );

  it.each(
    chooseCases(
      [
        [
          "is computed",
          writePack('["1", "0", "0"].join(".")', "A"),
          "Set the version to 2.0.0 in the code that defines it",
        ],
        [
          "is a part of a text",
          writePack('"v1.0.0".slice(1)', "A"),
          "Set the version to 2.0.0 in the code that defines it",
        ],
        [
          "is missing",
          writePack("undefined", "A"),
          'Write newPack({ version: "2.0.0" }) in pack.ts',
        ],
      ],
      2,
    ),
  )("says what to edit when the version %s", async (_, text, hint) => {
    using project = makeRepository({ "pack.ts": text });
    const { hint: given } = await catchFailure(
      release(project, { wanted: { version: "2.0.0" } }),
      "RELEASE_VERSION_PLACE",
    );
    expect(given).toContain(hint);
    expect(project.read("pack.ts")).toBe(text);
  });

  it.runIf(isLong)("refuses what git does not have, unless that is said", async () => {
    using project = makeRepository({ "pack.ts": writePack('"1.0.0"', "A") });
    project.write("notes.txt", "new");
    const error = await catchFailure(release(project), "RELEASE_DIRTY");
    expect(error.message).toContain("notes.txt");
    const { commit: named } = await release(project, {
      allowDirty: true,
      wanted: { bump: "patch" },
    });
    expect(named).toBeUndefined();
  });

  it.runIf(isLong)(
    "refuses before the first commit, and asks for none outside of git",
    async () => {
      using project = makeProject({
        "pack.ts": writePack('"1.0.0"', "A"),
        "package.json": '{"name":"tasks"}',
      });
      expect((await release(project)).commit).toBeUndefined();
      git(project, "init", "--quiet");
      await catchFailure(release(project), "RELEASE_DIRTY");
    },
  );

  it("refuses a breaking change below a new major version, and nothing is written", async () => {
    using project = makeRepository({ "pack.ts": writePack('"1.0.0"', "A", "B") });
    const text = writePack('"1.0.0"', "B");
    project.write("pack.ts", text);
    commit(project);
    const error = await catchFailure(
      release(project, { wanted: { bump: "minor" } }),
      "RELEASE_BREAKING",
    );
    expect(error.message).toContain("formula A: removed");
    expect(project.read("pack.ts")).toBe(text);
    expect(git(project, "status", "--porcelain")).toBe("");
    expect(
      (await release(project, { wanted: { bump: "minor" }, allowBreaking: true })).version,
    ).toBe("1.1.0");
  });

  it.runIf(isLong)("is described and not made with dryRun", async () => {
    using project = makeRepository({ "pack.ts": writePack('"1.0.0"', "A") });
    const since = git(project, "rev-parse", "HEAD");
    project.write("pack.ts", writePack('"1.0.0"', "A", "B"));
    commit(project);
    const result = await release(project, { dryRun: true, since });
    expect(result).toMatchObject({
      version: "1.1.0",
      previous: "1.0.0",
      edited: { line: 2 },
    });
    expect(git(project, "status", "--porcelain")).toBe("");
  });

  it.runIf(isLong)("whose changelog cannot be written leaves nothing behind", async () => {
    using project = makeRepository({
      "pack.ts": writePack('"1.0.0"', "A"),
      "CHANGELOG.md/kept": "",
    });
    project.write("pack.ts", writePack('"1.0.0"', "A", "B"));
    commit(project);
    const error = await catchFailure(
      release(project, { allowDirty: true, wanted: { version: "3.0.0" } }),
      "OUTPUT_NOT_WRITABLE",
    );
    expect(error.message).toContain("The changelog cannot be written to");
    expect(git(project, "status", "--porcelain", "pack.ts")).toBe("");
  });

  it("that is interrupted takes the version back", async () => {
    using project = makeRepository({ "pack.ts": writePack('"1.0.0"', "A") });
    const controller = new AbortController();
    const interrupted = new PackError("INTERRUPTED", "Interrupted.", { details: undefined });
    const run = release(project, { wanted: { bump: "minor" }, signal: controller.signal });
    using watcher = Object.assign(watch(project.path), { [Symbol.dispose]: () => watcher.close() });
    // As soon as the version is written.
    watcher.on("change", () => {
      if (project.read("pack.ts").includes("1.1.0")) controller.abort(interrupted);
    });
    await catchFailure(run, "INTERRUPTED");
    expect(project.read("pack.ts")).toBe(writePack('"1.0.0"', "A"));
  });

  it("of a Pack with errors is not made", async () => {
    using project = makeRepository({ "pack.ts": writePack('"1.0.0"', "Not a name") });
    await catchFailure(release(project), "PACK_INVALID");
  });
});

describe("packsmith release", () => {
  it.runIf(isLong)("reports what it did, and ends with 3 when something would break", async () => {
    using project = makeRepository({ "pack.ts": writePack('"1.0.0"', "A") });
    project.write("pack.ts", writePack('"1.0.0"', "B"));
    commit(project);
    const broken = await runCli(["release", "--bump", "patch", "--json"], { cwd: project.path });
    expect(broken.code).toBe(3);
    expect(broken.json()).toMatchObject({
      ok: false,
      failures: [{ file: "pack.ts", error: { code: "RELEASE_BREAKING" } }],
    });

    const dry = await runCli(["release", "pack.ts", "--dry-run", "--json"], { cwd: project.path });
    expect(dry.json()).toMatchObject({
      ok: true,
      results: [{ dryRun: true, version: "2.0.0", previous: "1.0.0" }],
    });
    const made = await runCli(["release", "pack.ts", "--version", "3.0.0"], { cwd: project.path });
    expect(made.stderr).toContain(
      "version    1.0.0 → 3.0.0\nedited     pack.ts:2:40\nchangelog  CHANGELOG.md\n",
    );
    expect(made.stdout).toBe("tasks 3.0.0\n");
    expect(
      await runCli(["release", "--bump", "minor", "--version", "4"], { cwd: project.path }),
    ).toMatchObject({ code: 2 });
  });
});
