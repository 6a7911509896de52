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
  /**
   * Resolves with the first match in what a stream has after its last match; rejects when the
   * command ends before. Which of the two
   * streams arrives first is not known.
   */
  seen(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal, and gives the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts the built command line as a child process. */
export function startLongCli(
  args: readonly string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): LongCli {
  assertCurrentBuild(root);
  const child = spawn(process.execPath, [main, ...args], {
    cwd,
    env: { ...plainEnv(), ...env },
  });
  let text = "";
  let isOver = false;
  let look: () => void = () => {};
  const streams = [child.stdout, child.stderr].map((stream) => {
    const read = { unseen: "" };
    stream.on("data", (chunk) => {
      text += String(chunk);
      read.unseen += String(chunk);
      look();
    });
    return read;
  });
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
          for (const stream of streams) {
            const found = pattern.exec(stream.unseen);
            if (found === null) continue;
            look = () => {};
            stream.unseen = stream.unseen.slice(found.index + found[0].length);
            return resolve(found);
          }
          if (!isOver) return;
          look = () => {};
          reject(
            new Error(
              `${pattern} was not seen in:\n${streams.map(({ unseen }) => unseen).join("")}`,
            ),
          );
        };
        look();
      }),
    [Symbol.asyncDispose]: async () => void (await stop("SIGKILL")),
  };
}
