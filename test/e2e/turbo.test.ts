import { execFile, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { declaredInputs } from "../../src/build/declared-inputs.ts";
import { makePackWorkspace } from "../support/pack-workspace.ts";
import { samplePath } from "../support/sample-path.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const PACKS = 20;
const turbo = createRequire(import.meta.url).resolve("turbo/bin/turbo");
const compiler = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
const example = (name: string): string =>
  readFileSync(new URL(`../../docs/pipelines/${name}`, import.meta.url), "utf8");

/**
 * A repository as docs/pipelines.md describes it, with what turbo wants to know about the package
 * manager.
 */
function makeRepository(count = PACKS) {
  const packageJson = (name: string) =>
    JSON.stringify({ ...JSON.parse(example("package.json")), name, version: "1.0.0" });
  const folders = Array.from(
    { length: count },
    (_, index) => `pack-${String(index + 1).padStart(2, "0")}`,
  );
  const lock = {
    name: "packs",
    lockfileVersion: 3,
    requires: true,
    packages: {
      "": { name: "packs", workspaces: ["packs/*"] },
      ...Object.fromEntries(folders.map((name) => [`packs/${name}`, { name, version: "1.0.0" }])),
      ...Object.fromEntries(
        folders.map((name) => [`node_modules/${name}`, { resolved: `packs/${name}`, link: true }]),
      ),
    },
  };
  const repository = makePackWorkspace(count, {
    root: {
      "turbo.json": example("turbo.json"),
      "package.json": JSON.stringify({
        name: "packs",
        private: true,
        packageManager: "npm@10.8.2",
        workspaces: ["packs/*"],
        scripts: { types: "tsc --noEmit" },
      }),
      "package-lock.json": JSON.stringify(lock),
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          module: "NodeNext",
          allowImportingTsExtensions: true,
          noEmit: true,
          strict: true,
          types: [],
        },
        include: ["packs"],
      }),
      // Git lists the builds, so the settings have to leave them out.
      ".gitignore": "node_modules\n.turbo\n",
    },
    packageJson,
  });
  // What npm makes of TypeScript's "bin".
  repository.write(
    "node_modules/.bin/tsc",
    `#!/bin/sh\nexec "${process.execPath}" "${compiler}" "$@"\n`,
  );
  chmodSync(join(repository.path, "node_modules/.bin/tsc"), 0o755);
  // Turbo asks git which files there are and which are ignored; without a commit its hashes are not
  // stable.
  const git = (...args: string[]) =>
    execFileSync("git", args, {
      cwd: repository.path,
      env: { ...process.env, HOME: repository.path },
    });
  git("init", "--quiet");
  git("add", "--all");
  git(
    "-c",
    "user.name=Author",
    "-c",
    "user.email=author@people.example",
    "commit",
    "--quiet",
    "--no-gpg-sign",
    "--message",
    "Packs",
  );
  return { ...repository, git, [Symbol.dispose]: () => repository[Symbol.dispose]() };
}

interface Summary {
  execution: { attempted: number; cached: number; failed: number; success: number };
  tasks: { package: string; cache: { status: "HIT" | "MISS" } }[];
}

/** The text of a file with a difference that changes no meaning. */
function changedText(root: string, file: string): string {
  const path = join(root, file);
  return existsSync(path) ? `${readFileSync(path, "utf8")}\n` : "{}";
}

/**
 * Runs turbo without its telemetry and, unless a cache is named, the network; it has no daemon any
 * more. @returns what it says about each task
 */
async function build(cwd: string, remote?: RemoteCache): Promise<Summary> {
  const runs = join(cwd, ".turbo/runs");
  rmSync(runs, { recursive: true, force: true });
  const env = {
    PATH: process.env["PATH"],
    HOME: cwd,
    CI: "1",
    TURBO_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
    TURBO_NO_UPDATE_NOTIFIER: "1",
    npm_config_update_notifier: "false",
    ...(remote === undefined
      ? {}
      : { TURBO_API: remote.url, TURBO_TEAM: "packs", TURBO_TOKEN: remote.token }),
  };
  const cache = remote === undefined ? "local:rw,remote:" : "local:,remote:rw";
  const args = [
    "run",
    "types",
    "build",
    "--summarize",
    `--cache=${cache}`,
    "--concurrency=2",
    "--output-logs=errors-only",
  ];
  const failure = await new Promise<string | undefined>((resolve) => {
    execFile(
      process.execPath,
      [turbo, ...args],
      { cwd, env, timeout: 240_000, maxBuffer: 1e7 },
      (error, stdout, stderr) =>
        resolve(error === null ? undefined : `${error.message}\n${stdout}\n${stderr}`),
    );
  });
  if (failure !== undefined) throw new Error(failure);
  const [file = ""] = readdirSync(runs);
  return JSON.parse(readFileSync(join(runs, file), "utf8")) as Summary;
}

interface RemoteCache extends AsyncDisposable {
  url: string;
  token: string;
}

/**
 * A cache server that others wrote, on a free loopback port. @param installed folder with
 * turborepo-remote-cache
 */
async function startRemoteCache(installed: string): Promise<RemoteCache> {
  const storage = makeTemporaryFolder();
  const token = "synthetic-cache-token";
  const env = {
    PATH: process.env["PATH"],
    HOME: storage.path,
    NODE_ENV: "production",
    PORT: "0",
    HOST: "127.0.0.1",
    TURBO_TOKEN: token,
    STORAGE_PROVIDER: "local",
    STORAGE_PATH: storage.path,
    LOG_LEVEL: "info",
  };
  const child = spawn(
    process.execPath,
    [join(installed, "node_modules/turborepo-remote-cache/dist/cli.js")],
    { cwd: storage.path, env },
  );
  let text = "";
  const url = await new Promise<string>((resolve, reject) => {
    const look = (chunk: unknown) => {
      text += String(chunk);
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("close", () => reject(new Error(text)));
  });
  return {
    url,
    token,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => child.once("close", resolve));
      child.kill();
      await closed;
      storage[Symbol.dispose]();
    },
  };
}

function outputs(cwd: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) =>
      ["bundle.js", "bundle.js.map", "manifest.json", "build.json"].map((file) => {
        const path = join("packs", name, "build", name, file);
        return [path, readFileSync(join(cwd, path)).toString("base64")];
      }),
    ),
  );
}

/**
 * @returns the hash of a task of each Pack, or of the root as "//", which the cache goes by. Nothing
 * runs
 */
async function hashes(cwd: string, task = "build"): Promise<Record<string, string>> {
  const args = [turbo, "run", task, "--dry=json", "--cache=local:rw,remote:"];
  const env = {
    PATH: process.env["PATH"],
    HOME: cwd,
    CI: "1",
    TURBO_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
  };
  const text = await new Promise<string>((resolve, reject) => {
    execFile(
      process.execPath,
      args,
      { cwd, env, timeout: 120_000, maxBuffer: 1e7 },
      (error, stdout) => (error === null ? resolve(stdout) : reject(error)),
    );
  });
  const { tasks } = JSON.parse(text) as { tasks: { package: string; hash: string }[] };
  return Object.fromEntries(tasks.map((task) => [task.package, task.hash]));
}

/** The Packs whose builds, or other task, would not come from the cache after a change. */
async function missedAfter(cwd: string, change: () => void, task?: string): Promise<string[]> {
  const before = await hashes(cwd, task);
  change();
  const after = await hashes(cwd, task);
  return Object.keys(after).filter((name) => before[name] !== after[name]);
}

/** The Packs that were built. "//" is the root, where the types of all are checked. */
const missed = ({ tasks }: Summary): string[] =>
  tasks
    .filter(({ cache, package: name }) => cache.status === "MISS" && name !== "//")
    .map((task) => task.package);

/** What docs/pipelines/shards.mjs prints after a change. */
function shardsAfter({ path, git }: ReturnType<typeof makeRepository>, change: () => void): string {
  change();
  git("add", "--all");
  git(
    "-c",
    "user.name=Author",
    "-c",
    "user.email=author@people.example",
    "commit",
    "--quiet",
    "--no-gpg-sign",
    "--message",
    "Change",
  );
  const env = {
    PATH: process.env["PATH"],
    HOME: path,
    CI: "1",
    TURBO_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
    TURBO_SCM_BASE: "HEAD~1",
  };
  return execFileSync(process.execPath, ["shards.mjs", "2"], {
    cwd: path,
    env,
    encoding: "utf8",
    timeout: 120_000,
  }).trim();
}

/** Set by .ci/run: the folder in which turborepo-remote-cache is installed. */
const remoteCache = process.env["PACKSMITH_TURBO_CACHE"];

describe("Turborepo", () => {
  it("lists the Packs that a change affects as the shards of a matrix job", () => {
    using repository = makeRepository(3);
    const { write } = repository;
    write("shards.mjs", example("shards.mjs"));
    write("node_modules/.bin/turbo", `#!/bin/sh\nexec "${process.execPath}" "${turbo}" "$@"\n`);
    chmodSync(join(repository.path, "node_modules/.bin/turbo"), 0o755);
    expect(shardsAfter(repository, () => write("README.md", "# Packs\n"))).toBe("shards=[]");
    expect(
      shardsAfter(repository, () =>
        write("packs/pack-02/lib.ts", "export const greet = String;\n"),
      ),
    ).toBe('shards=["--filter=pack-02"]');
    expect(shardsAfter(repository, () => write("tsconfig.json", '{ "compilerOptions": {} }'))).toBe(
      'shards=["--filter=pack-01 --filter=pack-03","--filter=pack-02"]',
    );
  }, 120_000);

  it.skipIf(remoteCache === undefined)(
    "gets every Pack from a remote cache in a second checkout, byte for byte",
    async () => {
      await using remote = await startRemoteCache(remoteCache ?? "");
      using first = makeRepository(3);
      expect((await build(first.path, remote)).execution).toMatchObject({
        attempted: 4,
        cached: 0,
        failed: 0,
      });
      using second = makeRepository(3);
      expect((await build(second.path, remote)).execution).toMatchObject({
        attempted: 4,
        cached: 4,
        failed: 0,
      });
      expect(outputs(second.path, second.names)).toEqual(outputs(first.path, first.names));
    },
    300_000,
  );

  it("misses the cache after a change of each declared input, and hits it after a change of what is ignored", async () => {
    using repository = makeRepository(3);
    const { path, names, write } = repository;
    const [first = "", ...others] = names;
    const inPack = (file: string) => join("packs", first, file);
    // One file for each pattern, which is not there before.
    const { root, ignored, outputs: written } = declaredInputs();
    for (const file of root.map(samplePath)) {
      // A package.json at the root has to stay one.
      const text =
        file === "package.json"
          ? `${readFileSync(join(path, file), "utf8")}\n`
          : '{ "compilerOptions": { "strict": false } }';
      expect([file, await missedAfter(path, () => write(file, text))]).toEqual([file, names]);
    }
    for (const file of ["pack.ts", "lib.ts", "package.json", "sub/new.ts", "build/lib.ts"])
      expect([
        file,
        await missedAfter(path, () => write(inPack(file), changedText(path, inPack(file)))),
      ]).toEqual([file, [first]]);
    for (const file of [...ignored, ...written].map(samplePath))
      expect([file, await missedAfter(path, () => write(inPack(file), "changed"))]).toEqual([
        file,
        [],
      ]);
    // The workspaces that a Pack depends on.
    const dependent = {
      ...JSON.parse(readFileSync(join(path, "packs", others[0] ?? "", "package.json"), "utf8")),
      dependencies: { [first]: "*" },
    };
    write(join("packs", others[0] ?? "", "package.json"), JSON.stringify(dependent));
    expect(
      await missedAfter(path, () => write(inPack("lib.ts"), "export const greet = String;")),
    ).toEqual([first, others[0]]);
  }, 300_000);

  it("checks the types again after a change of a file of any kind that they depend on, and of no other", async () => {
    using repository = makeRepository(1);
    const { path, write } = repository;
    const isMissed = async (file: string) =>
      (await missedAfter(path, () => write(file, changedText(path, file)), "types")).length > 0;
    for (const file of [
      "helper.js",
      "view.tsx",
      "data.json",
      "build/mark.ts",
      "build/lib/mark.mjs",
    ])
      expect([file, await isMissed(`packs/pack-01/${file}`)]).toEqual([file, true]);
    for (const file of [
      "LICENSE",
      "packs/pack-01/README.md",
      "packs/pack-01/build/pack-01/bundle.js",
      "packs/pack-01/build/pack-01/build.json",
    ])
      expect([file, await isMissed(file)]).toEqual([file, false]);
  }, 120_000);

  it(`builds ${PACKS} Packs once, then restores them byte for byte and builds those that changed`, async () => {
    using repository = makeRepository();
    const { path, names } = repository;
    const first = await build(path);
    expect(first.execution).toMatchObject({ attempted: PACKS + 1, cached: 0, failed: 0 });
    const built = outputs(path, names);

    expect((await build(path)).execution).toMatchObject({
      attempted: PACKS + 1,
      cached: PACKS + 1,
      failed: 0,
    });

    for (const name of names) rmSync(join(path, "packs", name, "build"), { recursive: true });
    expect(missed(await build(path))).toEqual([]);
    expect(outputs(path, names)).toEqual(built);

    repository.write(
      "packs/pack-07/lib.ts",
      'export const greet = (name: string): string => name + "!";\n',
    );
    const changed = await build(path);
    expect(missed(changed)).toEqual(["pack-07"]);
    expect(changed.execution.cached).toBe(PACKS - 1);
    const differing = Object.entries(outputs(path, names)).filter(
      ([file, content]) => content !== built[file],
    );
    expect([...new Set(differing.map(([file]) => file.split("/")[1]))]).toEqual(["pack-07"]);
  }, 600_000);

  it("fails when a type is wrong, and says where", async () => {
    using repository = makeRepository(3);
    repository.write("packs/pack-02/lib.ts", "export const greet = (name: number) => name;\n");
    await expect(build(repository.path)).rejects.toThrow(
      /packs\/pack-02\/pack\.ts\(\d+,\d+\): error TS/,
    );
  }, 120_000);
});
