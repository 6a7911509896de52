import { EXIT_CODES } from "./exit-codes.ts";
import { runCli } from "./run.ts";

/** Runs one command line with the streams of this process, and sets its exit code. */
export async function runProcess(args: readonly string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      // A reader that has seen enough, such as head, is not a failure; the command still ends in order.
      if (error.code !== "EPIPE") process.exit(EXIT_CODES.problem);
    });
  }
  const { stdout, stderr, env } = process;
  const streams = {
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    // Node opens it on first use; most commands read nothing.
    get stdin() {
      return process.stdin;
    },
  };
  process.exitCode = await runCli(args, streams);
  // What was interrupted may still hold the process.
  if (process.exitCode === EXIT_CODES.interrupted) process.exit();
}
