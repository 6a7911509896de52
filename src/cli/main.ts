#!/usr/bin/env node
import { startEsbuild } from "../bundle/start-esbuild.ts";
import { readVersion } from "../commands/version.ts";

const args = process.argv.slice(2);

// The version is asked for by scripts that wait for it; nothing else is loaded for it.
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) process.stdout.write(`${readVersion()}\n`);
else void runCommand();

async function runCommand(): Promise<void> {
  // What takes longest of them works meanwhile, in a process of its own.
  if (["build", "execute", "validate"].includes(args[0] ?? "")) startEsbuild();
  const [{ runCli }, { EXIT_CODES }] = await Promise.all([import("./run.ts"), import("./exit-codes.ts")]);
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      // A reader that has seen enough, such as head, is no failure; the command still ends in order.
      if (error.code !== "EPIPE") process.exit(EXIT_CODES.problem);
    });
  }
  process.exitCode = await runCli(args, {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    env: process.env,
    cwd: process.cwd(),
  });
  // What was interrupted may still hold the process.
  if (process.exitCode === EXIT_CODES.interrupted) process.exit();
}
