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

/**
 * Copies an error of the Pack: same class, with the original as its `cause`, and the words that
 * suites for `@codahq/packs-sdk` expect before its message.
 */
export function wrapThrown(thrown: unknown): unknown {
  const { message } = (thrown ?? {}) as { message?: unknown };
  const words = `The Pack code threw an error: ${String(message)}`;
  if (!(thrown instanceof Error)) return new Error(words, { cause: thrown });
  const copy = Object.create(
    Object.getPrototypeOf(thrown),
    Object.getOwnPropertyDescriptors(thrown),
  ) as Error;
  const member = { writable: true, enumerable: false, configurable: true };
  return Object.defineProperties(copy, {
    message: { ...member, value: words },
    cause: { ...member, value: thrown },
  });
}
