import { isBuiltin } from "node:module";
import { resolve } from "node:path";
import type { Message } from "esbuild";
import { type BuildProblem, isPackError, PackError } from "../errors.ts";
import { readPackageName } from "../shared/installed-packages.ts";
import { explainAlias, isAlias } from "./import-alias.ts";
import { findPolyfill, nativeAddonIn } from "./node-modules.ts";
import { isAuthoringFile } from "./own-modules.ts";

/** The start of the message of a build whose program ended. */
export const PROGRAM_ENDED = "esbuild stopped while it was reading the sources.";

/**
 * @param folder the paths in the messages are relative to it
 * @returns the problems that esbuild reports, with lines and columns that count from 1
 */
export function toBuildProblems(messages: readonly Message[], folder: string): BuildProblem[] {
  return messages.map((message) => ({
    ...explainMessage(message, folder),
    file: message.location?.file,
    line: message.location?.line,
    column: message.location === null ? undefined : message.location.column + 1,
    ...(nativeAddonIn(message.text) === undefined ? {} : { code: "NATIVE_ADDON" }),
  }));
}

/** @returns the messages of an error of esbuild; an empty list for any other error */
export function readMessages(error: unknown): readonly Message[] {
  return typeof error === "object" &&
    error !== null &&
    "errors" in error &&
    Array.isArray(error.errors)
    ? error.errors
    : [];
}

/** @returns the modules of Node that could not be resolved */
export function missingBuiltins(messages: readonly Message[]): string[] {
  return [
    ...new Set(
      messages
        .map(({ text }) => missingModule(text))
        .filter((name) => name !== undefined && isBuiltin(name)),
    ),
  ] as string[];
}

/** @returns the import specifiers of the native addons in the messages */
export function nativeAddons(messages: readonly Message[]): string[] {
  return [...new Set(messages.flatMap(({ text }) => nativeAddonIn(text) ?? []))];
}

/** @returns one error for a failed build, with every problem in its details */
export function buildFailed(
  problems: readonly BuildProblem[],
  cause: unknown,
): PackError<"PACK_BUILD_FAILED"> {
  const all =
    problems.length > 0
      ? problems
      : [{ message: firstLine(cause), file: undefined, line: undefined, column: undefined }];
  const first = all[0] as BuildProblem;
  const place = first.file === undefined ? "" : `${first.file}:${first.line}:${first.column}: `;
  const more = all.length === 1 ? "" : ` (and ${all.length - 1} more)`;
  return new PackError(
    "PACK_BUILD_FAILED",
    `The Pack does not build. ${place}${first.message}${more}`,
    {
      details: { problems: all },
      hint: first.hint ?? hintFor(first.message),
      cause,
    },
  );
}

/** @returns the packages whose files for browsers or bundlers lack a name that a Pack imports */
export function packagesThatLackNames(failure: unknown): string[] {
  if (!isPackError(failure, "PACK_BUILD_FAILED")) return [];
  return [...new Set(failure.details.problems.flatMap(({ message }) => lackingPackage(message)))];
}

/** @returns the same error, with a hint that says that the main files were tried, too */
export function explainMissingNames(
  failure: unknown,
  packages: readonly string[],
): PackError<"PACK_BUILD_FAILED"> {
  const problems = isPackError(failure, "PACK_BUILD_FAILED") ? failure.details.problems : [];
  const hint = `The Pack also does not build with the main files of ${packages.join(", ")}. Import a name that the package exports, or import all names: import * as name from "${packages[0]}".`;
  const explained = problems.map((problem) =>
    lackingPackage(problem.message).length === 0 ? problem : { hint, ...problem },
  );
  return buildFailed(explained, failure);
}

function lackingPackage(message: string): string[] {
  const path = /^No matching export in "(?:[^"]*\/)?node_modules\/([^"]+)"/.exec(message)?.[1];
  return path === undefined ? [] : [readPackageName(path)];
}

function explainMessage(message: Message, folder: string): { message: string; hint?: string } {
  const missing = missingModule(message.text);
  const isOfAlias =
    missing !== undefined && !/^[./#]/.test(missing) && !isBuiltin(missing) && isAlias(missing);
  return isOfAlias
    ? explainAlias(missing, message.location?.file ?? "", folder)
    : { message: formatMessage(message) };
}

function formatMessage({ text }: Message): string {
  const missing = missingModule(text);
  if (missing === undefined) return text;
  if (isBuiltin(missing)) return `${missing} is a Node module that the Pack runtime does not have.`;
  if (/^[./#]/.test(missing)) return text;
  const name = readPackageName(missing);
  return `The package ${name} is not installed. Run: npm i ${name}`;
}

function missingModule(text: string): string | undefined {
  return /^Could not resolve "([^"]+)"/.exec(text)?.[1];
}

/** What to do about a problem of a build. */
export function hintFor(message: string): string {
  const install = /Run: (npm i \S+)$/.exec(message)?.[1];
  if (install !== undefined) return `Run ${install}.`;
  if (nativeAddonIn(message) !== undefined)
    return "Use a package in plain JavaScript, or move this code to a server.";
  if (message.includes("module of Node"))
    return "Remove the import, or use a package that needs no Node module.";
  if (message.startsWith("No loader is configured"))
    return "Check the path: the entry file of a Pack is a script, such as pack.ts. Copy the text of other files into a script.";
  if (message === PROGRAM_ENDED)
    return "A source has too many nested brackets, functions or operators. Split the expression, or remove the file.";
  if (/^Unexpected "\\x(?:00|ff|fe)"/.test(message))
    return "Check the path: the file is not text in UTF-8. If it is the right file, save it in UTF-8.";
  return "Fix the line.";
}

function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n", 1)[0] ?? "") : "esbuild failed.";
}

/**
 * Rewrites the message about an import of a name that this package, or one of its modules of Node,
 * does not have: it names the
 * package, where esbuild names a file of it.
 * @param folder the paths in the message are relative to it
 * @returns undefined for every other message
 */
export function explainMissingName(message: Message, folder: string): Message | undefined {
  const { name, file } =
    /^No matching export in "(?<file>[^"]+)" for import "(?<name>[^"]+)"/.exec(message.text)
      ?.groups ??
    /^Import "(?<name>[^"]+)" will always be undefined because there is no matching export in "(?<file>[^"]+)"/.exec(
      message.text,
    )?.groups ??
    {};
  if (name === undefined || file === undefined) return undefined;
  const path = resolve(folder, file);
  const owner = isAuthoringFile(path) ? "packsmith" : findPolyfill(path);
  if (owner === undefined) return undefined;
  const nearest = message.location?.suggestion ?? "";
  return {
    ...message,
    text: `${owner} has no "${name}".${nearest === "" ? "" : ` Did you mean "${nearest}"?`}`,
  };
}
