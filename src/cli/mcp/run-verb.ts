import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import { PackError, usageError } from "../../errors.ts";
import { killGroup, spawnGuarded } from "../../shared/guarded-process.ts";
import { builtFile } from "../../shared/own-package.ts";
import { limitedSignal } from "../../shared/time.ts";
import type { ToolCall } from "./tool.ts";

const TIMEOUT_MS = 120_000;
/** How long an interrupted command may take to end in order. */
const GRACE_MS = 5_000;
const MAX_OUTPUT = 4_000_000;

/**
 * Runs a command in a process of its own, so that one that hangs or is cancelled can be ended. It
 * ends with this process.
 * @returns what it printed with `--json`
 * @throws {PackError} USAGE_INVALID for arguments that no process can have; INTERRUPTED when it was
 *   ended, INTERNAL when it printed
 * nothing that can be read
 */
export async function runVerb(
  args: readonly string[],
  { cwd, env, signal }: ToolCall,
): Promise<object> {
  const stop = limitedSignal(TIMEOUT_MS, signal);
  const child = start(args, cwd, { ...env, CI: "1", NO_COLOR: "1" });
  let killer: NodeJS.Timeout | undefined;
  const end = () => {
    child.kill("SIGTERM");
    killer ??= setTimeout(() => killGroup(child), GRACE_MS);
  };
  stop.addEventListener("abort", end, { once: true });
  let text = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (chunk: string) => {
    text += chunk;
    if (text.length > MAX_OUTPUT) end();
  });
  try {
    await new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", () => resolve());
    });
    if (stop.aborted) throw createInterruption();
    return JSON.parse(text) as object;
  } catch (cause) {
    if (stop.aborted) throw createInterruption();
    throw new PackError("INTERNAL", "packsmith cannot read the output of the command.", {
      details: undefined,
      hint: "Run the command in a terminal.",
      cause,
    });
  } finally {
    stop.removeEventListener("abort", end);
    clearTimeout(killer);
  }
}

function start(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  try {
    const command = [process.execPath, builtFile("bin/packsmith.cjs"), ...args];
    const options = { cwd, env, stdio: ["ignore", "pipe", "ignore"] } as const;
    return spawnGuarded(command, options) as ChildProcessByStdio<null, Readable, null>;
  } catch (error) {
    if (
      !["E2BIG", "ENAMETOOLONG", "ERR_INVALID_ARG_VALUE"].includes(
        String((error as NodeJS.ErrnoException).code),
      )
    )
      throw error;
    throw usageError(
      "An argument is too long, or contains a NUL character.",
      "Pass arguments of at most 100,000 characters, without NUL characters.",
    );
  }
}

function createInterruption(): PackError<"INTERRUPTED"> {
  return new PackError(
    "INTERRUPTED",
    `The command was stopped. A command can run for at most ${TIMEOUT_MS / 1_000} seconds.`,
    {
      details: undefined,
      hint: undefined,
    },
  );
}
