import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import {
  findAnswer,
  mayRunProgram,
  storeAnswer,
  trustRoot,
  useTrust,
} from "../../src/shared/trusted-folders.ts";
import { git, startGit } from "../publish/registry/git.ts";
import { hello, packSource } from "../publish/registry/registry.ts";
import { isLong } from "../support/breadth.ts";
import { runCli } from "../support/cli-in-process.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const PROGRAM = { name: "its compiler", without: "Types are not checked" };
const VERSIONED = packSource(hello(), 'newPack({ version: "1.0.0" })');

/** A project whose compiler leaves a trace, as a clone with node_modules in it has. */
function makeClone(): ProjectFolder {
  return makeProject({
    "package.json": '{ "name": "greet" }',
    "pack.ts": VERSIONED,
    "node_modules/typescript/package.json":
      '{ "name": "typescript", "version": "5.9.3", "bin": { "tsc": "tsc.js" } }',
    "node_modules/typescript/tsc.js":
      'require("node:fs").writeFileSync(require("node:path").join(__dirname, "ran"), "");',
  });
}

const hasRun = ({ path }: ProjectFolder) => existsSync(join(path, "node_modules/typescript/ran"));

afterEach(() => useTrust({ env: process.env }));

describe("a folder that was cloned", () => {
  it.each(["validate", "build", "release --dry-run"])(
    "has no compiler that %s starts, and one line says so",
    async (command) => {
      using project = makeClone();
      using home = makeTemporaryFolder();
      const env = { PACKSMITH_HOME: home.path };
      const done = await runCli([...command.split(" "), "pack.ts"], { cwd: project.path, env });
      expect(done.code).toBe(0);
      expect(hasRun(project)).toBe(false);
      expect(done.stderr).toMatch(
        /^not trusted .* Types are checked with TypeScript .*, which packsmith includes\. If you trust this folder, run packsmith trust there, or pass --trust\.$/m,
      );
    },
  );

  it.each<[string, string[], Record<string, string>]>([
    ["--trust", ["--trust"], {}],
    ["PACKSMITH_TRUST", [], { PACKSMITH_TRUST: "1" }],
  ])("is trusted for one command with %s", async (_, args, more) => {
    using project = makeClone();
    using home = makeTemporaryFolder();
    const env = { PACKSMITH_HOME: home.path, ...more };
    const done = await runCli(["validate", "pack.ts", ...args], { cwd: project.path, env });
    expect(hasRun(project)).toBe(true);
    expect(done.stderr).not.toContain("not trusted");
    expect(existsSync(join(home.path, "trusted"))).toBe(false);
  });

  it("is trusted after packsmith trust, until that is removed", async () => {
    using project = makeClone();
    using home = makeTemporaryFolder();
    const options = { cwd: project.path, env: { PACKSMITH_HOME: home.path } };
    expect((await runCli(["trust"], options)).code).toBe(0);
    await runCli(["validate", "pack.ts"], options);
    expect(hasRun(project)).toBe(true);
    const folder = trustRoot(project.path);
    expect((await runCli(["trust", "--list", "--json"], options)).json()).toEqual({
      ok: true,
      folders: [{ folder, isTrusted: true }],
    });
    expect((await runCli(["trust", "--list"], options)).stdout).toBe(`trusted      ${folder}\n`);
    await runCli(["trust", "--remove"], options);
    expect((await runCli(["trust", "--list"], options)).stdout).toBe("");
    expect((await runCli(["validate", "pack.ts"], options)).stderr).toContain("not trusted");
  });

  it.runIf(isLong)("keeps its hooks to itself until it is trusted", async () => {
    using project = makeClone();
    using home = makeTemporaryFolder();
    const env = { PACKSMITH_HOME: home.path };
    startGit({ cwd: project.path });
    project.write("pack.ts", `${VERSIONED}\n${hello("Says goodbye.", "Bye")}`);
    git(project.path, "commit", "--quiet", "--all", "-m", "Bye");
    const hook = join(project.path, ".git/hooks/pre-commit");
    writeFileSync(hook, `#!/bin/sh\n: > "${home.path}/ran"\n`);
    chmodSync(hook, 0o755);
    const args = ["release", "--no-types", "--commit", "pack.ts"];
    const done = await runCli(args, { cwd: project.path, env });
    expect(done.code).toBe(0);
    expect(done.stderr).toContain(
      "git hooks, filters and signatures of the repository are left out",
    );
    expect(existsSync(join(home.path, "ran"))).toBe(false);
    git(project.path, "reset", "--quiet", "--hard", "HEAD~1");
    await runCli([...args, "--trust"], { cwd: project.path, env });
    expect(existsSync(join(home.path, "ran"))).toBe(true);
  });

  it("is not committed past a filter that it is not trusted with", async () => {
    using project = makeClone();
    using home = makeTemporaryFolder();
    startGit({ cwd: project.path });
    project.write("pack.ts", `${VERSIONED}\n${hello("Says goodbye.", "Bye")}`);
    git(project.path, "commit", "--quiet", "--all", "-m", "Bye");
    writeFileSync(join(project.path, ".git/info/attributes"), "*.ts filter=secret\n");
    git(project.path, "config", "filter.secret.clean", "cat");
    const args = ["release", "--no-types", "--commit", "pack.ts"];
    const done = await runCli(args, { cwd: project.path, env: { PACKSMITH_HOME: home.path } });
    expect(done.stderr).toContain("RELEASE_COMMIT_FAILED");
    expect(git(project.path, "log", "-1", "--format=%s")).toBe("Bye");
  });
});

describe("a folder that packsmith init made", () => {
  it("is trusted", async () => {
    using folder = makeTemporaryFolder();
    using home = makeTemporaryFolder();
    const env = { PACKSMITH_HOME: home.path };
    await runCli(["init", "greet", "--yes"], { cwd: folder.path, env });
    expect(findAnswer(trustRoot(join(folder.path, "greet")), env)).toBe(true);
    expect(statSync(join(home.path, "trusted")).mode & 0o077).toBe(0);
  });

  it("in a project of someone else is not, because that project has the compiler", async () => {
    using project = makeClone();
    using home = makeTemporaryFolder();
    const env = { PACKSMITH_HOME: home.path };
    project.write("package.json", '{ "workspaces": ["packs/*"] }');
    await runCli(["init", "packs/greet", "--yes"], { cwd: project.path, env });
    await runCli(["validate", "packs/greet/pack.ts"], { cwd: project.path, env });
    expect(hasRun(project)).toBe(false);
  });
});

describe("trust", () => {
  it("is asked once for each folder, and not about another repository at its place", async () => {
    using project = makeClone();
    using home = makeTemporaryFolder();
    const env = { PACKSMITH_HOME: home.path };
    const folder = trustRoot(project.path);
    const asked: string[] = [];
    const ask = async (root: string) => {
      asked.push(root);
      storeAnswer({ folder: root, isTrusted: true }, env);
      return true;
    };
    useTrust({ env, ask });
    mkdirSync(join(folder, "packs"));
    expect(await mayRunProgram(join(folder, "packs"), PROGRAM)).toBe(true);
    expect(await mayRunProgram(folder, PROGRAM)).toBe(true);
    expect(asked).toEqual([folder]);
    startGit({ cwd: folder });
    git(folder, "remote", "add", "origin", "https://git.tasks.example/other");
    expect(findAnswer(folder, env)).toBeUndefined();
    useTrust({ env, ask });
    await mayRunProgram(folder, PROGRAM);
    git(folder, "remote", "set-url", "origin", "https://user:s3cret@git.tasks.example/third");
    expect(findAnswer(folder, env)).toBeUndefined();
    storeAnswer({ folder, isTrusted: false }, env);
    expect(findAnswer(folder, env)).toBe(false);
    const stored = readdirSync(join(home.path, "trusted"));
    expect(stored).toHaveLength(1);
    expect(readFileSync(join(home.path, "trusted", stored[0] ?? ""), "utf8")).not.toContain(
      "s3cret",
    );
  });

  it("is not given by default, nor by an answer that cannot be read", async () => {
    using project = makeClone();
    using home = makeTemporaryFolder();
    const env = { PACKSMITH_HOME: home.path };
    useTrust({ env });
    expect(await mayRunProgram(project.path, PROGRAM)).toBe(false);
    storeAnswer({ folder: trustRoot(project.path), isTrusted: true }, env);
    const [name = ""] = readdirSync(join(home.path, "trusted"));
    writeFileSync(join(home.path, "trusted", name), "[");
    expect(await mayRunProgram(project.path, { ...PROGRAM, name: "another" })).toBe(false);
  });
});
