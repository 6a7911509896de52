import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitReason, runGit, runGitWithHooks } from "../../src/shared/git.ts";
import { useTrust } from "../../src/shared/trusted-folders.ts";
import { git, startGit } from "../publish/registry/git.ts";
import { chooseCases } from "../support/breadth.ts";
import { startEachReader } from "../support/shared-reader.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

function makeRepository(): ReturnType<typeof makeTemporaryFolder> {
  const folder = makeTemporaryFolder();
  writeFileSync(join(folder.path, "README.md"), "# Greet\n");
  startGit({ cwd: folder.path });
  return folder;
}

async function readReason(cwd: string, ...args: string[]): Promise<string> {
  return await runGit(cwd, ...args).then(
    () => "nothing failed",
    (error: unknown) => gitReason(error),
  );
}

startEachReader();

const ENDLESS: Readonly<Record<string, (path: string) => void>> = {
  "a pipe": (path) => execFileSync("mkfifo", [path]),
  "a device": (path) => symlinkSync("/dev/zero", path),
};
const PLACES = [
  ...["HEAD", "config", "index", "packed-refs", "shallow", "commondir", "config.worktree"],
  ...["info/exclude", "info/attributes", "objects/info/alternates", "objects", "refs"],
];
const replace = (path: string, put: (path: string) => void): void => {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  put(path);
};

describe.skipIf(process.platform === "win32").each(Object.entries(ENDLESS))(
  "a repository with %s is refused before git starts",
  (_, put) => {
    it.each(chooseCases(PLACES, 8))("in the place of its %s", async (place) => {
      using folder = makeRepository();
      replace(join(folder.path, ".git", place), put);
      expect(await readReason(folder.path, "status")).toMatch(
        new RegExp(`${place} is not a (?:regular file|folder)$`),
      );
    });

    it("in the place of its .git", async () => {
      using folder = makeRepository();
      replace(join(folder.path, ".git"), put);
      expect(await readReason(folder.path, "status")).toContain(".git is not a regular file");
    });

    it("in the folder that its .git names", async () => {
      using folder = makeRepository();
      const [own, elsewhere] = [join(folder.path, ".git"), join(folder.path, "elsewhere")];
      renameSync(own, elsewhere);
      writeFileSync(own, "gitdir: elsewhere\n");
      expect(await readReason(folder.path, "status")).toBe("nothing failed");
      replace(join(elsewhere, "HEAD"), put);
      expect(await readReason(folder.path, "status")).toContain("HEAD is not a regular file");
    });

    it("that its settings include", async () => {
      using folder = makeRepository();
      const config = join(folder.path, ".git", "config");
      appendFileSync(config, '[include]\n\tpath = first.inc\n[includeIf "gitdir:/"]\n');
      writeFileSync(join(folder.path, ".git", "first.inc"), '[include] path = "../second.inc"\n');
      expect(await readReason(folder.path, "status")).toBe("nothing failed");
      put(join(folder.path, "second.inc"));
      expect(await readReason(folder.path, "status")).toContain("second.inc is not a regular");
    });

    it("that its settings name as a list of files or people", async () => {
      using folder = makeRepository();
      const path = join(folder.path, "endless");
      put(path);
      const sections = [`[core]\n\texcludesFile = ${path}\n\tattributesFile = ${path}`];
      sections.push(`[mailmap]\n\tfile = ${path}`);
      appendFileSync(join(folder.path, ".git", "config"), `${sections.join("\n")}\n`);
      expect(await readReason(folder.path, "status")).toBe("nothing failed");
      expect(await readReason(folder.path, "blame", "README.md")).toBe("nothing failed");
      appendFileSync(
        join(folder.path, ".git", "config"),
        `[blame]\n\tignoreRevsFile = ${path.slice(path.lastIndexOf("/") + 1)}\n`,
      );
      expect(await readReason(folder.path, "blame", "README.md")).toContain("not a regular file");
    });
  },
);

it("a repository with a file of settings that is too large is refused before git starts", async () => {
  using folder = makeRepository();
  truncateSync(join(folder.path, ".git", "config"), 3_000_000_000);
  expect(await readReason(folder.path, "status")).toContain("config is too large");
});

describe.skipIf(process.platform === "win32")("nothing is committed", () => {
  const commit = async ({ path }: { path: string }) => {
    writeFileSync(join(path, "README.md"), "# Hello\n");
    await runGitWithHooks(path, "commit", "--quiet", "--allow-empty", "--all", "-m", "Greet");
  };
  const moveRepository = (folder: string, path: string): void => {
    renameSync(join(folder, ".git"), path);
    writeFileSync(join(folder, ".git"), `gitdir: ${path}\n`);
  };

  it.each(chooseCases(["COMMIT_EDITMSG", "logs/HEAD", "index", "objects/ab", "refs/tags"], 5))(
    "through a link in the repository: %s",
    async (name) => {
      using folder = makeRepository();
      using outside = makeTemporaryFolder();
      const path = join(folder.path, ".git", name);
      replace(path, (link) => symlinkSync(join(outside.path, "new"), link));
      await expect(commit(folder)).rejects.toThrow(`${name} leads out of the repository`);
      expect(readdirSync(outside.path)).toEqual([]);
    },
  );

  it("where git would wait for a pipe", async () => {
    using folder = makeRepository();
    execFileSync("mkfifo", [join(folder.path, ".git/refs/tags/first")]);
    await expect(commit(folder)).rejects.toThrow("first is not a regular file");
  });

  it("to the repository of another folder", async () => {
    using folder = makeRepository();
    using outside = makeTemporaryFolder();
    moveRepository(folder.path, join(outside.path, "other"));
    await expect(commit(folder)).rejects.toThrow(".git leads out of the repository");
  });

  it("unless the folder is trusted, or the repository names the folder", async () => {
    using folder = makeRepository();
    using outside = makeTemporaryFolder();
    const other = join(outside.path, "other");
    moveRepository(folder.path, other);
    try {
      useTrust({ env: {}, all: true });
      await commit(folder);
    } finally {
      useTrust({ env: process.env });
    }
    git(folder.path, "config", "core.worktree", folder.path);
    await runGitWithHooks(folder.path, "tag", "first");
    using tree = makeTemporaryFolder();
    git(folder.path, "worktree", "add", "--quiet", join(tree.path, "tree"));
    await commit({ path: join(tree.path, "tree") });
    expect(git(folder.path, "tag")).toBe("first");
  });
});

it("a repository whose settings include each other without an end is refused before git starts", async () => {
  using folder = makeRepository();
  const names = Array.from({ length: 20 }, (_, index) => `${index}.inc`);
  const includes = names.map((name) => `[include]\n\tpath = ${name}\n`).join("");
  for (const name of ["config", ...names])
    appendFileSync(join(folder.path, ".git", name), includes);
  expect(await readReason(folder.path, "status")).toContain("includes too many files");
});

it("a repository that names any number of others is refused before git compares them", async () => {
  using folder = makeRepository();
  const path = join(folder.path, ".git", "objects", "info", "alternates");
  writeFileSync(path, ".\n".repeat(100_000));
  expect(await readReason(folder.path, "status")).toContain("alternates is too large");
});

describe.runIf(process.platform === "linux")("git is ended, with all that it started", () => {
  it.concurrent.each(
    chooseCases(
      [
        ["a pipe in the place of a branch", ".git/refs/heads/main"],
        ["a pipe with patterns in a folder", "folder/.gitignore"],
      ],
      2,
    ),
  )("when it waits for %s, and only once", async (_, place) => {
    using folder = makeRepository();
    mkdirSync(join(folder.path, "folder"));
    writeFileSync(join(folder.path, "folder", "file"), "");
    const ref = readFileSync(join(folder.path, ".git", "HEAD"), "utf8").slice("ref: ".length);
    const path = join(folder.path, place.replace(".git/refs/heads/main", `.git/${ref.trim()}`));
    replace(path, (fifo) => execFileSync("mkfifo", [fifo]));
    const reason = "it waits for a file that is not a regular file";
    const args = ["status", "--untracked-files=all"];
    expect(await readReason(folder.path, ...args)).toBe(reason);
    const startMs = performance.now();
    expect(await readReason(folder.path, ...args)).toBe(reason);
    expect(performance.now() - startMs).toBeLessThan(1000);
    expect(listProcessesIn(folder.path)).toEqual([]);
  });
});

function listProcessesIn(folder: string): string[] {
  return readdirSync("/proc").filter((name) => {
    try {
      return readFileSync(`/proc/${name}/environ`, "utf8").includes(`PWD=${folder}`);
    } catch {
      return false;
    }
  });
}
