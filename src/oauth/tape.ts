/** A request of a run, before credentials were added to it. */
export interface TapedRequest {
  /**
   * `pack`: a request of a formula. `token`: a request for an access token, or for the credentials
   * of a role.
   */
  purpose: "pack" | "token";
  method: string;
  /** As declared, before routes. */
  url: string;
  body: string | Uint8Array | undefined;
}

/** A response, with its body decoded. */
export interface TapedResponse {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  bytes: Uint8Array;
}

/**
 * Records the requests and responses of a run to a cassette, or answers the requests from one
 * instead of the network.
 */
export interface Tape {
  /**
   * @param live sends the request; a replay never calls it
   */
  exchange(request: TapedRequest, live: () => Promise<TapedResponse>): Promise<TapedResponse>;
  /** Whether responses come from a recording, so that no delay is needed. */
  readonly isReplay: boolean;
}
