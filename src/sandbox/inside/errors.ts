import type { UnsendableValue } from "../codec.ts";
import {
  defineProperty,
  getPrototypeOf,
  IntrinsicError,
  IntrinsicWeakMap,
  isInteger,
  keys,
  mapGet,
  mapSet,
  read,
  slice,
  stringify,
} from "../intrinsics.ts";
import {
  type FetchFailure,
  MAX_ERROR_MESSAGE,
  MAX_ERROR_NAME,
  MAX_ERROR_STACK,
  type SandboxError,
} from "../protocol.ts";
import { inspect } from "./inspect.ts";

/** Classes that extend each other. An endless chain of proxies ends here. */
const MAX_CLASSES = 10;

const failedFetches = new IntrinsicWeakMap<object, number>();

/** Describes what the Pack threw as data. */
export function describe(thrown: unknown): SandboxError {
  const isObject = (typeof thrown === "object" && thrown !== null) || typeof thrown === "function";
  const classNames = isObject ? readClassNames(thrown) : [];
  const name = isObject ? readName(thrown, classNames) : undefined;
  const message = read(thrown, "message");
  const stack = isObject ? read(thrown, "stack") : undefined;
  const statusCode = read(thrown, "statusCode");
  return {
    name: name === undefined ? undefined : slice(name, 0, MAX_ERROR_NAME),
    message: slice(
      isObject && typeof message === "string" ? message : inspect(thrown, MAX_ERROR_MESSAGE),
      0,
      MAX_ERROR_MESSAGE,
    ),
    stack: typeof stack === "string" ? slice(stack, 0, MAX_ERROR_STACK) : undefined,
    isUserVisible: isObject && read(thrown, "isUserVisible") === true,
    isFailedRequest:
      isObject &&
      (read(thrown, "name") === "StatusCodeError" || hasText(classNames, "StatusCodeError")),
    statusCode: isInteger(statusCode) ? (statusCode as number) : undefined,
    fetchId: isObject ? (mapGet(failedFetches, thrown as object) as number | undefined) : undefined,
  };
}

/**
 * The class of an error. `class RateLimited extends Error {}` does not change the name that it
 * inherits.
 * @returns undefined for what is not an error
 */
function readName(thrown: unknown, classNames: readonly string[]): string | undefined {
  const name = read(thrown, "name");
  if (typeof name !== "string") return hasText(classNames, "Error") ? classNames[0] : undefined;
  const isInherited = name === "Error" || hasText(classNames, name);
  return isInherited ? (classNames[0] ?? name) : name;
}

/** The name of the class of an object, and the names of the classes that it extends. */
function readClassNames(value: unknown): string[] {
  const names: string[] = [];
  let type = read(value, "constructor");
  for (let depth = 0; typeof type === "function" && depth < MAX_CLASSES; depth++) {
    const name = read(type, "name");
    if (typeof name === "string" && name !== "") names[names.length] = name;
    try {
      type = getPrototypeOf(type);
    } catch {
      // A proxy of the Pack.
      return names;
    }
  }
  return names;
}

function hasText(texts: readonly string[], text: string): boolean {
  for (let index = 0; index < texts.length; index++) if (texts[index] === text) return true;
  return false;
}

/**
 * Writes the same as JSON, member by member: `stringify` of an object would call a `toJSON` that
 * the Pack added to `Object.prototype`.
 */
export function describedText(thrown: unknown): string {
  const { name, message, stack, isUserVisible, isFailedRequest, statusCode, fetchId } =
    describe(thrown);
  const writeOptional = (member: string, value: unknown): string =>
    value === undefined ? "" : `,"${member}":${stringify(value)}`;
  return `{"message":${stringify(message)},"isUserVisible":${isUserVisible},"isFailedRequest":${isFailedRequest}${writeOptional("name", name)}${writeOptional("stack", stack)}${writeOptional("statusCode", statusCode)}${writeOptional("fetchId", fetchId)}}`;
}

/** The Pack can throw such an object, too, so only texts, read once, are used. */
export function findUnsendable(error: unknown): UnsendableValue | undefined {
  const path = read(error, "path");
  const reason = read(error, "reason");
  const isOne =
    read(error, "isUnsendable") === true && typeof path === "string" && typeof reason === "string";
  return isOne ? { isUnsendable: true, path, reason } : undefined;
}

/**
 * The error that a failed request is rejected with. Its name is a member like the others: the error
 * as JSON has it.
 */
export function fetchError(id: number, { name, message, members }: FetchFailure): Error {
  const error = new IntrinsicError(message);
  defineProperty(error, "name", {
    value: name,
    writable: true,
    enumerable: true,
    configurable: true,
  });
  const names = keys(members);
  for (let index = 0; index < names.length; index++) {
    const member = names[index] as string;
    defineProperty(error, member, {
      value: members[member],
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
  mapSet(failedFetches, error, id);
  return error;
}
