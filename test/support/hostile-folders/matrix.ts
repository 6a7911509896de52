import { type ChildProcess, execFileSync, fork } from "node:child_process";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { plainEnv } from "../plain-env.ts";
import type { FolderCommand } from "./commands.ts";
import type { Construct } from "./construct.ts";
import { type HostilePlace, PROJECT, writeInto } from "./project.ts";

/** A run with a bad outcome. */
export interface Finding {
  construct: string;
  command: string;
  what: string;
}

export interface MatrixOptions {
  /** The built `cli/run.js`. */
  cli: string;
  /** The built command. */
  main: string;
  worker: string;
  registry: { origin: string; token: string; packId: number; docId: string };
  execPath?: string;
  maxMs: number;
  maxBytes: number;
  onRun?: (
    construct: Construct,
    command: FolderCommand,
    run: { outcome: Outcome | undefined; bytes: number; seen: readonly string[] },
  ) => void;
}

export interface Outcome {
  code: unknown;
  stdout: string;
  stderr: string;
}

/** Puts each construct into a folder of its own for each command, and runs the command there. */
export async function runMatrix(
  cells: Iterable<readonly [Construct, FolderCommand]>,
  options: MatrixOptions,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const root = mkdtempSync(join(tmpdir(), "hostile-"));
  const base = makeBase(root, options);
  let child: ChildProcess | undefined;
  for (const [construct, command] of cells) {
    const place = makePlace(root, base);
    construct.put(place);
    const before = listOutside(place.outside);
    child ??= await startWorker(root, options);
    const { outcome, bytes } = await runCommand(child, command, place, options);
    const seen = [
      ...(outcome === undefined ? [`did not end in ${options.maxMs} ms`] : judge(outcome)),
      ...(bytes > options.maxBytes ? [`used ${Math.round(bytes / 1e6)} MB`] : []),
      ...compareOutside(before, place).filter(
        (what) => command.isTrusted !== true || !what.startsWith("ran "),
      ),
    ];
    const words = command.args.join(" ");
    for (const what of seen) findings.push({ construct: construct.name, command: words, what });
    options.onRun?.(construct, command, { outcome, bytes, seen });
    if (seen.length > 0 || child.exitCode !== null || child.signalCode !== null) {
      child.kill("SIGKILL");
      child = undefined;
    }
  }
  child?.kill("SIGKILL");
  execFileSync("sh", ["-c", REMOVE, "sh", root]);
  return findings;
}

const REMOVE = 'chmod -R u+rwx "$1" 2>/dev/null; rm -rf "$1"';

function compareOutside(before: ReadonlyMap<string, string>, { outside }: HostilePlace): string[] {
  const after = listOutside(outside);
  const changed = [...after].filter(([path, state]) => before.get(path) !== state);
  const isTrace = (path: string) => path.startsWith("traces/");
  return [
    ...changed.map(([path]) => `${isTrace(path) ? "ran" : "wrote"} ${path}`),
    ...[...before.keys()].filter((path) => !after.has(path)).map((path) => `removed ${path}`),
    ...readdirSync(dirname(outside))
      .filter((name) => name !== "folder" && name !== "outside")
      .map((name) => `wrote ${name} next to the folder`),
  ];
}

const SYSTEM_CODE =
  /\bE(?:NOENT|ACCES|LOOP|ISDIR|NOTDIR|INVAL|PERM|NXIO|FBIG|NOTREG|EXIST|MFILE|NAMETOOLONG)\b/;

/** What no folder may make a command print. */
const UNWANTED: readonly [what: string, pattern: RegExp][] = [
  ["unexpected failure", /INTERNAL/],
  ["stack", /^\s+at .*[:(]\d+:\d+\)?$/m],
  ["code of the system", SYSTEM_CODE],
  ["a file outside", /canary-of-a-file-outside/],
];

function judge({ code, stdout, stderr }: Outcome): string[] {
  const text = `${stdout}\n${stderr}`;
  const printed = UNWANTED.flatMap(([what, pattern]) => {
    const at = text.search(pattern);
    return at === -1 ? [] : [`printed ${what}: ${text.slice(at, at + 300)}`];
  });
  return typeof code === "number" ? printed : [...printed, String(code)];
}

function makeBase(root: string, { registry }: MatrixOptions): string {
  const base = join(root, "base");
  mkdirSync(join(root, "home"));
  mkdirSync(join(root, "tmp"));
  for (const [path, text] of Object.entries(PROJECT))
    writeInto(
      base,
      path,
      text
        .replaceAll("PACK_ID", String(registry.packId))
        .replaceAll("HOST", new URL(registry.origin).host),
    );
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Ada", "-c", "user.email=ada@tasks.example", ...args], {
      cwd: base,
    });
  git("init", "--quiet", "--initial-branch", "main", "--template=");
  writeInto(
    base,
    ".git/config",
    `${readFileSync(join(base, ".git/config"), "utf8")}[user]\n\tname = Ada\n\temail = ada@tasks.example\n`,
  );
  git("add", ".");
  git("commit", "--quiet", "-m", "First");
  writeInto(base, "pack.ts", (PROJECT["pack.ts"] ?? "") + MORE);
  git("commit", "--quiet", "-am", "Second");
  return base;
}

const MORE = `pack.addFormula({
  name: "Bye",
  description: "Says goodbye.",
  parameters: [],
  connectionRequirement: "none",
  resultType: ValueType.String,
  execute: async () => word,
});
`;

function makePlace(root: string, base: string): HostilePlace {
  const parent = join(root, "place");
  execFileSync("sh", ["-c", REMOVE, "sh", parent]);
  const folder = join(parent, "folder");
  const outside = join(parent, "outside");
  mkdirSync(join(outside, "traces"), { recursive: true });
  mkdirSync(join(outside, "folder"));
  writeFileSync(join(outside, "secret"), "canary-of-a-file-outside\n");
  writeFileSync(join(outside, "folder/secret"), "canary-of-a-file-outside\n");
  const traces = join(outside, "traces");
  writeFileSync(join(outside, "program"), `#!/bin/sh\n: > "${traces}/program-\${1##*/}"\nexit 1\n`);
  chmodSync(join(outside, "program"), 0o755);
  cpSync(base, folder, { recursive: true });
  const place: HostilePlace = {
    folder,
    outside,
    write: (path, text) => writeInto(folder, path, text),
    shell: (name) => `: > ${traces}/${name}`,
    script: (name) =>
      `try { (globalThis.process?.getBuiltinModule?.("fs") ?? require("fs")).writeFileSync(${JSON.stringify(`${traces}/${name}`)}, ""); } catch {}`,
  };
  addCompiler(place);
  return place;
}

/** A clone can bring its own compiler. This one works, and leaves a trace. */
function addCompiler(place: HostilePlace): void {
  for (const [file, program] of Object.entries(COMPILER))
    place.write(
      `node_modules/typescript/${file}`,
      `${place.script("typescript")}\nmodule.exports = require(${JSON.stringify(program)});\n`,
    );
}

const REAL_COMPILER = fileURLToPath(
  new URL("../../../node_modules/typescript-5.9/lib", import.meta.url),
);
const COMPILER = {
  "bin/tsc": join(REAL_COMPILER, "tsc.js"),
  "lib/tsc.js": join(REAL_COMPILER, "tsc.js"),
  "lib/typescript.js": join(REAL_COMPILER, "typescript.js"),
};

function listOutside(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return new Map(
    paths.map((path) => {
      const stats = lstatSync(join(folder, path));
      return [path, `${stats.mode} ${stats.isFile() ? `${stats.size} ${stats.mtimeMs}` : ""}`];
    }),
  );
}

async function startWorker(root: string, options: MatrixOptions): Promise<ChildProcess> {
  const child = fork(options.worker, [options.cli], {
    ...(options.execPath === undefined ? {} : { execPath: options.execPath }),
    cwd: root,
    execArgv: [],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    env: {
      ...plainEnv(),
      HOME: join(root, "home"),
      PACKSMITH_HOME: join(root, "home/packsmith"),
      PACKSMITH_CACHE: join(root, "home/cache"),
      TMPDIR: join(root, "tmp"),
      PACKSMITH_REGISTRY: options.registry.origin,
      PACKSMITH_REGISTRY_TOKEN: options.registry.token,
      PACKSMITH_SERVICE_URL: `${options.registry.origin}/apis/v1`,
      PACKSMITH_SERVICE_TOKEN: options.registry.token,
    },
  });
  child.stderr?.resume();
  await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", reject);
  });
  return child;
}

async function runCommand(
  child: ChildProcess,
  command: FolderCommand,
  { folder }: HostilePlace,
  options: MatrixOptions,
): Promise<{ outcome: Outcome | undefined; bytes: number }> {
  let bytes = 0;
  const watch = setInterval(() => {
    bytes = Math.max(bytes, treeBytes(child.pid ?? 0));
  }, 50);
  const outcome = await new Promise<Outcome | undefined>((resolve) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      resolve(undefined);
    }, options.maxMs);
    const end = (value: Outcome) => {
      clearTimeout(timer);
      child.removeAllListeners("message");
      child.removeAllListeners("exit");
      resolve(value);
    };
    child.once("message", (value) => end(value as Outcome));
    child.once("exit", (code, signal) =>
      end({ code: `ended with ${code ?? signal}`, stdout: "", stderr: "" }),
    );
    child.send({
      args: command.args.map((word) => (word === "DOC" ? options.registry.docId : word)),
      stdin: command.stdin,
      until: command.serves === true ? "line" : undefined,
      main: command.isChild === true ? options.main : undefined,
      cwd: folder,
    });
  });
  clearInterval(watch);
  return { outcome, bytes };
}

function treeBytes(pid: number): number {
  try {
    const rss =
      Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) * 1024;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return (
      rss +
      (children === ""
        ? 0
        : children.split(" ").reduce((sum, each) => sum + treeBytes(Number(each)), 0))
    );
  } catch {
    return 0;
  }
}
