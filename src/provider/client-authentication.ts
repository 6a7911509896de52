import type { ClientAuthenticationMethod } from "./client-authentication-method.ts";
import { OAuthError } from "./oauth-error.ts";
import type { ProviderClient } from "./options.ts";
import type { Parameters } from "./parameters.ts";
import type { ClientQuirks } from "./profile.ts";
import { sameSecret } from "./same-secret.ts";

interface PresentedCredentials {
  method: ClientAuthenticationMethod;
  clientId: string;
  clientSecret: string | undefined;
}

/**
 * Finds out which client sent a request (RFC 6749 §2.3). `onMethod` hears the method before it is judged.
 * @throws {OAuthError} invalid_client, or invalid_request when two methods are used at once
 */
export function authenticateClient(
  clients: ReadonlyMap<string, ProviderClient>,
  authorization: string | undefined,
  parameters: Parameters,
  onMethod: (method: ClientAuthenticationMethod) => void,
  quirks: ClientQuirks = {},
): ProviderClient {
  const { method, clientId, clientSecret } = readCredentials(authorization, parameters, quirks);
  onMethod(method);
  const client = clients.get(clientId);
  if (client === undefined || !methodsOf(client, quirks.methods).includes(method)) throw refused();
  // An unknown client and a wrong secret look alike from outside.
  if (client.clientSecret !== undefined && !sameSecret(clientSecret ?? "", client.clientSecret)) throw refused();
  return client;
}

/** @param own the methods that the whole server knows, whatever clients registered */
function methodsOf(client: ProviderClient, own: ClientQuirks["methods"]): readonly ClientAuthenticationMethod[] {
  if (client.clientSecret === undefined) return ["none"];
  return (own ?? client.authenticationMethods ?? ["client_secret_basic", "client_secret_post"]).filter((method) => method !== "none");
}

function readCredentials(authorization: string | undefined, parameters: Parameters, quirks: ClientQuirks): PresentedCredentials {
  const clientId = parameters.get("client_id");
  const clientSecret = parameters.get("client_secret");
  if (parameters.get("client_assertion") !== undefined) throw refused();
  if (authorization === undefined) {
    if (clientId === undefined) throw refused("Client authentication is missing.");
    return { method: clientSecret === undefined ? "none" : "client_secret_post", clientId, clientSecret };
  }
  if (clientSecret !== undefined) throw new OAuthError("invalid_request", "The client authenticated in two ways at once; use one.");
  const basic = readBasic(authorization, quirks.rawBasic === true ? (text) => text : formDecode);
  if (clientId !== undefined && clientId !== basic.clientId)
    throw new OAuthError("invalid_request", "client_id in the body is not the one in the Authorization header.");
  return basic;
}

function readBasic(authorization: string, decode: (text: string) => string): PresentedCredentials {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  if (encoded === undefined) throw refused("The Authorization header is not valid Basic authentication.");
  const decoded = Buffer.from(encoded, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  if (colon < 1) throw refused("The Authorization header is not valid Basic authentication.");
  return {
    method: "client_secret_basic",
    clientId: decode(decoded.slice(0, colon)),
    clientSecret: decode(decoded.slice(colon + 1)),
  };
}

/** RFC 6749 §2.3.1: both halves are form-encoded, so a bare "+" is a space. */
function formDecode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw refused("The client ID and secret in the Authorization header are not form-encoded (RFC 6749 section 2.3.1).");
  }
}

function refused(description = "Client authentication failed."): OAuthError {
  return new OAuthError("invalid_client", description);
}
