import { isPackError, type PackError } from "../errors.ts";
import type { Issue } from "../validate/issue.ts";

/** Packages make objects of these while they load, and use them later. */
const CLASSES = ["TextDecoder", "AbortController"];

/** @returns the class that the Pack runtime does not have, and for which a Pack does not load */
export function findAbsentClass(error: unknown): string | undefined {
  if (!isPackError(error, "PACK_LOAD_FAILED")) return undefined;
  return CLASSES.find((name) => error.message.includes(`${name} is not defined`));
}

/** @returns the code with a class whose objects fail when they are used; its lines stay the same */
export function withClass(name: string, code: string): string {
  const failing = `() => { throw new ReferenceError("${name} is not defined"); }`;
  return `globalThis.${name} = class { constructor() { return new Proxy(this, { get: ${failing} }); } };${code}`;
}

/** The failure as a warning: a Pack that was written for another tool still builds. */
export function absentClassIssue(error: unknown): Issue {
  const { message, hint = "", place } = error as PackError;
  return {
    code: "GLOBAL_ABSENT",
    severity: "warning",
    message,
    path: "",
    hint: `It is built, but does not run. ${hint}`.trim(),
    ...(place === undefined ? {} : { file: place.file, line: place.line, column: place.column }),
  };
}
