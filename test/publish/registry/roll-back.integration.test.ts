import { describe, expect, it } from "vitest";
import { publishRelease } from "../../../src/publish/registry/publish-release.ts";
import { rollBack } from "../../../src/publish/registry/roll-back.ts";
import { chooseCases, isLong } from "../../support/breadth.ts";
import { git, startGit } from "./git.ts";
import { hello, packSource, startRegistry, type TestRegistry } from "./registry.ts";

const source = (version: string, ...formulas: string[]) =>
  packSource(formulas.join("\n"), `newPack({ version: "${version}" })`);
const HELLO = hello();
const BYE = hello("Says goodbye.", "Bye");

const publish = ({ cwd, client }: TestRegistry, gitTag = false) =>
  publishRelease("pack.ts", { cwd, client, types: false, changelog: false, gitTag });

const back = ({ cwd, client }: TestRegistry, version: string) =>
  rollBack("pack.ts", { cwd, client, version });

/** A Pack whose versions 1.0.0 and 1.1.0 were released. */
async function startReleased({ gitTag = false } = {}) {
  const registry = await startRegistry(source("1.0.0", HELLO));
  startGit(registry);
  await publish(registry, gitTag);
  commitSource(registry, source("1.1.0", HELLO, BYE), "Bye");
  await publish(registry, gitTag);
  return registry;
}

function commitSource(registry: TestRegistry, text: string, message: string): void {
  registry.write("pack.ts", text);
  git(registry.cwd, "commit", "--quiet", "--all", "-m", message);
}

async function listNames(
  registry: TestRegistry,
  packVersion: string,
  targetPackVersion = "1.0.0",
): Promise<string[]> {
  const { client, packId } = registry;
  const diff = await client.call("getPackVersionDiff", {
    path: { packId: String(packId), basePackVersion: packVersion, targetPackVersion },
  });
  return diff.findings;
}

describe("a rollback", () => {
  it.each(chooseCases([false, true], 2))(
    "releases the older source under a higher version, and touches no file (tagged: %s)",
    async (gitTag) => {
      await using registry = await startReleased({ gitTag });
      registry.write("notes.txt", "not committed");
      const before = [git(registry.cwd, "status", "--porcelain"), git(registry.cwd, "log")];
      const done = await back(registry, "1.0.0");
      expect(done).toMatchObject({
        isCurrent: false,
        previous: "1.1.0",
        release: {
          packVersion: "2.0.0",
          releaseNotes: "Replaces version 1.1.0 with the older version 1.0.0.",
        },
      });
      expect(done.changes?.map(({ subject, message }) => `${subject}: ${message}`)).toContain(
        "formula Bye: removed",
      );
      expect(await listNames(registry, "2.0.0")).toEqual([]);
      expect([git(registry.cwd, "status", "--porcelain"), git(registry.cwd, "log")]).toEqual(
        before,
      );
    },
  );

  it.runIf(isLong)("is repeated without another release, when users have the version", async () => {
    await using registry = await startReleased();
    expect(await back(registry, "1.1.0")).toMatchObject({ isCurrent: true, changes: [] });
  });

  it.runIf(isLong)("is followed by a release above it, which says what to do", async () => {
    await using registry = await startReleased();
    await back(registry, "1.0.0");
    commitSource(registry, source("1.1.0", HELLO, hello("Waves.", "Wave")), "Wave");
    await expect(publish(registry)).rejects.toMatchObject({
      code: "RELEASE_UNCOMMITTED",
      message: expect.stringContaining("2.1.0"),
    });
    commitSource(registry, source("2.1.0", HELLO, hello("Waves.", "Wave")), "Raise the version");
    expect(await publish(registry)).toMatchObject({ release: { packVersion: "2.1.0" } });
  });

  it.runIf(isLong)(
    "of a version that only the registry knows says how to name its commit",
    async () => {
      await using registry = await startRegistry();
      await registry.upload();
      startGit(registry);
      await publish(registry);
      commitSource(registry, packSource(BYE), "Bye");
      await publish(registry);
      const tag = `pack/${registry.packId}/v1`;
      await expect(back(registry, "1")).rejects.toMatchObject({
        code: "VERSION_UNKNOWN",
        hint: expect.stringContaining(`git tag ${tag} COMMIT`),
      });
      git(registry.cwd, "tag", tag, "HEAD~1");
      const { release } = await back(registry, "1");
      expect(await listNames(registry, release.packVersion, "1")).toEqual([]);
    },
  );

  it.runIf(isLong)("to a version that was never uploaded names those that were", async () => {
    await using registry = await startReleased();
    await expect(back(registry, "0.9.0")).rejects.toMatchObject({
      code: "VERSION_UNKNOWN",
      hint: "The newest versions are 1.1.0, 1.0.0.",
    });
  });
});
