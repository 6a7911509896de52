import { buildAuthorizationUrl } from "openid-client";
import type { OAuth2Authentication } from "../../define/oauth.ts";
import { PackError } from "../../errors.ts";
import { joinScopes } from "../scopes.ts";
import type { ClientCredentials } from "../token-set.ts";
import { createConfiguration } from "./server-configuration.ts";

/** Parameters that a definition's `additionalParams` cannot set (rule 38). */
export const RESERVED_AUTHORIZATION_PARAMS: readonly string[] = [
  "client_id",
  "client_secret",
  "redirect_uri",
  "state",
  "code_challenge",
  "code_challenge_method",
];

export interface AuthorizationUrlOptions {
  definition: OAuth2Authentication;
  /** Absolute. Its own query is kept byte for byte. */
  authorizationUrl: string;
  client: ClientCredentials;
  redirectUri: string;
  state: string;
  /** Added to the definition's scopes. */
  extraScopes?: readonly string[] | undefined;
  /** Ties the code to a key (RFC 9449 §10). @default none */
  dpopThumbprint?: string | undefined;
  /** Ties an ID Token to this attempt (OpenID Connect Core §3.1.2.1). @default none */
  nonce?: string | undefined;
  codeChallenge?: { value: string; method: "S256" | "plain" } | undefined;
}

/**
 * The URL that the browser opens (RFC 6749 §4.1.1).
 * @throws {PackError} OAUTH_PARAMETER_RESERVED when `additionalParams` sets a protocol parameter
 */
export function createAuthorizationUrl(options: AuthorizationUrlOptions): string {
  const { definition, authorizationUrl, client, redirectUri, state, nonce, dpopThumbprint, codeChallenge } = options;
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(definition.additionalParams ?? {})) {
    if (RESERVED_AUTHORIZATION_PARAMS.includes(name.toLowerCase())) throw reserved(name);
    if (String(value) !== "") params.set(name, String(value));
  }
  const scopes = joinScopes(definition, options.extraScopes);
  if (scopes !== undefined) params.set(definition.scopeParamName ?? "scope", scopes);
  if (definition.resource !== undefined) params.set("resource", definition.resource);
  params.set("redirect_uri", redirectUri);
  params.set("state", state);
  if (dpopThumbprint !== undefined) params.set("dpop_jkt", dpopThumbprint);
  // A fixed one of the definition would tie nothing to anything.
  if (nonce !== undefined) params.set("nonce", nonce);
  if (codeChallenge !== undefined) {
    params.set("code_challenge", codeChallenge.value);
    params.set("code_challenge_method", codeChallenge.method);
  }
  // The library would re-serialise a query that the URL already has, and "?tenant" would become "?tenant=".
  const [base = "", ownQuery = ""] = splitOnce(authorizationUrl, "?");
  const built = buildAuthorizationUrl(createConfiguration({ authorizationUrl: base }, client), params).search.slice(1);
  return `${base}?${ownQuery === "" ? "" : `${ownQuery}&`}${built}`;
}

function splitOnce(text: string, separator: string): string[] {
  const index = text.indexOf(separator);
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

function reserved(name: string): PackError<"OAUTH_PARAMETER_RESERVED"> {
  return new PackError("OAUTH_PARAMETER_RESERVED", `additionalParams sets "${name}", which belongs to the protocol.`, {
    details: { name },
    hint: `Remove ${name} from additionalParams.`,
  });
}
