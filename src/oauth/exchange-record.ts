import type { ClientAuthenticationMethod } from "./token-set.ts";

/** Which request to an authorization server an exchange was. */
export type ExchangeStep = "discovery" | "registration" | "device" | "token" | "refresh" | "revocation";

/** What one HTTP exchange with an authorization server looked like. It is redacted by construction: secrets never enter it (rule 44). */
export interface ExchangeRecord {
  step: ExchangeStep;
  method: string;
  /** As declared, before routes. */
  url: string;
  /** As the provider answered; absent when there was no answer. */
  status?: number | undefined;
  startedAtMs: number;
  durationMs: number;
  clientAuthentication?: ClientAuthenticationMethod | undefined;
  /** Parameter names with their values, secrets hidden. */
  request: {
    params: Readonly<Record<string, string>>;
    /** Names of the headers; values only where they can be no secret. */
    headers: Readonly<Record<string, string>>;
    /** Of the body. */
    bytes: number;
  };
  response?:
    | {
        contentType: string | undefined;
        /** Names of the members, never their values. */
        members: readonly string[];
        /** The members with values that can be no secret, such as `expires_in`; the others are masked. */
        values: Readonly<Record<string, string>>;
        headers: Readonly<Record<string, string>>;
        bytes: number;
        error?: string | undefined;
        errorDescription?: string | undefined;
        retryAfterSeconds?: number | undefined;
        /** What a strict client would refuse, one sentence each. */
        deviations: readonly string[];
      }
    | undefined;
  /** Why there is no usable answer: the code of the error. */
  error?: string | undefined;
}
