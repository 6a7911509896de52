declare global {
  /** Filled by the typings that `@codahq/packs-sdk` resolves to, and by nothing else. */
  interface PacksmithCompatibility {}
}

/**
 * A value whose type only the author knows, such as the body of a response: `unknown`, so you check it before you use it.
 * In Packs that import `@codahq/packs-sdk` it is `any`, as they were written.
 */
export type Untyped = PacksmithCompatibility extends { untyped: infer Type } ? Type : unknown;

export type MaybePromise<Value> = Value | Promise<Value>;

/** Text that only validation checks, for Packs that import `@codahq/packs-sdk`. */
export type LegacyText = PacksmithCompatibility extends { untyped: unknown } ? string : never;
