import { PackError } from "../errors.ts";
import type { ExchangeStep } from "./exchange-record.ts";

/** An error that a token endpoint reported. */
export interface ReportedFailure {
  step: ExchangeStep;
  host: string;
  status: number;
  error: string;
  description: string | undefined;
  retryAfterSeconds: number | undefined;
}

/**
 * The error for a refused request. A 5xx, a 429 or `temporarily_unavailable` is temporary and never means "reconnect".
 * @returns OAUTH_TOKEN_UNAVAILABLE or OAUTH_TOKEN_REJECTED
 */
export function reportedError(failure: ReportedFailure): PackError {
  const { step, host, status, retryAfterSeconds } = failure;
  const error = cleanProviderText(failure.error) ?? "error";
  const description = cleanProviderText(failure.description);
  const said = description === undefined ? error : `${error}: ${description}`;
  if (status >= 500 || status === 429 || status === 408 || error === "temporarily_unavailable") {
    return new PackError("OAUTH_TOKEN_UNAVAILABLE", `${host} is not available now (status ${status}, ${said}).`, {
      details: { status, retryAfterSeconds },
      hint: retryAfterSeconds === undefined ? "Try again later." : `Try again in ${retryAfterSeconds} seconds.`,
    });
  }
  return new PackError("OAUTH_TOKEN_REJECTED", `${host} refused the ${step} request (status ${status}, ${said}).`, {
    details: { status, error, description },
    hint: hintFor(error, step),
  });
}

/** The error for a response without a usable token. `reason` names members, never values. */
export function invalidResponseError(host: string, status: number, reason: string): PackError<"OAUTH_TOKEN_RESPONSE_INVALID"> {
  const redirect = status >= 300 && status < 400;
  return new PackError("OAUTH_TOKEN_RESPONSE_INVALID", `${host} answered with status ${status} and no usable token: ${reason}.`, {
    details: { status, reason },
    hint: redirect
      ? "Set tokenUrl to the address that the provider redirects to. packsmith does not follow a redirect with credentials."
      : "Check tokenUrl, and nestedResponseKey if the provider nests its tokens.",
  });
}

/**
 * The error for a request without a response.
 * @param showsCertificate whether the request had a client certificate
 */
export function unreachableError(host: string, cause: unknown, showsCertificate = false): PackError<"OAUTH_TOKEN_UNAVAILABLE"> {
  const reason = reasonOf(cause);
  return new PackError("OAUTH_TOKEN_UNAVAILABLE", `${host} cannot be reached (${reason}).`, {
    details: { status: undefined, retryAfterSeconds: undefined },
    hint: hintForConnection(reason, showsCertificate),
  });
}

function hintForConnection(reason: string, showsCertificate: boolean): string {
  if (/^(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_(?:VERIFY|GET_ISSUER)/.test(reason))
    return "The certificate of the server is not from a public authority. If you trust its authority, name its file in NODE_EXTRA_CA_CERTS.";
  const general = "Check the network connection and the URL, then try again.";
  // Many servers close the connection without a word.
  return showsCertificate && reason === "ECONNRESET" ? `${general} The server may have refused the client certificate.` : general;
}

export function timeoutError(host: string, limitMs: number): PackError<"OAUTH_TOKEN_TIMEOUT"> {
  return new PackError("OAUTH_TOKEN_TIMEOUT", `${host} did not answer within ${limitMs / 1_000} seconds.`, {
    details: { host, limitMs },
    hint: "Try again later. The stored account has not changed.",
  });
}

/** Seconds from a `Retry-After` header in either of its forms (RFC 9110 §10.2.3). */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header);
  const instant = Date.parse(header);
  return Number.isNaN(instant) ? undefined : Math.max(0, Math.ceil((instant - nowMs) / 1_000));
}

function hintFor(error: string, step: ExchangeStep): string {
  switch (error) {
    case "invalid_client":
      return "Check client ID and client secret.";
    case "invalid_grant":
      return step === "refresh"
        ? "Connect the account again."
        : "Connect again. If it fails again, compare the registered redirect URI with the one that was sent.";
    case "invalid_scope":
      return "Change scopes or scopeDelimiter in the definition to what the provider documents.";
    case "invalid_target":
      return "Set resource in the definition to an identifier that the provider knows.";
    case "unauthorized_client":
    case "unsupported_grant_type":
      return "Allow this grant for your client in the provider's settings.";
    case "invalid_request":
      return "Compare the request with the provider's documentation. useProofKeyForCodeExchange and scopeParamName change what is sent.";
    default:
      return "Look the error up in the provider's documentation.";
  }
}

/** The system's code for a failed connection, such as ECONNREFUSED. Messages of libraries are not shown: they may quote URLs. */
function reasonOf(cause: unknown): string {
  for (let error = cause, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth++) {
    if ("code" in error && typeof error.code === "string" && /^[A-Z][A-Z0-9_]+$/.test(error.code)) return error.code;
  }
  return "the connection failed";
}

const MAX_CHARACTERS = 300;

/**
 * Makes a provider's text safe for terminals and pages: removes control, bidirectional and separator characters and cuts
 * it after 300 characters. Pages escape it for HTML.
 */
export function cleanProviderText(text: unknown): string | undefined {
  if (typeof text !== "string") return undefined;
  const clean = text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
  if (clean === "") return undefined;
  return clean.length > MAX_CHARACTERS ? `${clean.slice(0, MAX_CHARACTERS)}…` : clean;
}
