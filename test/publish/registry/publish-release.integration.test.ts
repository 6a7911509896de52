import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import {
  type PublishOptions,
  publishRelease,
} from "../../../src/publish/registry/publish-release.ts";
import { releaseVersion } from "../../../src/publish/registry/registry-versions.ts";
import { useTrust } from "../../../src/shared/trusted-folders.ts";
import { chooseCases, isLong } from "../../support/breadth.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { git, startGit } from "./git.ts";
import { hello, packSource, startRegistry, type TestRegistry } from "./registry.ts";

const VERSIONED = packSource(hello(), 'newPack({ version: "1.0.0" })');

const publish = ({ cwd, client }: TestRegistry, options: Partial<PublishOptions> = {}) =>
  publishRelease("pack.ts", { cwd, client, types: false, ...options });

describe("release --publish", () => {
  it("uploads the version of the source and releases it; repeating it changes nothing", async () => {
    await using registry = await startRegistry(VERSIONED);
    startGit(registry);
    const first = await publish(registry, { notes: "first", gitTag: true });
    expect(first).toMatchObject({
      release: { releaseId: 1, packVersion: "1.0.0", releaseNotes: "first" },
      isCurrent: false,
    });
    expect(first.tag).toEqual({ name: `pack/${registry.packId}/v1.0.0`, isNew: true });
    expect(git(registry.cwd, "cat-file", "-p", `pack/${registry.packId}/v1.0.0`)).toContain(
      "Release ID: 1",
    );
    const again = await publish(registry, { notes: "first", gitTag: true });
    expect(again).toMatchObject({
      release: { releaseId: 1 },
      isCurrent: true,
      tag: { isNew: false },
      made: undefined,
    });
  });

  it.runIf(isLong)("with --commit, releases the commit that holds the version", async () => {
    await using registry = await startRegistry(VERSIONED);
    startGit(registry);
    await publish(registry);
    registry.write("pack.ts", `${VERSIONED}\n${hello("Says goodbye.", "Bye")}`);
    git(registry.cwd, "add", "pack.ts");
    git(registry.cwd, "commit", "--quiet", "-m", "Bye");
    const { made, release } = await publish(registry, { commit: true });
    expect(release.packVersion).toBe("1.1.0");
    const head = git(registry.cwd, "rev-parse", "HEAD");
    expect(made?.commit).toBe(head);
    expect(
      git(registry.cwd, "show", "--format=%s", "--name-only", "HEAD").split("\n").filter(Boolean),
    ).toEqual(["Release greetings 1.1.0", "CHANGELOG.md", "pack.ts"]);
    expect(git(registry.cwd, "show", "HEAD:pack.ts")).toContain('version: "1.1.0"');
  });

  it("without --commit, says exactly what to commit before anything is built or sent", async () => {
    await using registry = await startRegistry(VERSIONED);
    startGit(registry);
    await publish(registry);
    registry.write("pack.ts", `${VERSIONED}\n${hello("Says goodbye.", "Bye")}`);
    git(registry.cwd, "commit", "--quiet", "--all", "-m", "Bye");
    await expect(publish(registry)).rejects.toMatchObject({
      code: "RELEASE_UNCOMMITTED",
      hint: expect.stringContaining(
        'Or set the version to 1.1.0 at pack.ts:3, run git commit -m "Release 1.1.0" pack.ts',
      ),
    });
    expect(await registry.versions()).toHaveLength(1);
  });

  it.runIf(isLong)(
    "refuses a dirty work tree, and --commit without a branch or a repository",
    async () => {
      await using registry = await startRegistry(VERSIONED);
      await expect(publish(registry, { commit: true })).rejects.toMatchObject({
        code: "USAGE_INVALID",
      });
      startGit(registry);
      registry.write("other.txt", "x");
      await expect(publish(registry)).rejects.toMatchObject({ code: "RELEASE_DIRTY" });
      git(registry.cwd, "add", ".");
      git(registry.cwd, "commit", "--quiet", "-m", "Other");
      git(registry.cwd, "checkout", "--quiet", "--detach");
      await expect(publish(registry, { commit: true })).rejects.toMatchObject({
        code: "RELEASE_DETACHED",
      });
      // A pipeline checks out a commit only; without --commit that is enough.
      expect(await publish(registry)).toMatchObject({ release: { packVersion: "1.0.0" } });
    },
  );

  it.runIf(isLong)(
    "a repository that git cannot read is not taken for a folder without one; --allow-dirty releases without git",
    async () => {
      await using registry = await startRegistry(VERSIONED);
      startGit(registry);
      registry.write("other.txt", "x");
      writeFileSync(join(registry.cwd, ".git", "index"), "damaged");
      await expect(publish(registry)).rejects.toMatchObject({
        code: "GIT_FAILED",
        hint: expect.stringContaining("--allow-dirty"),
      });
      expect(await registry.versions()).toEqual([]);
      vi.stubEnv("PATH", registry.cwd);
      try {
        await expect(publish(registry)).rejects.toMatchObject({
          code: "GIT_FAILED",
          message: expect.stringContaining("was not found"),
        });
        expect(await publish(registry, { allowDirty: true })).toMatchObject({
          release: { packVersion: "1.0.0" },
        });
      } finally {
        vi.unstubAllEnvs();
      }
    },
  );

  it.runIf(isLong)("a commit that a hook refuses leaves the source as it was", async () => {
    await using registry = await startRegistry(VERSIONED);
    startGit(registry);
    await publish(registry);
    registry.write("pack.ts", `${VERSIONED}\n${hello("Says goodbye.", "Bye")}`);
    git(registry.cwd, "commit", "--quiet", "--all", "-m", "Bye");
    writeFileSync(
      join(registry.cwd, ".git", "hooks", "pre-commit"),
      "#!/bin/sh\necho not today >&2\nexit 1\n",
      { mode: 0o755 },
    );
    const before = readFileSync(join(registry.cwd, "pack.ts"), "utf8");
    useTrust({ env: process.env, all: true });
    try {
      await expect(publish(registry, { commit: true })).rejects.toMatchObject({
        code: "RELEASE_COMMIT_FAILED",
        message: "git did not commit the release: not today.",
      });
    } finally {
      useTrust({ env: process.env });
    }
    expect(readFileSync(join(registry.cwd, "pack.ts"), "utf8")).toBe(before);
    expect(git(registry.cwd, "status", "--porcelain")).toBe("");
  });

  it.runIf(isLong)(
    "two releases at once: what the other one commits is not committed twice",
    async () => {
      await using registry = await startRegistry(VERSIONED);
      using programs = makeTemporaryFolder();
      const bin = join(programs.path, "bin");
      /** While our release runs, the other one gets that far, when git is asked for a word. */
      const meanwhile = (word: string, script: string) => {
        const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
        const lines = [
          "#!/bin/sh",
          `real=${real}`,
          `for word; do if [ "$word" = ${word} ]; then`,
          script,
          "fi; done",
          'exec $real "$@"',
        ];
        rmSync(bin, { recursive: true, force: true });
        mkdirSync(bin);
        writeFileSync(join(bin, "git"), `${lines.join("\n")}\n`, { mode: 0o755 });
        vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
      };
      startGit(registry);
      await publish(registry);
      try {
        registry.write("pack.ts", `${VERSIONED}\n${hello("Says goodbye.", "Bye")}`);
        git(registry.cwd, "commit", "--quiet", "--all", "-m", "Bye");
        meanwhile("add", "$real commit --quiet --allow-empty -m Other");
        await expect(publish(registry, { commit: true })).rejects.toMatchObject({
          code: "RELEASE_COMMIT_FAILED",
          message: expect.stringContaining("something else was committed during the release"),
        });
      } finally {
        vi.unstubAllEnvs();
      }
      expect(git(registry.cwd, "log", "--format=%s").split("\n")).toEqual([
        "Other",
        "Bye",
        "First",
      ]);
      expect(git(registry.cwd, "status", "--porcelain")).toBe("");
      expect((await publish(registry, { commit: true })).release.packVersion).toBe("1.1.0");
    },
  );

  it.runIf(isLong)("without git, a tag cannot be made, and the release is kept", async () => {
    await using registry = await startRegistry(VERSIONED);
    await expect(publish(registry, { gitTag: true })).rejects.toMatchObject({
      code: "USAGE_INVALID",
    });
    expect(
      (
        await registry.client.call("listPackReleases", {
          path: { packId: String(registry.packId) },
        })
      ).items,
    ).toHaveLength(1);
  });

  it.runIf(isLong)(
    "a Pack without a version in its source gets the next one from the registry",
    async () => {
      await using registry = await startRegistry();
      expect(await publish(registry)).toMatchObject({
        release: { packVersion: "1" },
        made: undefined,
      });
      expect(await publish(registry)).toMatchObject({ isCurrent: true });
      registry.write("pack.ts", packSource(hello("Greets you.")));
      expect(await publish(registry)).toMatchObject({ release: { packVersion: "2" } });
    },
  );

  it.runIf(isLong)(
    "without the source that users have, its notes say what the registry found",
    async () => {
      await using registry = await startRegistry();
      const first = await publish(registry);
      expect(first.release.releaseNotes).toBe("The first release.");
      registry.write("pack.ts", packSource(hello("Greets you.")));
      const changed = await publish(registry);
      expect(changed.release.releaseNotes).toMatch(/^### Changed\n\n- .*Hello/);
      registry.write("pack.ts", packSource(hello("Greets you.").replace("Hello!", "Hi!")));
      const same = await publish(registry);
      expect(same.release).toMatchObject({ packVersion: "3", releaseNotes: "A newer version." });
    },
  );

  it("never releases an upload of another source under the version of this one", async () => {
    await using registry = await startRegistry(VERSIONED);
    await registry.upload();
    registry.write("pack.ts", packSource(hello("Greets you."), 'newPack({ version: "1.0.0" })'));
    startGit(registry);
    await expect(publish(registry)).rejects.toMatchObject({
      code: "RELEASE_UNCOMMITTED",
      message: expect.stringContaining("1.1.0"),
    });
    const path = { packId: String(registry.packId) };
    expect((await registry.client.call("listPackReleases", { path })).items).toEqual([]);
  });

  it.runIf(isLong)(
    "the first release has the version of the source, whatever was committed since",
    async () => {
      await using registry = await startRegistry(VERSIONED);
      startGit(registry);
      registry.write("pack.ts", `${VERSIONED}\n${hello("Says goodbye.", "Bye")}`);
      git(registry.cwd, "commit", "--quiet", "--all", "-m", "Bye");
      expect(await publish(registry)).toMatchObject({ release: { packVersion: "1.0.0" } });
    },
  );

  it.runIf(isLong).each([false, true])(
    "a version that the author wrote is compared with what users have (tagged: %s)",
    async (gitTag) => {
      await using registry = await startRegistry(VERSIONED);
      startGit(registry);
      await publish(registry, { gitTag });
      const changed = packSource(hello("Says goodbye.", "Bye"), 'newPack({ version: "1.1.0" })');
      registry.write("pack.ts", changed);
      git(registry.cwd, "commit", "--quiet", "--all", "-m", "Another formula");
      await expect(publish(registry)).rejects.toMatchObject({ code: "RELEASE_BREAKING" });
      // The registry takes no breaking change without a new first number.
      const options = { allowBreaking: true, changelog: false } as const;
      await expect(publish(registry, options)).rejects.toMatchObject({
        code: "UPLOAD_REFUSED",
        message: expect.stringContaining("The change requires version 2.0.0 or higher"),
      });
      registry.write("pack.ts", changed.replace("1.1.0", "2.0.0"));
      git(registry.cwd, "commit", "--quiet", "--all", "-m", "Version 2");
      expect(await publish(registry, { changelog: false })).toMatchObject({
        release: { packVersion: "2.0.0" },
      });
    },
  );

  it.runIf(isLong)("a lost answer makes one release", async () => {
    await using registry = await startRegistry();
    await registry.upload();
    await registry.fail({ operation: "createPackRelease", drop: "after", count: 1 });
    expect(await publish(registry)).toMatchObject({ release: { releaseId: 1 }, isCurrent: false });
    expect(
      (
        await registry.client.call("listPackReleases", {
          path: { packId: String(registry.packId) },
        })
      ).items,
    ).toHaveLength(1);
  });

  it.each(chooseCases(["listPackReleases", "listPackVersions", "createPackRelease"], 3))(
    "a network that is gone at %s is one clear error, and the next run makes the one release",
    async (operation) => {
      await using registry = await startRegistry();
      await registry.upload();
      await registry.fail({ operation, drop: "before" });
      await expect(publish(registry)).rejects.toMatchObject({
        code: "REGISTRY_UNREACHABLE",
        hint: expect.stringContaining("again"),
      });
      await registry.fail();
      expect(await publish(registry)).toMatchObject({
        release: { releaseId: 1, packVersion: "1" },
        isCurrent: false,
      });
      expect(await publish(registry)).toMatchObject({ release: { releaseId: 1 }, isCurrent: true });
    },
  );

  it("an older version is not released again, and one that does not exist is named", async () => {
    await using registry = await startRegistry();
    await registry.upload();
    registry.write("pack.ts", packSource(hello("Greets you.")));
    await registry.upload();
    await publish(registry);
    const { client, packId } = registry;
    await expect(
      releaseVersion(client, packId, { version: "1", notes: "back" }),
    ).rejects.toMatchObject({
      code: "VERSION_OLDER",
      hint: expect.stringContaining("packsmith rollback 1"),
    });
    const path = { packId: String(packId) };
    await expect(
      client.call("createPackRelease", { path, body: { packVersion: "1" } }),
    ).rejects.toMatchObject({ message: expect.stringContaining("not newer than 2") });
    await expect(
      releaseVersion(client, packId, { version: "9.0.0", notes: "Other" }),
    ).rejects.toMatchObject({
      code: "VERSION_UNKNOWN",
      hint: "The newest versions are 2, 1.",
    });
  });
});
