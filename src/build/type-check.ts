import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { importsLegacyPackage } from "../bundle/own-modules.ts";
import { createSpecialFilesCheck } from "../bundle/special-files.ts";
import { placeIssues } from "../execute/pack-issues.ts";
import { inParallel } from "../shared/concurrency.ts";
import { isFile, readRegularFile } from "../shared/files.ts";
import { findUp } from "../shared/folders.ts";
import { packageRoot } from "../shared/own-package.ts";
import { createRootFinder, realPath } from "../shared/project-boundary.ts";
import {
  isInstalledWithPackage,
  isTrustedFolder,
  mayRunProgram,
} from "../shared/trusted-folders.ts";
import {
  createTypeScriptFinder,
  findTypeScript,
  type InstalledTypeScript,
  type Refusal,
} from "../shared/typescript.ts";
import { memoize } from "../shared/values.ts";
import type { Issue } from "../validate/issue.ts";
import type { ResidentCompiler } from "./resident-compiler.ts";
import type { TypeCache } from "./type-cache.ts";
import { makeConfiguration, type TypeProject } from "./type-config.ts";

export interface TypeCheckOptions {
  cwd: string;
  /** Limit for one run of the compiler. @default 60_000, and 30_000 in a folder without trust */
  timeoutMs?: number | undefined;
  /** What earlier runs found. @default none */
  cache?: TypeCache | undefined;
  /** A compiler that stays, for who checks again and again. @default each check starts one */
  resident?: ResidentCompiler | undefined;
  /** Finds the projects of folders. @default one of its own */
  findRoot?: ((folder: string) => string) | undefined;
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
  options: TypeCheckOptions,
): Promise<TypeCheckResult> {
  const { cwd } = options;
  const unchecked: string[] = [];
  const projects = new Map<string, TypeProject>();
  const exists = memoize(existsSync);
  const findCompiler = createCompilerFinder(options.findRoot ?? createRootFinder());
  const hasSpecialFiles = createSpecialFilesCheck();
  const refused = new Map<string, [Refusal, entry: string]>();
  for (const file of files) {
    const entry = resolve(cwd, file);
    if (!/\.[cm]?tsx?$/.test(entry) || !isFile(entry) || hasSpecialFiles(entry)) continue;
    const { version = "", compiler, refusal, isTrusted } = await findCompiler(dirname(entry));
    if (compiler === undefined) {
      if (refusal === undefined) unchecked.push(file);
      else if (!refused.has(version)) refused.set(version, [refusal, entry]);
      continue;
    }
    const config = findUp(dirname(entry), "tsconfig.json", exists);
    const isLegacy = importsLegacyPackage(readRegularFile(entry).toString());
    const described = { compiler, version, isTrusted, config, isLegacy };
    const key = JSON.stringify(described);
    const project = projects.get(key) ?? { ...described, entries: [] };
    project.entries.push(entry);
    projects.set(key, project);
  }
  const found = await inParallel(
    [...projects.values()],
    (project) => checkProject(project, options),
    MAX_PROCESSES,
  );
  const without = await describeRefused([...refused.values()], cwd);
  return { issues: placeIssues([...without, ...found.flat()], cwd, cwd), unchecked };
}

async function describeRefused(refused: readonly [Refusal, entry: string][], cwd: string) {
  if (refused.length === 0) return [];
  const { refusedVersion } = await import("./type-issues.ts");
  return refused.map(([refusal, entry]) => refusedVersion(refusal, relative(cwd, entry)));
}

type Compiler = Partial<InstalledTypeScript> & { isTrusted: boolean };

/** Asks once about each project and each TypeScript in it. */
function createCompilerFinder(
  findRoot: (folder: string) => string,
): (folder: string) => Promise<Compiler> {
  const findOwn = createTypeScriptFinder();
  const isOurs = memoize((compiler) => isInstalledWithPackage(realPath(compiler)));
  const chosen = new Map<string, Promise<Compiler>>();
  return async (folder) => {
    const own = findOwn(folder);
    if (own?.compiler === undefined) return { ...own, isTrusted: false };
    const root = findRoot(realPath(folder));
    const key = JSON.stringify([own, root]);
    const compiler = chosen.get(key) ?? chooseCompiler(own, isOurs(own.compiler), root, findRoot);
    chosen.set(key, compiler);
    return await compiler;
  };
}

/**
 * The TypeScript of a folder is a program of its author's. Without trust, the one that is installed
 * with packsmith is used.
 */
async function chooseCompiler(
  own: InstalledTypeScript,
  isOurs: boolean,
  root: string,
  findRoot: (folder: string) => string,
): Promise<Compiler> {
  if (isOurs) return { ...own, isTrusted: isTrustedFolder(root, findRoot) };
  const other = findTypeScript(packageRoot());
  const without =
    other?.compiler === undefined
      ? "Types are not checked"
      : `Types are checked with TypeScript ${other.version}, which packsmith includes`;
  const program = { name: "its TypeScript compiler", without };
  if (await mayRunProgram(root, program, findRoot)) return { ...own, isTrusted: true };
  return { ...other, isTrusted: false };
}

/** Limit for a repository with many Packs that have a configuration each. */
const MAX_PROCESSES = 2;

const TIMEOUT_MS = 60_000;
/** A source of many levels takes the native compiler minutes. */
const UNTRUSTED_TIMEOUT_MS = 30_000;

async function checkProject(project: TypeProject, options: TypeCheckOptions): Promise<Issue[]> {
  const { timeoutMs = project.isTrusted ? TIMEOUT_MS : UNTRUSTED_TIMEOUT_MS } = options;
  try {
    const configuration = makeConfiguration(project);
    const cached = options.cache?.open({ ...project, configuration });
    if (cached?.issues !== undefined) return cached.issues;
    const { runTypeCheck } = await import("./run-type-check.ts");
    return await runTypeCheck(project, { ...options, timeoutMs, configuration, cached });
  } catch {
    const { typeCheckFailure } = await import("./type-issues.ts");
    return [typeCheckFailure(project, "TypeScript could not be started.", options.cwd)];
  }
}
