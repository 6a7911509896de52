#!/usr/bin/env node
import { packageVersion } from "../shared/own-package.ts";
import { createCommandLoader } from "./load-commands.ts";
import type { runProcess } from "./run.ts";

/** The scripts with all commands, next to this one; .ci/bundle-cli.mjs fills it in. */
declare const SCRIPTS: Readonly<Record<string, string>>;

const args = process.argv.slice(2);
/**
 * The commands that authors run many times a day: they call most of the code that is worth a place
 * in the cache.
 */
const isFrequent =
  /^(?:build|check|execute|run|validate)$/.test(args[0] ?? "") &&
  !args.includes("--help") &&
  !args.includes("-h");

// Scripts ask for the version and wait for it, so nothing else is loaded.
if (args.length === 1 && (args[0] === "--version" || args[0] === "-V"))
  process.stdout.write(`${packageVersion()}\n`);
else {
  // esbuild is a Go program. A build ends before it has anything worth collecting, which would take
  // a tenth of its time.
  process.env["GOGC"] ??= "400";
  const load = createCommandLoader(import.meta.dirname, SCRIPTS, isFrequent);
  const commands = load("start", "dist/cli/run.js") as { runProcess: typeof runProcess };
  void commands.runProcess(args);
}
