import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createDebugLog } from "./debug-log.ts";
import { findProgram, safePath } from "./find-program.ts";
import {
  findWayOut,
  refuse,
  requireReadableRepository,
  requireRegularFile,
} from "./git-repository.ts";
import { runReader } from "./run-reader.ts";
import { mayRunProgram } from "./trusted-folders.ts";

const debug = createDebugLog("publish");
const run = promisify(execFile);
const TIMEOUT_MS = 30_000;
/** Hooks often run tests. */
const HOOKS_TIMEOUT_MS = 15 * 60_000;
const MAX_OUTPUT_BYTES = 50_000_000;
/** Exists everywhere and is not a program: git cannot start it. */
const NO_PROGRAM = "/dev/null";

type Settings = readonly (readonly [name: string, value: string])[];

/**
 * A folder that was cloned may contain another repository with settings of its own, and a
 * repository may want objects from a server. Nothing here uses either.
 */
const SAFE: Settings = [
  ["safe.bareRepository", "explicit"],
  ["protocol.allow", "never"],
];

/** Settings of a repository that start programs when git only reads. */
const WITHOUT_PROGRAMS: Settings = [
  ...SAFE,
  ["core.fsmonitor", "false"],
  ["core.hooksPath", NO_PROGRAM],
  ["credential.helper", ""],
  ["diff.external", ""],
  ["log.showSignature", "false"],
  ["maintenance.auto", "false"],
  ["gc.auto", "0"],
  ["submodule.recurse", "false"],
  ["status.submoduleSummary", "false"],
  // A file with the attribute export-subst can ask for the check of a signature.
  ...["gpg.program", "gpg.openpgp.program", "gpg.x509.program", "gpg.ssh.program"].map(
    (name) => [name, NO_PROGRAM] as const,
  ),
];

/** What a setting with a name of the repository's choice names, such as `filter.NAME.clean`. */
const NAMES_PROGRAM =
  /^(?:filter\..*\.(?:clean|smudge|process)|(?:diff|hook|tar|trailer)\..*\.(?:command|cmd|textconv)|merge\..*\.driver|credential\..*\.helper|remote\..*\.(?:uploadpack|receivepack|vcs)|pager\..*|core\.(?:pager|editor|askpass|sshcommand|gitproxy|alternaterefscommand)|uploadpack\.packobjectshook|gpg\.ssh\.defaultkeycommand)$/s;

/**
 * @returns what git prints. It starts no program that the settings of the repository name, asks no
 * server, and does not wait for an answer. Rejects if git fails.
 */
export async function runGit(cwd: string, ...args: string[]): Promise<string> {
  // Reasons are recognized by their text.
  const env = { LC_ALL: "C" };
  const names = await listSettings(cwd);
  await requireIgnoredRevisions(cwd, names);
  const settings = [...WITHOUT_PROGRAMS, ...overridesFor(names, "false"), ...withoutFiles(names)];
  return await startGit(cwd, args, { settings, timeoutMs: TIMEOUT_MS, env });
}

/** @returns what git prints, without the line break; undefined where it has no answer */
export async function askGit(cwd: string, ...args: string[]): Promise<string | undefined> {
  return await runGit(cwd, ...args).then(
    (text) => text.trim(),
    () => undefined,
  );
}

/**
 * Refuses a repository in which git would write to files elsewhere, unless the folder is trusted.
 * Call it before a command that writes.
 */
export async function requireInnerRepository(cwd: string): Promise<void> {
  const path = findWayOut(cwd);
  if (path === undefined || (await mayRunProgram(cwd, LINKS))) return;
  throw refuse(`${path} leads out of the repository`);
}

const LINKS = {
  name: "links in its git repository",
  without: "nothing is committed, because git would write to files elsewhere",
};

/**
 * Commits and tags for the user: hooks, filters and signatures of the repository are used, as when
 * the user does it, if the folder is trusted. Otherwise hooks are left out, and git fails where a
 * filter or a signature is needed.
 */
export async function runGitWithHooks(cwd: string, ...args: string[]): Promise<string> {
  await requireInnerRepository(cwd);
  const names = await listSettings(cwd);
  const isSafe = !(await namesPrograms(cwd, names)) || (await mayRunProgram(cwd, GIT_PROGRAMS));
  const settings = isSafe ? SAFE : [...WITHOUT_PROGRAMS, ...overridesFor(names, "true")];
  return await startGit(cwd, args, {
    settings,
    timeoutMs: HOOKS_TIMEOUT_MS,
    env: {},
    mayWait: true,
  });
}

const GIT_PROGRAMS = {
  name: "what its git settings and hooks name",
  without: "git hooks, filters and signatures of the repository are left out",
};
const NAMES_HOOKS = /^(?:core\.(?:hookspath|fsmonitor)|gpg\..*program|credential\.helper)$/;

/** Whether the repository has hooks, or its own settings name a program. */
async function namesPrograms(cwd: string, settings: readonly SettingName[]): Promise<boolean> {
  const own = settings.filter(([scope]) => /^(?:local|worktree)$/.test(scope));
  if (own.some(([, name]) => NAMES_PROGRAM.test(name) || NAMES_HOOKS.test(name))) return true;
  const folder = await askGit(cwd, "rev-parse", "--path-format=absolute", "--git-common-dir");
  const names = await readdir(join(folder ?? "", "hooks")).catch(() => []);
  return names.some((name) => !name.endsWith(".sample"));
}

/**
 * Why git failed, as the end of a sentence: its own reason, the last line of a hook, or what
 * happened to it.
 */
export function gitReason(error: unknown): string {
  const { stderr, killed, code, message } = error as {
    stderr?: unknown;
    killed?: unknown;
    code?: unknown;
    message?: unknown;
  };
  if (stderr === undefined && code === undefined) return String(message);
  if (killed === true) return "it did not finish in time";
  if (code === "ENOENT" || code === "EACCES")
    return "the program git was not found, or cannot be run";
  const lines = String(stderr ?? "")
    .trim()
    .split("\n");
  const line = lines.find((each) => each.startsWith("fatal: ")) ?? lines.at(-1) ?? "";
  return (
    line
      .replace(/^(?:fatal|error): /, "")
      .replace(/\.$/, "")
      .slice(0, 300) || `it ended with code ${String(code)}`
  );
}

/**
 * The settings that take the programs away which this repository names, and those of the user.
 * @param isRequired whether git has to fail where a filter is missing
 */
function overridesFor(settings: readonly SettingName[], isRequired: "true" | "false"): Settings {
  return [...new Set(settings.map(([, name]) => name))]
    .filter((name) => NAMES_PROGRAM.test(name))
    .flatMap((name) => [
      [name, ""] as const,
      ...(name.startsWith("filter.")
        ? [[name.replace(/\.\w+$/, ".required"), isRequired] as const]
        : []),
    ]);
}

/** A setting of the repository that names a file, which may be anywhere and never end. */
const NAMES_FILE =
  /^(?:core\.(?:excludesfile|attributesfile)|mailmap\.(?:file|blob)|diff\.orderfile|commit\.template)$/;

function withoutFiles(settings: readonly SettingName[]): Settings {
  return settings
    .filter(([scope, name]) => /^(?:local|worktree)$/.test(scope) && NAMES_FILE.test(name))
    .map(([, name]) => [name, ""]);
}

/** The one setting of this kind that a second value does not replace. */
async function requireIgnoredRevisions(
  cwd: string,
  settings: readonly SettingName[],
): Promise<void> {
  const name = "blame.ignorerevsfile";
  if (!settings.some((setting) => setting[1] === name)) return;
  const args = ["config", "--null", "--type=path", "--get-all", name];
  const options = { settings: WITHOUT_PROGRAMS, timeoutMs: TIMEOUT_MS, env: {} };
  const root = requireReadableRepository(cwd) ?? cwd;
  for (const path of (await startGit(cwd, args, options)).split("\0"))
    requireRegularFile(resolve(root, path));
}

/** The name of a setting, with where it is: `local` is the repository. */
type SettingName = [scope: string, name: string];

async function listSettings(cwd: string): Promise<SettingName[]> {
  const args = ["config", "--list", "--null", "--name-only", "--show-scope"];
  const list = await startGit(cwd, args, {
    settings: WITHOUT_PROGRAMS,
    timeoutMs: TIMEOUT_MS,
    env: { LC_ALL: "C" },
  });
  const words = list.split("\0");
  // Older versions do not read settings from the environment.
  if (!words.includes("command")) throw new Error("git 2.31 or later is needed");
  return words.flatMap((scope, index) =>
    index % 2 === 0 && index + 1 < words.length ? [[scope, words[index + 1] ?? ""]] : [],
  );
}

interface StartOptions {
  settings: Settings;
  timeoutMs: number;
  env: Readonly<Record<string, string>>;
  /** Whether git may wait for a person, as a hook or a signature does. */
  mayWait?: boolean;
}

async function startGit(
  cwd: string,
  args: readonly string[],
  { settings, timeoutMs, env: more, mayWait = false }: StartOptions,
): Promise<string> {
  const repository = requireReadableRepository(cwd);
  const program = findProgram("git", process.env, { outside: cwd });
  if (program === undefined)
    throw Object.assign(new Error("git was not found in PATH"), { code: "ENOENT" });
  const env = {
    ...process.env,
    ...addSettings(settings),
    PATH: safePath(process.env, { outside: cwd }),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    // Versions that do not know the line above find no protocol to fetch with. Unlike
    // protocol.allow, the settings of a repository cannot change this.
    GIT_ALLOW_PROTOCOL: "none",
    ...more,
  };
  debug(() => `git: ${args.join(" ")}`);
  const words = ["--no-pager", ...args];
  if (mayWait) {
    const options = { cwd, timeout: timeoutMs, maxBuffer: MAX_OUTPUT_BYTES, env };
    return (await run(program, words, options)).stdout;
  }
  const options = { cwd, timeoutMs, maxBytes: MAX_OUTPUT_BYTES, env };
  return await withMemory(repository, () => readWithGit([program, ...words], options));
}

let readWithGit = runReader;

/**
 * Most tests are not about the processes of git. They let a small process start them, because a
 * large one takes longer to start another than git takes to answer.
 */
export function useReader(replacement: typeof runReader): void {
  readWithGit = replacement;
}

/** Repositories in which git had to be ended, so that a command does not wait for each of its calls. */
const ended = new Map<string, { error: unknown; untilMs: number }>();
const MEMORY_MS = 30_000;

async function withMemory(
  repository: string | undefined,
  start: () => Promise<string>,
): Promise<string> {
  const last = ended.get(repository ?? "");
  if (last !== undefined && performance.now() < last.untilMs) throw last.error;
  try {
    return await start();
  } catch (error) {
    const isEnded = (error as { isEnded?: unknown }).isEnded === true;
    if (isEnded && repository !== undefined)
      ended.set(repository, { error, untilMs: performance.now() + MEMORY_MS });
    throw error;
  }
}

/** After the settings that the environment has already, so that these count. */
function addSettings(settings: Settings): Record<string, string> {
  const first = Number(process.env["GIT_CONFIG_COUNT"] ?? 0) || 0;
  const entries = settings.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, name] as const,
    [`GIT_CONFIG_VALUE_${first + index}`, value] as const,
  ]);
  return { ...Object.fromEntries(entries), GIT_CONFIG_COUNT: String(first + settings.length) };
}
