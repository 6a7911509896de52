import { type Command, Option } from "commander";
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

/** The options that every command has. */
export function withCommonOptions(command: Command): Command {
  return command.option("--json", "print one JSON document on stdout").option("--debug", "show stack traces of errors");
}

/** Collects the values of an option that may be given several times. */
export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

/** An option whose text is read as a number later; help shows its default without quotation marks. */
export function numberOption(flags: string, description: string, value: string): Option {
  return new Option(flags, description).default(value, value);
}
