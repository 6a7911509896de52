import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { assertCurrentBuild } from "./current-build.ts";
import { plainEnv } from "./plain-env.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const main = join(root, "dist/bin/packsmith.cjs");

/** A command line that goes on until it is ended. */
export interface LongCli extends AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  /** Everything that was written so far, in the order in which it came. */
  text(): string;
  /** Resolves with the first match in what was written after the last match; rejects when the command ends before. */
  seen(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal, and gives the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the built command line as a child process. */
export function startLongCli(args: readonly string[], { cwd, env = {} }: { cwd: string; env?: Record<string, string> }): LongCli {
  assertCurrentBuild(root);
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { ...plainEnv(), ...env },
  });
  let text = "";
  let from = 0;
  let isOver = false;
  let look: () => void = () => {};
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      text += String(chunk);
      look();
    });
  }
  const closed = new Promise<number | null>((resolve) =>
    child.on("close", (code) => {
      isOver = true;
      look();
      resolve(code);
    }),
  );
  const stop = (signal: NodeJS.Signals = "SIGINT"): Promise<number | null> => {
    if (!isOver) child.kill(signal);
    return closed;
  };
  return {
    child,
    text: () => text,
    stop,
    seen: (pattern) =>
      new Promise((resolve, reject) => {
        look = () => {
          const found = pattern.exec(text.slice(from));
          if (found === null && !isOver) return;
          look = () => {};
          if (found === null) return reject(new Error(`${pattern} was not seen in:\n${text.slice(from)}`));
          from += found.index + found[0].length;
          resolve(found);
        };
        look();
      }),
    [Symbol.asyncDispose]: async () => void (await stop("SIGKILL")),
  };
}
