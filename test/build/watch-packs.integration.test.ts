import { EventEmitter } from "node:events";
import { existsSync, type FSWatcher, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { WatchEvent, WatchPacksOptions } from "../../src/build/watch-event.ts";
import type { OpenWatcher } from "../../src/build/watch-folders.ts";
import { type PackWatch, watchPacks } from "../../src/build/watch-packs.ts";
import { isLong } from "../support/breadth.ts";
import { makeProject, type ProjectFolder } from "../support/project.ts";

const writePack = (
  description: string,
  rest = "",
): string => `import { newPack } from "packsmith";${rest}
export const pack = newPack();
pack.addFormula({ name: "A", description: ${description}, resultType: "string", parameters: [], execute: () => "a" });
`;

interface Watching extends AsyncDisposable {
  watch: PackWatch;
  outcomes: WatchEvent[];
  /** Resolves with the next outcome that was not read yet. */
  next(): Promise<WatchEvent>;
}

async function startWatch(
  project: ProjectFolder,
  files = ["pack.ts"],
  options: Partial<WatchPacksOptions> = {},
): Promise<Watching> {
  const outcomes: WatchEvent[] = [];
  let asked = 0;
  let wake: () => void = () => {};
  const watch = await watchPacks(files, {
    cwd: project.path,
    onOutcome(outcome) {
      outcomes.push(outcome);
      wake();
    },
    ...options,
  });
  return {
    watch,
    outcomes,
    async next() {
      const index = asked++;
      while (outcomes[index] === undefined) await new Promise<void>((resolve) => (wake = resolve));
      return outcomes[index];
    },
    [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose](),
  };
}

const readDescription = ({ pack }: WatchEvent): unknown =>
  pack?.definition.formulas?.[0]?.description;

describe("watching a Pack", () => {
  it("reports an outcome at once, and again after a save", async () => {
    using project = makeProject({
      "package.json": '{"name":"watched"}',
      "pack.ts": writePack('"one"'),
    });
    await using watching = await startWatch(project);
    const first = await watching.next();
    expect(readDescription(first)).toBe("one");
    expect(first.changedFiles).toEqual([]);
    project.write("pack.ts", writePack('"two"'));
    const second = await watching.next();
    expect(readDescription(second)).toBe("two");
    expect(second.changedFiles).toEqual(["pack.ts"]);
    expect(second.failure).toBeUndefined();
  });

  it("continues when the Pack is broken, and reports when it works again", async () => {
    using project = makeProject({ "pack.ts": writePack('"one"') });
    await using watching = await startWatch(project);
    await watching.next();
    project.write("pack.ts", writePack('"one" +'));
    const broken = await watching.next();
    expect(broken.failure?.error.code).toBe("PACK_BUILD_FAILED");
    expect(broken.issues).toMatchObject([{ file: "pack.ts", line: 3 }]);
    expect(broken.pack).toBeUndefined();
    project.write("pack.ts", writePack('"two"'));
    expect(readDescription(await watching.next())).toBe("two");
  });

  it.runIf(isLong)(
    "begins with a Pack that does not build, and sees the mended file behind another one",
    async () => {
      using project = makeProject({
        "pack.ts": writePack("text", 'import { text } from "./lib/a";'),
        "lib/a.ts": 'export { text } from "../other/b";',
        "other/b.ts": "export const text = ;",
      });
      await using watching = await startWatch(project);
      expect((await watching.next()).failure?.error.code).toBe("PACK_BUILD_FAILED");
      project.write("lib/a.ts", 'export const text = "three";');
      expect(readDescription(await watching.next())).toBe("three");
    },
  );

  it("sees a file appear that an import misses, in a folder that does not exist yet", async () => {
    using project = makeProject({
      "pack.ts": writePack("text", 'import { text } from "./lib/deep/text";'),
    });
    await using watching = await startWatch(project);
    expect((await watching.next()).failure?.error.code).toBe("PACK_BUILD_FAILED");
    project.write("lib/deep/text.ts", 'export const text = "found";');
    let outcome = await watching.next();
    while (outcome.pack === undefined) outcome = await watching.next();
    expect(readDescription(outcome)).toBe("found");
  });

  it.each(["4913", "sedA1b2C3", ".#pack.ts", "pack.ts.tmp.71.ts"])(
    "does not name the temporary file %s of an editor",
    async (name) => {
      using project = makeProject({ "pack.ts": writePack('"one"') });
      await using watching = await startWatch(project);
      await watching.next();
      writeFileSync(join(project.path, name), writePack('"two"'));
      renameSync(join(project.path, name), join(project.path, "pack.ts"));
      const outcome = await watching.next();
      expect([readDescription(outcome), outcome.changedFiles]).toEqual(["two", ["pack.ts"]]);
    },
  );

  it("sees an import that is new, and a change of it", async () => {
    using project = makeProject({
      "pack.ts": writePack('"one"'),
      "lib/text.ts": 'export const text = "two";',
    });
    await using watching = await startWatch(project);
    await watching.next();
    project.write("pack.ts", writePack("text", 'import { text } from "./lib/text";'));
    expect(readDescription(await watching.next())).toBe("two");
    project.write("lib/text.ts", 'export const text = "three";');
    const outcome = await watching.next();
    expect(readDescription(outcome)).toBe("three");
    expect(outcome.changedFiles).toEqual(["lib/text.ts"]);
  });

  it.each<[string, (path: string, text: string) => void]>([
    [
      "moves a new file over the old one",
      (path, text) => {
        writeFileSync(`${path}.new`, text);
        renameSync(`${path}.new`, path);
      },
    ],
    [
      "moves the old file away first",
      (path, text) => {
        renameSync(path, `${path}~`);
        writeFileSync(path, text);
        rmSync(`${path}~`);
      },
    ],
    [
      "deletes the file and writes it again",
      (path, text) => {
        rmSync(path);
        setTimeout(() => writeFileSync(path, text), 15);
      },
    ],
    [
      "empties the file, then writes it",
      (path, text) => {
        writeFileSync(path, "");
        setTimeout(() => writeFileSync(path, text), 15);
      },
    ],
  ])("reports one outcome when an editor %s", async (_, save) => {
    using project = makeProject({ "pack.ts": writePack('"one"') });
    await using watching = await startWatch(project);
    await watching.next();
    for (const text of ["two", "three"]) {
      save(join(project.path, "pack.ts"), writePack(`"${text}"`));
      expect(readDescription(await watching.next())).toBe(text);
    }
    await watching.watch.settled();
    expect(watching.outcomes).toHaveLength(3);
  });

  it.runIf(isLong)("continues when the complete folder is moved away and comes back", async () => {
    using project = makeProject({ "app/pack.ts": writePack('"one"'), "app/lib/x.ts": "" });
    await using watching = await startWatch(project, ["app/pack.ts"]);
    await watching.next();
    renameSync(join(project.path, "app"), join(project.path, "gone"));
    expect((await watching.next()).failure?.error.code).toBe("PACK_FILE_UNREADABLE");
    mkdirSync(join(project.path, "app"));
    project.write("app/pack.ts", writePack('"two"'));
    expect(readDescription(await watching.next())).toBe("two");
    project.write("app/pack.ts", writePack('"three"'));
    expect(readDescription(await watching.next())).toBe("three");
  });

  it("sees changes of tsconfig.json, of what it extends, and of the package.json of a dependency", async () => {
    using project = makeProject({
      "package.json": '{"name":"configured"}',
      "tsconfig.json": '{"extends":"./base.json"}',
      "base.json": '{"compilerOptions":{"paths":{"text":["./one.ts"]}}}',
      "one.ts": 'export const text = "one";',
      "two.ts": 'export const text = "two";',
      "pack.ts": writePack("text + dep", 'import { text } from "text"; import { dep } from "dep";'),
      "node_modules/dep/package.json": '{"name":"dep","main":"a.js"}',
      "node_modules/dep/a.js": 'exports.dep = "a";',
      "node_modules/dep/b.js": 'exports.dep = "b";',
    });
    await using watching = await startWatch(project);
    expect(readDescription(await watching.next())).toBe("onea");
    project.write("base.json", '{"compilerOptions":{"paths":{"text":["./two.ts"]}}}');
    expect(readDescription(await watching.next())).toBe("twoa");
    project.write("tsconfig.json", '{"compilerOptions":{"paths":{"text":["./one.ts"]}}}');
    expect(readDescription(await watching.next())).toBe("onea");
    project.write("node_modules/dep/package.json", '{"name":"dep","main":"b.js"}');
    expect(readDescription(await watching.next())).toBe("oneb");
  });

  it.runIf(isLong)("sees a package that is installed later, its scope new or not", async () => {
    using project = makeProject({
      "package.json": '{"name":"scoped"}',
      "pack.ts": writePack("dep", 'import { dep } from "@scope/dep";'),
      "node_modules/@scope/other/package.json": "{}",
    });
    await using watching = await startWatch(project);
    expect((await watching.next()).failure?.error.message).toContain("@scope/dep is not installed");
    mkdirSync(join(project.path, "staged"));
    project.write("staged/dep/package.json", '{"name":"@scope/dep","main":"a.js"}');
    project.write("staged/dep/a.js", 'exports.dep = "installed";');
    renameSync(join(project.path, "staged/dep"), join(project.path, "node_modules/@scope/dep"));
    expect(readDescription(await watching.next())).toBe("installed");
  });

  it("builds only the Packs that a change is about", async () => {
    using project = makeProject({
      "package.json": "{}",
      "a/pack.ts": writePack('"a"'),
      "b/pack.ts": writePack("text", 'import { text } from "../shared/text";'),
      "c/pack.ts": writePack("text", 'import { text } from "../shared/text";'),
      "shared/text.ts": 'export const text = "one";',
    });
    await using watching = await startWatch(project, ["a/pack.ts", "b/pack.ts", "c/pack.ts"]);
    for (const _ of [1, 2, 3]) await watching.next();
    project.write("shared/text.ts", 'export const text = "two";');
    const both = [await watching.next(), await watching.next()];
    expect(both.map(({ file }) => file).sort()).toEqual(["b/pack.ts", "c/pack.ts"]);
    expect(both.map(readDescription)).toEqual(["two", "two"]);
    project.write("a/pack.ts", writePack('"aa"'));
    expect(readDescription(await watching.next())).toBe("aa");
    expect(watching.outcomes).toHaveLength(6);
  });

  it("says nothing of a save that changes nothing", async () => {
    using project = makeProject({ "pack.ts": writePack('"one"') });
    await using watching = await startWatch(project);
    project.write("pack.ts", writePack('"one"'));
    await watching.watch.settled();
    expect(watching.outcomes).toHaveLength(1);
  });

  it("has reported every earlier save when it is settled, whatever the system has reported until then", async () => {
    using project = makeProject({ "pack.ts": writePack('"0"') });
    await using watching = await startWatch(project);
    for (let round = 1; round <= 5; round++) {
      project.write("pack.ts", writePack(`"${round}"`));
      await watching.watch.settled();
      expect(readDescription(watching.outcomes.at(-1) as WatchEvent)).toBe(String(round));
    }
  });

  it("looks at the folders now and then where the system does not watch them", async () => {
    using project = makeProject({ "pack.ts": writePack('"one"') });
    const openWatcher = () => {
      throw Object.assign(new Error("no watches left"), { code: "ENOSPC" });
    };
    await using watching = await startWatch(project, ["pack.ts"], { openWatcher, pollMs: 5 });
    await watching.next();
    project.write("pack.ts", writePack('"two"'));
    expect(readDescription(await watching.next())).toBe("two");
  });

  it("hands the isolate over when it is asked to", async () => {
    using project = makeProject({ "pack.ts": writePack('"one"') });
    await using watching = await startWatch(project, ["pack.ts"], { keepIsolates: true });
    const { pack } = await watching.next();
    await using owned = pack;
    const outcome = await owned?.isolate.invoke(
      { kind: "formula", name: "A", args: [] },
      {
        context: {
          endpoint: undefined,
          invocationLocation: { protocolAndHost: "https://docs.example" },
          timezone: "UTC",
          invocationToken: "t",
        },
        fetch: () => Promise.reject(new TypeError("no network")),
      },
    );
    expect(outcome).toMatchObject({ ok: true, value: "a" });
  });

  it("ends when an outcome cannot be received, and says so", async () => {
    using project = makeProject({ "pack.ts": writePack('"one"') });
    let count = 0;
    await using watch = await watchPacks(["pack.ts"], {
      cwd: project.path,
      onOutcome() {
        if (count++ > 0) throw new TypeError("no room");
      },
    });
    project.write("pack.ts", writePack('"two"'));
    await expect(watch.ended).rejects.toThrow("no room");
    await expect(watch.settled()).rejects.toThrow("no room");
  });

  it("starts nothing when it has been disposed of", async () => {
    using project = makeProject({ "pack.ts": writePack('"one"') });
    const watching = await startWatch(project);
    await watching[Symbol.asyncDispose]();
    project.write("pack.ts", writePack('"two"'));
    await watching.watch.settled();
    expect(watching.outcomes).toHaveLength(1);
    expect(existsSync(join(project.path, "pack.ts"))).toBe(true);
  });
});

describe("watching a pattern", () => {
  const named = (name: string, text: string) => ({
    [`packs/${name}/pack.ts`]: writePack(`"${text}"`),
  });

  async function startPattern(
    project: ProjectFolder,
    options: Partial<WatchPacksOptions> = {},
  ): Promise<Watching & { gone: string[] }> {
    const gone: string[] = [];
    const watching = await startWatch(project, ["packs/*/pack.ts"], {
      onGone: (file) => void gone.push(file),
      ...options,
    });
    return { ...watching, gone, [Symbol.asyncDispose]: () => watching[Symbol.asyncDispose]() };
  }

  /** Resolves when these files are gone, with nothing but the notifications of the system. */
  const untilGone = ({ gone }: { gone: string[] }, files: string[]) =>
    vi.waitFor(() => expect(gone).toEqual(files), { timeout: 60_000, interval: 5 });

  it.each<[string, Partial<WatchPacksOptions>]>([
    ["with notifications of the system", {}],
    [
      "where the system does not watch",
      {
        pollMs: 5,
        openWatcher: () => {
          throw new Error("no watches left");
        },
      },
    ],
  ])("a Pack that appears is built, and watched like the others, %s", async (_, options) => {
    using project = makeProject(named("a", "one"));
    await using watching = await startPattern(project, options);
    expect((await watching.next()).file).toBe("packs/a/pack.ts");
    mkdirSync(join(project.path, "packs/b"));
    project.write("packs/b/pack.ts", writePack('"new"'));
    const added = await watching.next();
    expect(added).toMatchObject({ file: "packs/b/pack.ts", failure: undefined });
    expect(readDescription(added)).toBe("new");
    project.write("packs/b/pack.ts", writePack('"newer"'));
    expect(readDescription(await watching.next())).toBe("newer");
    expect(watching.watch.files).toEqual(["packs/a/pack.ts", "packs/b/pack.ts"]);
  });

  it("a Pack that disappears leaves without an error, the last one too, and comes again", async () => {
    using project = makeProject({ ...named("a", "one"), ...named("b", "two") });
    await using watching = await startPattern(project);
    await Promise.all([watching.next(), watching.next()]);
    rmSync(join(project.path, "packs/b"), { recursive: true });
    await untilGone(watching, ["packs/b/pack.ts"]);
    expect(watching.watch.files).toEqual(["packs/a/pack.ts"]);
    rmSync(join(project.path, "packs"), { recursive: true });
    await untilGone(watching, ["packs/b/pack.ts", "packs/a/pack.ts"]);
    expect(watching.watch.files).toEqual([]);
    project.write("packs/c/pack.ts", writePack('"three"'));
    expect(readDescription(await watching.next())).toBe("three");
    expect(watching.outcomes.map(({ failure }) => failure)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.runIf(isLong)(
    "settled waits for files that appeared and disappeared, whether the system has reported them or not",
    async () => {
      using project = makeProject(named("a", "one"));
      const openWatcher: OpenWatcher = () =>
        Object.assign(new EventEmitter(), { close: () => {} }) as FSWatcher;
      await using watching = await startPattern(project, { openWatcher });
      project.write("packs/b/pack.ts", writePack('"two"'));
      await watching.watch.settled();
      expect(watching.outcomes.map(readDescription)).toEqual(["one", "two"]);
      rmSync(join(project.path, "packs/a"), { recursive: true });
      await watching.watch.settled();
      expect(watching.gone).toEqual(["packs/a/pack.ts"]);
      expect(watching.watch.files).toEqual(["packs/b/pack.ts"]);
    },
  );

  it.runIf(isLong)("a Pack that is moved is one that disappears and one that appears", async () => {
    using project = makeProject(named("a", "one"));
    await using watching = await startPattern(project);
    await watching.next();
    renameSync(join(project.path, "packs/a"), join(project.path, "packs/b"));
    expect((await watching.next()).file).toBe("packs/b/pack.ts");
    expect(watching.gone).toEqual(["packs/a/pack.ts"]);
    expect(watching.outcomes).toHaveLength(2);
  });

  it.runIf(isLong)(
    "a file that was named stays when it disappears, and its Pack is broken",
    async () => {
      using project = makeProject({ ...named("a", "one"), "mine.ts": writePack('"two"') });
      await using watching = await startWatch(project, ["packs/*/pack.ts", "mine.ts"]);
      await Promise.all([watching.next(), watching.next()]);
      rmSync(join(project.path, "mine.ts"));
      expect(await watching.next()).toMatchObject({
        file: "mine.ts",
        failure: { error: { code: "PACK_FILE_UNREADABLE" } },
      });
      expect(watching.watch.files).toEqual(["packs/a/pack.ts", "mine.ts"]);
    },
  );
});
