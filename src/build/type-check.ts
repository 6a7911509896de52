import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, parse, relative, resolve, sep } from "node:path";
import { importsLegacyPackage } from "../bundle/own-modules.ts";
import { hasSpecialFiles } from "../bundle/special-files.ts";
import { placeIssues } from "../execute/pack-issues.ts";
import { inParallel } from "../shared/concurrency.ts";
import { createDebugLog } from "../shared/debug-log.ts";
import { readRegularFile } from "../shared/files.ts";
import { findUp } from "../shared/folders.ts";
import { builtFile, packageRoot } from "../shared/own-package.ts";
import { realPath } from "../shared/project-boundary.ts";
import { uptimeMs } from "../shared/time.ts";
import { isInstalledWithPackage, mayRunProgram } from "../shared/trusted-folders.ts";
import { findTypeScript, type InstalledTypeScript } from "../shared/typescript.ts";
import { memoized } from "../shared/values.ts";
import { HAZARDOUS_NAMES } from "../validate/hazards.ts";
import type { Issue } from "../validate/issue.ts";
import { ownTypings } from "./own-typings.ts";
import type { TypeCache } from "./type-cache.ts";
import { typeHint } from "./type-hints.ts";

const debug = createDebugLog("build");

export interface TypeCheckOptions {
  cwd: string;
  /** Limit for one run of the compiler. @default 60_000 */
  timeoutMs?: number | undefined;
  /** What earlier runs found. @default none */
  cache?: TypeCache | undefined;
}

export interface TypeCheckResult {
  /** The compiler's problems in its order, with files as the reader of a report can open them. */
  issues: Issue[];
  /** The entries for which TypeScript is not installed in their folder or above. */
  unchecked: string[];
}

/**
 * Type-checks Packs with the TypeScript that is installed in their project. Entries with the same
 * compiler and tsconfig.json share
 * one process. The Packs' code does not run, and nothing is read that may never end: building
 * reports it. Never throws: when the compiler fails, the result is a warning.
 */
export async function checkTypes(
  files: readonly string[],
  { cwd, timeoutMs = 60_000, cache }: TypeCheckOptions,
): Promise<TypeCheckResult> {
  const unchecked: string[] = [];
  const projects = new Map<string, Project>();
  const exists = memoized(existsSync);
  const unknownVersions = new Map<string, string>();
  for (const file of files) {
    const entry = resolve(cwd, file);
    if (!/\.[cm]?tsx?$/.test(entry) || !existsSync(entry) || hasSpecialFiles(entry)) continue;
    const { version = "", compiler } = (await findCompiler(dirname(entry), exists)) ?? {};
    if (compiler === undefined) {
      unchecked.push(file);
      if (version !== "" && !unknownVersions.has(version)) unknownVersions.set(version, entry);
      continue;
    }
    const config = findUp(dirname(entry), "tsconfig.json", exists);
    const isLegacy = importsLegacyPackage(readRegularFile(entry).toString());
    const key = `${compiler} ${config} ${isLegacy}`;
    const project = projects.get(key) ?? { compiler, version, config, isLegacy, entries: [] };
    project.entries.push(entry);
    projects.set(key, project);
  }
  const found = await inParallel(
    [...projects.values()],
    (project) => checkProject(project, { cwd, timeoutMs, cache }),
    MAX_PROCESSES,
  );
  const unknown = [...unknownVersions].map(([version, entry]) =>
    unknownVersion(version, relative(cwd, entry)),
  );
  return { issues: placeIssues([...unknown, ...found.flat()], cwd, cwd), unchecked };
}

/**
 * The TypeScript of a folder is a program of its author's. Without trust, the one that is installed
 * with packsmith is used.
 */
async function findCompiler(
  folder: string,
  exists: (path: string) => boolean,
): Promise<InstalledTypeScript | undefined> {
  const own = findTypeScript(folder, exists);
  if (own?.compiler === undefined || isInstalledWithPackage(realPath(own.compiler))) return own;
  const other = findTypeScript(packageRoot(), exists);
  const without =
    other?.compiler === undefined
      ? "Types are not checked"
      : `Types are checked with TypeScript ${other.version}, which is installed with packsmith`;
  const program = { name: "its TypeScript compiler", without };
  return (await mayRunProgram(folder, program)) ? own : other;
}

/** Limit for a repository with many Packs that have a configuration each. */
const MAX_PROCESSES = 2;

/** Entries that one run of a compiler checks. */
interface Project {
  /** Path of the compiler's script. */
  compiler: string;
  version: string;
  config: string | undefined;
  /** The Packs import `@codahq/packs-sdk`. */
  isLegacy: boolean;
  entries: string[];
}

async function checkProject(
  project: Project,
  { cwd, timeoutMs, cache }: TypeCheckOptions & { timeoutMs: number },
): Promise<Issue[]> {
  try {
    const configuration = configOf(project);
    const cached = cache?.open({ ...project, configuration });
    if (cached?.issues !== undefined) return cached.issues;
    using folder = makeConfigFolder(dirname(project.config ?? project.entries[0] ?? cwd));
    const config = join(folder.path, "tsconfig.json");
    writeFileSync(config, JSON.stringify(configuration));
    const startedMs = uptimeMs();
    const runWith = (flags: readonly string[]): Promise<CompilerRun> =>
      runCompiler(project.compiler, ["--project", config, ...flags], cwd, timeoutMs);
    const traced = cached === undefined ? undefined : await runWith(TRACE_FLAGS);
    // The problems come after the trace, which is too long for the limit in very large projects.
    const isTraced = traced !== undefined && traced.output.length < MAX_OUTPUT;
    const run = isTraced ? traced : await runWith([]);
    debug(
      () =>
        `type check: TypeScript ${project.version}, ${project.entries.length} entries, ${project.config ?? "no tsconfig.json"} in ${Math.round(uptimeMs() - startedMs)} ms`,
    );
    const issues = parseDiagnostics(run.output).flatMap((diagnostic) =>
      issueOf(diagnostic, project, config, cwd),
    );
    if (run.isTimeout)
      return [
        failure(project, `TypeScript did not finish within ${timeoutMs / 1000} seconds.`, cwd),
      ];
    if (run.code !== 0 && issues.length === 0 && parseDiagnostics(run.output).length === 0) {
      return [
        failure(
          project,
          `TypeScript exited with code ${run.code ?? "none"} and reported nothing.`,
          cwd,
        ),
      ];
    }
    if (isTraced) cached?.keep({ issues, output: run.output, configFile: config });
    return issues;
  } catch {
    return [failure(project, "TypeScript could not be started.", cwd)];
  }
}

/**
 * Makes a folder for a configuration that extends the project's. It is in the project's
 * node_modules, because TypeScript looks for
 * `@types` from there upwards, or in the system's temporary folder when node_modules is not writable.
 */
function makeConfigFolder(project: string): Disposable & { path: string } {
  const path = makeCacheFolder(findUp(project, "node_modules")) ?? makeFolderIn(tmpdir());
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  process.once("exit", remove);
  return {
    path,
    [Symbol.dispose]() {
      process.removeListener("exit", remove);
      remove();
    },
  };
}

function makeCacheFolder(modules: string | undefined): string | undefined {
  if (modules === undefined) return undefined;
  try {
    mkdirSync(join(modules, ".cache"), { recursive: true });
    return makeFolderIn(join(modules, ".cache"));
  } catch {
    return undefined;
  }
}

function makeFolderIn(parent: string): string {
  return mkdtempSync(join(parent, "packsmith-types-"));
}

function configOf({ config, entries, version, isLegacy }: Project): object {
  const paths = ownTypings(entries, config);
  const mapped = paths === undefined ? {} : { paths };
  const files = [...entries, globalTypes(config ?? entries[0] ?? "", isLegacy)];
  if (config === undefined) {
    return {
      compilerOptions: {
        // Packs for `@codahq/packs-sdk` were built without a type check.
        strict: !isLegacy,
        target: "ES2022",
        lib: ["ES2022"],
        module: "ESNext",
        ...(version.startsWith("4.")
          ? { moduleResolution: "Node" }
          : { moduleResolution: "Bundler", allowImportingTsExtensions: true }),
        ...(isLegacy ? { allowSyntheticDefaultImports: true, noImplicitAny: false } : {}),
        resolveJsonModule: true,
        types: [],
        noEmit: true,
        skipLibCheck: true,
        ...mapped,
      },
      files,
    };
  }
  return {
    extends: config,
    compilerOptions: {
      noEmit: true,
      composite: false,
      incremental: false,
      skipLibCheck: true,
      tsBuildInfoFile: null,
      // Each of these writes where the folder says.
      generateTrace: null,
      generateCpuProfile: null,
      outFile: null,
      // Sources may be anywhere. The default, the folder of this configuration, would not contain
      // them.
      rootDir: parse(config).root,
      ...mapped,
    },
    files,
    include: [],
  };
}

/**
 * The file with the types of the globals. Packs for `@codahq/packs-sdk` were written with the types
 * of Node, which that package
 * brings along; other Packs see what the Pack runtime has.
 */
function globalTypes(from: string, isLegacy: boolean): string {
  const node = isLegacy
    ? findUp(dirname(from), join("node_modules", "@types", "node", "index.d.ts"))
    : undefined;
  return node ?? builtFile("pack-globals.d.ts");
}

const MAX_OUTPUT = 50_000_000;

/** These show what the compiler read and looked for. */
const TRACE_FLAGS = ["--traceResolution", "--listFiles"];

/** The compiler is a program of the project: secrets in the environment are not its business. */
const PASSED_ON = [
  "PATH",
  "HOME",
  "USERPROFILE",
  "SystemRoot",
  "TMPDIR",
  "TMP",
  "TEMP",
  "NODE_OPTIONS",
];

interface CompilerRun {
  code: number | null;
  output: string;
  isTimeout: boolean;
}

function runCompiler(
  compiler: string,
  flags: readonly string[],
  cwd: string,
  timeoutMs: number,
): Promise<CompilerRun> {
  return new Promise((resolveRun, reject) => {
    // Since TypeScript 7 the script starts a native program: kill the process group to end both.
    const isGroup = process.platform !== "win32";
    const child = spawn(
      process.execPath,
      [compiler, ...flags, "--pretty", "false", "--locale", "en"],
      {
        cwd,
        env: Object.fromEntries(
          PASSED_ON.flatMap((name) =>
            process.env[name] === undefined ? [] : [[name, process.env[name]]],
          ),
        ),
        stdio: ["ignore", "pipe", "ignore"],
        detached: isGroup,
        windowsHide: true,
      },
    );
    const end = (): void => {
      if (child.pid === undefined) return;
      if (isGroup) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    };
    const stop = (): void => {
      try {
        end();
      } catch {
        // It has already ended.
      }
    };
    let output = "";
    let isTimeout = false;
    const timer = setTimeout(() => {
      isTimeout = true;
      stop();
    }, timeoutMs);
    process.once("exit", stop);
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      if (output.length < MAX_OUTPUT) output += chunk;
    });
    const done = (): void => {
      clearTimeout(timer);
      process.removeListener("exit", stop);
    };
    child.once("error", (error) => {
      done();
      reject(error);
    });
    child.once("close", (code) => {
      done();
      resolveRun({ code, output, isTimeout });
    });
  });
}

interface Diagnostic {
  file: string | undefined;
  line: number;
  column: number;
  code: string;
  message: string;
}

/**
 * Reads the compiler's plain output: `file(line,column): error TS2322: …`, with further lines
 * indented.
 */
export function parseDiagnostics(output: string): Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const line of output.split(/\r?\n/)) {
    const [, file, row, column, code, message] =
      /^(?:(.+?)\((\d+),(\d+)\): )?error (TS\d+): (.*)$/.exec(line) ?? [];
    const last = diagnostics.at(-1);
    if (code !== undefined && message !== undefined)
      diagnostics.push({
        file,
        line: Number(row ?? 1),
        column: Number(column ?? 1),
        code,
        message,
      });
    else if (last !== undefined && /^\s+\S/.test(line)) last.message += `\n${line.trimEnd()}`;
  }
  return diagnostics;
}

/**
 * Whether the bundler replaces a module or a global, or explains at its place why it does not work.
 */
function isForBundler(message: string): boolean {
  const [, kind, name = ""] = /^Cannot find (name|module) '([^']+)'/.exec(message) ?? [];
  return kind === "module" ? isBuiltin(name) : HAZARDOUS_NAMES.has(name);
}

/**
 * Turns a diagnostic into an issue. Problems in installed packages are left out: the author cannot
 * fix them.
 */
function issueOf(diagnostic: Diagnostic, project: Project, config: string, cwd: string): Issue[] {
  const { code } = diagnostic;
  if (isForBundler(diagnostic.message)) return [];
  // In a Pack, types of Node or browsers only hide that something does not exist.
  const message = diagnostic.message.replace(
    / (?:Do you need to (?:install|change)|Try `npm i)[^\n]*/,
    "",
  );
  const base = {
    code: "TYPE_ERROR",
    // `@codahq/packs-sdk` built Packs without a type check.
    severity: project.isLegacy ? ("warning" as const) : ("error" as const),
    path: "",
    hint: typeHint(code, diagnostic.message),
  };
  const file = diagnostic.file === undefined ? undefined : resolve(cwd, diagnostic.file);
  const isOfProject = file === undefined || file === config;
  if (!isOfProject && isInstalled(file)) return [];
  // TypeScript 5.0 to 5.4 take some options from the command line only, even to switch them off.
  if (file === config && code === "TS6266") return [];
  // A problem in our temporary configuration is a problem of the one that it extends.
  const place = isOfProject
    ? { file: placeOf(project, cwd), line: 1, column: 1 }
    : { file: relative(cwd, file), line: diagnostic.line, column: diagnostic.column };
  const text = message
    .replaceAll(config, project.config ?? "tsconfig.json")
    .replaceAll(`${cwd}${sep}`, "");
  const [first = "", ...rest] = text.split("\n");
  return [{ ...base, message: [`${first} (${code})`, ...rest].join("\n"), ...place }];
}

function isInstalled(file: string): boolean {
  return (
    file.split(sep).includes("node_modules") || file.startsWith(join(packageRoot(), "dist") + sep)
  );
}

function unknownVersion(version: string, file: string): Issue {
  const message = `TypeScript ${version} is installed, and types are checked with TypeScript 4.9 to 7.`;
  const hint =
    "Install a supported version: npm install --save-dev typescript@latest. Or pass --no-types.";
  return {
    code: "TYPE_CHECK_FAILED",
    severity: "warning",
    message,
    path: "",
    file,
    line: 1,
    column: 1,
    hint,
  };
}

function failure(project: Project, message: string, cwd: string): Issue {
  const hint = "Run tsc --noEmit in the project to see why, or pass --no-types.";
  return {
    code: "TYPE_CHECK_FAILED",
    severity: "warning",
    message,
    path: "",
    file: placeOf(project, cwd),
    line: 1,
    column: 1,
    hint,
  };
}

function placeOf({ config, entries }: Project, cwd: string): string {
  return relative(cwd, config ?? entries[0] ?? cwd);
}
