import { isPackError, type PackError } from "../../errors.ts";

/** The arguments of a test do not match the parameters. */
export class ParameterException extends Error {
  override name = "ParameterException";
}

/** The result of a formula does not match its schema. */
export class ResultValidationException extends Error {
  override name = "ResultValidationException";
  readonly errors: { message: string; path: string }[];

  constructor(message: string, errors: { message: string; path: string }[]) {
    super(message);
    this.errors = errors;
  }
}

/** Converts the error of a check into the exception that suites written for `@codahq/packs-sdk` expect. */
export function legacyException(error: unknown): unknown {
  if (!isPackError(error)) return error;
  const { code, message, details } = error as PackError;
  if (code === "ARGUMENT_COUNT" || code === "ARGUMENT_TYPE") return new ParameterException(message, { cause: error });
  if (code !== "RESULT_INVALID") return error;
  return new ResultValidationException(message, [{ message, path: (details as { path: string }).path }]);
}

/** Copies an error of the Pack: same class, same message, with the original as its `cause`. */
export function wrapThrown(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return new Error(String(thrown), { cause: thrown });
  const copy = Object.create(Object.getPrototypeOf(thrown), Object.getOwnPropertyDescriptors(thrown)) as Error;
  return Object.defineProperty(copy, "cause", { value: thrown, writable: true, enumerable: false, configurable: true });
}
