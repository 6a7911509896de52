import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { packTarball } from "./package-managers.ts";
import { timeOnce } from "./process-times.ts";
import type { BenchContext, Measurement } from "./section.ts";

const PACKS = Number(process.env["BENCH_WORKSPACE_PACKS"] ?? 20);

/** A tool that runs the tasks of a workspace, as docs/pipelines.md sets it up. */
interface Runner {
  name: string;
  /** A command of the shell that checks the types and builds all Packs. */
  command: string;
  /** Variables that make it use only the remote cache. */
  useRemote(url: string): Record<string, string>;
  /** Finds how many tasks came from the cache. */
  hits: RegExp;
  tasks: number;
  /** The most that it may need, as a multiple of one process for all Packs. */
  atMost?: number;
  /** What it leaves in the folder. */
  leaves: readonly string[];
}

const RUNNERS: readonly Runner[] = [
  {
    name: "Turborepo",
    command: "npx turbo run types build --cache=local:,remote:rw --output-logs=errors-only",
    useRemote: (url) => ({ TURBO_API: url, TURBO_TEAM: "packs", TURBO_TOKEN: "synthetic" }),
    hits: /Cached:\s+(\d+) cached/,
    // The types of all are one task more.
    tasks: PACKS + 1,
    atMost: 5,
    leaves: [".turbo"],
  },
  {
    name: "Nx",
    command: "npm run types && npx nx run-many -t build",
    useRemote: (url) => ({
      NX_SELF_HOSTED_REMOTE_CACHE_SERVER: url,
      NX_SELF_HOSTED_REMOTE_CACHE_ACCESS_TOKEN: "synthetic",
    }),
    hits: /cache instead of running the command for (\d+)/,
    tasks: PACKS,
    leaves: [".nx"],
  },
];

/**
 * Builds a workspace with each runner and its remote cache, again in a clone, and in trees of links
 * as Bazel makes them.
 */
export async function measureWorkspaces({ work, skip }: BenchContext): Promise<Measurement[]> {
  const folder = join(work, "workspace");
  makeWorkspace(folder, packTarball(work));
  const installed = runIn(folder, work, "npm install --no-audit --no-fund");
  if (installed.status !== 0) {
    skip(`all; npm could not install: ${installed.stderr.trim().slice(-200)}`);
    return [];
  }
  const one = timeIn(
    folder,
    join(work, "home-one"),
    'npm run types && npx packsmith build "packs/*/pack.ts" --no-types --no-cache --json',
  );
  removeOutputs(folder);
  const server = await startRemoteCache();
  try {
    return [
      ...RUNNERS.flatMap((runner) => measureRunner(runner, { folder, work, one, url: server.url })),
      measureLinks(folder, work),
    ];
  } finally {
    server.child.kill();
  }
}

function makeWorkspace(folder: string, tarball: string): void {
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const example = (name: string) => readFileSync(`docs/pipelines/${name}`, "utf8");
  const source = readFileSync("templates/blank/pack.ts", "utf8");
  for (let index = 0; index < PACKS; index++) {
    const settings = { ...JSON.parse(example("package.json")), name: `pack-${index}` };
    put(`packs/pack-${index}/package.json`, JSON.stringify({ ...settings, version: "1.0.0" }));
    put(`packs/pack-${index}/pack.ts`, source.replace("Hello ", `Hello ${index} `));
  }
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    devDependencies: Record<string, string>;
  };
  put(
    "package.json",
    JSON.stringify({
      name: "workspace",
      private: true,
      type: "module",
      packageManager: "npm@10.9.4",
      workspaces: ["packs/*"],
      scripts: { types: "tsc --noEmit" },
      devDependencies: {
        packsmith: `file:${tarball}`,
        turbo: devDependencies["turbo"],
        typescript: devDependencies["typescript"],
        nx: "21",
      },
    }),
  );
  put(
    "tsconfig.json",
    '{ "compilerOptions": { "module": "NodeNext", "strict": true, "noEmit": true, "types": [] }, "include": ["packs"] }',
  );
  for (const name of ["turbo.json", "nx.json"]) put(name, example(name));
  put(".gitignore", "node_modules\n.turbo\n.nx\nbuild\n");
}

interface Setting {
  folder: string;
  work: string;
  /** The processor time of one process that checks the types, and one that builds. */
  one: number;
  /** Of the remote cache. */
  url: string;
}

function measureRunner(runner: Runner, { folder, work, one, url }: Setting): Measurement[] {
  const { name, command, hits, tasks } = runner;
  const env = runner.useRemote(url);
  const cold = timeIn(folder, join(work, `home-${name}`), command, env);
  removeOutputs(folder, runner.leaves);
  const clone = join(work, `clone-${name}`);
  cpSync(folder, clone, { recursive: true, verbatimSymlinks: true });
  const { stdout, stderr, status } = runIn(clone, join(work, `home-clone-${name}`), command, env);
  if (status !== 0) throw new Error(`${name}: ${stdout} ${stderr}`);
  const restored = readdirSync(join(clone, "packs")).filter(
    (pack) => lstatSync(join(clone, `packs/${pack}/build/${pack}/bundle.js`)).size > 0,
  );
  const count = Math.min(Number(hits.exec(stdout)?.[1] ?? 0), tasks);
  return [
    {
      name: `${PACKS} Packs with ${name}, no cache, processor time`,
      value: cold,
      unit: "ms",
      peer: { name: "one process for the types, and one for all Packs", value: one },
      ...(runner.atMost === undefined ? {} : { target: { of: "ratio", atMost: runner.atMost } }),
    },
    {
      name: `${name}: tasks from the remote cache in a clone, which has ${restored.length} of ${PACKS} builds then`,
      value: (count / tasks) * 100,
      unit: "%",
      target: { of: "value", atLeast: 100 },
    },
  ];
}

/** Builds in two trees of links to the same files, with one cache. */
function measureLinks(folder: string, work: string): Measurement {
  removeOutputs(folder);
  const cache = join(work, "links-cache");
  const build = (tree: string) => {
    linkFiles(folder, tree);
    const built = runIn(
      tree,
      join(work, "home-links"),
      `npx packsmith build "packs/*/pack.ts" --json --cache-dir ${cache}`,
      { NODE_DEBUG: "packsmith:build" },
    );
    if (built.status !== 0) throw new Error(`${tree}: ${built.stdout} ${built.stderr}`);
    return built;
  };
  build(join(work, "sandbox-1"));
  const { stdout, stderr } = build(join(work, "sandbox-2"));
  const { packs } = JSON.parse(stdout) as { packs: { cache: string }[] };
  const hits =
    packs.filter(({ cache }) => cache === "hit").length + Number(stderr.includes("types: hit"));
  return {
    name: "a tree of links, as Bazel makes it: from the cache in a second tree, types included",
    value: (hits / (PACKS + 1)) * 100,
    unit: "%",
    target: { of: "value", atLeast: 100 },
  };
}

/** Makes real folders, and a link for each file and for `node_modules`. */
function linkFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory() && entry.name !== "node_modules") linkFiles(source, target);
    else symlinkSync(source, target);
  }
}

function removeOutputs(folder: string, others: readonly string[] = []): void {
  const builds = readdirSync(join(folder, "packs")).map((pack) => `packs/${pack}/build`);
  for (const name of ["build", ...builds, ...others])
    rmSync(join(folder, name), { recursive: true, force: true });
}

/** A home folder without caches, and no variables of this process. */
function makeEnv(home: string, env: Readonly<Record<string, string>>): Record<string, string> {
  mkdirSync(home, { recursive: true });
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    CI: "1",
    NO_COLOR: "1",
    TURBO_TELEMETRY_DISABLED: "1",
    DO_NOT_TRACK: "1",
    NX_DAEMON: "false",
    ...env,
  };
}

function runIn(cwd: string, home: string, command: string, env: Record<string, string> = {}) {
  return spawnSync("/bin/sh", ["-c", command], {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...makeEnv(home, env) },
    maxBuffer: 1e8,
    timeout: 600_000,
  });
}

/** @returns the processor time in milliseconds */
function timeIn(cwd: string, home: string, command: string, env: Record<string, string> = {}) {
  return timeOnce({ command: ["/bin/sh", "-c", command], cwd, env: makeEnv(home, env) }).cpuMs;
}

/**
 * Keeps what is put at a path. It answers what Turborepo and Nx ask of their remote caches: neither
 * asks for more than that.
 */
const REMOTE_CACHE = `const kept = new Map();
require("node:http").createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://cache");
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  if (request.method === "PUT") kept.set(pathname, { body: Buffer.concat(chunks) });
  if (pathname.endsWith("/status")) return response.setHeader("content-type", "application/json").end('{"status":"enabled"}');
  if (request.method === "PUT" || request.method === "POST") return response.setHeader("content-type", "application/json").end("{}");
  const found = kept.get(pathname);
  if (found === undefined) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": "application/octet-stream", "content-length": found.body.length });
  response.end(request.method === "HEAD" ? undefined : found.body);
}).listen(0, "127.0.0.1", function () { console.log("http://127.0.0.1:" + this.address().port); });`;

/** In a process of its own, because this one waits for those that it starts. */
async function startRemoteCache(): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, ["-e", REMOTE_CACHE], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { url: line.toString().trim(), child };
}
