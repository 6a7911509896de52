import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";
import { killGroup, spawnGuarded } from "./guarded-process.ts";
import { isAsleep, processorMs } from "./process-tree.ts";

export interface ReaderOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  /** What it prints on standard output. */
  maxBytes: number;
}

/** What a program that reads files of others can do to a machine. */
const MAX_STDERR = 10_000;
const MAX_SLEEP_MS = 3000;
/**
 * Seconds of processor time, kilobytes of memory, and blocks of 512 or 1,024 bytes of each file
 * that it writes. A few small objects can name more files than any disk has.
 */
const LIMITS = "ulimit -S -t 10; ulimit -d 524288; ulimit -f 2097152";

/**
 * Runs a program that only reads files that someone else may have made. It ends with all that it
 * has started when it takes too long, when it waits for what does not come (a pipe without a
 * writer), when it needs too much memory, prints or writes too much, and with this process.
 * @returns what it prints. Rejects with `stderr` and `code` when it fails
 */
export function runReader(
  command: readonly [program: string, ...args: string[]],
  { cwd, env, timeoutMs, maxBytes }: ReaderOptions,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawnGuarded(command, {
      cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      limits: LIMITS,
    }) as ChildProcessByStdio<null, Readable, Readable>;
    const chunks: Buffer[] = [];
    let bytes = 0;
    let stderr = "";
    /** Why it was ended from here. */
    let reason: string | undefined;
    const end = (why: string): void => {
      reason ??= why;
      killGroup(child);
    };
    const timer = setTimeout(() => end("it did not finish in time"), timeoutMs);
    const endWatch =
      child.pid === undefined
        ? () => {}
        : watchSleep(child.pid, MAX_SLEEP_MS, () =>
            end("it waits for a file that is not a regular file"),
          );
    child.stdout.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxBytes) end(`it prints more than ${maxBytes / 1e6} MB`);
      else chunks.push(chunk);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(0, MAX_STDERR);
    });
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      endWatch();
      if (code === 0 && reason === undefined) return resolve(Buffer.concat(chunks).toString());
      reason ??= signal === null ? undefined : describeSignal(signal);
      const why = reason === undefined ? stderr : `fatal: ${reason}`;
      reject(Object.assign(new Error(why), { code, stderr: why, isEnded: reason !== undefined }));
    });
  });
}

function describeSignal(signal: NodeJS.Signals): string {
  if (signal === "SIGXFSZ") return "it writes more than 1 GiB";
  if (signal === "SIGXCPU") return "it needs more than 10 s of processor time";
  return `it was ended by ${signal}`;
}

const INTERVAL_MS = 100;

/**
 * Notices a process that waits for what does not come, such as a writer of a pipe: it sleeps and
 * computes nothing. Only a sleep that each look sees counts, so a busy machine ends nothing. Systems
 * other than Linux do not say.
 * @param onExceeded called once, when the process has slept for that long
 * @returns a function that ends the watch
 */
function watchSleep(pid: number, limitMs: number, onExceeded: () => void): () => void {
  let sleptMs = 0;
  let lastUsedMs: number | undefined;
  const timer = setInterval(() => {
    const usedMs = processorMs(pid);
    const sleeps = isAsleep(pid) === true && usedMs === lastUsedMs;
    lastUsedMs = usedMs;
    sleptMs = sleeps ? sleptMs + INTERVAL_MS : 0;
    if (sleptMs < limitMs) return;
    clearInterval(timer);
    onExceeded();
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
