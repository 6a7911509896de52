#!/usr/bin/env node
import { readVersion } from "../commands/version.ts";

const args = process.argv.slice(2);

// The version is asked for by scripts that wait for it; nothing else is loaded for it.
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  process.stdout.write(`${readVersion()}\n`);
} else {
  const { runCli } = await import("./run.ts");
  process.exitCode = await runCli(args, {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    env: process.env,
    cwd: process.cwd(),
  });
}
