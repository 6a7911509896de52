import { execFile, spawn } from "node:child_process";
import { promisify } from "node:util";
import { createDebugLog } from "./debug-log.ts";

const debug = createDebugLog("publish");

export interface ToolResult {
  /** Undefined when the tool could not be started, or was ended because it took too long. */
  code: number | undefined;
  stdout: string;
  stderr: string;
}

export interface ToolOptions {
  /** What it reads; secrets go nowhere else. @default nothing */
  input?: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
  /** A person may have to answer a dialog of the system. @default 60_000 */
  timeoutMs?: number | undefined;
}

/**
 * What a tool of the desktop session needs to find it; nothing else of the environment is its
 * business.
 */
const PASSED_ON = [
  "PATH",
  "HOME",
  "USER",
  "LANG",
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XAUTHORITY",
  "XDG_RUNTIME_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
];
const MAX_OUTPUT = 10_000;

/**
 * Runs a program of the system without a shell: an argument list, and secrets only on stdin. Never
 * rejects.
 */
export function runTool(
  program: string,
  args: readonly string[],
  { input = "", env, timeoutMs = 60_000 }: ToolOptions,
): Promise<ToolResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      env: Object.fromEntries(
        PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
      ),
      stdio: "pipe",
      timeout: timeoutMs,
    });
    const output = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        output[name] = (output[name] + text).slice(0, MAX_OUTPUT);
      });
    }
    child.on("error", () => resolve({ code: undefined, ...output }));
    child.on("close", (code) => resolve({ code: code ?? undefined, ...output }));
    // A tool may end before it has read everything; its exit code shows that.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}

const run = promisify(execFile);
const TIMEOUT_MS = 30_000;
/** Hooks often run tests. */
const HOOKS_TIMEOUT_MS = 15 * 60_000;
const MAX_OUTPUT_BYTES = 50_000_000;

/**
 * The settings of a repository may name programs that git runs when it looks for changes, and when
 * it unpacks files.
 */
const NO_PROGRAMS = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/**
 * @returns what git prints. It may not write into the repository or wait for an answer. Rejects if
 * git fails.
 */
export function runGit(cwd: string, ...args: string[]): Promise<string> {
  // Reasons are recognized by their text.
  return git(cwd, [...NO_PROGRAMS, ...args], TIMEOUT_MS, { LC_ALL: "C" });
}

/** @returns what git prints, without the line break; undefined where it has no answer */
export async function askGit(cwd: string, ...args: string[]): Promise<string | undefined> {
  return await runGit(cwd, ...args).then(
    (text) => text.trim(),
    () => undefined,
  );
}

/** Commits and tags for the user: the hooks of the repository run, as when the user does it. */
export function runGitWithHooks(cwd: string, ...args: string[]): Promise<string> {
  return git(cwd, args, HOOKS_TIMEOUT_MS);
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
  if (killed === true) return "it did not end in time";
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

async function git(
  cwd: string,
  args: string[],
  timeout: number,
  more: Readonly<Record<string, string>> = {},
): Promise<string> {
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", ...more };
  debug(() => `git: ${args.slice(args.indexOf(NO_PROGRAMS.at(-1) ?? "") + 1).join(" ")}`);
  const { stdout } = await run("git", args, { cwd, timeout, maxBuffer: MAX_OUTPUT_BYTES, env });
  return stdout;
}
