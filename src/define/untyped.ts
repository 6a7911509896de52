/**
 * A value whose type only the author knows, such as the body of a response. Check it before you use
 * it.
 */
export type Untyped = unknown;

/**
 * The body of a response whose type was not declared. All its members can be read, as in the types
 * of `@codahq/packs-sdk`.
 */
// biome-ignore lint/suspicious/noExplicitAny: `unknown` would be an error in each formula that reads a body.
export type UntypedBody = any;

export type MaybePromise<Value> = Value | Promise<Value>;
