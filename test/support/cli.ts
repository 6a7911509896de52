import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CliRun, createRun } from "./cli-run.ts";
import { assertCurrentBuild } from "./current-build.ts";
import { checkJsonOutput } from "./json-output.ts";
import { plainEnv } from "./plain-env.ts";

export interface CliOptions {
  cwd?: string;
  env?: Record<string, string>;
  stdin?: string;
  /** Called with everything on stderr so far, whenever there is more. */
  onStderr?: (text: string) => void;
  /** Like `onStderr`; once it gives a line, that is typed and stdin ends. */
  answer?: (text: string) => Promise<string> | undefined;
}

const root = fileURLToPath(new URL("../..", import.meta.url));
const main = join(root, "dist/bin/packsmith.cjs");

/** Runs the built command line as a child process, as a user would. */
export function runCli(args: string[], options: CliOptions = {}): Promise<CliRun> {
  assertCurrentBuild(root);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...args], {
      cwd: options.cwd,
      env: { ...plainEnv(), ...options.env },
      stdio: "pipe",
    });
    let stdout = "";
    let stderr = "";
    let answered = false;
    child.stdout.on("data", (chunk) => {
      stdout += String(chunk);
    });
    child.stderr.on("data", (chunk) => {
      stderr += String(chunk);
      options.onStderr?.(stderr);
      const answer = answered ? undefined : options.answer?.(stderr);
      answered ||= answer !== undefined;
      answer?.then((line) => void child.stdin.end(`${line}\n`), reject);
    });
    child.on("error", reject);
    child.on("close", (code) => {
      checkJsonOutput(args, stdout).then(() => resolve(createRun(code, stdout, stderr)), reject);
    });
    if (options.answer === undefined) child.stdin.end(options.stdin ?? "");
  });
}

export interface CliServer<Facts> extends AsyncDisposable {
  facts: Facts;
  pid: number;
  /** Ends the server with SIGINT and gives its exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts a command that serves until it is interrupted, and waits for its ready line. */
export async function startCliServer<Facts>(
  args: string[],
  options: CliOptions = {},
): Promise<CliServer<Facts>> {
  const child = spawn(process.execPath, [main, ...args, "--json"], {
    cwd: options.cwd,
    env: { ...plainEnv(), ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = new Promise<number | null>((resolve) =>
    child.on("close", (code) => resolve(code)),
  );
  let stdout = "";
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      stdout += String(chunk);
      const end = stdout.indexOf("\n");
      if (end >= 0) resolve(stdout.slice(0, end));
    });
    void closed.then((code) =>
      reject(new Error(`packsmith ${args.join(" ")} ended with ${code}: ${stdout}${stderr}`)),
    );
  });
  await checkJsonOutput([...args, "--json"], `${line}\n`);
  const stop = (signal: NodeJS.Signals = "SIGINT") => {
    child.kill(signal);
    return closed;
  };
  return {
    facts: JSON.parse(line) as Facts,
    pid: child.pid ?? 0,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}
