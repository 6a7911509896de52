import { canParseUrl } from "../../shared/urls.ts";
import { OAuthError } from "../answer.ts";
import type { ProviderClient } from "../options.ts";
import type { PkceMode, ProviderProfile } from "../profile.ts";
import { isPublic } from "../state/token-store.ts";
import {
  checkDemanded,
  checkResources,
  checkScopes,
  type Parameters,
  printable,
  readParameters,
  readScopes,
  repeatedNames,
} from "./parameters.ts";
import { type CodeChallenge, readCodeChallenge } from "./pkce.ts";

/** A client and its registered redirect URI, to which errors may be sent. */
export interface ReplyAddress {
  client: ProviderClient;
  redirectUri: string;
  state: string | undefined;
}

/** A valid authorization request (RFC 6749 §4.1.1). */
export interface AuthorizationRequest extends ReplyAddress {
  kind: "code";
  scopes: readonly string[];
  resources: readonly string[];
  challenge: CodeChallenge | undefined;
  prompts: ReadonlySet<string>;
  /** Repeated in the ID Token (OpenID Connect Core §3.1.2.1). */
  nonce: string | undefined;
  /** Whether it requests access while the user is away (`access_type=offline`). */
  offline: boolean;
  loginHint: string | undefined;
  /** The authentication contexts that it asks for, in the order of its preference. */
  acrValues: readonly string[];
  /** How long ago the user may have signed in (OpenID Connect Core §3.1.2.1). */
  maxAgeSeconds: number | undefined;
}

export interface AuthorizationPolicy {
  scopes: readonly string[] | undefined;
  pkce: PkceMode;
  profile: ProviderProfile;
}

const PROMPTS = ["none", "login", "consent", "select_account"];

/**
 * Checks the client and its redirect URI. Before that, nothing is redirected (RFC 6749 §4.1.2.1).
 * @throws {OAuthError} invalid_request, invalid_client: to show on a page
 */
export function readReplyAddress(
  search: URLSearchParams,
  clients: ReadonlyMap<string, ProviderClient>,
  { authorization }: ProviderProfile,
): ReplyAddress {
  const repeated = repeatedNames(search);
  const parameters = readParameters(search);
  // RFC 6749 §3.1.2.3: a server may know it from the registration.
  const isLeftOut = authorization?.names?.["redirect_uri"] === "";
  for (const name of isLeftOut ? ["client_id"] : ["client_id", "redirect_uri"]) {
    if (repeated.has(name))
      throw new OAuthError("invalid_request", `The parameter ${name} is repeated.`);
    if (parameters.get(name) === undefined)
      throw new OAuthError("invalid_request", `The parameter ${name} is missing.`);
  }
  const client = clients.get(parameters.get("client_id") ?? "");
  if (client === undefined)
    throw new OAuthError(
      "invalid_client",
      "No client with this client_id is registered here.",
      400,
    );
  const redirectUri = isLeftOut
    ? (client.redirectUris?.[0] ?? "")
    : (parameters.get("redirect_uri") ?? "");
  if (!isRegisteredRedirectUri(client, redirectUri))
    throw new OAuthError("invalid_request", "This redirect_uri is not registered for the client.");
  return { client, redirectUri, state: repeated.has("state") ? undefined : readState(search) };
}

/** @throws {OAuthError} to be sent to the client's redirect URI */
export function readAuthorizationRequest(
  search: URLSearchParams,
  address: ReplyAddress,
  policy: AuthorizationPolicy,
): AuthorizationRequest {
  const [repeated] = repeatedNames(search);
  if (repeated !== undefined)
    throw new OAuthError("invalid_request", `The parameter ${printable(repeated)} is repeated.`);
  const parameters = readParameters(search);
  checkForm(parameters, address);
  if (search.get("state")?.includes("\uFFFD"))
    throw new OAuthError("invalid_request", "state is not valid UTF-8.");
  checkResources(parameters.resources);
  checkDemanded(parameters, policy.profile.authorization?.parameters, address.client.clientId);
  const scopes = readScopes(parameters, policy.profile);
  checkScopes(scopes, address.client, policy.scopes);
  return {
    kind: "code",
    ...address,
    scopes,
    resources: parameters.resources,
    challenge: readCodeChallenge(
      parameters.get("code_challenge"),
      parameters.get("code_challenge_method"),
      isPublic(address.client) && policy.pkce === "optional" ? "required" : policy.pkce,
    ),
    prompts: readPrompts(parameters.get("prompt")),
    nonce: parameters.get("nonce"),
    offline: parameters.get("access_type") === "offline",
    loginHint: parameters.get("login_hint"),
    acrValues: parameters.get("acr_values")?.split(" ") ?? [],
    maxAgeSeconds: readMaxAge(parameters.get("max_age")),
  };
}

function readMaxAge(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text))
    throw new OAuthError("invalid_request", "max_age must be a number of seconds.");
  return Number(text);
}

function checkForm(parameters: Parameters, { client }: ReplyAddress): void {
  const responseType = parameters.get("response_type");
  if (responseType === undefined)
    throw new OAuthError("invalid_request", "The parameter response_type is missing.");
  if (responseType !== "code")
    throw new OAuthError("unsupported_response_type", "response_type must be code.");
  if (!(client.grantTypes ?? ["authorization_code"]).includes("authorization_code")) {
    throw new OAuthError(
      "unauthorized_client",
      "The client is not registered for the authorization code grant.",
    );
  }
  if (parameters.get("request") !== undefined)
    throw new OAuthError("request_not_supported", "Request objects are not supported.");
  if (parameters.get("request_uri") !== undefined)
    throw new OAuthError("request_uri_not_supported", "request_uri is not supported.");
  if ((parameters.get("response_mode") ?? "query") !== "query")
    throw new OAuthError("invalid_request", "response_mode must be query.");
}

/** A state with invalid bytes cannot be returned unchanged, so it is not returned. */
function readState(search: URLSearchParams): string | undefined {
  const state = search.get("state") || undefined;
  return state?.includes("\uFFFD") ? undefined : state;
}

function readPrompts(text: string | undefined): ReadonlySet<string> {
  const prompts = new Set(text?.split(" ") ?? []);
  if (![...prompts].every((prompt) => PROMPTS.includes(prompt)))
    throw new OAuthError("invalid_request", `prompt must be one of ${PROMPTS.join(", ")}.`);
  if (prompts.has("none") && prompts.size > 1)
    throw new OAuthError("invalid_request", "prompt=none cannot be combined with other values.");
  return prompts;
}

const LOOPBACK = /^(https?):\/\/(127\.0\.0\.1|\[::1\]|localhost)(?::[0-9]{1,5})?(\/.*)?$/;

/**
 * Whether a client registered this redirect URI. Compares character by character, except for the
 * port of a loopback address (RFC 8252 §7.3).
 */
function isRegisteredRedirectUri(client: ProviderClient, redirectUri: string): boolean {
  return (client.redirectUris ?? []).some(
    (registered) => registered === redirectUri || sameButPort(registered, redirectUri, client),
  );
}

function sameButPort(
  registered: string,
  requested: string,
  { anyLocalhostPort, anyPathBelow }: ProviderClient,
): boolean {
  const [, scheme, host, path = ""] = LOOPBACK.exec(registered) ?? [];
  const [, requestedScheme, requestedHost, requestedPath = ""] = LOOPBACK.exec(requested) ?? [];
  if (scheme !== requestedScheme || host === undefined) return false;
  if ((host === "localhost" || scheme === "https") && anyLocalhostPort !== true) return false;
  const below =
    anyPathBelow === true && requestedPath.startsWith(path) ? requestedPath.slice(path.length) : "";
  // No dot segments, because a browser would resolve them to another path.
  const isBelow = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+)+$/.test(below);
  return host === requestedHost && (path === requestedPath || isBelow) && canParseUrl(requested);
}

/** Adds parameters to a redirect URI and keeps its query (RFC 6749 §3.1.2). */
export function withParameters(
  redirectUri: string,
  parameters: Record<string, string | undefined>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.append(name, value);
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${query}`;
}
