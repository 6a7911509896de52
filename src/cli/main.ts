#!/usr/bin/env node
import { startEsbuild } from "../bundle/start-esbuild.ts";
import type { SandboxWorker } from "../sandbox/host/sandbox-worker.ts";
import { packageVersion } from "../shared/own-package.ts";
import { useServerTime } from "../shared/server-time.ts";
import { dailyVerbOf } from "./daily-verb.ts";

const args = process.argv.slice(2);

// The version is asked for by scripts that wait for it; nothing else is loaded for it.
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) process.stdout.write(`${packageVersion()}\n`);
else void runCommand();

async function runCommand(): Promise<void> {
  const sandbox = dailyVerbOf(args) === undefined ? undefined : await startAhead();
  const [{ runCli }, { EXIT_CODES }] = await Promise.all([import("./run.ts"), import("./exit-codes.ts")]);
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      // A reader that has seen enough, such as head, is no failure; the command still ends in order.
      if (error.code !== "EPIPE") process.exit(EXIT_CODES.problem);
    });
  }
  const { stdout, stderr, env } = process;
  const streams = {
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    // Node opens it when it is asked for; most commands read nothing.
    get stdin() {
      return process.stdin;
    },
  };
  process.exitCode = await runCli(args, streams, sandbox);
  // What was interrupted may still hold the process.
  if (process.exitCode === EXIT_CODES.interrupted) process.exit();
}

/**
 * What takes longest works while the rest of the command is loaded: a sandbox in a thread, and esbuild in a process of its own, whose
 * library takes longer to load than the thread needs to start.
 */
async function startAhead(): Promise<SandboxWorker | undefined> {
  useServerTime();
  const sandbox = await startSandbox();
  startEsbuild();
  return sandbox;
}

async function startSandbox(): Promise<SandboxWorker | undefined> {
  try {
    const { startSandboxWorker } = await import("../sandbox/host/sandbox-worker.ts");
    return startSandboxWorker();
  } catch {
    // Who needs one says what is wrong.
    return undefined;
  }
}
