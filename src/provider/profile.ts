/** A token response before it is written to the socket. */
export interface TokenAnswer {
  status: number;
  headers: Record<string, string>;
  /** An object is sent as JSON, a string as it is. */
  body: Record<string, unknown> | string;
}

/** How a provider departs from the strict one. What a profile leaves out stays strict. */
export interface ProviderProfile {
  name: string;
  /** Rewrites what the token endpoint answers, errors included. */
  tokenAnswer?: ((answer: TokenAnswer) => TokenAnswer) | undefined;
}
