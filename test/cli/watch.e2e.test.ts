import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isLong } from "../support/breadth.ts";
import { runCli } from "../support/cli.ts";
import { startLongCli } from "../support/long-cli.ts";
import { makeProject } from "../support/project.ts";

const writePack = (description: string): string => `import { newPack } from "packsmith";
export const pack = newPack();
pack.addFormula({ name: "A", description: ${description}, resultType: "string", parameters: [], execute: () => "a" });
`;

describe("packsmith build --watch", () => {
  it("tells each rebuild in a line, problems in their places, and that the Pack is well again; Ctrl+C ends it with 130", async () => {
    using project = makeProject({
      "pack.ts": writePack('"one"'),
      "package.json": '{"name":"watched"}',
    });
    await using cli = startLongCli(["build", "pack.ts", "--watch"], { cwd: project.path });
    await cli.seen(
      /built {2}pack\.ts {2}build\/watched\/bundle\.js {2}\d.* kB \(gzip .* kB\) {2}\d+ ms\n/,
    );
    await cli.seen(/watching {2}pack\.ts {2}stop it with Ctrl\+C\n/);
    const manifest = join(project.path, "build/watched/manifest.json");
    const before = readFileSync(manifest, "utf8");

    project.write("pack.ts", writePack('"one" +'));
    await cli.seen(/pack\.ts:3:\d+ {2}error {2}PACK_BUILD_FAILED {2}.*\n/);
    await cli.seen(/failed {2}pack\.ts {2}1 error {2}\d+ ms {2}← pack\.ts\n/);
    expect(readFileSync(manifest, "utf8")).toBe(before);

    project.write("pack.ts", writePack('"two"'));
    await cli.seen(/fixed {2}pack\.ts {2}build\/watched\/bundle\.js .* ms {2}← pack\.ts\n/);
    expect(readFileSync(manifest, "utf8")).toContain('"two"');
    expect(await cli.stop()).toBe(130);
  });

  it("prints one JSON document for each rebuild with --json", async () => {
    using project = makeProject({ "a.ts": writePack('"one"'), "b.ts": writePack("12") });
    await using cli = startLongCli(["build", "a.ts", "b.ts", "--watch", "--json"], {
      cwd: project.path,
    });
    await cli.seen(/"file":"(a|b)\.ts".*\n/);
    await cli.seen(/"file":"(a|b)\.ts".*\n/);
    project.write("b.ts", writePack('"now a text"'));
    await cli.seen(/"changedFiles":\["b\.ts"\].*\n/);
    expect(await cli.stop("SIGTERM")).toBe(130);
    const documents = cli
      .text()
      .trimEnd()
      .split("\n")
      .map(
        (line) =>
          JSON.parse(line) as {
            event: string;
            ok: boolean;
            file: string;
            pack?: { name: string };
            error?: { code: string };
          },
      );
    const facts = documents.map(({ event, ok, file, pack, error }) => ({
      event,
      ok,
      file,
      name: pack?.name,
      code: error?.code,
    }));
    expect(facts.slice(0, 2).sort((one, other) => (one.file < other.file ? -1 : 1))).toEqual([
      { event: "rebuild", ok: true, file: "a.ts", name: "a", code: undefined },
      { event: "rebuild", ok: false, file: "b.ts", name: undefined, code: "PACK_INVALID" },
    ]);
    expect(facts[2]).toEqual({
      event: "rebuild",
      ok: true,
      file: "b.ts",
      name: "b",
      code: undefined,
    });
  });

  it("tells what the compiler finds beside the rebuild, and when that is gone", async () => {
    const typed = (value: string) =>
      `${writePack('"one"')}export const count: number = ${value};\n`;
    using project = makeProject({ "pack.ts": typed('"text"') }, "typescript");
    await using cli = startLongCli(["build", "pack.ts", "--watch"], { cwd: project.path });
    await cli.seen(/built {2}pack\.ts/);
    await cli.seen(/pack\.ts:4:14 {2}error {2}TYPE_ERROR/);
    await cli.seen(/types {2}pack\.ts {2}1 error {2}\d+ ms\n/);
    project.write("pack.ts", typed("1"));
    await cli.seen(/types {2}pack\.ts {2}no problems {2}\d+ ms\n/);
    expect(await cli.stop()).toBe(130);
  });

  it.runIf(isLong)(
    "waits for a file that does not exist yet, and keeps to the budget",
    async () => {
      using project = makeProject({ "package.json": '{"name":"late"}' });
      await using cli = startLongCli(["build", "pack.ts", "--watch", "--budget", "100b"], {
        cwd: project.path,
      });
      await cli.seen(/PACK_FILE_UNREADABLE/);
      project.write("pack.ts", writePack('"one"'));
      await cli.seen(/BUNDLE_BUDGET/);
      await cli.seen(/failed {2}pack\.ts {2}1 error/);
      expect(existsSync(join(project.path, "build"))).toBe(false);
      expect(await cli.stop()).toBe(130);
    },
  );

  it.runIf(isLong)(
    "builds what a pattern matches later, says what has gone, and lets two Packs of one name not overwrite each other",
    async () => {
      const pack = (folder: string, name: string, text: string) => ({
        [`packs/${folder}/package.json`]: JSON.stringify({ name }),
        [`packs/${folder}/pack.ts`]: writePack(`"${text}"`),
      });
      using project = makeProject(pack("a", "first", "one"));
      const write = (files: Record<string, string>) =>
        Object.entries(files).map(([path, text]) => project.write(path, text));
      const manifest = (name: string) =>
        readFileSync(join(project.path, "build", name, "manifest.json"), "utf8");
      await using cli = startLongCli(["build", "packs/*/pack.ts", "--watch", "--no-types"], {
        cwd: project.path,
      });
      await cli.seen(/watching {2}packs\/\*\/pack\.ts/);
      write(pack("b", "second", "two"));
      await cli.seen(/built {2}packs\/b\/pack\.ts {2}build\/second\/bundle\.js/);
      expect(manifest("second")).toContain('"two"');

      write(pack("c", "first", "three"));
      await cli.seen(
        /PACK_NAME_CONFLICT {2}\S*packs\/c\/pack\.ts and \S*packs\/a\/pack\.ts have the same name "first"/,
      );
      await cli.seen(/failed {2}packs\/c\/pack\.ts/);
      expect(manifest("first")).toContain('"one"');
      rmSync(join(project.path, "packs/a"), { recursive: true });
      await cli.seen(/gone {2}packs\/a\/pack\.ts\n/);
      await cli.seen(/fixed {2}packs\/c\/pack\.ts {2}build\/first\/bundle\.js/);
      expect(manifest("first")).toContain('"three"');
      expect(await cli.stop()).toBe(130);
      expect(cli.text()).not.toContain("PACK_FILE_UNREADABLE");
    },
  );

  it.runIf(isLong)(
    "builds the first of two Packs of one name and all other Packs, whatever fails, and the second when the name is free",
    async () => {
      const pack = (folder: string, name: string, text: string) => ({
        [`${folder}/package.json`]: JSON.stringify({ name }),
        [`${folder}/pack.ts`]: writePack(`"${text}"`),
      });
      using project = makeProject({
        ...pack("a", "same", "first"),
        ...pack("b", "same", "second"),
        ...pack("c", "throws", "third"),
        "c/pack.ts": `${writePack('"third"')}throw new Error("Not yet.");\n`,
        ...pack("d", "good", "fourth"),
      });
      const manifest = (name: string) =>
        readFileSync(join(project.path, "build", name, "manifest.json"), "utf8");
      const files = ["a", "b", "c", "missing", "d"].map((folder) => `${folder}/pack.ts`);
      await using cli = startLongCli(["build", ...files, "--watch", "--no-types"], {
        cwd: project.path,
      });
      await cli.seen(/watching {2}5 Packs/);
      const problems = cli
        .text()
        .match(/^\S+ {2}error {2}\w+/gm)
        ?.sort();
      expect(problems).toEqual([
        "b/pack.ts:1:1  error  PACK_NAME_CONFLICT",
        "c/pack.ts:4:7  error  PACK_LOAD_FAILED",
        "missing/pack.ts:1:1  error  PACK_FILE_UNREADABLE",
      ]);
      expect([manifest("same"), manifest("good")]).toEqual([
        expect.stringContaining("first"),
        expect.stringContaining("fourth"),
      ]);

      project.write("d/pack.ts", writePack('"fifth"'));
      await cli.seen(/built {2}d\/pack\.ts .* ← d\/pack\.ts\n/);
      expect(manifest("good")).toContain("fifth");

      project.write("a/package.json", JSON.stringify({ name: "other" }));
      await cli.seen(/fixed {2}b\/pack\.ts/);
      expect([manifest("same"), manifest("other")]).toEqual([
        expect.stringContaining("second"),
        expect.stringContaining("first"),
      ]);
      project.write("c/pack.ts", writePack('"third"'));
      await cli.seen(/fixed {2}c\/pack\.ts/);
      expect(await cli.stop()).toBe(130);
    },
  );

  it.each([
    [
      ["build", "pack.ts", "--watch", "--format", "sarif"],
      "--watch and --format sarif cannot be used together.",
    ],
    [["validate", "pack.ts", "--watch", "--fix"], "--watch and --fix cannot be used together."],
  ])("refuses %j", async (args, message) => {
    using project = makeProject({ "pack.ts": writePack('"one"') });
    const { code, stderr } = await runCli(args, { cwd: project.path });
    expect({ code, stderr: stderr.split("\n")[0] }).toEqual({
      code: 2,
      stderr: `error USAGE_INVALID  ${message}`,
    });
  });
});

describe("packsmith validate --watch", () => {
  it("checks again after each save, and writes nothing", async () => {
    using project = makeProject({ "pack.ts": writePack('"one"') });
    await using cli = startLongCli(["validate", "pack.ts", "-w"], { cwd: project.path });
    await cli.seen(/valid {2}pack\.ts {2}no problems {2}\d+ ms\n/);
    project.write("pack.ts", writePack('"one", networkDomain: 1'));
    await cli.seen(/pack\.ts:3:\d+ {2}error {2}KEY_UNKNOWN/);
    await cli.seen(/failed {2}pack\.ts {2}1 error/);
    project.write("pack.ts", writePack('"one"'));
    await cli.seen(/fixed {2}pack\.ts {2}no problems/);
    expect(existsSync(join(project.path, "build"))).toBe(false);
    expect(await cli.stop()).toBe(130);
  });
});
