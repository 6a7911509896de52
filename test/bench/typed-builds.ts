import { spawnSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Command, type ProcessTimes, timeOnce, timeProcesses } from "./process-times.ts";
import { type BenchContext, computeMedian, type Measurement } from "./section.ts";

const root = process.cwd();
const cli = join(root, "dist/bin/packsmith.cjs");
const node = process.execPath;
const COMPILERS = { "TypeScript 5.9": "typescript-5.9", "TypeScript 7": "typescript" } as const;
type Compiler = keyof typeof COMPILERS;
const MANY = 40;
const ROUNDS_OF_MANY = 3;
/** The user `nobody`. */
const OTHER_USER = 65_534;

const SETTINGS = {
  compilerOptions: {
    target: "ES2022",
    lib: ["ES2023", "ESNext.Disposable"],
    module: "NodeNext",
    moduleResolution: "NodeNext",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  },
};

/**
 * Measures builds that check types, as in a project of `packsmith init`, with each TypeScript.
 * @param bareEsbuild a process that bundles these files with esbuild and does nothing else
 */
export function measureTypedBuilds(
  context: BenchContext,
  bareEsbuild: (cwd: string, files: readonly string[]) => Command,
): Measurement[] {
  return Object.keys(COMPILERS).flatMap((name) => [
    ...measureOne(name as Compiler, context, bareEsbuild),
    ...measureMany(name as Compiler, context),
  ]);
}

function makeProject(folder: string, compiler: Compiler): void {
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(
    join(root, "node_modules", COMPILERS[compiler]),
    join(folder, "node_modules/typescript"),
  );
  symlinkSync(root, join(folder, "node_modules/packsmith"));
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ ...SETTINGS, include: ["**/*.ts"] }),
  );
  writeFileSync(join(folder, "package.json"), '{ "name": "typed", "type": "module" }');
}

function measureOne(
  compiler: Compiler,
  { work, runs }: BenchContext,
  bareEsbuild: (cwd: string, files: readonly string[]) => Command,
): Measurement[] {
  const cwd = join(work, `typed-${COMPILERS[compiler]}`);
  makeProject(cwd, compiler);
  const source = readFileSync(join(root, "templates/blank/pack.ts"), "utf8");
  writeFileSync(join(cwd, "hello.ts"), source);
  const remove = (name: string) => () => rmSync(join(work, name), { recursive: true, force: true });
  let edits = 0;
  const edit = () => writeFileSync(join(cwd, "hello.ts"), `${source}// ${edits++}\n`);
  const tsc = (...args: string[]): string[] => [
    ...[node, join(cwd, "node_modules/typescript/bin/tsc"), "-p", "."],
    ...args,
  ];
  const info = join(work, `info-${COMPILERS[compiler]}`);
  const incremental = tsc("--incremental", "--tsBuildInfoFile", info);
  const build = (cache: string, ...args: string[]): string[] => [
    ...[node, cli, "build", "hello.ts", "--json", "--cache-dir", join(work, cache), ...args],
  ];
  const times = timeProcesses(
    {
      esbuild: bareEsbuild(cwd, ["hello.ts"]),
      tsc: { command: tsc(), cwd },
      untyped: { command: build("untyped", "--no-types"), cwd, before: remove("untyped") },
      cold: { command: build("typed"), cwd, before: remove("typed") },
      unchanged: { command: build("typed"), cwd },
      tscEdited: { command: incremental, cwd, before: edit },
      untypedEdited: { command: build("untyped", "--no-types"), cwd, before: edit },
      edited: { command: build("typed"), cwd, before: edit },
    },
    runs,
  );
  const both = (name: string, which: "wallMs" | "cpuMs"): Measurement[] => [
    {
      name: `Hello World with ${compiler}, ${name}`,
      value: times.cold[which],
      unit: "ms",
      peer: {
        name: "tsc --noEmit, then build --no-types",
        value: times.tsc[which] + times.untyped[which],
      },
      target: { of: "ratio", atMost: 1.1 },
    },
    {
      name: `the same after an edit, ${name}`,
      value: times.edited[which],
      unit: "ms",
      peer: {
        name: "tsc --noEmit --incremental, then build --no-types",
        value: times.tscEdited[which] + times.untypedEdited[which],
      },
      target: { of: "ratio", atMost: 1.1 },
    },
  ];
  return [
    ...both("complete process", "wallMs"),
    ...both("processor time", "cpuMs"),
    {
      name: "the same, unchanged, processor time",
      value: times.unchanged.cpuMs,
      unit: "ms",
      peer: { name: "only esbuild", value: times.esbuild.cpuMs },
      target: { of: "ratio", atMost: 0.6 },
    },
  ];
}

function measureMany(compiler: Compiler, { work, runs, skip }: BenchContext): Measurement[] {
  const cwd = join(work, `many-${COMPILERS[compiler]}`);
  makeProject(cwd, compiler);
  const source = readFileSync(join(root, "templates/blank/pack.ts"), "utf8");
  for (let index = 0; index < MANY; index++) {
    const folder = join(cwd, "packs", `pack-${index}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "package.json"),
      JSON.stringify({ name: `pack-${index}`, type: "module" }),
    );
    writeFileSync(join(folder, "pack.ts"), source.replace("Hello ", `Hello ${index} `));
  }
  const cache = join(work, `cache-${COMPILERS[compiler]}`);
  const command = [node, cli, "build", "packs/*/pack.ts", "--json", "--cache-dir", cache];
  const cold: ProcessTimes[] = [];
  const warm: ProcessTimes[] = [];
  for (let round = 0; round < Math.min(runs, ROUNDS_OF_MANY); round++) {
    rmSync(cache, { recursive: true, force: true });
    cold.push(timeOnce({ command, cwd }));
    warm.push(timeOnce({ command, cwd }));
  }
  const compareTimes = (name: string, which: keyof ProcessTimes): Measurement => ({
    name: `${MANY} Packs with ${compiler}, unchanged, ${name}`,
    value: computeMedian(warm.map((each) => each[which])),
    unit: "ms",
    peer: { name: "the first build", value: computeMedian(cold.map((each) => each[which])) },
    target: { of: "ratio", atMost: 0.15 },
  });
  const hits = countHitsOfClone(cwd, cache);
  if (hits === undefined) skip("a clone of another user; that needs root.");
  return [
    compareTimes("complete process", "wallMs"),
    compareTimes("processor time", "cpuMs"),
    ...(hits === undefined
      ? []
      : [
          {
            name: "hits, types included, in a clone of another user with other times",
            value: (hits / (MANY + 1)) * 100,
            unit: "%",
            target: { of: "value", atLeast: 100 },
          } satisfies Measurement,
        ]),
  ];
}

/**
 * Builds in a copy of a repository and its cache that belong to another user.
 * @returns how many Packs came from the cache, and one more when their types did; undefined where
 *   this user cannot give files to another
 */
function countHitsOfClone(folder: string, cache: string): number | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const clone = join("/tmp", `packsmith-clone-${process.pid}`);
  try {
    cpSync(folder, join(clone, "repository"), { recursive: true, verbatimSymlinks: true });
    cpSync(cache, join(clone, "cache"), { recursive: true });
    for (const name of ["", ...readdirSync(clone, { recursive: true, encoding: "utf8" })]) {
      const path = join(clone, name);
      if (name.includes("node_modules/")) continue;
      chownSync(path, OTHER_USER, OTHER_USER);
      utimesSync(path, 1_000_000_000, 1_000_000_000);
    }
    const { stdout, stderr } = spawnSync(
      node,
      [cli, "build", "packs/*/pack.ts", "--json", "--cache-dir", join(clone, "cache")],
      {
        cwd: join(clone, "repository"),
        encoding: "utf8",
        uid: OTHER_USER,
        gid: OTHER_USER,
        env: { PATH: process.env["PATH"], HOME: clone, NODE_DEBUG: "packsmith:build" },
        maxBuffer: 1e8,
      },
    );
    const { packs } = JSON.parse(stdout) as { packs: { cache: string }[] };
    const areTypesKnown = stderr.includes("types: hit");
    return packs.filter(({ cache }) => cache === "hit").length + Number(areTypesKnown);
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
}
