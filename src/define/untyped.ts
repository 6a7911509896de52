declare global {
  /** Filled by the typings that an older Pack imports, and by nothing else. */
  interface PacksmithCompatibility {}
}

/**
 * A value whose type only the author knows, such as the body of a response: `unknown`, so that it is checked before it is
 * used. Packs that import the older package keep the freedom that they were written with.
 */
export type Untyped = PacksmithCompatibility extends { untyped: infer Type } ? Type : unknown;

export type MaybePromise<Value> = Value | Promise<Value>;

/** Text that is checked by validation only, for Packs that import the older package. */
export type OlderText = PacksmithCompatibility extends { untyped: unknown } ? string : never;
