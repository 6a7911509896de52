import { execFileSync } from "node:child_process";
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildPacks } from "../../src/build/build-packs.ts";
import type { RebuildEvent } from "../../src/build/rebuild-event.ts";
import { rebuildPacks } from "../../src/build/rebuild-packs.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";

const makePack = (version: string): string =>
  `import { newPack } from "packsmith";\nexport const pack = newPack({ version: "${version}" });\n`;

const TASKS = { "x/tasks/pack.ts": makePack("1.0.0"), "y/tasks/pack.ts": makePack("2.0.0") };

const getOptions = (project: ProjectFolder) => ({
  cwd: project.path,
  outDir: "build",
  cacheDir: "cache",
  types: false,
});

/** The names of what was built, or the code of the error. */
async function build(project: ProjectFolder, ...files: string[]): Promise<string> {
  const { packs, failure, issues } = await buildPacks(files, getOptions(project));
  if (failure === undefined) return packs.map(({ name }) => name).join(" ");
  expect(issues.map(({ code }) => code)).toEqual([failure.error.code]);
  return failure.error.code;
}

const readVersion = (project: ProjectFolder, name = "tasks"): string =>
  JSON.parse(project.read(`build/${name}/manifest.json`)).version;

describe("the output folder of another Pack", () => {
  it("is not replaced, with and without the cache", async () => {
    using project = makeProject(TASKS);
    expect(await build(project, "x/tasks/pack.ts")).toBe("tasks");
    for (let round = 0; round < 2; round += 1) {
      expect(await build(project, "y/tasks/pack.ts")).toBe("PACK_NAME_CONFLICT");
      expect(readVersion(project)).toBe("1.0.0");
    }
    expect(await build(project, "x/tasks/pack.ts", "y/tasks/pack.ts")).toBe("x-tasks y-tasks");
    project.write("x/tasks/pack.ts", makePack("1.1.0"));
    expect(await build(project, "x/tasks/pack.ts")).toBe("tasks");
    expect(readVersion(project)).toBe("1.1.0");
  });

  it("is not replaced while files are watched, and is when the other Pack is gone", async () => {
    using project = makeProject(TASKS);
    await build(project, "x/tasks/pack.ts");
    const events: RebuildEvent[] = [];
    const { cacheDir: _, ...options } = getOptions(project);
    await using watch = await rebuildPacks(["y/tasks/pack.ts"], {
      ...options,
      onEvent: (event) => void events.push(event),
    });
    await watch.settled();
    expect(events).toMatchObject([{ failure: { error: { code: "PACK_NAME_CONFLICT" } } }]);
    expect(readVersion(project)).toBe("1.0.0");
    rmSync(join(project.path, "x"), { recursive: true });
    project.write("y/tasks/pack.ts", makePack("2.1.0"));
    await expect.poll(() => events.length).toBe(2);
    expect(events[1]).toMatchObject({ failure: undefined, recoveredAfter: 1 });
    expect(readVersion(project)).toBe("2.1.0");
  });

  it("is replaced when the other Pack has another name in the same command", async () => {
    using project = makeProject({
      "a/package.json": '{ "name": "tasks" }',
      "a/pack.ts": makePack("1.0.0"),
      "b/pack.ts": makePack("2.0.0"),
    });
    await build(project, "a/pack.ts");
    project.write("a/package.json", '{ "name": "notes" }');
    project.write("b/package.json", '{ "name": "tasks" }');
    expect(await build(project, "b/pack.ts")).toBe("PACK_NAME_CONFLICT");
    expect(await build(project, "a/pack.ts", "b/pack.ts")).toBe("notes tasks");
    expect(readVersion(project)).toBe("2.0.0");
  });

  it("is replaced when the Pack was moved", async () => {
    using project = makeProject({ "x/tasks/pack.ts": makePack("1.0.0") });
    await build(project, "x/tasks/pack.ts");
    renameSync(join(project.path, "x"), join(project.path, "z"));
    expect(await build(project, "z/tasks/pack.ts")).toBe("tasks");
  });

  it("is replaced when a link leads to the same Pack", async () => {
    using project = makeProject({ "x/tasks/pack.ts": makePack("1.0.0") });
    await build(project, "x/tasks/pack.ts");
    symlinkSync(join(project.path, "x"), join(project.path, "link"), "dir");
    expect(await build(project, "link/tasks/pack.ts")).toBe("tasks");
    expect(await build(project, "x/tasks/pack.ts")).toBe("tasks");
  });

  it("is found through a link to the folder of all outputs", async () => {
    using project = makeProject({ ...TASKS, "deep/er/out/x.txt": "" });
    symlinkSync(join(project.path, "deep/er/out"), join(project.path, "build"), "dir");
    expect(await build(project, "x/tasks/pack.ts")).toBe("tasks");
    expect(await build(project, "y/tasks/pack.ts")).toBe("PACK_NAME_CONFLICT");
    const { packs } = await buildPacks(["y/tasks/pack.ts"], {
      ...getOptions(project),
      outDir: "deep/er/out",
    });
    expect(packs).toEqual([]);
  });

  it.each([
    ["damaged", () => "{"],
    ["of another program", () => '{ "entry": "../../x/tasks/pack.ts" }'],
    ["without an entry", (text: string) => text.replace(/"entry": .*\n/, "")],
    ["with a number for the entry", (text: string) => text.replace(/"entry": .*"/, '"entry": 1')],
    ["with an impossible entry", (text: string) => text.replace(/"entry": "/, "$&\\u0000")],
    [
      "with a folder for the entry",
      (text: string) => text.replace(/"entry": .*"/, '"entry": ".."'),
    ],
  ])("is replaced when its build.json is %s", async (_, change) => {
    using project = makeProject(TASKS);
    await build(project, "x/tasks/pack.ts");
    project.write("build/tasks/build.json", change(project.read("build/tasks/build.json")));
    expect(await build(project, "y/tasks/pack.ts")).toBe("tasks");
    expect(readVersion(project)).toBe("2.0.0");
  });

  it.skipIf(process.platform === "win32")("is replaced when its build.json is a pipe", async () => {
    using project = makeProject({ ...TASKS, "build/tasks/x.txt": "" });
    execFileSync("mkfifo", [join(project.path, "build/tasks/build.json")]);
    expect(await build(project, "y/tasks/pack.ts")).toBe("tasks");
    expect(readVersion(project)).toBe("2.0.0");
  });

  it("has an entry in build.json that does not depend on where the project is", async () => {
    const read = async (): Promise<string> => {
      using project = makeProject({ "packs/ö/src/pack.ts": makePack("1.0.0") });
      await build(project, "packs/ö/src/pack.ts");
      return project.read("build/ö/build.json");
    };
    const text = await read();
    expect(JSON.parse(text)).toMatchObject({ entry: "../../packs/ö/src/pack.ts" });
    expect(await read()).toBe(text);
  });

  it("has no entry in build.json outside of the project: its path would tell where that is", async () => {
    using project = makeProject({ "repo/package.json": "{}", "repo/tasks.ts": makePack("1.0.0") });
    const { ok } = await buildPacks(["tasks.ts"], {
      cwd: join(project.path, "repo"),
      outDir: "../out",
      cache: false,
      types: false,
    });
    expect(ok).toBe(true);
    expect(JSON.parse(project.read("out/tasks/build.json"))).not.toHaveProperty("entry");
  });
});
