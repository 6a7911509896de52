import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  watch,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isPackError, PackError, type PackErrorCode } from "../../src/errors.ts";
import { diffPacks } from "../../src/publish/diff-packs.ts";
import { readRelease } from "../../src/publish/release-archive.ts";
import { type ReleasePackOptions, releasePack } from "../../src/publish/release-pack.ts";
import { gunzip, gzipPortably, readTar, writeTar } from "../../src/publish/tarball.ts";
import { verifyRelease } from "../../src/publish/verify-release.ts";
import { runCli } from "../support/cli.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";

const formula = (name: string): string =>
  `pack.addFormula({ name: "${name}", description: "A.", resultType: "string", parameters: [], execute: () => "a" });\n`;
const packOf = (version: string, ...names: string[]): string =>
  `import { newPack } from "packsmith";\nexport const pack = newPack({ version: ${version} });\n${names.map(formula).join("")}`;

/** A repository in which all is committed. */
function makeRepository(files: Record<string, string>): ProjectFolder {
  const project = makeProject({
    "package.json": '{"name":"tasks"}',
    ".gitignore": "release/\n",
    ...files,
  });
  git(project, "init", "--quiet");
  commit(project);
  return project;
}

function git(project: ProjectFolder, ...args: string[]): string {
  const identity = [
    "-c",
    "user.name=author",
    "-c",
    "user.email=author@tasks.example",
    "-c",
    "commit.gpgsign=false",
  ];
  return execFileSync("git", [...identity, ...args], {
    cwd: project.path,
    encoding: "utf8",
  }).trim();
}

function commit(project: ProjectFolder): string {
  git(project, "add", "--all");
  git(project, "commit", "--quiet", "--message", "A change");
  return git(project, "rev-parse", "HEAD");
}

const release = (project: ProjectFolder, options: Partial<ReleasePackOptions> = {}) =>
  releasePack("pack.ts", { cwd: project.path, types: false, ...options });

async function failureOf(run: Promise<unknown>, code: PackErrorCode) {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isPackError(error)) throw error ?? new Error("Nothing was thrown.");
  expect(error.code).toBe(code);
  return error;
}

describe("a release", () => {
  it("packs bundle, source map, manifest, facts and provenance of a commit", async () => {
    using project = makeRepository({ "pack.ts": packOf('"1.0.0"', "A") });
    const head = git(project, "rev-parse", "HEAD");
    const { archive, version, commit: named, edited, changelog, previous } = await release(project);
    expect({ version, named, edited, changelog, previous }).toEqual({
      version: "1.0.0",
      named: head,
      edited: undefined,
      changelog: undefined,
      previous: undefined,
    });
    expect(archive).toBe(join(project.path, "release/tasks-1.0.0.tgz"));
    const { build, provenance, files } = await readRelease(archive);
    expect([...files.keys()]).toEqual([
      "build.json",
      "bundle.js",
      "bundle.js.map",
      "manifest.json",
      "provenance.json",
    ]);
    expect(build).toMatchObject({ name: "tasks", version: "1.0.0" });
    const { externalParameters, resolvedDependencies } = provenance.predicate.buildDefinition;
    expect(externalParameters).toEqual({ entry: "pack.ts", minify: true, timerStrategy: "none" });
    expect(resolvedDependencies[0]).toEqual({ name: "git", digest: { gitCommit: head } });
    expect(resolvedDependencies.map(({ name }) => name)).toContain("pack.ts");
    expect(JSON.stringify(provenance)).not.toContain(project.path);
    expect(git(project, "status", "--porcelain")).toBe("");
  });

  it("raises the version where it is written, and writes the changelog", async () => {
    using project = makeRepository({ "pack.ts": packOf("'1.0.0'", "A") });
    await release(project);
    project.write("pack.ts", packOf("'1.0.0'", "A", "B"));
    commit(project);
    const result = await release(project);
    expect(result).toMatchObject({
      version: "1.1.0",
      previous: "1.0.0",
      class: "review",
      edited: { file: "pack.ts", line: 2, column: 40 },
    });
    expect(project.read("pack.ts")).toBe(packOf("'1.1.0'", "A", "B"));
    expect(project.read("CHANGELOG.md")).toContain("## 1.1.0\n");
    expect(project.read("CHANGELOG.md")).toContain("- formula B: added\n");
    const { build, provenance } = await readRelease(result.archive);
    expect(build.version).toBe("1.1.0");
    expect(provenance.predicate.buildDefinition.internalParameters).toEqual({
      modified: ["pack.ts"],
    });
  });

  it("has the same bytes from another folder", async () => {
    using project = makeRepository({ "pack.ts": packOf('"1.0.0"', "A"), "lib/x.ts": "" });
    using other = makeProject({});
    cpSync(project.path, join(other.path, "elsewhere"), { recursive: true });
    const [first, second] = [
      await release(project),
      await releasePack("elsewhere/pack.ts", { cwd: other.path, types: false }),
    ];
    expect(second.archive).toBe(join(other.path, "release/tasks-1.0.0.tgz"));
    expect(second.sha256).toBe(first.sha256);
    expect(readFileSync(second.archive).equals(readFileSync(first.archive))).toBe(true);
  });

  it("changes the version in the file of its own in which it is written", async () => {
    using project = makeRepository({
      "pack.ts": `import { VERSION } from "./version";\n${packOf("VERSION", "A")}`,
      "version.ts": 'export const VERSION = "1.0.0";\n',
    });
    await release(project);
    const result = await release(project, { wanted: { bump: "major" } });
    expect(result).toMatchObject({
      version: "2.0.0",
      edited: { file: "version.ts", line: 1, column: 24 },
    });
    expect(project.read("version.ts")).toBe('export const VERSION = "2.0.0";\n');
  });

  it.each([
    [
      "is computed",
      packOf('["1", "0", "0"].join(".")', "A"),
      "Set it to 2.0.0 where it is defined",
    ],
    [
      "is a part of a text",
      packOf('"v1.0.0".slice(1)', "A"),
      "Set it to 2.0.0 where it is defined",
    ],
    ["is missing", packOf("undefined", "A"), 'Write newPack({ version: "2.0.0" }) in pack.ts'],
  ])("says what to edit when the version %s", async (_, text, hint) => {
    using project = makeRepository({ "pack.ts": text });
    const { hint: given } = await failureOf(
      release(project, { wanted: { version: "2.0.0" } }),
      "RELEASE_VERSION_PLACE",
    );
    expect(given).toContain(hint);
    expect(project.read("pack.ts")).toBe(text);
    expect(existsSync(join(project.path, "release"))).toBe(false);
  });

  it("refuses what git does not have, unless that is said", async () => {
    using project = makeRepository({ "pack.ts": packOf('"1.0.0"', "A") });
    project.write("notes.txt", "new");
    const error = await failureOf(release(project), "RELEASE_DIRTY");
    expect(error.message).toContain("notes.txt");
    const { commit: named, archive } = await release(project, { allowDirty: true });
    expect(named).toBeUndefined();
    const { provenance } = await readRelease(archive);
    expect(
      provenance.predicate.buildDefinition.resolvedDependencies.map(({ name }) => name),
    ).not.toContain("git");
  });

  it("refuses before the first commit, and asks for none outside of git", async () => {
    using project = makeProject({
      "pack.ts": packOf('"1.0.0"', "A"),
      "package.json": '{"name":"tasks"}',
    });
    expect((await release(project)).commit).toBeUndefined();
    git(project, "init", "--quiet");
    await failureOf(release(project), "RELEASE_DIRTY");
  });

  it("refuses a breaking change below a new major version, and nothing is written", async () => {
    using project = makeRepository({ "pack.ts": packOf('"1.0.0"', "A", "B") });
    await release(project);
    const text = packOf('"1.0.0"', "B");
    project.write("pack.ts", text);
    commit(project);
    const error = await failureOf(
      release(project, { wanted: { bump: "minor" } }),
      "RELEASE_BREAKING",
    );
    expect(error.message).toContain("formula A: removed");
    expect(project.read("pack.ts")).toBe(text);
    expect(readdirSync(join(project.path, "release"))).toEqual(["tasks-1.0.0.tgz"]);
    expect(
      (await release(project, { wanted: { bump: "minor" }, allowBreaking: true })).version,
    ).toBe("1.1.0");
  });

  it("is described and not made with dryRun", async () => {
    using project = makeRepository({ "pack.ts": packOf('"1.0.0"', "A") });
    const since = git(project, "rev-parse", "HEAD");
    project.write("pack.ts", packOf('"1.0.0"', "A", "B"));
    commit(project);
    const result = await release(project, { dryRun: true, since });
    expect(result).toMatchObject({
      version: "1.1.0",
      previous: "1.0.0",
      edited: { line: 2 },
      bytes: undefined,
    });
    expect(git(project, "status", "--porcelain")).toBe("");
    expect(existsSync(join(project.path, "release"))).toBe(false);
    expect(existsSync(join(project.path, "CHANGELOG.md"))).toBe(false);
  });

  it("that cannot be written leaves the source as it was", async () => {
    using project = makeRepository({ "pack.ts": packOf('"1.0.0"', "A") });
    await release(project);
    mkdirSync(join(project.path, "blocked"));
    writeFileSync(join(project.path, "blocked/out"), "a file");
    const run = release(project, {
      wanted: { bump: "minor" },
      since: "release/tasks-1.0.0.tgz",
      outDir: "blocked/out",
      allowDirty: true,
    });
    await failureOf(run, "OUTPUT_NOT_WRITABLE");
    expect(project.read("pack.ts")).toBe(packOf('"1.0.0"', "A"));
    expect(existsSync(join(project.path, "CHANGELOG.md"))).toBe(false);
  });

  it("whose changelog cannot be written leaves nothing behind", async () => {
    using project = makeRepository({ "pack.ts": packOf('"1.0.0"', "A"), "CHANGELOG.md/kept": "" });
    await release(project);
    project.write("pack.ts", packOf('"1.0.0"', "A", "B"));
    commit(project);
    const error = await failureOf(
      release(project, {
        allowDirty: true,
        since: "release/tasks-1.0.0.tgz",
        wanted: { version: "3.0.0" },
      }),
      "OUTPUT_NOT_WRITABLE",
    );
    expect(error.message).toContain("The changelog cannot be written to");
    expect(git(project, "status", "--porcelain", "pack.ts")).toBe("");
    expect(readdirSync(join(project.path, "release"))).not.toContain("tasks-3.0.0.tgz");
  });

  it("that is interrupted takes the version back", async () => {
    using project = makeRepository({ "pack.ts": packOf('"1.0.0"', "A") });
    const controller = new AbortController();
    const interrupted = new PackError("INTERRUPTED", "Interrupted.", { details: undefined });
    const run = release(project, { wanted: { bump: "minor" }, signal: controller.signal });
    using watcher = Object.assign(watch(project.path), { [Symbol.dispose]: () => watcher.close() });
    // As soon as the version is written.
    watcher.on("change", () => {
      if (project.read("pack.ts").includes("1.1.0")) controller.abort(interrupted);
    });
    await failureOf(run, "INTERRUPTED");
    expect(project.read("pack.ts")).toBe(packOf('"1.0.0"', "A"));
    expect(existsSync(join(project.path, "release"))).toBe(false);
  });

  it("never replaces another archive of the same version", async () => {
    using project = makeRepository({ "pack.ts": packOf('"1.0.0"', "A") });
    mkdirSync(join(project.path, "release"));
    writeFileSync(join(project.path, "release/tasks-1.0.0.tgz"), "something");
    await failureOf(release(project), "RELEASE_INVALID");
    await failureOf(
      release(project, {
        since: "HEAD",
        wanted: { bump: "patch" },
        outDir: "elsewhere",
        allowDirty: true,
        dryRun: true,
      }).then(() => release(project, { since: "pack.ts", wanted: { version: "1.0.0" } })),
      "RELEASE_VERSION",
    );
    expect(readFileSync(join(project.path, "release/tasks-1.0.0.tgz"), "utf8")).toBe("something");
  });

  it("of a Pack with errors is not made", async () => {
    using project = makeRepository({ "pack.ts": packOf('"1.0.0"', "Not a name") });
    await failureOf(release(project), "PACK_INVALID");
    expect(existsSync(join(project.path, "release"))).toBe(false);
  });

  it("is a state that diff compares with", async () => {
    using project = makeRepository({ "pack.ts": packOf('"1.0.0"', "A") });
    await release(project);
    project.write("pack.ts", packOf('"1.0.0"', "B"));
    const { class: gravest, advice } = await diffPacks("release/tasks-1.0.0.tgz", "pack.ts", {
      cwd: project.path,
    });
    expect({ gravest, advice }).toEqual({ gravest: "breaking", advice: "2.0.0" });
  });
});

describe("verifying a release", () => {
  it("builds it again and finds the same bytes", async () => {
    using project = makeRepository({ "pack.ts": packOf('"1.0.0"', "A") });
    const { archive, commit: head } = await release(project, { timerStrategy: "fake" });
    expect(await verifyRelease(archive, "pack.ts", { cwd: project.path })).toMatchObject({
      name: "tasks",
      version: "1.0.0",
      commit: head,
    });
  });

  it("names the files that are others", async () => {
    using project = makeRepository({
      "pack.ts": `import "./lib";\n${packOf('"1.0.0"', "A")}`,
      "lib.ts": "export const x = 1;",
    });
    const { archive } = await release(project);
    project.write("lib.ts", "export const x = 2; // other");
    const error = await failureOf(
      verifyRelease(archive, "pack.ts", { cwd: project.path }),
      "RELEASE_MISMATCH",
    );
    expect(isPackError(error, "RELEASE_MISMATCH") && error.details.files).toContain("lib.ts");
  });

  it.each<
    [
      string,
      (files: { path: string; content: Uint8Array }[]) => { path: string; content: Uint8Array }[],
    ]
  >([
    [
      "a bundle that was changed",
      (files) =>
        files.map((file) =>
          file.path.endsWith("bundle.js") ? { ...file, content: Buffer.from("changed") } : file,
        ),
    ],
    ["no manifest", (files) => files.filter(({ path }) => !path.endsWith("manifest.json"))],
    ["no facts of its build", (files) => files.filter(({ path }) => !path.endsWith("build.json"))],
    ["no provenance", (files) => files.filter(({ path }) => !path.endsWith("provenance.json"))],
    [
      "a provenance that is not JSON",
      (files) =>
        files.map((file) =>
          file.path.endsWith("provenance.json") ? { ...file, content: Buffer.from("{") } : file,
        ),
    ],
  ])("refuses an archive with %s", async (_, change) => {
    using project = makeRepository({ "pack.ts": packOf('"1.0.0"', "A") });
    const { archive } = await release(project);
    writeFileSync(archive, gzipPortably(writeTar(change(readTar(gunzip(readFileSync(archive)))))));
    await failureOf(verifyRelease(archive, "pack.ts", { cwd: project.path }), "RELEASE_INVALID");
  });

  it.each(["", "no archive", "\u001f\u008b\b"])(
    "refuses a file that is not an archive: %j",
    async (text) => {
      using project = makeProject({ "pack.ts": packOf('"1.0.0"', "A"), "x.tgz": text });
      await failureOf(verifyRelease("x.tgz", "pack.ts", { cwd: project.path }), "RELEASE_INVALID");
      await failureOf(
        verifyRelease("missing.tgz", "pack.ts", { cwd: project.path }),
        "RELEASE_INVALID",
      );
    },
  );
});

describe("packsmith release", () => {
  it("reports what it did, ends with 3 when something would break, and verifies", async () => {
    using project = makeRepository({ "pack.ts": packOf('"1.0.0"', "A") });
    const first = await runCli(["release", "--no-types"], { cwd: project.path });
    expect(first).toMatchObject({ code: 0 });
    expect(first.stdout).toMatch(
      /^release\/tasks-1\.0\.0\.tgz {2}\d.* kB {2}sha256 [0-9a-f]{64}\n$/,
    );
    expect(
      await runCli(["release", "--verify", "release/tasks-1.0.0.tgz"], { cwd: project.path }),
    ).toMatchObject({ code: 0 });

    project.write("pack.ts", packOf('"1.0.0"', "B"));
    commit(project);
    const broken = await runCli(["release", "--bump", "patch", "--json"], { cwd: project.path });
    expect(broken.code).toBe(3);
    expect(broken.json()).toMatchObject({ ok: false, error: { code: "RELEASE_BREAKING" } });

    const dry = await runCli(["release", "pack.ts", "--dry-run", "--json"], { cwd: project.path });
    expect(dry.json()).toMatchObject({
      ok: true,
      dryRun: true,
      version: "2.0.0",
      previous: "1.0.0",
    });
    const second = await runCli(["release", "pack.ts", "--version", "3.0.0"], {
      cwd: project.path,
    });
    expect(second.stderr).toContain(
      "version    1.0.0 → 3.0.0\nedited     pack.ts:2:40\nchangelog  CHANGELOG.md\n",
    );
    expect(
      await runCli(["release", "--bump", "minor", "--version", "4"], { cwd: project.path }),
    ).toMatchObject({ code: 2 });
    expect(
      await runCli(["release", "--verify", "release/tasks-1.0.0.tgz"], { cwd: project.path }),
    ).toMatchObject({ code: 1 });
  });
});
