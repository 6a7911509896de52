import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git } from "../../publish/registry/git.ts";
import { hello } from "../../publish/registry/registry.ts";
import { isLong } from "../../support/breadth.ts";
import { type PublishCli, startPublishCli, versioned } from "./publish-cli.ts";

const ALL = "packs/*/pack.ts";
const BYE = hello("Says goodbye.", "Bye");

interface Many {
  ok: boolean;
  results: Record<string, unknown>[];
  failures: { file: string; error: { code: string } }[];
}

const many = (cli: PublishCli, ...words: string[]) => cli.json<Many>(...words);

async function startReleased(packs: readonly string[]): Promise<PublishCli> {
  const cli = await startPublishCli(packs);
  await cli.run("create", ALL);
  cli.commit("Create");
  await cli.run("release", ALL, "--publish", "--no-types", "--notes", "First");
  return cli;
}

describe("commands for many Packs", () => {
  it.runIf(isLong)(
    "Packs of a fresh clone are released with three commands, however many there are",
    async () => {
      await using cli = await startPublishCli(["one", "two", "three", "four"]);
      const created = await cli.run("create", ALL);
      expect(created).toMatchObject({ code: 0 });
      expect(created.stderr.trimEnd().split("\n").at(-1)).toBe("4 created");
      cli.commit("Create");
      const applied = await cli.run("config", "apply", ALL);
      expect([applied.code, applied.stderr.trimEnd().split("\n").at(-1)]).toEqual([0, "4 changed"]);
      const released = await many(
        cli,
        "release",
        ALL,
        "--publish",
        "--no-types",
        "--notes",
        "First",
      );
      expect([released.code, released.document.results.length]).toEqual([0, 4]);
      const again = await cli.run("release", ALL, "--publish", "--no-types", "--notes", "First");
      expect([again.code, again.stderr.trimEnd().split("\n").at(-1)]).toEqual([0, "4 unchanged"]);
    },
  );

  it("a Pack that fails does not stop the others, decides the exit code, and is all that --continue does", async () => {
    await using cli = await startPublishCli(["one", "two", "three"]);
    await cli.run("create", "packs/one/pack.ts");
    const first = await cli.run("create", ALL);
    expect(first.code).toBe(2);
    expect(first.stderr).toContain("PACK_ID_PRESENT");
    expect(first.stderr).toContain("2 created, 1 failed");
    expect(first.stderr).toContain("--continue");
    const next = await many(cli, "create", ALL, "--continue");
    expect(next.code).toBe(0);
    expect(next.document.results.map(({ packId, isFound }) => [packId, isFound])).toEqual([
      [1001, true],
      [1002, true],
      [1003, true],
    ]);
  });

  it("a refused token stops all of them, and is reported once", async () => {
    await using cli = await startPublishCli(["one", "two", "three"]);
    await cli.run("create", ALL);
    const refused = await cli.run("versions", ALL, "--api-token", "wrong");
    expect(refused.code).toBe(12);
    expect(refused.stderr.match(/REGISTRY_TOKEN_REFUSED/g)).toHaveLength(1);
    expect(refused.stderr).toContain("packs/one/pack.ts, packs/three/pack.ts, packs/two/pack.ts");
  });

  it.runIf(isLong)(
    "a release without --publish raises the version of each, and what it wrote for one is not dirt for the next",
    async () => {
      await using cli = await startReleased(["one", "two"]);
      for (const name of ["one", "two"])
        cli.write(`packs/${name}/pack.ts`, versioned("1.0.0", hello(), BYE));
      cli.commit("Bye");
      const { code, document } = await many(cli, "release", ALL, "--no-types");
      expect(document.failures).toEqual([]);
      expect([code, document.results.map(({ previous, version }) => [previous, version])]).toEqual([
        0,
        [
          ["1.0.0", "1.1.0"],
          ["1.0.0", "1.1.0"],
        ],
      ]);
      cli.commit("Release");
      expect((await many(cli, "release", ALL, "--no-types")).code).toBe(0);
    },
  );

  it.runIf(isLong)("versions, releases, plan, pull and rollback work on all of them", async () => {
    await using cli = await startReleased(["one", "two"]);
    for (const name of ["one", "two"])
      cli.write(`packs/${name}/pack.ts`, versioned("1.1.0", hello(), BYE));
    cli.commit("Bye");
    await cli.run("release", ALL, "--publish", "--no-types", "--notes", "Bye");
    const versions = await cli.run("versions", ALL);
    expect(versions.stderr).toContain("packs/one/pack.ts\n");
    expect(versions.stdout.match(/^1\.1\.0 /gm)).toHaveLength(2);
    const plan = await many(cli, "config", "plan", ALL);
    expect([plan.code, plan.document.ok, plan.document.results.length]).toEqual([3, false, 2]);
    const back = await many(cli, "rollback", "1.0.0", ALL);
    expect([back.code, back.document.results.map(({ isCurrent }) => isCurrent)]).toEqual([
      0,
      [false, false],
    ]);
    const again = await cli.run("rollback", "1.0.0", ALL);
    expect(again.stderr).toContain("users have the source of 1.0.0 already, as 2.0.0");
    expect(again.stderr).toContain("2 unchanged");
    const pulled = await many(cli, "config", "pull", ALL);
    expect([pulled.code, pulled.document.results.length]).toEqual([0, 2]);
  });
});

describe("what a source changes for users", () => {
  it.runIf(isLong)(
    "is compared with the version that they have, also in a clone, and ends with 3 when it breaks",
    async () => {
      await using cli = await startReleased(["one"]);
      git(cli.cwd, "tag", "pack/1001/v1.0.0");
      cli.write("packs/one/pack.ts", versioned("1.1.0", BYE));
      cli.commit("Without Hello");
      for (const words of [
        ["upload", ALL, "--dry-run", "--no-types"],
        ["diff", "--live", "packs/one/pack.ts"],
      ]) {
        const shown = await cli.run(...words);
        expect([shown.code, shown.stdout]).toEqual([
          3,
          expect.stringContaining("formula Hello  removed"),
        ]);
        expect((await cli.run(...words, "--allow-breaking")).code).toBe(0);
      }
      const gate = await cli.run("release", ALL, "--publish", "--no-types", "--notes", "x");
      expect([gate.code, gate.stderr]).toEqual([3, expect.stringContaining("RELEASE_BREAKING")]);
    },
  );

  it.runIf(isLong)("is nothing when the source is what they have", async () => {
    await using cli = await startReleased(["one"]);
    const shown = await cli.run("upload", ALL, "--dry-run", "--no-types");
    expect([shown.code, shown.stderr]).toEqual([
      0,
      expect.stringContaining("users have  1.0.0; no changes for users"),
    ]);
  });

  it.runIf(isLong)(
    "a version that was uploaded and not released does not hide what changed for them",
    async () => {
      await using cli = await startReleased(["one"]);
      cli.write("packs/one/pack.ts", versioned("1.1.0", hello(), BYE));
      cli.commit("Bye");
      await cli.run("upload", ALL, "--no-types");
      cli.write("packs/one/pack.ts", versioned("1.1.0", hello(), hello("Sings.", "Sing")));
      cli.commit("Sing instead");
      const { document } = await many(cli, "release", ALL, "--no-types");
      expect(document.results[0]).toMatchObject({
        previous: "1.0.0",
        version: "1.2.0",
      });
      const changes = JSON.stringify(document.results[0]?.["changes"]);
      expect(changes).toContain("formula Sing");
      expect(changes).not.toContain("formula Bye");
      expect(readFileSync(join(cli.cwd, "packs/one/CHANGELOG.md"), "utf8")).not.toContain("Bye");
    },
  );
});
