import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { installedPeers } from "./peers.ts";
import {
  type Command,
  type ProcessTimes,
  peakMemoryMb,
  timeOnce,
  timeProcesses,
} from "./process-times.ts";
import { type BenchContext, computeMedian, type Measurement } from "./section.ts";
import { measureTypedBuilds } from "./typed-builds.ts";

const root = process.cwd();
const cli = join(root, "dist/bin/packsmith.cjs");
const node = process.execPath;
const PACKS = Number(process.env["BENCH_PACKS"] ?? 500);
const ROUNDS_OF_MANY = 3;
/** The incumbent takes seconds. */
const RUNS_OF_PEER = 5;

/**
 * Measures builds as complete processes, compared with only esbuild and with the command of
 * @codahq/packs-sdk.
 */
export async function measureBuilds(context: BenchContext): Promise<Measurement[]> {
  return [
    ...measureHello(context),
    ...measureTypedBuilds(context, bareEsbuild),
    ...measureDependencies(context),
    ...measureMany(context),
    ...measureInstall(context),
  ];
}

function measureHello({ work, runs, skip }: BenchContext): Measurement[] {
  const cwd = join(work, "hello");
  mkdirSync(cwd, { recursive: true });
  const source = readFileSync(join(root, "templates/blank/pack.ts"), "utf8");
  writeFileSync(join(cwd, "hello.ts"), source);
  const ours = (...args: string[]): Command => ({
    command: [node, cli, ...args],
    cwd,
    env: { PACKSMITH_HOME: join(work, "home") },
  });
  const times = timeProcesses(
    {
      node: { command: [node, "-e", "0"], cwd },
      esbuild: bareEsbuild(cwd, ["hello.ts"]),
      rolldown: bareRolldown(cwd, "hello.ts"),
      version: ours("--version"),
      validate: ours("validate", "hello.ts", "--json"),
      build: ours("build", "hello.ts", "--json", "--no-cache"),
      execute: ours("execute", "hello.ts", "Hello", "World", "--json"),
    },
    runs,
  );
  const { esbuild, build, execute, version } = times;
  const both = times.node.wallMs + esbuild.wallMs;
  const measured: Measurement[] = [
    compare("Hello World, complete process", build.wallMs, "only esbuild", esbuild.wallMs, 1.6),
    compare("Hello World, processor time", build.cpuMs, "only esbuild", esbuild.cpuMs),
    compare("only rolldown", times.rolldown.wallMs, "only esbuild", esbuild.wallMs),
    {
      name: "Hello World, bundle",
      value: statSync(join(cwd, "build/hello/bundle.js")).size,
      unit: "bytes",
      target: { of: "value", atMost: 6_000 },
    },
    compare("packsmith --version", version.wallMs, "node -e 0", times.node.wallMs, 1.5),
    compare("packsmith validate", times.validate.wallMs, "only esbuild", esbuild.wallMs),
    compare(
      "packsmith execute, Hello World",
      execute.wallMs,
      "node -e 0 and only esbuild",
      both,
      2,
    ),
  ];
  const peers = installedPeers(work);
  if (peers === undefined)
    skip("the commands of @codahq/packs-sdk; the package registry cannot be reached.");
  else measured.push(...measureOlder(peers, runs, source, ours));
  return measured;
}

function measureOlder(
  peers: string,
  runs: number,
  source: string,
  ours: (...args: string[]) => Command,
): Measurement[] {
  writeFileSync(join(peers, "hello.ts"), source.replace('"packsmith"', '"@codahq/packs-sdk"'));
  const older = join(peers, "node_modules/@codahq/packs-sdk");
  const { bin } = JSON.parse(readFileSync(join(older, "package.json"), "utf8")) as {
    bin: Record<string, string>;
  };
  const [script = ""] = Object.values(bin);
  const itsNode = join(peers, "node_modules/node/bin/node");
  const packs = (...args: string[]): Command => ({
    command: [existsSync(itsNode) ? itsNode : node, join(older, script), ...args],
    cwd: peers,
  });
  const times = timeProcesses(
    {
      build: ours("build", "hello.ts", "--json", "--no-cache"),
      execute: ours("execute", "hello.ts", "Hello", "World", "--json"),
      olderBuild: packs("build", "hello.ts"),
      olderExecute: packs("execute", "hello.ts", "Hello", "World"),
    },
    Math.min(runs, RUNS_OF_PEER),
  );
  const faster = (
    name: string,
    value: number,
    peer: string,
    peerMs: number,
    atLeast: number,
  ): Measurement => ({
    ...compare(name, value, peer, peerMs),
    target: { of: "speed-up", atLeast },
  });
  return [
    faster("Hello World, built", times.build.wallMs, "packs build", times.olderBuild.wallMs, 20),
    faster(
      "Hello World, executed",
      times.execute.wallMs,
      "packs execute",
      times.olderExecute.wallMs,
      5,
    ),
  ];
}

const FIVE = ["bytes", "content-type", "escape-html", "ms", "qs"];
const TWENTY_THREE = [
  ...FIVE,
  ...["base64-js", "dequal", "diff", "entities", "fast-deep-equal", "fflate", "ieee754"],
  ...["lru-cache", "marked", "minisearch", "mitt", "nanoid", "p-limit", "path-to-regexp"],
  ...["picocolors", "semver", "smol-toml", "yocto-queue"],
];

function measureDependencies({ work, runs }: BenchContext): Measurement[] {
  const cwd = join(work, "dependencies");
  mkdirSync(cwd, { recursive: true });
  symlinkSync(join(root, "node_modules"), join(cwd, "node_modules"), "junction");
  return [FIVE, TWENTY_THREE].flatMap((packages) => measurePackages(packages, cwd, runs));
}

function measurePackages(packages: readonly string[], cwd: string, runs: number): Measurement[] {
  const file = `pack-${packages.length}.ts`;
  const imports = packages.map((name, index) => `import * as d${index} from "${name}";`);
  const uses = packages.map((_, index) => `Object.keys(d${index}).length`).join(" + ");
  const source = `import { newPack, ValueType } from "packsmith";
${imports.join("\n")}
export const pack = newPack();
pack.addFormula({ name: "Count", description: "Counts.", parameters: [], resultType: ValueType.Number, execute: async () => ${uses} });
`;
  let edits = 0;
  const edit = () => writeFileSync(join(cwd, file), `${source}// ${edits++}\n`);
  edit();
  const ours = (...args: string[]) => [node, cli, "build", file, "--json", "--no-types", ...args];
  const { build, known, loaded, esbuild } = timeProcesses(
    {
      build: { command: ours("--no-cache"), cwd },
      known: { command: ours("--cache-dir", join(cwd, "cache")), cwd, before: edit },
      loaded: bareEsbuild(cwd, [file], { loads: true }),
      esbuild: bareEsbuild(cwd, [file]),
    },
    runs,
  );
  const compareBoth = (name: string, { wallMs, cpuMs }: ProcessTimes, atMost?: number) => [
    compare(`${name}, complete process`, wallMs, "only esbuild", esbuild.wallMs, atMost),
    compare(`${name}, processor time`, cpuMs, "only esbuild", esbuild.cpuMs, atMost),
  ];
  return [
    ...compareBoth(`Pack with ${packages.length} dependencies`, build, 1.5),
    ...compareBoth("the same after an edit", known, 1.15),
    ...compareBoth("esbuild, and a process that loads its output", loaded),
  ];
}

function measureMany({ work, runs, skip }: BenchContext): Measurement[] {
  const cwd = join(work, "many");
  const names = Array.from({ length: PACKS }, (_, index) => `pack-${index}`);
  for (const [index, name] of names.entries()) {
    mkdirSync(join(cwd, "packs", name), { recursive: true });
    writeFileSync(join(cwd, "packs", name, "package.json"), JSON.stringify({ name }));
    writeFileSync(
      join(cwd, "packs", name, "lib.ts"),
      `export const greet = (name: string): string => "Hello " + name + ", from ${index}";\n`,
    );
    writeFileSync(
      join(cwd, "packs", name, "pack.ts"),
      `import { makeParameter, newPack, ParameterType, ValueType } from "packsmith";
import { greet } from "./lib.ts";
export const pack = newPack();
const who = makeParameter({ type: ParameterType.String, name: "name", description: "Whom to greet." });
pack.addFormula({ name: "Greet", description: "Greets.", parameters: [who], resultType: ValueType.String, execute: async ([name]) => greet(name) });
`,
    );
  }
  writeFileSync(join(cwd, "package.json"), '{ "name": "packs" }');
  const remove =
    (...folders: string[]) =>
    () => {
      for (const folder of folders) rmSync(join(cwd, folder), { recursive: true, force: true });
    };
  const build: Command = {
    command: [node, cli, "build", "packs/*/pack.ts", "--json", "--cache-dir", "cache"],
    cwd,
  };
  const loop = bareEsbuild(
    cwd,
    names.map((name) => `packs/${name}/pack.ts`),
  );
  const times = { loop: [] as number[], first: [] as number[], second: [] as number[] };
  timeOnce(loop);
  for (let round = 0; round < Math.min(runs, ROUNDS_OF_MANY); round++) {
    times.loop.push(timeOnce({ ...loop, before: remove("bare") }).wallMs);
    times.first.push(timeOnce({ ...build, before: remove("build", "cache") }).wallMs);
    times.second.push(timeOnce(build).wallMs);
  }
  const loopMs = computeMedian(times.loop);
  remove("build", "cache")();
  const memoryMb = peakMemoryMb(build);
  if (memoryMb === undefined)
    skip("the memory of a build of many Packs; /usr/bin/time is not installed.");
  return [
    compare(
      `${PACKS} Packs, one process`,
      computeMedian(times.first),
      "a loop of esbuild over the same code",
      loopMs,
      1.3,
    ),
    compare(
      "the same again, from the cache",
      computeMedian(times.second),
      "a loop of esbuild over the same code",
      loopMs,
      0.15,
    ),
    ...(memoryMb === undefined
      ? []
      : [
          {
            name: "most memory of that process",
            value: memoryMb,
            unit: "MB",
            target: { of: "value", atMost: 500 },
          } satisfies Measurement,
        ]),
  ];
}

function measureInstall({ work, skip }: BenchContext): Measurement[] {
  const folder = join(work, "install");
  const quiet = { stdio: "ignore", timeout: 300_000 } as const;
  try {
    execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", work], quiet);
    const tarball = readdirSync(work).find((name) => name.endsWith(".tgz")) ?? "";
    execFileSync(
      "npm",
      [
        "install",
        "--prefix",
        folder,
        "--no-audit",
        "--no-fund",
        "--prefer-offline",
        join(work, tarball),
      ],
      quiet,
    );
  } catch {
    skip("the size of an install; the package registry cannot be reached.");
    return [];
  }
  const files = readdirSync(join(folder, "node_modules"), {
    recursive: true,
    withFileTypes: true,
  }).filter((entry) => entry.isFile());
  // A file that is linked under two names takes its space once.
  const sizes = new Map(
    files
      .map((entry) => statSync(join(entry.parentPath, entry.name)))
      .map(({ dev, ino, size }) => [`${dev}:${ino}`, size]),
  );
  const lock = JSON.parse(
    readFileSync(join(folder, "node_modules/.package-lock.json"), "utf8"),
  ) as { packages: object };
  return [
    {
      name: "install",
      value: [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1e6,
      unit: "MB",
      target: { of: "value", atMost: 60 },
    },
    {
      name: "packages of an install",
      value: Object.keys(lock.packages).length,
      unit: "",
      target: { of: "value", atMost: 120 },
    },
  ];
}

/** Starts before anything else is loaded, and has nothing else that a sandbox needs. */
const LOADER = `import { spawn } from "node:child_process";
const child = spawn(process.execPath, ["-e", \`const vm = require("node:vm");
const { readSync, writeSync } = require("node:fs");
const context = vm.createContext({ Buffer, TextDecoder, TextEncoder, URL, crypto }, { microtaskMode: "afterEvaluate" });
const read = (length) => {
  const bytes = Buffer.alloc(length);
  for (let at = 0, count; at < length; at += count) if ((count = readSync(0, bytes, at, length - at, null)) === 0) process.exit();
  return bytes;
};
for (;;) {
  const code = read(read(4).readUInt32LE()).toString();
  new vm.Script("(function (module, exports) {" + code + "\\\\n})").runInContext(context)({ exports: {} }, {});
  writeSync(1, "loaded");
}\`], { stdio: ["pipe", "pipe", "inherit"] });
const load = (file) => new Promise((resolve) => {
  const code = readFileSync(file);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(code.length);
  child.stdout.once("data", resolve);
  child.stdin.write(Buffer.concat([length, code]));
});
const { build } = await import("esbuild");`;

/** What a Pack gets of packsmith: the same files as in a bundle with all parts. */
function authoringAlias(): Record<string, string> {
  const folder = join(root, "dist/authoring");
  const parts = ["compile-table", "compile-authentication", "normalize-schema"].map((part) => [
    `packsmith-part/${part}`,
    join(folder, "define/compile", `${part}.js`),
  ]);
  return { packsmith: join(folder, "index.js"), ...Object.fromEntries(parts) };
}

/** A Node process that does the same with rolldown. */
function bareRolldown(cwd: string, file: string): Command {
  const script = join(root, "node_modules/.cache/bare-rolldown.mjs");
  writeFileSync(
    script,
    `import { build } from "rolldown";
await build({ input: ${JSON.stringify(file)}, platform: "browser", resolve: { alias: ${JSON.stringify(authoringAlias())} }, output: { file: "bare/rolldown.js", format: "cjs", minify: true, sourcemap: true } });
`,
  );
  return { command: [node, script], cwd };
}

/**
 * A Node process that bundles files with esbuild and does nothing else: minified, with source maps,
 * one after the other.
 * @param options.loads another process loads each bundle in a context of its own
 */
function bareEsbuild(cwd: string, files: readonly string[], { loads = false } = {}): Command {
  const script = join(
    root,
    "node_modules/.cache",
    loads ? "loaded-esbuild.mjs" : "bare-esbuild.mjs",
  );
  mkdirSync(join(root, "node_modules/.cache"), { recursive: true });
  writeFileSync(
    script,
    `import { readFileSync } from "node:fs";
${loads ? LOADER : 'import { build } from "esbuild";'}
const alias = ${JSON.stringify(authoringAlias())};
for (const file of JSON.parse(readFileSync("files.json", "utf8"))) {
  await build({ entryPoints: [file], bundle: true, minify: true, format: "cjs", platform: "browser", sourcemap: true, outfile: "bare/" + file + ".js", alias });
  ${loads ? 'await load("bare/" + file + ".js");' : ""}
}
${loads ? "child.kill();" : ""}
`,
  );
  writeFileSync(join(cwd, "files.json"), JSON.stringify(files));
  return { command: [node, script], cwd };
}

function compare(
  name: string,
  value: number,
  peer: string,
  peerValue: number,
  atMost?: number,
): Measurement {
  return {
    name,
    value,
    unit: "ms",
    peer: { name: peer, value: peerValue },
    ...(atMost === undefined ? {} : { target: { of: "ratio", atMost } }),
  };
}
