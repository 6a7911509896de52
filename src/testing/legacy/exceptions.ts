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

/** Copies an error of the Pack: same class, same message, with the original as its `cause`. */
export function wrapThrown(thrown: unknown): unknown {
  if (!(thrown instanceof Error)) return new Error(String(thrown), { cause: thrown });
  const copy = Object.create(
    Object.getPrototypeOf(thrown),
    Object.getOwnPropertyDescriptors(thrown),
  ) as Error;
  return Object.defineProperty(copy, "cause", {
    value: thrown,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}
