import { PackError } from "../../errors.ts";
import type { UnsendableValue } from "../codec.ts";
import {
  type IsolateCall,
  MAX_ERROR_MESSAGE,
  MAX_ERROR_NAME,
  MAX_ERROR_STACK,
  type SandboxError,
} from "../protocol.ts";
import type { StackMapper } from "./stack-trace.ts";

/** A path in a result may have names of any length. */
const MAX_PATH = 2_000;

/** For what the code in the sandbox never sends: the process was broken into. */
export function notOfSandbox(what: string): TypeError {
  return new TypeError(`The sandbox sent a ${what} that its own code does not send.`);
}

export function isText(value: unknown, maxLength: number): value is string {
  return typeof value === "string" && value.length <= maxLength;
}

/** @throws {TypeError} for what the code in the sandbox never sends */
export function checkError({ name, message, stack, statusCode, fetchId }: SandboxError): void {
  const hasName = name === undefined || isText(name, MAX_ERROR_NAME);
  const isDescribed = hasName && isText(message, MAX_ERROR_MESSAGE);
  const hasStack = stack === undefined || isText(stack, MAX_ERROR_STACK);
  const hasNumbers = [statusCode, fetchId].every(
    (number) => number === undefined || Number.isSafeInteger(number),
  );
  if (!isDescribed || !hasStack || !hasNumbers) throw notOfSandbox("description of an error");
}

/**
 * The error of a call in which the Pack's code threw.
 * @throws {TypeError} for what the code in the sandbox never sends
 */
export function toPackError(
  error: SandboxError,
  name: string,
  mapper: StackMapper,
  fetchErrors: ReadonlyMap<number, PackError>,
): PackError {
  checkError(error);
  const fetchError = error.fetchId === undefined ? undefined : fetchErrors.get(error.fetchId);
  if (fetchError !== undefined) return fetchError;
  if (error.isUserVisible) {
    return new PackError(
      "FORMULA_USER_ERROR",
      error.message || "The formula threw a user-visible error without a message.",
      {
        details: { thrown: error.name },
        hint: "The formula reports this problem to the user. Check the arguments.",
      },
    );
  }
  if (error.isFailedRequest && isHttpStatus(error.statusCode)) {
    return new PackError(
      "FETCH_STATUS",
      error.message || `The formula threw a ${error.name} with status ${error.statusCode}.`,
      {
        details: { status: error.statusCode, thrown: error.name },
        hint: "Correct the request, or catch StatusCodeError in the formula.",
      },
    );
  }
  const stack = mapper.map(error.stack);
  return new PackError(
    "FORMULA_FAILED",
    `${name} failed: ${error.name === undefined || error.name === "Error" ? "" : `${error.name}: `}${error.message}`,
    {
      details: { name, thrown: error.name, stack },
      hint:
        stack === undefined
          ? "Look for the throw statement in the formula."
          : `Look at ${firstPlace(stack)}.`,
    },
  );
}

/** RFC 9110 §15: a status has three digits, and its classes are 1 to 5. */
function isHttpStatus(status: number | undefined): status is number {
  return status !== undefined && status >= 100 && status <= 599;
}

/** @throws {TypeError} for what the code in the sandbox never sends */
export function unsendable(path: string, reason: string): PackError {
  if (typeof path !== "string" || typeof reason !== "string")
    throw notOfSandbox("problem of a result");
  const shown = path.length > MAX_PATH ? `${path.slice(0, MAX_PATH)}…` : path;
  return new PackError(
    "RESULT_INVALID",
    `The result cannot be used: ${shown} ${reason.slice(0, MAX_PATH)}.`,
    {
      details: { path: shown },
      hint: "Return at most 25 MB of plain data: strings, numbers, Booleans, dates, and arrays or objects of these values.",
    },
  );
}

export function createCrashError(cause?: unknown): PackError {
  return new PackError("RUN_CRASHED", "The sandbox ended unexpectedly.", {
    details: undefined,
    hint: "Run the formula again. If the sandbox ends again, report the problem together with the Pack.",
    cause,
  });
}

export function callName(call: IsolateCall): string {
  switch (call.kind) {
    case "sync":
      return call.table;
    case "update":
      return `${call.table}:update`;
    case "permissions":
      return `${call.table}:permissions`;
    case "matchFormats":
      return "matchers";
    default:
      return call.name;
  }
}

export function firstPlace(stack: string): string {
  return /\(?([^\s()]+:\d+:\d+)\)?/.exec(stack)?.[1] ?? stack;
}

/** The error for arguments that the codec refused; undefined for any other error. */
export function unsendableArgument(error: unknown): PackError | undefined {
  if (typeof error !== "object" || error === null || !("isUnsendable" in error)) return undefined;
  const { path, reason } = error as UnsendableValue;
  return new PackError(
    "ARGUMENT_TYPE",
    `The arguments cannot be passed to the Pack: ${path} ${reason}.`,
    {
      details: { parameter: path, expected: "data" },
      hint: "Pass strings, numbers, Booleans, dates, and arrays or objects of these values.",
    },
  );
}
