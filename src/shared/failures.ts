import { type ExitClass, getExitClass, isPackError, PackError } from "../errors.ts";
import type { ReportedError } from "./reported-error.ts";

/** A failure in the form in which every command reports it, with the error it came from. */
export interface Failure {
  exitClass: ExitClass;
  error: ReportedError;
  cause: PackError;
}

/**
 * Turns a thrown value into a failure. Anything but a `PackError` is a bug of packsmith, and the
 * message says so, except where Node is the reason.
 * @param versions of Node and of Plug'n'Play. @default those of this process
 */
export function toFailure(
  thrown: unknown,
  versions: Partial<Record<string, string>> = process.versions,
): Failure {
  const cause = isPackError(thrown) ? thrown : toInternal(thrown, versions);
  const { code, message, hint, rule, place } = cause;
  const error = { code, message, thrown: thrownClass(cause), hint, rule, place };
  return { exitClass: getExitClass(code), error, cause };
}

function toInternal(
  thrown: unknown,
  { node = "", pnp }: Partial<Record<string, string>>,
): PackError<"INTERNAL"> {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
  const isMissing = /^(?:ERR_)?MODULE_NOT_FOUND$/.test(code);
  // docs/package-managers.md: "Yarn with Plug'n'Play".
  if (isMissing && pnp !== undefined && Number.parseInt(node, 10) < 22)
    return new PackError(
      "INTERNAL",
      `Node ${node} does not find every package in Yarn's archives.`,
      {
        details: undefined,
        hint: "Use Node 22 or later, or set nodeLinker: node-modules in .yarnrc.yml.",
        cause: thrown,
      },
    );
  const reason = thrown instanceof Error ? thrown.message : "an unknown error";
  return new PackError("INTERNAL", `Something unexpected happened: ${reason}.`, {
    details: undefined,
    hint: "Run the command again with --debug, and report its output.",
    cause: thrown,
  });
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
  ENXIO: "it is a socket or a device, not a file",
  ELOOP: "its symbolic links lead to each other",
  ENAMETOOLONG: "the name is too long",
  EMFILE: "this process has too many files open",
  ENFILE: "the system has too many files open",
};

/** What is wrong with text that `JSON.parse` refuses, without a quote of the text. */
export function describeJsonError(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  return (
    message.replace(/, .*is not valid JSON$/s, "").replace(/ in JSON\b/, "") || "it has an error"
  );
}

/** The code of the system in an error or its causes, such as ECONNREFUSED. */
export function networkCode(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; depth++) {
    const code = "code" in cause ? String(cause.code) : "";
    if (/^[A-Z][A-Z0-9_]+$/.test(code)) return code;
    cause = cause.cause;
  }
  return undefined;
}

/**
 * Why a server could not be reached, as the end of a sentence: in words, or the code of the system
 * where there are none. Messages of libraries are not shown: they may quote URLs.
 * @returns undefined for an error that has no code of the system
 */
export function networkReason(error: unknown): string | undefined {
  const code = networkCode(error);
  return code === undefined ? undefined : (NETWORK_REASONS[code] ?? code);
}

const NETWORK_REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the connection was refused",
  ECONNRESET: "the connection was closed",
  EPIPE: "the connection was closed",
  ENOTFOUND: "there is no host of this name",
  EAI_AGAIN: "the name server did not answer",
  ETIMEDOUT: "the connection timed out",
  EHOSTUNREACH: "there is no route to the host",
  ENETUNREACH: "there is no route to the network",
  UND_ERR_SOCKET: "the connection was closed",
  UND_ERR_CONNECT_TIMEOUT: "the connection timed out",
};

/**
 * What cannot be written, where, and why.
 * @param what starts the sentence, such as "The page"
 */
export function notWritable(
  what: string,
  path: string,
  hint: string,
  cause: unknown,
): PackError<"OUTPUT_NOT_WRITABLE"> {
  const reason = systemReason(cause);
  const message = `${what} cannot be written to ${path}${reason === undefined ? "" : `: ${reason}`}.`;
  return new PackError("OUTPUT_NOT_WRITABLE", message, { details: { path }, hint, cause });
}
