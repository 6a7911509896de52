import { sameSecret } from "../shared/same-secret.ts";
import { ASSERTION_TYPE, type AssertionCheck, subjectOf, verifyAssertion } from "./client-assertion.ts";
import type { ClientAuthenticationMethod } from "./client-authentication-method.ts";
import { OAuthError } from "./oauth-error.ts";
import type { ProviderClient } from "./options.ts";
import type { Parameters } from "./parameters.ts";
import type { ClientQuirks } from "./profile.ts";

interface PresentedCredentials {
  method: ClientAuthenticationMethod;
  clientId: string;
  clientSecret: string | undefined;
  assertion?: string | undefined;
}

/** What the server knows when it reads an assertion. */
export type AssertionFacts = Pick<AssertionCheck, "audiences" | "nowMs"> & {
  /** Notes that a client has used an identifier; false when it did before. */
  claimIdentifier(clientId: string, identifier: string): boolean;
};

/**
 * Finds out which client sent a request (RFC 6749 §2.3). `onMethod` hears the method before it is judged.
 * @throws {OAuthError} invalid_client, or invalid_request when two methods are used at once
 */
export function authenticateClient(
  clients: ReadonlyMap<string, ProviderClient>,
  authorization: string | undefined,
  parameters: Parameters,
  onMethod: (method: ClientAuthenticationMethod) => void,
  facts: AssertionFacts,
  quirks: ClientQuirks = {},
): ProviderClient {
  const { method, clientId, clientSecret, assertion } = readCredentials(authorization, parameters, quirks);
  onMethod(method);
  const client = clients.get(clientId);
  if (client === undefined || !methodsOf(client, quirks.methods).includes(method)) throw refused();
  if (assertion !== undefined) {
    if (client.publicKey === undefined) throw refused();
    verifyAssertion(assertion, {
      ...facts,
      clientId,
      publicKey: client.publicKey,
      claimIdentifier: (identifier) => facts.claimIdentifier(clientId, identifier),
    });
    return client;
  }
  // An unknown client and a wrong secret look alike from outside.
  if (client.clientSecret !== undefined && !sameSecret(clientSecret ?? "", client.clientSecret)) throw refused();
  return client;
}

/** @param own the methods that the whole server knows, whatever clients registered */
function methodsOf(client: ProviderClient, own: ClientQuirks["methods"]): readonly ClientAuthenticationMethod[] {
  if (client.publicKey !== undefined) return ["private_key_jwt"];
  if (client.clientSecret === undefined) return ["none"];
  return (own ?? client.authenticationMethods ?? ["client_secret_basic", "client_secret_post"]).filter((method) => method !== "none");
}

function readCredentials(authorization: string | undefined, parameters: Parameters, quirks: ClientQuirks): PresentedCredentials {
  const clientId = parameters.get("client_id");
  const clientSecret = parameters.get("client_secret");
  const assertion = parameters.get("client_assertion");
  if (assertion !== undefined) {
    if (authorization !== undefined || clientSecret !== undefined) throw twoMethods();
    if (parameters.get("client_assertion_type") !== ASSERTION_TYPE) throw refused("client_assertion_type is not that of a JWT.");
    const subject = subjectOf(assertion);
    if (subject === undefined) throw refused("The client assertion is no JWT.");
    // RFC 7521 §4.2: client_id is optional, but says the same.
    if (clientId !== undefined && clientId !== subject) throw refused("client_id is not the client of the assertion.");
    return { method: "private_key_jwt", clientId: subject, clientSecret: undefined, assertion };
  }
  if (authorization === undefined) {
    if (clientId === undefined) throw refused("Client authentication is missing.");
    return { method: clientSecret === undefined ? "none" : "client_secret_post", clientId, clientSecret };
  }
  if (clientSecret !== undefined) throw twoMethods();
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

function twoMethods(): OAuthError {
  return new OAuthError("invalid_request", "The client authenticated in two ways at once; use one.");
}

function refused(description = "Client authentication failed."): OAuthError {
  return new OAuthError("invalid_client", description);
}
