import { isPackError, PackError } from "../errors.ts";
import { networkCode, networkReason } from "../shared/failures.ts";
import { formatSeconds } from "../shared/time.ts";
import type { ExchangeStep } from "./exchange-record.ts";

/** Stands for the error of a response that names none, where a code must be. */
export const UNNAMED_ERROR = "server_error";

/** An error that a token endpoint reported. */
export interface ReportedFailure {
  step: ExchangeStep;
  host: string;
  status: number;
  /** Undefined if the response names none. */
  error: string | undefined;
  description: string | undefined;
  retryAfterSeconds: number | undefined;
}

/**
 * The error for a refused request. A 5xx, a 429 or `temporarily_unavailable` is temporary and never
 * means "reconnect".
 * @returns OAUTH_TOKEN_UNAVAILABLE or OAUTH_TOKEN_REJECTED
 */
export function reportedError(failure: ReportedFailure): PackError {
  const { step, host, status, retryAfterSeconds } = failure;
  const named = cleanProviderText(failure.error);
  const error = named ?? UNNAMED_ERROR;
  const description = cleanProviderText(failure.description);
  const said = saidBy(named, description);
  if (status >= 500 || status === 429 || status === 408 || error === "temporarily_unavailable") {
    return new PackError(
      "OAUTH_TOKEN_UNAVAILABLE",
      `${host} is currently not available (status ${status}, ${said}).`,
      {
        details: { status, retryAfterSeconds },
        // A server that names a later time means no time at all.
        hint:
          (retryAfterSeconds ?? Infinity) > MAX_WAIT_SECONDS
            ? "Try again later."
            : retryAfterSeconds === 0
              ? "Try again."
              : `Try again in ${retryAfterSeconds} seconds.`,
      },
    );
  }
  return new PackError(
    "OAUTH_TOKEN_REJECTED",
    `${host} refused the ${step} request (status ${status}, ${said}).`,
    {
      details: { status, error, description },
      hint: named === undefined ? hintForUnnamed(status, step) : hintFor(error, step),
    },
  );
}

const MAX_WAIT_SECONDS = 86_400;

/** What the server said. Many descriptions begin with the code. */
function saidBy(error: string | undefined, description: string | undefined): string {
  if (error === undefined) return description ?? "without a reason";
  return description === undefined || description === error
    ? error
    : description.startsWith(`${error}:`)
      ? description
      : `${error}: ${description}`;
}

function hintForUnnamed(status: number, step: ExchangeStep): string {
  if (step === "registration")
    return "Register a client on the provider's website, and pass --client-id.";
  if (status === 404 || status === 405 || status === 410)
    return `Check ${URL_MEMBERS[step] ?? "the issuer"}: the server does not accept the request at this address.`;
  return "Run packsmith auth explain, and compare the request with the provider's documentation.";
}

/** The members of a definition that say where a request goes. */
const URL_MEMBERS: Partial<Record<ExchangeStep, string>> = {
  token: "tokenUrl",
  refresh: "refreshUrl and tokenUrl",
  pushed: "pushedAuthorizationUrl",
};

interface InvalidResponse {
  host: string;
  status: number;
  reason: string;
  /** Whether it is the response to `tokenExchange`. @default false */
  isExchange?: boolean | undefined;
  /** The dotted path of a member that looks like the access token. */
  tokenPath?: string | undefined;
}

/**
 * The error for a response without a usable token. `reason` names members, never values.
 */
export function invalidResponseError({
  host,
  status,
  reason,
  isExchange = false,
  tokenPath,
}: InvalidResponse): PackError<"OAUTH_TOKEN_RESPONSE_INVALID"> {
  const redirect = status >= 300 && status < 400;
  const member = isExchange ? "the url of tokenExchange" : "tokenUrl";
  return new PackError(
    "OAUTH_TOKEN_RESPONSE_INVALID",
    `${host} answered with status ${status} and no usable token: ${reason}.`,
    {
      details: { status, reason, ...(tokenPath === undefined ? {} : { tokenPath }) },
      hint: redirect
        ? `Set ${member} to the address that the provider redirects to. packsmith does not follow a redirect with credentials.`
        : isExchange
          ? `Check ${member}.`
          : "Check tokenUrl, and nestedResponseKey if the provider nests its tokens.",
    },
  );
}

/**
 * The error for an answer to a pushed or a device request, if a member that it needs is missing.
 */
export function missingMemberError(
  step: "pushed" | "device",
  { host, status, member }: { host: string; status: number; member: string },
): PackError<"OAUTH_TOKEN_RESPONSE_INVALID"> {
  const isRedirect = status >= 300 && status < 400;
  const reason = isRedirect ? "a redirect" : `there is no usable ${member}`;
  return new PackError(
    "OAUTH_TOKEN_RESPONSE_INVALID",
    isRedirect
      ? `${host} answered the ${step} request with a redirect (status ${status}). packsmith does not follow redirects here.`
      : `${host} answered the ${step} request without a usable ${member}.`,
    {
      details: { status, reason },
      hint:
        step === "device"
          ? "Connect without --device. Over SSH, use --manual."
          : "Check pushedAuthorizationUrl, or remove it to use the address in the server's metadata.",
    },
  );
}

/** What to check when an answer is longer than any answer to this request. */
export function hintForLargeBody(step: ExchangeStep): string {
  const member = URL_MEMBERS[step];
  return member === undefined
    ? "Check the issuer: the server returned a page or a download instead of JSON."
    : `Check ${member}: the server returned a page or a download instead of JSON.`;
}

/**
 * The error for a request without a complete response.
 * @param showsCertificate whether the request had a client certificate
 */
export function unreachableError(
  step: ExchangeStep,
  host: string,
  cause: unknown,
  showsCertificate = false,
): PackError<"OAUTH_TOKEN_UNAVAILABLE"> {
  const reason = networkCode(cause) ?? "the connection failed";
  const broken = BROKEN_ANSWERS.find(({ code }) => code.test(reason))?.said;
  return new PackError(
    "OAUTH_TOKEN_UNAVAILABLE",
    `${host} ${broken ?? `cannot be reached: ${networkReason(cause) ?? reason}`}.`,
    {
      details: {
        status: undefined,
        retryAfterSeconds: undefined,
        systemCode: networkCode(cause),
      },
      hint:
        broken === undefined
          ? hintForConnection(reason)
          : hintAfterSending(step, showsCertificate && reason === "ECONNRESET"),
    },
  );
}

/**
 * Whether a request failed before any of it was sent, because no server takes connections there.
 */
export function failedBeforeSending(error: unknown): boolean {
  return (
    isPackError(error, "OAUTH_TOKEN_UNAVAILABLE") &&
    error.details.status === undefined &&
    /^(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH)$/.test(error.details.systemCode ?? "")
  );
}

/** Failures after the request was sent, by the system's code. */
const BROKEN_ANSWERS = [
  {
    code: /^(?:ECONNRESET|EPIPE|ERR_STREAM_PREMATURE_CLOSE|UND_ERR_SOCKET)$/,
    said: "closed the connection before the response was complete",
  },
  { code: /^HPE_HEADER_OVERFLOW$/, said: "sent headers that are too long" },
  { code: /^HPE_|^EPROTO$/, said: "did not send an HTTP response" },
  { code: /^(?:Z_|ERR_BROTLI)/, said: "sent a response that cannot be decoded" },
];

function hintForConnection(reason: string): string {
  if (/^(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|^UNABLE_TO_(?:VERIFY|GET_ISSUER)/.test(reason))
    return "The certificate of the server is not from a public authority. If you trust the authority that issued the certificate, set NODE_EXTRA_CA_CERTS to the path of the authority's certificate.";
  return "Check the network connection and the URL, then try again.";
}

/**
 * A request that may have been processed must not be repeated: a second use of a code or a refresh
 * token can end the account's access.
 */
function hintAfterSending(step: ExchangeStep, mayRefuseCertificate: boolean): string {
  const certificate = mayRefuseCertificate
    ? " The server may have refused the client certificate."
    : "";
  if (step === "refresh") return `${MAY_BE_REPLACED}${certificate}`;
  return `Check the network connection and the URL, then run the command again: it starts over.${certificate}`;
}

const MAY_BE_REPLACED =
  "The stored account is unchanged, but the server may already have replaced the refresh token. If the server rejects the next refresh, connect the account again.";

export function timeoutError(
  step: ExchangeStep,
  host: string,
  limitMs: number,
): PackError<"OAUTH_TOKEN_TIMEOUT"> {
  return new PackError(
    "OAUTH_TOKEN_TIMEOUT",
    `${host} did not answer within ${formatSeconds(limitMs)}.`,
    {
      details: { host, limitMs },
      hint:
        step === "refresh"
          ? MAY_BE_REPLACED
          : "Run the command again later. The stored account is unchanged.",
    },
  );
}

/**
 * The error for an ID Token that the library refused, from the library's code (OpenID Connect Core
 * §3.1.3.7).
 */
export function idTokenError(code: string): PackError<"OAUTH_TOKEN_RESPONSE_INVALID"> {
  const isTime = code === "OAUTH_JWT_TIMESTAMP_CHECK_FAILED";
  const reason = isTime
    ? "its ID Token has expired or is not valid yet"
    : "its ID Token is not for this issuer, this client or this login";
  return new PackError(
    "OAUTH_TOKEN_RESPONSE_INVALID",
    `The authorization server answered, but ${reason}.`,
    {
      details: { status: 200, reason },
      hint: isTime
        ? "Check this machine's clock, then connect again."
        : "Compare issuer and client ID with the provider's settings, then connect again.",
    },
  );
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
      return "Check the client ID and the client secret.";
    case "invalid_grant":
      return step === "refresh"
        ? "Connect the account again."
        : "Connect again. If the connection fails again, compare the registered redirect URI with the redirect URI in the request.";
    case "invalid_scope":
      return "Compare scopes and scopeDelimiter in the authentication definition with the provider's documentation.";
    case "invalid_target":
      return "Set resource in the authentication definition to an identifier that the provider knows.";
    case "unauthorized_client":
    case "unsupported_grant_type":
      return "Allow this grant for your client in the provider's settings.";
    case "invalid_request":
      return "Compare the request with the provider's documentation. You can change the request with useProofKeyForCodeExchange and scopeParamName.";
    case "invalid_dpop_proof":
    case "use_dpop_nonce":
      return "The server accepts only bound tokens (DPoP): set dpop: true in the authentication definition. If dpop is already set, check the clock of this machine.";
    default:
      return "Search for the error in the provider's documentation.";
  }
}

const MAX_CHARACTERS = 300;

/**
 * Makes a provider's text safe for terminals and pages: removes control, bidirectional and
 * separator characters and cuts
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
