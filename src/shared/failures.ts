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
  const error = { code, message, thrown: thrownClass(cause), hint, rule, place };
  return { exitClass: exitClassOf(code), error, cause };
}

/** The class of the error that the Pack threw; undefined when it did not throw. */
export function thrownClass(error: PackError): string | undefined {
  const { details } = error;
  return typeof details === "object" && "thrown" in details ? details.thrown : undefined;
}

/** Why the system refused a file, as the end of a sentence; undefined for other errors. */
export function systemReason(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  return code === undefined ? undefined : REASONS[code];
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user has no permission",
  EPERM: "this user has no permission",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOENT: "there is no such file",
  ENOTDIR: "a part of the path is a file, not a folder",
  EISDIR: "it is a folder",
  ENOTREG: "it is a pipe or a device, not a file",
  EMFILE: "this process has too many files open",
  ENFILE: "the system has too many files open",
};
