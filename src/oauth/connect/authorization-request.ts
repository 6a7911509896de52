import { buildAuthorizationUrl } from "openid-client";
import type { OAuth2Authentication } from "../../define/oauth.ts";
import { PackError } from "../../errors.ts";
import { sameSecret } from "../../shared/crypto.ts";
import type { LoginDemand } from "../challenge.ts";
import { joinScopes, renameParameters } from "../definition.ts";
import { cleanProviderText } from "../token-failure.ts";
import type { ClientCredentials } from "../token-set.ts";
import { type AuthorizationServer, createConfiguration } from "./server-configuration.ts";

/**
 * Parameters that `additionalParams` must not set, because the protocol's safety depends on them.
 */
const RESERVED_AUTHORIZATION_PARAMS: readonly string[] = [
  "client_id",
  "client_secret",
  "redirect_uri",
  "state",
  "code_challenge",
  "code_challenge_method",
];

export interface AuthorizationUrlOptions {
  definition: OAuth2Authentication;
  /** Absolute. Its query is kept byte for byte. */
  authorizationUrl: string;
  client: ClientCredentials;
  redirectUri: string;
  state: string;
  /** Added to the definition's scopes. */
  extraScopes?: readonly string[] | undefined;
  /** Binds the code to a key (RFC 9449 §10). @default none */
  dpopThumbprint?: string | undefined;
  /** Binds an ID Token to this attempt (OpenID Connect Core §3.1.2.1). @default none */
  nonce?: string | undefined;
  /** The login that an API demands (RFC 9470 §4). @default the definition's `additionalParams` */
  login?: LoginDemand | undefined;
  codeChallenge?: { value: string; method: "S256" | "plain" } | undefined;
}

/**
 * The parameters of the authorization request (RFC 6749 §4.1.1).
 * @throws {PackError} OAUTH_PARAMETER_RESERVED when `additionalParams` sets a parameter of the
 *   protocol
 */
export function createAuthorizationParams(options: AuthorizationUrlOptions): URLSearchParams {
  const {
    definition,
    authorizationUrl,
    client,
    redirectUri,
    state,
    nonce,
    dpopThumbprint,
    login,
    codeChallenge,
  } = options;
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(definition.additionalParams ?? {})) {
    if (RESERVED_AUTHORIZATION_PARAMS.includes(name.toLowerCase())) throw createReservedError(name);
    if (String(value) !== "") params.set(name, String(value));
  }
  const scopes = joinScopes(definition, options.extraScopes);
  if (scopes !== undefined) params.set(definition.scopeParamName ?? "scope", scopes);
  if (definition.resource !== undefined) params.set("resource", definition.resource);
  params.set("redirect_uri", redirectUri);
  params.set("state", state);
  if (dpopThumbprint !== undefined) params.set("dpop_jkt", dpopThumbprint);
  // Replaces a fixed nonce of the definition, which would protect nothing.
  if (nonce !== undefined) params.set("nonce", nonce);
  if (login?.acrValues !== undefined) params.set("acr_values", login.acrValues);
  if (login?.maxAgeSeconds !== undefined) params.set("max_age", String(login.maxAgeSeconds));
  if (codeChallenge !== undefined) {
    params.set("code_challenge", codeChallenge.value);
    params.set("code_challenge_method", codeChallenge.method);
  }
  // Set here, because the library leaves it out of a request with a parameter "request".
  if (!params.has("response_type")) params.set("response_type", "code");
  const [base = ""] = authorizationUrl.split(/[?#]/, 1);
  return renameParameters(
    buildAuthorizationUrl(createConfiguration({ authorizationUrl: base }, client), params)
      .searchParams,
    definition,
  );
}

/**
 * The URL that the browser opens. The URL's own query stays byte for byte: the library would turn
 * "?tenant" into "?tenant=". Parameters that the request sets, too, are left out of it, because
 * none may come twice (RFC 6749 §3.1). If the URL has a fragment, the parameters are in the
 * fragment: the script of the provider's page reads them there.
 */
export function withParams(authorizationUrl: string, params: URLSearchParams): string {
  const [address = "", fragment] = splitOnce(authorizationUrl, "#");
  return fragment === undefined
    ? appendParams(address, params)
    : `${address}#${appendParams(fragment, params)}`;
}

function appendParams(text: string, params: URLSearchParams): string {
  const [base = "", ownQuery = ""] = splitOnce(text, "?");
  const own = ownQuery
    .split("&")
    .filter(
      (part) =>
        part !== "" && ![...new URLSearchParams(part).keys()].some((name) => params.has(name)),
    );
  return `${base}?${[...own, params].join("&")}`;
}

function splitOnce(text: string, separator: string): string[] {
  const index = text.indexOf(separator);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

function createReservedError(name: string): PackError<"OAUTH_PARAMETER_RESERVED"> {
  return new PackError(
    "OAUTH_PARAMETER_RESERVED",
    `additionalParams sets "${name}", but only packsmith can set this parameter.`,
    {
      details: { name },
      hint: `Remove ${name} from additionalParams.`,
    },
  );
}

/**
 * Checks the authorization response that the browser brought back (RFC 6749 §4.1.2). The state
 * comes first, compared in
 * constant time: no other parameter is read before it is certain that the response belongs to this
 * attempt (RFC 9700 §4.7).
 * @param codeName the parameter with the code
 * @returns the authorization code
 * @throws {PackError} OAUTH_STATE_MISMATCH, OAUTH_CALLBACK_INVALID, OAUTH_ISSUER_MISMATCH,
 *   OAUTH_DENIED
 */
export function validateCallback(
  query: URLSearchParams,
  state: string,
  server: AuthorizationServer,
  codeName = "code",
): string {
  checkState(query, state);
  for (const name of new Set(query.keys())) {
    if (query.getAll(name).length > 1)
      throw invalid(`"${cleanProviderText(name.slice(0, 40)) ?? "a parameter"}" appears twice`);
  }
  checkIssuer(query.get("iss"), server);
  const error = query.get("error");
  if (error !== null) throw createDeniedError(error, query.get("error_description"));
  const code = query.get(codeName);
  if (code === null || code === "") throw invalid("it has neither a code nor an error");
  return code;
}

function checkState(query: URLSearchParams, state: string): void {
  const received = query.getAll("state");
  // sameSecret compares digests, so the time does not depend on the input.
  if (received.length === 1 && sameSecret(received[0] ?? "", state)) return;
  throw new PackError(
    "OAUTH_STATE_MISMATCH",
    "The redirect does not contain the state that this attempt sent.",
    {
      details: undefined,
      hint: "Close other tabs of this login, then connect again.",
    },
  );
}

// RFC 9207 §2.4: exact comparison, no normalization.
function checkIssuer(
  received: string | null,
  { issuer, issuerPromised = false, sharedRedirectHint }: AuthorizationServer,
): void {
  const isRequired = issuerPromised || sharedRedirectHint !== undefined;
  if (received === null && !isRequired) return;
  if (received === issuer || (received !== null && issuer === undefined)) return;
  const expected = issuer ?? "its server";
  if (received !== null)
    throw issuerMismatch(
      `the issuer ${cleanProviderText(received) ?? "none"} instead of ${expected}`,
      expected,
      received,
    );
  throw issuerMismatch(
    issuerPromised
      ? `no issuer, but the server announces the issuer ${expected}`
      : "no issuer, and other connections use the same redirect URI, so the redirect may be from another server",
    expected,
    received,
    issuerPromised ? undefined : sharedRedirectHint,
  );
}

/** The error for a response of another server than the one that was asked (RFC 9700 §4.4). */
export function issuerMismatch(
  what: string,
  expected: string,
  received: string | null,
  hint = "Connect again, and use only the page that the command opens.",
): PackError<"OAUTH_ISSUER_MISMATCH"> {
  return new PackError("OAUTH_ISSUER_MISMATCH", `The redirect contains ${what}.`, {
    details: { expected, received: cleanProviderText(received) ?? "none" },
    hint,
  });
}

function createDeniedError(error: string, description: string | null): PackError<"OAUTH_DENIED"> {
  const code = cleanProviderText(error) ?? "error";
  const text = cleanProviderText(description);
  return new PackError(
    "OAUTH_DENIED",
    `The provider did not authorize the account (${text === undefined ? code : `${code}: ${text}`}).`,
    {
      details: { error: code, description: text },
      hint:
        code === "access_denied"
          ? "Connect again and approve the request."
          : code === "invalid_scope"
            ? "Compare scopes and scopeDelimiter in the authentication definition with the provider's documentation."
            : code === "temporarily_unavailable" || code === "server_error"
              ? "The provider has an internal problem. Connect again later."
              : "Compare the authorization request with the provider's documentation, then connect again.",
    },
  );
}

function invalid(reason: string): PackError<"OAUTH_CALLBACK_INVALID"> {
  return new PackError("OAUTH_CALLBACK_INVALID", `The redirect cannot be used: ${reason}.`, {
    details: { reason },
    hint: "Connect again.",
  });
}
