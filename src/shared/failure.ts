import { type ExitClass, exitClassOf, isPackError, PackError } from "../errors.ts";
import type { ReportedError } from "./reported-error.ts";

/** A failure in the form in which every command reports it, with the error it came from. */
export interface Failure {
  exitClass: ExitClass;
  error: ReportedError;
  cause: PackError;
}

/**
 * Turns a thrown value into a failure. Anything but a `PackError` is a bug of packsmith, and the
 * message says so.
 */
export function toFailure(thrown: unknown): Failure {
  const cause: PackError = isPackError(thrown)
    ? thrown
    : new PackError(
        "INTERNAL",
        `Something unexpected happened: ${thrown instanceof Error ? thrown.message : "an unknown error"}.`,
        {
          details: undefined,
          hint: "Run the command again with --debug and report what it prints.",
          cause: thrown,
        },
      );
  const { code, message, hint, rule, place } = cause;
  return { exitClass: exitClassOf(code), error: { code, message, hint, rule, place }, cause };
}
