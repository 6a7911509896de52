import { appendFileSync, chmodSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { publishRelease } from "../../src/publish/registry/publish-release.ts";
import { rollBack } from "../../src/publish/registry/roll-back.ts";
import { findProgram, safePath } from "../../src/shared/find-program.ts";
import { gitReason, runGit } from "../../src/shared/git.ts";
import { startPublishCli } from "../cli/verbs/publish-cli.ts";
import { git, startGit } from "../publish/registry/git.ts";
import { hello, packSource, startRegistry } from "../publish/registry/registry.ts";
import { chooseCases, isLong } from "../support/breadth.ts";
import { runCli } from "../support/cli-in-process.ts";
import {
  ATTRIBUTES,
  commitSigned,
  listTraces,
  makeProgram,
  poisonRepository,
} from "../support/hostile-repository.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const writePack = (version: string, ...formulas: string[]) =>
  packSource(formulas.join("\n"), `newPack({ version: "${version}" })`);
const HELLO = hello();
const BYE = hello("Says goodbye.", "Bye");

function makeRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const files = {
    ".gitattributes": ATTRIBUTES,
    "package.json": '{"name":"greet"}',
    "notes.txt": "$Format:%G? %GK %GS$\n",
    "README.md": "# Greet\n",
    "pack.ts": writePack("1.0.0", HELLO),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  startGit({ cwd: folder });
  commitSigned(folder);
}

/** Every file looks changed to git, so that it reads and filters them. */
function touchFiles(folder: string): void {
  for (const name of ["notes.txt", "README.md", "package.json"])
    appendFileSync(join(folder, name), " ");
}

const COMMANDS = [
  ["diff", "HEAD", "pack.ts"],
  ["diff", "HEAD~1:pack.ts", "HEAD:pack.ts"],
  ["release", "--no-types", "--allow-dirty"],
  ["release", "--no-types"],
  ["release", "--no-types", "--allow-dirty", "--dry-run"],
  ["release", "--no-types", "--allow-dirty", "--since", "HEAD"],
  ["build", "--no-types", "pack.ts"],
  ["validate", "--no-types", "pack.ts"],
  ["config", "plan"],
  ["status"],
  ["doctor"],
  ["docs", "pack.ts"],
];

describe("git, in a repository that someone else has made", () => {
  it.runIf(isLong)("would start programs without the wrapper", () => {
    using folder = makeTemporaryFolder();
    using outside = makeTemporaryFolder();
    makeRepository(folder.path);
    const hostile = poisonRepository(folder.path, outside.path);
    touchFiles(folder.path);
    for (const args of [["status"], ["archive", "HEAD"], ["log", "-p"]]) {
      try {
        git(folder.path, ...args);
      } catch {
        // The program of a filter gives no answer that git understands.
      }
    }
    expect(hostile.listRun()).toEqual(
      expect.arrayContaining([
        "fsmonitor",
        "gpg",
        "post-index-change",
        "process",
        "smudge",
        "smudge-equals",
        "textconv",
      ]),
    );
  });

  it.runIf(isLong)("no command starts a program of its settings", async () => {
    using folder = makeTemporaryFolder();
    using outside = makeTemporaryFolder();
    makeRepository(folder.path);
    const hostile = poisonRepository(folder.path, outside.path);
    touchFiles(folder.path);
    writeFileSync(join(folder.path, "pack.ts"), writePack("1.0.0", HELLO, BYE));
    for (const args of COMMANDS) {
      await runCli(args, { cwd: folder.path });
      expect({ args, run: hostile.listRun() }).toEqual({ args, run: [] });
    }
  });

  it.runIf(isLong)("release --publish and rollback start no program of its settings", async () => {
    await using registry = await startRegistry(writePack("1.0.0", HELLO));
    using outside = makeTemporaryFolder();
    const { cwd, client } = registry;
    registry.write(".gitattributes", ATTRIBUTES);
    startGit(registry);
    await publishRelease("pack.ts", { cwd, client, types: false, changelog: false });
    registry.write("pack.ts", writePack("1.1.0", HELLO, BYE));
    git(cwd, "commit", "--quiet", "--all", "-m", "Bye");
    const hostile = poisonRepository(cwd, outside.path);
    await publishRelease("pack.ts", { cwd, client, types: false, changelog: false });
    touchFiles(cwd);
    const done = await rollBack("pack.ts", { cwd, client, version: "1.0.0" });
    expect(done.release.packVersion).toBe("2.0.0");
    expect(hostile.listRun()).toEqual([]);
  });

  it("upload, logs and init start no program of its settings", async () => {
    await using project = await startPublishCli(["greet"]);
    using outside = makeTemporaryFolder();
    project.write(".gitattributes", ATTRIBUTES);
    project.write("packs/greet/pack.ts", writePack("1.1.0", HELLO, BYE));
    commitSigned(project.cwd);
    const hostile = poisonRepository(project.cwd, outside.path);
    const pack = "packs/greet/pack.ts";
    for (const words of [
      ["create", pack],
      ["upload", "--no-types", "--dry-run", pack],
      ["upload", "--no-types", "--notes", "First", pack],
      ["logs", "--doc", project.test.service.docId, pack],
      ["init", "packs/other", "--yes"],
      ["init", "packs/greet", "--yes"],
    ]) {
      const { code, stderr } = await project.run(...words);
      expect({ words, code, stderr }).toMatchObject({ words, code: 0 });
      expect({ words, run: hostile.listRun() }).toEqual({ words, run: [] });
    }
  });

  it("a work tree in it, with settings of its own, starts no program, and counts as changed", async () => {
    using folder = makeTemporaryFolder();
    using outside = makeTemporaryFolder();
    const inner = join(folder.path, "inner");
    makeRepository(inner);
    makeRepository(folder.path);
    writeFileSync(join(folder.path, ".gitmodules"), '[submodule "inner"]\n\tpath = inner\n');
    git(folder.path, "add", ".");
    git(folder.path, "commit", "--quiet", "-m", "Inner");
    const hostile = poisonRepository(inner, outside.path);
    touchFiles(inner);
    const done = await runCli(["release", "--no-types"], { cwd: folder.path });
    expect(done.stderr).toContain("RELEASE_DIRTY");
    expect(done.stderr).toContain("inner/");
    expect(hostile.listRun()).toEqual([]);
  });

  it("a folder with the files of a bare repository is not a repository", async () => {
    using folder = makeTemporaryFolder();
    using outside = makeTemporaryFolder();
    const inner = join(folder.path, "inner");
    makeRepository(inner);
    const hostile = poisonRepository(inner, outside.path);
    for (const name of ["HEAD", "objects", "refs", "config", "index"])
      renameSync(join(inner, ".git", name), join(inner, name));
    git(inner, "--git-dir", ".", "config", "core.bare", "false");
    git(inner, "--git-dir", ".", "config", "core.worktree", inner);
    renameSync(join(inner, ".git"), join(folder.path, "rest"));
    await expect(runGit(inner, "status")).rejects.toThrow("bare repository");
    for (const args of COMMANDS) await runCli(args, { cwd: inner });
    expect(hostile.listRun()).toEqual([]);
  });

  const HELPERS: [how: string, url: string][] = [
    ["ext::", "ext::PROGRAM ext"],
    ["ssh", "ssh://git.tasks.example/greet"],
    ["upload-pack", "file:///nowhere"],
    ["a remote helper", "evil::greet"],
  ];
  it.each(chooseCases(HELPERS, 6))(
    "never fetches what a partial clone lacks: %s",
    async (_, url) => {
      using folder = makeTemporaryFolder();
      using outside = makeTemporaryFolder();
      const [source, clone] = [join(folder.path, "source"), join(folder.path, "clone")];
      makeRepository(source);
      writeFileSync(join(source, "pack.ts"), writePack("1.1.0", HELLO, BYE));
      git(source, "commit", "--quiet", "--all", "-m", "Bye");
      git(source, "config", "uploadpack.allowFilter", "true");
      git(folder.path, "clone", "--quiet", "--filter=blob:none", `file://${source}`, "clone");
      const hostile = poisonRepository(clone, outside.path);
      const program = join(outside.path, "program");
      git(clone, "config", "remote.origin.url", url.replace("PROGRAM", program));
      git(clone, "config", "remote.origin.uploadpack", `${program} upload-pack`);
      const done = await runCli(["diff", "HEAD~2", "pack.ts"], { cwd: clone });
      expect(done.code).toBe(1);
      expect(done.stderr).toContain("GIT_FAILED");
      expect(hostile.listRun()).toEqual([]);
    },
  );
});

describe("a program that packsmith starts", () => {
  it("is found by its absolute path, outside of the project", () => {
    using folder = makeTemporaryFolder();
    const bin = join(folder.path, "node_modules", ".bin");
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(folder.path, "package.json"), "{}");
    for (const name of [join(bin, "git"), join(folder.path, "git")]) {
      writeFileSync(name, "#!/bin/sh\n");
      chmodSync(name, 0o755);
    }
    const env = { PATH: [".", "", "node_modules/.bin", bin, "/usr/bin"].join(":") };
    const outside = folder.path;
    expect(findProgram("git", env, { outside })).toBe("/usr/bin/git");
    expect(findProgram("git", env)).toBe(join(bin, "git"));
    expect(findProgram("./git", env)).toBeUndefined();
    expect(safePath(env)).toBe(`${bin}:/usr/bin`);
    expect(safePath(env, { outside })).toBe("/usr/bin");
  });

  it.runIf(isLong)("is not looked for in the repository", async () => {
    using folder = makeTemporaryFolder();
    using outside = makeTemporaryFolder();
    makeRepository(folder.path);
    const program = makeProgram(outside.path);
    for (const name of ["git", "tar"]) {
      writeFileSync(join(folder.path, name), `#!/bin/sh\n${program} ${name}\n`);
      chmodSync(join(folder.path, name), 0o755);
    }
    const path = process.env["PATH"];
    process.env["PATH"] = `.:${folder.path}:${path}`;
    try {
      await runCli(["diff", "HEAD", "pack.ts"], { cwd: folder.path });
    } finally {
      process.env["PATH"] = path;
    }
    expect(listTraces(outside.path)).toEqual([]);
  });
});

describe("the reason of git", () => {
  it("names a program that is missing", () => {
    expect(gitReason(Object.assign(new Error("x"), { code: "ENOENT" }))).toContain("not found");
  });
});
