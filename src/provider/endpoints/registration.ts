import type { Request, Response } from "express";
import { canParseUrl } from "../../shared/urls.ts";
import { errorAnswer, OAuthError, sendAnswer } from "../answer.ts";
import { GrantType, type ProviderClient } from "../options.ts";
import type { ClientAuthenticationMethod } from "../profile.ts";
import { parseRequestUrl } from "../request/guards.ts";
import { parseScope } from "../request/parameters.ts";
import type { ProviderState } from "../state/provider-state.ts";

const GRANT_TYPES: readonly string[] = Object.values(GrantType);
const METHODS: readonly string[] = [
  "client_secret_basic",
  "client_secret_post",
  "none",
] satisfies ClientAuthenticationMethod[];
const MAX_REDIRECT_URIS = 20;

/** RFC 7591 §3: anyone may register a client with valid metadata. */
export function registrationEndpoint(state: ProviderState) {
  return (request: Request, response: Response) => {
    try {
      const client = readClientMetadata(readJson(request), state);
      state.clients.set(client.clientId, client);
      sendAnswer(response, {
        status: 201,
        headers: {},
        body: describeClient(client, state.clock.now()),
      });
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      sendAnswer(response, errorAnswer(error));
    }
  };
}

function readJson(request: Request): Record<string, unknown> {
  if (!/^application\/json\b/i.test(request.headers["content-type"] ?? ""))
    throw invalid("The body must be application/json.");
  if (parseRequestUrl(request).search !== "")
    throw invalid("Client metadata must be in the body, not in the URL.");
  try {
    const value: unknown = JSON.parse(String(request.body));
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Refused below, like JSON that is not an object.
  }
  throw invalid("The body must be a JSON object.");
}

/** @throws {OAuthError} invalid_client_metadata, invalid_redirect_uri (RFC 7591 §3.2.2) */
function readClientMetadata(
  metadata: Record<string, unknown>,
  state: ProviderState,
): ProviderClient {
  const grantTypes = list(metadata, "grant_types", ["authorization_code"]);
  const responseTypes = list(
    metadata,
    "response_types",
    grantTypes.includes("authorization_code") ? ["code"] : [],
  );
  const method = text(metadata, "token_endpoint_auth_method") ?? "client_secret_basic";
  const name = text(metadata, "client_name");
  const scope = text(metadata, "scope");
  if (!grantTypes.every((type) => GRANT_TYPES.includes(type)))
    throw invalid(`grant_types may contain ${GRANT_TYPES.join(", ")}.`);
  if (!responseTypes.every((type) => type === "code"))
    throw invalid("response_types may contain only code.");
  if (grantTypes.includes("authorization_code") !== responseTypes.includes("code"))
    throw invalid("grant_types and response_types contradict each other (RFC 7591 section 2.1).");
  if (!METHODS.includes(method))
    throw invalid(`token_endpoint_auth_method may be ${METHODS.join(", ")}.`);
  if (method === "none" && grantTypes.includes("client_credentials"))
    throw invalid("client_credentials needs a client secret.");
  const redirectUris = readRedirectUris(metadata, grantTypes.includes("authorization_code"));
  return {
    clientId: `client-${state.randomText(16)}`,
    ...(method === "none" ? {} : { clientSecret: state.randomText(32) }),
    ...(name === undefined ? {} : { name }),
    redirectUris,
    grantTypes: grantTypes as GrantType[],
    authenticationMethods: [method as ClientAuthenticationMethod],
    ...(scope === undefined ? {} : { scopes: parseScope(scope) }),
  };
}

function readRedirectUris(metadata: Record<string, unknown>, required: boolean): string[] {
  const given = metadata["redirect_uris"];
  const uris = given === undefined ? [] : given;
  if (
    !Array.isArray(uris) ||
    uris.length > MAX_REDIRECT_URIS ||
    !uris.every((uri) => typeof uri === "string" && isRedirectUri(uri))
  )
    throw new OAuthError(
      "invalid_redirect_uri",
      "redirect_uris must be https URLs, loopback http URLs or private-use schemes.",
    );
  if (required && uris.length === 0)
    throw new OAuthError("invalid_redirect_uri", "redirect_uris is missing.");
  return uris;
}

/** RFC 6749 §3.1.2 and RFC 8252 §7: absolute, without a fragment, and not receivable by others. */
function isRedirectUri(text: string): boolean {
  if (!canParseUrl(text) || text.includes("#") || text.length > 2_000 || /[\s\p{Cc}]/u.test(text))
    return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  if (protocol === "https:") return true;
  if (protocol === "http:") return ["127.0.0.1", "[::1]", "localhost"].includes(hostname);
  return protocol.includes(".");
}

/** RFC 7591 §3.2.1: all registered metadata, including defaults. */
function describeClient(client: ProviderClient, nowMs: number): Record<string, unknown> {
  const grantTypes = client.grantTypes ?? [];
  return {
    client_id: client.clientId,
    ...(client.clientSecret === undefined
      ? {}
      : { client_secret: client.clientSecret, client_secret_expires_at: 0 }),
    client_id_issued_at: Math.floor(nowMs / 1_000),
    ...(client.name === undefined ? {} : { client_name: client.name }),
    redirect_uris: client.redirectUris,
    grant_types: grantTypes,
    response_types: grantTypes.includes("authorization_code") ? ["code"] : [],
    token_endpoint_auth_method: client.authenticationMethods?.[0],
    ...(client.scopes === undefined ? {} : { scope: client.scopes.join(" ") }),
  };
}

function text(metadata: Record<string, unknown>, name: string): string | undefined {
  const value = metadata[name];
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value === "" || value.length > 1_000)
    throw invalid(`${name} must be a string.`);
  return value;
}

function list(
  metadata: Record<string, unknown>,
  name: string,
  initial: readonly string[],
): readonly string[] {
  const value = metadata[name];
  if (value === undefined) return initial;
  if (
    !Array.isArray(value) ||
    !value.every((item) => typeof item === "string") ||
    value.length > 10
  )
    throw invalid(`${name} must be a list of strings.`);
  return value;
}

function invalid(description: string): OAuthError {
  return new OAuthError("invalid_client_metadata", description);
}
