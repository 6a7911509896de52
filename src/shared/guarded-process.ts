import { type ChildProcess, type IOType, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Duplex } from "node:stream";

/** All that a program can ignore; the others end or stop the guarded process as well. */
const SIGNALS = "1 2 3 4 5 6 7 8 10 11 12 13 14 15 16 18 20 21 22 23 24 25 26 27 28 29 30 31";

/**
 * Waits next to the process until its fourth pipe closes, which happens however this process ends,
 * and then kills its group: a process that computes notices nothing. `$$` is the id of the group.
 * The process can send signals to its group, so the guard ignores them. It does so from its start,
 * because it inherits what the shell ignores at this time.
 */
const GUARD = `trap "" ${SIGNALS}; { read -r line <&3; kill -9 -$$; } <&- >&- 2>&- & trap - ${SIGNALS}; exec 3<&-`;
const SHELL = "/bin/sh";

const running = new Set<ChildProcess>();

export interface GuardedOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** The descriptors 0 to 2, and those after the one of the guard. */
  stdio: readonly [IOType, IOType, IOType, ...(IOType | "ipc" | number)[]];
  /** Commands of the shell that set the limits of the kernel. @default none */
  limits?: string | undefined;
}

/**
 * Starts a program that ends with this process, and so does all that the program starts, also when
 * this process is killed. On Windows, where there is no shell, what it starts may stay.
 */
export function spawnGuarded(
  command: readonly string[],
  { cwd, env, stdio, limits = ":" }: GuardedOptions,
): ChildProcess {
  const [file = "", ...args] = hasShell()
    ? [SHELL, "-c", `${GUARD}; { ${limits}; } 2>/dev/null; exec "$0" "$@"`, ...command]
    : command;
  const [stdin, stdout, stderr, ...more] = stdio;
  const child = spawn(file, args, {
    cwd,
    env,
    stdio: [stdin, stdout, stderr, "pipe", ...more],
    // A group of its own: see `killGroup`.
    detached: hasShell(),
    windowsHide: true,
  });
  if (child.pid !== undefined) endWithThisProcess(child);
  return child;
}

let shell: boolean | undefined;

/** Whether processes are guarded, and have limits. */
export function hasShell(): boolean {
  shell ??= process.platform !== "win32" && existsSync(SHELL);
  return shell;
}

/**
 * Kills a process and those that it has started. A program that confines another one starts it
 * before it has told the kernel that both end together; in that moment a signal to the first would
 * leave the second, which waits for it forever. The guard keeps the id of the group from being used
 * again.
 */
export function killGroup(child: ChildProcess): void {
  try {
    if (hasShell() && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has no group, or nothing of it is left.
  }
  child.kill("SIGKILL");
}

function endWithThisProcess(child: ChildProcess): void {
  const pipe = child.stdio[3] as Duplex;
  pipe.on("error", () => undefined);
  if (running.size === 0) process.once("exit", endAll);
  running.add(child);
  child.once("exit", () => {
    killGroup(child);
    pipe.destroy();
    running.delete(child);
    if (running.size === 0) process.off("exit", endAll);
  });
}

function endAll(): void {
  for (const child of running) killGroup(child);
}
