import { findAbsence, type HazardCode } from "../validate/hazards.ts";

/** What an author can do about each hazard in a file of the Pack. */
export const HAZARD_HINTS: Readonly<Record<HazardCode, string>> = {
  DYNAMIC_IMPORT: "Import each module at the top of the file, and choose a module by its name.",
  CODE_FROM_TEXT: "Write this code as a function instead of a string.",
  WEBASSEMBLY_ABSENT:
    "Use a version of the package in plain JavaScript, or do the work on a server.",
  PROCESS_ABSENT: "Use a parameter for this value, or add the value to the authentication.",
  FILE_PATH_ABSENT: "Import the file. The bundle then contains its data.",
  TIMER_ABSENT:
    "Remove the timer, or build with --timer-strategy fake to run callbacks without waiting.",
  GLOBAL_ABSENT: "Use the built-in objects of JavaScript.",
};

const REQUESTS = [
  "fetch",
  "XMLHttpRequest",
  "WebSocket",
  "Headers",
  "Request",
  "Response",
  "FormData",
];
const REPLACED_BY_BUFFER = ["TextDecoder", "atob", "btoa", "Blob"];
/** A few lines of JavaScript can do what these do. */
const DEFINABLE = ["TextDecoder", "atob", "btoa", "structuredClone", "AbortController"];

/** What an author can do about a global in a file of the Pack. */
export function absentGlobalHint(name: string): string {
  if (REQUESTS.includes(name)) return "Send requests with context.fetcher.fetch.";
  return REPLACED_BY_BUFFER.includes(name)
    ? "Use Buffer, which the Pack runtime has."
    : HAZARD_HINTS.GLOBAL_ABSENT;
}

/**
 * What an author can do when code that runs while the Pack loads threw because it uses a global
 * that the Pack runtime does not have.
 * @param message the text of the error
 * @param packageName the package whose import runs the code; `undefined` when the code is the
 *   author's own
 * @returns `undefined` for other errors
 */
export function absentWhileLoadingHint(
  message: string,
  packageName: string | undefined,
): string | undefined {
  const [, name = ""] = /([\w$]+) is not defined$/.exec(message) ?? [];
  const code = findAbsence(name);
  if (code === undefined) return undefined;
  if (packageName === undefined)
    return code === "GLOBAL_ABSENT" ? absentGlobalHint(name) : HAZARD_HINTS[code];
  if (code === "TIMER_ABSENT")
    return "Build with --timer-strategy fake to run callbacks without waiting, or choose another package.";
  if (!DEFINABLE.includes(name))
    return `Choose another package or version, because ${packageName} cannot load without ${name}.`;
  return `Define globalThis.${name} in a separate file. Import that file before ${packageName}, because imports run in order.`;
}
