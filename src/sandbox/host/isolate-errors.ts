import { PackError } from "../../errors.ts";
import type { UnsendableValue } from "../codec.ts";
import type { IsolateCall, SandboxError } from "../protocol.ts";
import type { StackMapper } from "./stack-trace.ts";

/** The error of a call in which the Pack's code threw. */
export function errorOf(error: SandboxError, name: string, mapper: StackMapper, fetchErrors: ReadonlyMap<number, PackError>): PackError {
  const fetchError = error.fetchId === undefined ? undefined : fetchErrors.get(error.fetchId);
  if (fetchError !== undefined) return fetchError;
  if (error.isUserVisible) {
    return new PackError("FORMULA_USER_ERROR", error.message || "The formula threw a user-visible error without a message.", {
      details: undefined,
      hint: "The formula threw this message for its user. Check the arguments.",
    });
  }
  if (error.name === "StatusCodeError" && error.statusCode !== undefined) {
    return new PackError("FETCH_STATUS", error.message, {
      details: { status: error.statusCode },
      hint: "Catch StatusCodeError in the formula, or check the request.",
    });
  }
  const stack = mapper.map(error.stack);
  return new PackError("FORMULA_FAILED", `${name} failed: ${error.name === "Error" ? "" : `${error.name}: `}${error.message}`, {
    details: { name, thrown: error.name, stack },
    hint: stack === undefined ? "Look for a throw in the formula." : `Look at ${firstPlace(stack)}.`,
  });
}

export function unsendable(path: string, reason: string): PackError {
  return new PackError("RESULT_INVALID", `The result cannot be used: ${path} ${reason}.`, {
    details: { path },
    hint: "Return at most 25 MB of plain data: text, numbers, booleans, dates, and arrays and objects of them.",
  });
}

export function crashed(cause?: unknown): PackError {
  return new PackError("RUN_CRASHED", "The sandbox ended unexpectedly.", {
    details: undefined,
    hint: "Run it again. If it happens again, report it with the Pack.",
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
  return new PackError("ARGUMENT_TYPE", `The arguments cannot be passed to the Pack: ${path} ${reason}.`, {
    details: { parameter: path, expected: "data" },
    hint: "Pass text, numbers, booleans, dates, and arrays and objects of them.",
  });
}
