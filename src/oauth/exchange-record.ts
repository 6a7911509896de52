import type { ClientAuthenticationMethod } from "./token-set.ts";

export const EXCHANGE_STEPS = [
  ...(["resource", "discovery", "registration", "pushed"] as const),
  ...(["device", "token", "refresh", "revocation"] as const),
] as const;

/** What a request to an authorization server is for. */
export type ExchangeStep = (typeof EXCHANGE_STEPS)[number];

/**
 * One HTTP exchange with an authorization server. Secrets are never written into it, so it can be
 * shown and shared.
 */
export interface ExchangeRecord {
  step: ExchangeStep;
  method: string;
  /** As declared, before routes. */
  url: string;
  /** The provider's status; absent without a response. */
  status?: number | undefined;
  startedAtMs: number;
  durationMs: number;
  clientAuthentication?: ClientAuthenticationMethod | undefined;
  /** Parameter names with their values, secrets hidden. */
  request: {
    params: Readonly<Record<string, string>>;
    /** Names of the headers; values only of headers that never hold a secret. */
    headers: Readonly<Record<string, string>>;
    /** Size of the body. */
    bytes: number;
  };
  response?:
    | {
        contentType: string | undefined;
        /** Names of the members, never their values. */
        members: readonly string[];
        /** Values of members that never hold a secret, such as `expires_in`; others are masked. */
        values: Readonly<Record<string, string>>;
        headers: Readonly<Record<string, string>>;
        bytes: number;
        error?: string | undefined;
        errorDescription?: string | undefined;
        retryAfterSeconds?: number | undefined;
        /** What a strict client would refuse, one sentence for each deviation. */
        deviations: readonly string[];
      }
    | undefined;
  /** The server has no tokens yet, because the user is not done on the other device. */
  isWaiting?: true | undefined;
  /** The error code, if the response cannot be used. */
  error?: string | undefined;
}
