import { type Command, Option } from "commander";
import type * as z from "zod";
import { requireAccountName } from "../accounts/account-name.ts";
import type { AccountSlot } from "../accounts/account-summary.ts";
import { type ExitClass, usageError } from "../errors.ts";
import type { Redactor } from "../shared/redact.ts";
import type { Output, Streams } from "./output.ts";

/** What every command of the command line works with. */
export interface VerbContext {
  streams: Streams;
  output: Output;
  redactor: Redactor;
  /** Aborts when the user interrupts the process. */
  signal: AbortSignal;
  /** Sets the exit code of a command that ends without an error of its own. */
  end(exitCode: number): void;
}

/**
 * Loads the schema of what a command prints with `--json` when it does not end with an error. Only
 * `schema` and `mcp` load it.
 */
export type OutputSchema = () => Promise<z.ZodType>;

/** What is known about a command besides its arguments and options. */
export interface VerbFacts {
  schema: OutputSchema;
  /** The function of `packsmith/node` that does the same. */
  nodeFunction: string | undefined;
}

const verbFacts = new WeakMap<Command, VerbFacts>();

/** @returns undefined for a group of commands */
export function findFacts(command: Command): VerbFacts | undefined {
  return verbFacts.get(command);
}

/**
 * Adds the options that every command has, and says what the command prints with `--json`.
 * @param nodeFunction the function of `packsmith/node` that does the same
 */
export function withCommonOptions(
  command: Command,
  schema: OutputSchema,
  nodeFunction?: string,
): Command {
  verbFacts.set(command, { schema, nodeFunction });
  return command
    .option("--json", "print one JSON document on stdout")
    .option("--debug", "show the stack traces of errors");
}

/** The end of a command's help: two to four command lines to start from. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** Collects the values of an option that may be given several times. */
export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

/**
 * An option whose text is read as a number later; help shows its default without quotation marks.
 */
export function numberOption(flags: string, description: string, value: string): Option {
  return new Option(flags, description).default(value, value);
}

/**
 * What a process ends with, by class of failure. Scripts rely on these numbers; they never change.
 */
export const EXIT_CODES: { readonly [Class in ExitClass]: number } = {
  problem: 1,
  usage: 2,
  breaking: 3,
  build: 10,
  network: 11,
  authentication: 12,
  interrupted: 130,
};

/** An option that takes the name of an account. */
export function accountOption(description: string, value?: string): Option {
  return new Option("--account <name>", description)
    .default(value)
    .argParser((name) => requireAccountName(name));
}

/** The time limit that every command has which sends requests to a provider. */
export function requestTimeoutOption(): Option {
  return numberOption(
    "--request-timeout <seconds>",
    "maximum time for one request to the provider",
    "30",
  );
}

export interface SlotFlags {
  system?: boolean;
  admin?: string;
}

/** For commands that may run a program of the project. `runCli` reads it. */
export function trustOption(): Option {
  return new Option(
    "--trust",
    "allow the folder's TypeScript compiler and git hooks to run. PACKSMITH_TRUST=1 has the same effect",
  );
}

/** The options that name a Pack's authentication other than the user's. */
export function withSlotOptions(command: Command): Command {
  return command
    .option("--system", "use the Pack's own account instead of the user's account")
    .option(
      "--admin <name>",
      "use the administrator's account with this name instead of the user's account",
    );
}

/** @throws {PackError} USAGE_INVALID */
export function findSlot({ system, admin }: SlotFlags): AccountSlot | undefined {
  if (admin === undefined) return system ? "system" : undefined;
  if (!system) return `admin:${admin}`;
  throw usageError(
    "--system and --admin cannot be used together.",
    "Remove one of the two options.",
  );
}

/** Resolves when the user ends the process with SIGINT or SIGTERM: the orderly end of a server. */
export function untilInterrupted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}
