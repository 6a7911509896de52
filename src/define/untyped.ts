/** A value of unknown type, such as the body of a response. Check the value before you use it. */
export type Untyped = unknown;

/**
 * The body of a response without a declared type. You can read any property, as with the types of
 * `@codahq/packs-sdk`.
 */
// biome-ignore lint/suspicious/noExplicitAny: `unknown` would be an error in each formula that reads a body.
export type UntypedBody = any;

export type MaybePromise<Value> = Value | Promise<Value>;
