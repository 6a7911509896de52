/** One request of a run, as it was before credentials were added to it. */
export interface TapedRequest {
  /** `pack`: of a formula. `token`: for an access token, or for the credentials of a role. */
  purpose: "pack" | "token";
  method: string;
  /** As declared, before routes. */
  url: string;
  body: string | Uint8Array | undefined;
}

/** What came back, as bytes whose content encoding has been undone. */
export interface TapedResponse {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  bytes: Uint8Array;
}

/** Stands between a run and the network: it listens, or it answers in the network's place. */
export interface Tape {
  /**
   * @param live sends the request; a tape that replays never calls it
   */
  exchange(request: TapedRequest, live: () => Promise<TapedResponse>): Promise<TapedResponse>;
  /** Whether answers come from a recording, so that nothing has to be waited for. */
  readonly isReplay: boolean;
}
