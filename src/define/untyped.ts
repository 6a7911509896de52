/**
 * A value whose type only the author knows, such as the body of a response. Check it before you use
 * it.
 */
export type Untyped = unknown;

export type MaybePromise<Value> = Value | Promise<Value>;
