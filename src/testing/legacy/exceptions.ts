import { isPackError, type PackError } from "../../errors.ts";

/** The arguments of a test do not fit the parameters. */
export class ParameterException extends Error {
  override name = "ParameterException";
}

/** The result of a formula does not fit its schema. */
export class ResultValidationException extends Error {
  override name = "ResultValidationException";
  readonly errors: { message: string; path: string }[];

  constructor(message: string, errors: { message: string; path: string }[]) {
    super(message);
    this.errors = errors;
  }
}

/** Turns what a check threw into the exception that older suites expect. */
export function legacyException(error: unknown): unknown {
  if (!isPackError(error)) return error;
  const { code, message, details } = error as PackError;
  if (code === "ARGUMENT_COUNT" || code === "ARGUMENT_TYPE") return new ParameterException(message, { cause: error });
  if (code !== "RESULT_INVALID") return error;
  return new ResultValidationException(message, [{ message, path: (details as { path: string }).path }]);
}

/** A copy of what the Pack threw, of the same class and with the same message, that has the original as its `cause`. */
export function wrapThrown(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return new Error(String(thrown), { cause: thrown });
  const copy = Object.create(Object.getPrototypeOf(thrown), Object.getOwnPropertyDescriptors(thrown)) as Error;
  return Object.defineProperty(copy, "cause", { value: thrown, writable: true, enumerable: false, configurable: true });
}
