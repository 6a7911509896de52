import { createHash } from "node:crypto";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { isFile, readRegularFile } from "./files.ts";
import { findUp, homeDirectory, makeFolder } from "./folders.ts";
import { packageRoot } from "./own-package.ts";
import { isInside, projectRoot, realPath } from "./project-boundary.ts";

/** A program of a folder that someone else may have made. */
export interface FolderProgram {
  /** The end of "If you do, …": `its TypeScript compiler`. */
  name: string;
  /** What happens without it, as a sentence: `Types are not checked`. */
  without: string;
}

/** Asks a person whether a folder is trusted, or says what is left out. */
export type AskForTrust = (folder: string, program: FolderProgram) => Promise<boolean>;

export interface TrustOptions {
  env: NodeJS.ProcessEnv;
  /** All folders of this process are trusted. @default false */
  all?: boolean | undefined;
  /** @default no one is asked: a folder is not trusted */
  ask?: AskForTrust | undefined;
}

let current: TrustOptions = { env: process.env };
let asked = new Map<string, Promise<boolean>>();

/** Sets how this process decides. Without it, the environment and the stored answers count. */
export function useTrust(options: TrustOptions): void {
  current = options;
  asked = new Map();
}

/**
 * Whether a program of the project of a folder may run outside of the sandbox. Asked once for each
 * program and process.
 * @param findRoot that of `createRootFinder`, for many folders
 */
export async function mayRunProgram(
  folder: string,
  program: FolderProgram,
  findRoot?: (folder: string) => string,
): Promise<boolean> {
  const root = trustRoot(folder, findRoot);
  if (isTrusted(root)) return true;
  const key = `${root}\0${program.name}`;
  const answer = asked.get(key) ?? current.ask?.(root, program) ?? Promise.resolve(false);
  asked.set(key, answer);
  return await answer;
}

/** Whether a folder is trusted as far as packsmith knows without asking. */
export function isTrustedFolder(folder: string, findRoot?: (folder: string) => string): boolean {
  return isTrusted(trustRoot(folder, findRoot));
}

/** Whether a program was installed together with packsmith. @param path a real path */
export function isInstalledWithPackage(path: string): boolean {
  const [folder = ""] = packageRoot().split(/(?<=[\\/])node_modules[\\/]/);
  return isInside(join(folder, "node_modules"), path);
}

/** @returns the folder that is trusted or not: the project or workspace, as a real path */
export function trustRoot(
  folder: string,
  findRoot: (folder: string) => string = projectRoot,
): string {
  // A folder above a real path is one, too.
  return findRoot(realPath(folder));
}

function isTrusted(root: string): boolean {
  if (current.all === true || /^(?:1|true)$/.test(current.env["PACKSMITH_TRUST"] ?? ""))
    return true;
  return isStartedFrom(root) || findAnswer(root, current.env) === true;
}

/** Who runs the packsmith of a folder has run a program of this folder. */
function isStartedFrom(root: string): boolean {
  return [packageRoot(), process.argv[1] ?? ""].some((path) => isInside(root, path));
}

export interface TrustedFolder {
  /** Real path of the project or workspace. */
  folder: string;
  isTrusted: boolean;
}

interface StoredAnswer extends TrustedFolder {
  /** Of the repository in the folder: another one at the same path is asked about again. */
  repository: string;
}

/** @returns undefined when no one was asked about this folder and its repository */
export function findAnswer(root: string, env: NodeJS.ProcessEnv): boolean | undefined {
  const stored = readAnswer(answerFile(root, env));
  return stored?.folder === root && stored.repository === identifyRepository(root)
    ? stored.isTrusted
    : undefined;
}

/** Keeps an answer next to the vault. */
export function storeAnswer({ folder, isTrusted }: TrustedFolder, env: NodeJS.ProcessEnv): void {
  const answer: StoredAnswer = { folder, isTrusted, repository: identifyRepository(folder) };
  const file = answerFile(folder, env);
  makeFolder(dirname(file), 0o700);
  writeFileSync(file, `${JSON.stringify(answer)}\n`, { mode: 0o600 });
}

export function removeAnswer(root: string, env: NodeJS.ProcessEnv): void {
  rmSync(answerFile(root, env), { force: true });
}

/** @returns all answers, by path */
export function listAnswers(env: NodeJS.ProcessEnv): TrustedFolder[] {
  const folder = answersFolder(env);
  return readNames(folder)
    .flatMap((name) => readAnswer(join(folder, name)) ?? [])
    .map(({ folder, isTrusted }) => ({ folder, isTrusted }))
    .sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

function answersFolder(env: NodeJS.ProcessEnv): string {
  return join(homeDirectory(env), "trusted");
}

function answerFile(root: string, env: NodeJS.ProcessEnv): string {
  return join(answersFolder(env), `${hashText(root).slice(0, 32)}.json`);
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".json"));
  } catch {
    return [];
  }
}

function readAnswer(file: string): StoredAnswer | undefined {
  // To look is faster than to fail, and most folders were not asked about.
  if (!isFile(file)) return undefined;
  try {
    const answer = JSON.parse(readRegularFile(file).toString()) as Partial<StoredAnswer> | null;
    const { folder, isTrusted, repository } = answer ?? {};
    const isAnswer =
      typeof folder === "string" &&
      typeof isTrusted === "boolean" &&
      typeof repository === "string";
    return isAnswer ? { folder, isTrusted, repository } : undefined;
  } catch {
    return undefined;
  }
}

/** A hash of where the repository was cloned from; an URL may hold a password. */
function identifyRepository(root: string): string {
  const git = findUp(root, ".git");
  if (git === undefined) return "";
  try {
    const settings = readRegularFile(join(git, "config")).toString();
    const [, url = ""] =
      /^\s*\[remote "origin"\][^[]*?^\s*url\s*=\s*(.+?)\s*$/m.exec(settings) ?? [];
    return hashText(url);
  } catch {
    // A work tree of its own has its settings elsewhere.
    return hashText(git);
  }
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
