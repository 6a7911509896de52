import { type Command, CommanderError } from "commander";
import { isPackError, PackError, usageError } from "../errors.ts";
import { useDebugRedactor } from "../shared/debug-log.ts";
import { systemReason, toFailure } from "../shared/failures.ts";
import { safePath } from "../shared/find-program.ts";
import { createRedactor } from "../shared/redact.ts";
import { useServerTime } from "../shared/time.ts";
import { useTrust } from "../shared/trusted-folders.ts";
import { canParseUrl } from "../shared/urls.ts";
import { createAskForTrust } from "./ask-for-trust.ts";
import { translateSpelling } from "./incumbent-spelling.ts";
import { createOutput, type Streams } from "./output.ts";
import { createProgramFor } from "./program-for.ts";
import { findUnknownCommand } from "./unknown-command.ts";
import { EXIT_CODES, type VerbContext } from "./verb.ts";

/** How long an interrupted command may take to end in order, in milliseconds. */
const INTERRUPT_GRACE_MS = 2_000;

/** Runs one command line with the streams of this process, and sets its exit code. */
export async function runProcess(args: readonly string[]): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      // A reader that has seen enough, such as head, is not a failure; the command still ends in
      // order.
      if (error.code === "EPIPE") return;
      const reason = systemReason(error) ?? "the system refused it";
      if (stream === process.stdout)
        process.stderr.write(
          `error OUTPUT_NOT_WRITABLE  The output cannot be written: ${reason}.\n`,
        );
      process.exit(EXIT_CODES.problem);
    });
  }
  // Programs are started by packages, too: no one may find one in the working folder.
  process.env["PATH"] = safePath(process.env);
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

/**
 * Runs one command line. After an interrupt the work of the command may still be running when this
 * returns.
 * @returns the exit code: 0 fine, 1 problems in the Pack or a failed run, 2 usage, 10 build, 11
 *   network or remote API,
 * 12 authentication, 130 interrupted
 */
export async function runCli(words: readonly string[], streams: Streams): Promise<number> {
  const args = translateSpelling(words);
  useServerTime();
  const redactor = createRedactor();
  redactor.add(findPassword(streams.env["DATABASE_URL"]));
  useDebugRedactor(redactor);
  const output = createOutput(streams, args.includes("--json"), redactor);
  const { env } = streams;
  useTrust({ env, all: args.includes("--trust"), ask: createAskForTrust(streams, output) });
  const debug = args.includes("--debug");
  const interrupt = new AbortController();
  const interrupted = deferredRejection();
  const onSignal = () => {
    const error = interruption(undefined);
    interrupt.abort(error);
    // A command that ends in order does so before; a formula, a build or a prompt does not listen.
    interrupted.rejectAfter(INTERRUPT_GRACE_MS, error);
  };
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
  let helpText = "";
  const program = await createProgramFor(args, context, (text) => {
    helpText += text;
  });
  try {
    const unknown = findUnknownCommand(program, args, streams.cwd);
    if (unknown !== undefined) throw unknown;
    await Promise.race([program.parseAsync([...args], { from: "user" }), interrupted.promise]);
    // A server that ends in order was interrupted, too.
    return interrupt.signal.aborted ? EXIT_CODES.interrupted : exitCode;
  } catch (thrown) {
    const error = interrupt.signal.aborted ? interruption(thrown) : thrown;
    if (error instanceof CommanderError)
      return usageExit(error, context, helpText, findVerb(program, args));
    const failure = toFailure(
      isPackError(error, "PORT_IN_USE") ? await withHolder(error, streams.env) : error,
    );
    if (output.json) output.document({ ok: false, error: failure.error });
    if (!output.json || debug) output.error(failure.cause, debug);
    return EXIT_CODES[failure.exitClass];
  } finally {
    interrupted.cancel();
    process.removeListener("SIGINT", onSignal);
    process.removeListener("SIGTERM", onSignal);
  }
}

/** What an interrupted command fails with is a consequence of the interruption. */
function interruption(cause: unknown): PackError {
  if (isPackError(cause, "INTERRUPTED")) return cause;
  return new PackError("INTERRUPTED", "Interrupted.", {
    details: undefined,
    hint: undefined,
    cause,
  });
}

/** The password in a URL, before it was percent-encoded. */
function findPassword(url: string | undefined): string | undefined {
  if (url === undefined || !canParseUrl(url)) return undefined;
  const { password } = new URL(url);
  try {
    return decodeURIComponent(password);
  } catch {
    return password;
  }
}

function deferredRejection() {
  let timer: NodeJS.Timeout | undefined;
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<never>((_, fail) => {
    reject = fail;
  });
  return {
    promise,
    rejectAfter(delayMs: number, error: Error) {
      timer ??= setTimeout(() => reject(error), delayMs);
    },
    cancel: () => clearTimeout(timer),
  };
}

/** Only a port that is taken pays for the search. */
async function withHolder(error: unknown, env: NodeJS.ProcessEnv): Promise<unknown> {
  const { namePortHolder } = await import("../shared/port-holder.ts");
  return await namePortHolder(error, env);
}

function usageExit(
  error: CommanderError,
  { output, streams }: VerbContext,
  helpText: string,
  verb: string,
): number {
  if (error.exitCode === 0) return 0;
  const isGroup = error.code === "commander.help";
  const usage = describeUsage(error, verb);
  if (output.json) output.document({ ok: false, error: toFailure(usage).error });
  // A group without a command prints its help.
  else if (isGroup) streams.stderr.write(helpText);
  else output.error(usage, false);
  return EXIT_CODES.usage;
}

function describeUsage(error: CommanderError, verb: string): PackError<"USAGE_INVALID"> {
  if (error.code === "commander.help")
    return usageError("A command is missing.", "Run packsmith --help to list the commands.");
  // `auth pack.ts` connects an account, so the file is missing as well.
  if (error.code === "commander.missingArgument" && verb === "auth ")
    return usageError(
      "A command is missing.",
      "To connect an account, run packsmith auth connect pack.ts. To list the other commands, run packsmith auth --help.",
    );
  return usageError(sentence(error.message), usageHint(error, verb));
}

function usageHint({ code, message }: CommanderError, verb: string): string {
  if (code === "commander.excessArguments" && message.includes("Expected 0 "))
    return `Run packsmith ${verb}without an argument.`;
  return `Run packsmith ${verb}--help.`;
}

/** The words of the command line that name a command: `"auth connect "`, or nothing. */
function findVerb(program: Command, args: readonly string[]): string {
  const findCommand = (command: Command, word: string | undefined) =>
    command.commands.find(
      (each) => word !== undefined && (each.name() === word || each.aliases().includes(word)),
    );
  const first = findCommand(program, args[0]);
  const second = first === undefined ? undefined : findCommand(first, args[1]);
  return [first, second]
    .map((command) => (command === undefined ? "" : `${command.name()} `))
    .join("");
}

function sentence(text: string): string {
  // The value of an option that does not exist may be a secret: --client-secret=… is a common
  // guess.
  const line = text
    .replace(/^error: /, "")
    .replace(/\s*\n\s*/g, " ")
    .replace(
      /^unknown option ('--?[\w-]+)=.*'$/,
      "the option $1' does not exist, or takes no value",
    )
    .replace(/^(unknown option '--?[\w-]+)=.*'/, "$1'")
    .replace(/^missing required argument ('.*')$/, "the argument $1 is missing")
    .replace(/^required option ('.*') not specified$/, "the option $1 is missing")
    .replace(/^option ('.*') argument missing$/, "the option $1 needs a value")
    .replace(
      /^command-argument value ('.*') is invalid for argument ('.*')\. Allowed choices are (.*)\.$/,
      "$1 is not an allowed value of the argument $2. Choose one of: $3.",
    )
    .replace(
      /^option '(?:-\w, )?(--[\w-]+).*' argument ('.*') is invalid\. Allowed choices are (.*)\.$/,
      "$2 is not an allowed value of the option '$1'. Choose one of: $3.",
    );
  return `${line.charAt(0).toUpperCase()}${line.slice(1)}${/[.?)]$/.test(line) ? "" : "."}`;
}
