import { Command, CommanderError } from "commander";
import { readVersion } from "../commands/version.ts";
import { exitClassOf, isPackError, PackError } from "../errors.ts";
import { createRedactor } from "../redact.ts";
import { EXIT_CODES } from "./exit-codes.ts";
import { createOutput, type Streams } from "./output.ts";
import type { VerbContext } from "./verb.ts";
import { addAuthVerbs } from "./verbs/auth.ts";
import { addBuildVerb } from "./verbs/build.ts";
import { addDemoVerb } from "./verbs/demo.ts";
import { addExecuteVerb } from "./verbs/execute.ts";
import { addInitVerb } from "./verbs/init.ts";
import { addProviderVerb } from "./verbs/provider.ts";
import { addServiceVerb } from "./verbs/service.ts";
import { addValidateVerb } from "./verbs/validate.ts";

/**
 * Runs one command line.
 * @returns the exit code: 0 fine, 1 problems in the Pack or a failed run, 2 usage, 10 build, 11 network or remote API,
 * 12 authentication, 130 interrupted
 */
export async function runCli(args: readonly string[], streams: Streams): Promise<number> {
  const redactor = createRedactor();
  const output = createOutput(streams, args.includes("--json"), redactor);
  const debug = args.includes("--debug");
  const interrupt = new AbortController();
  const onSignal = () => interrupt.abort(new PackError("INTERRUPTED", "Interrupted.", { details: undefined, hint: undefined }));
  process.once("SIGINT", onSignal);
  process.once("SIGTERM", onSignal);

  let exitCode = 0;
  const context: VerbContext = {
    streams,
    output,
    redactor,
    signal: interrupt.signal,
    end: (code) => {
      exitCode = code;
    },
  };
  const program = createProgram(context);
  try {
    await program.parseAsync([...args], { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return usageExit(error, context);
    const known = isPackError(error) ? error : unexpected(error);
    if (output.json) output.document({ ok: false, error: { code: known.code, message: known.message, hint: known.hint } });
    if (!output.json || debug) output.error(known, debug);
    return EXIT_CODES[exitClassOf(known.code)];
  } finally {
    process.removeListener("SIGINT", onSignal);
    process.removeListener("SIGTERM", onSignal);
  }
}

function createProgram(context: VerbContext): Command {
  const program = new Command("packsmith")
    .description("Write, connect, run and build Packs.")
    .version(readVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .helpCommand("help [command]", "show help for a command")
    .showHelpAfterError(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.streams.stdout.write(text),
      // Usage errors are reported once, by runCli, so that --json holds for them too.
      writeErr: () => {},
    });
  addInitVerb(program, context);
  addValidateVerb(program, context);
  addBuildVerb(program, context);
  addAuthVerbs(program, context);
  addExecuteVerb(program, context);
  addProviderVerb(program, context);
  addServiceVerb(program, context);
  addDemoVerb(program, context);
  return program;
}

function usageExit(error: CommanderError, { output, streams }: VerbContext): number {
  if (error.exitCode === 0) return 0;
  if (error.code === "commander.help") {
    // A group that was called without a verb: its help is the answer, and a usage error.
    return EXIT_CODES.usage;
  }
  const message = error.message.replace(/^error: /, "");
  const usage = new PackError(
    "USAGE_INVALID",
    `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.?)]$/.test(message) ? "" : "."}`,
    {
      details: undefined,
      hint: "Run packsmith --help, or packsmith <command> --help.",
    },
  );
  if (output.json) output.document({ ok: false, error: { code: usage.code, message: usage.message, hint: usage.hint } });
  else output.error(usage, false);
  void streams;
  return EXIT_CODES.usage;
}

function unexpected(error: unknown): PackError {
  return new PackError("INTERNAL", `Something unexpected happened: ${error instanceof Error ? error.message : "an unknown error"}.`, {
    details: undefined,
    hint: "Run the command again with --debug and report what it prints.",
    cause: error,
  });
}
