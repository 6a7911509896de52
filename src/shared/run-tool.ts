import { spawn } from "node:child_process";

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
