import { randomUUID } from "node:crypto";
import type { BaseOAuthAuthentication } from "../define/oauth.ts";
import { placeholdersOf } from "../define/template.ts";
import { isPackError, PackError } from "../errors.ts";
import { readClientKey } from "./client-key.ts";
import type { OAuthDefinition } from "./definition.ts";
import type { ExchangeStep } from "./exchange-record.ts";
import type { ClientAuthenticationMethod, ClientCredentials } from "./token-set.ts";

/**
 * The client-authentication methods to try, in this order. Raw and form-encoded Basic that come out alike are one.
 * @param known what the token endpoint accepted before; it goes first
 * @throws {PackError} OAUTH_CLIENT_MISSING, OAUTH_KEY_INVALID when a private key is wanted and none can sign
 */
export function clientAuthenticationMethods(
  definition: Pick<BaseOAuthAuthentication, "credentialsLocation" | "clientAuthentication" | "signingAlgorithm">,
  client: ClientCredentials,
  known?: ClientAuthenticationMethod | undefined,
): ClientAuthenticationMethod[] {
  if (definition.clientAuthentication === "private_key_jwt") {
    // Nothing else is tried: a key that a request carried as a secret would be given away.
    readClientKey(requireClientKey(client), definition.signingAlgorithm);
    return ["private_key_jwt"];
  }
  if (client.clientSecret === undefined || client.clientSecret === "") return ["none"];
  const basic: ClientAuthenticationMethod[] =
    basicHeader(client, "basic") === basicHeader(client, "basic-strict") ? ["basic"] : ["basic", "basic-strict"];
  const allowed: Record<NonNullable<BaseOAuthAuthentication["credentialsLocation"]>, ClientAuthenticationMethod[]> = {
    Automatic: ["body", ...basic],
    Body: ["body"],
    AuthorizationHeader: basic,
  };
  const methods = allowed[definition.credentialsLocation ?? "Automatic"];
  return known !== undefined && methods.includes(known) ? [known, ...methods.filter((method) => method !== known)] : methods;
}

/**
 * Writes the client's credentials into a request in exactly one place (rule 37; RFC 6749 §2.3). What a library put there is removed.
 * @param assertion signed for this request alone, with the method `private_key_jwt`
 */
export function authenticateRequest(
  client: ClientCredentials,
  method: ClientAuthenticationMethod,
  request: { params: URLSearchParams; headers: Headers },
  assertion?: string | undefined,
): void {
  const { params, headers } = request;
  headers.delete("authorization");
  params.delete("client_id");
  params.delete("client_secret");
  params.delete("client_assertion");
  params.delete("client_assertion_type");
  if (method === "basic" || method === "basic-strict") {
    headers.set("authorization", basicHeader(client, method));
    return;
  }
  params.set("client_id", client.clientId);
  if (method === "private_key_jwt") {
    if (assertion === undefined) throw new TypeError("private_key_jwt needs an assertion.");
    params.set("client_assertion_type", ASSERTION_TYPE);
    params.set("client_assertion", assertion);
  }
  if (method === "body") params.set("client_secret", client.clientSecret ?? "");
}

/**
 * Runs one attempt per method until the server accepts the client. It moves on only for status 401 or `invalid_client`.
 * @throws {PackError} what the last attempt threw
 */
export async function authenticateInTurn<Result>(
  methods: readonly ClientAuthenticationMethod[],
  attempt: (method: ClientAuthenticationMethod) => Promise<Result>,
): Promise<Result> {
  for (const [index, method] of methods.entries()) {
    try {
      return await attempt(method);
    } catch (error) {
      if (!isPackError(error, "OAUTH_TOKEN_REJECTED")) throw error;
      const refusedClient = error.details.status === 401 || error.details.error === "invalid_client";
      if (index > 0 && error.details.error === "invalid_grant") throw burntCode(error, method);
      if (!refusedClient) throw error;
      if (index === methods.length - 1) throw error.details.error === "invalid_client" ? refusedByAll(error, methods) : error;
    }
  }
  throw new TypeError("authenticateInTurn needs at least one method.");
}

// Some servers use up a single-use code or refresh token when the client authentication of the same request fails.
function burntCode(error: PackError<"OAUTH_TOKEN_REJECTED">, method: ClientAuthenticationMethod): PackError {
  const location = method === "body" ? "Body" : "AuthorizationHeader";
  return new PackError(
    "OAUTH_TOKEN_REJECTED",
    `${error.message} An earlier attempt with another client authentication may have used up the single-use code.`,
    {
      details: error.details,
      hint: `Set credentialsLocation: "${location}" in the definition, so that the first attempt is the right one, then connect again.`,
    },
  );
}

/** What is left to try depends on what was tried. */
function refusedByAll(error: PackError<"OAUTH_TOKEN_REJECTED">, methods: readonly ClientAuthenticationMethod[]): PackError {
  return new PackError("OAUTH_TOKEN_REJECTED", error.message, { details: error.details, hint: hintAfter(methods) });
}

function hintAfter(methods: readonly ClientAuthenticationMethod[]): string {
  if (methods.includes("none")) return "Check the client ID; if the provider issued a client secret too, connect with it.";
  if (methods.includes("private_key_jwt")) {
    return "Check the client ID, and that the provider has the public half of this key. Some providers want another audience: add issuer to the definition, or leave it out.";
  }
  const [body, basic] = [methods.includes("body"), methods.includes("basic")];
  if (body && basic) return "Check client ID and client secret: the provider refused them in the body and in the Authorization header.";
  return `Check client ID and client secret. If both are right, set credentialsLocation: "${body ? "AuthorizationHeader" : "Body"}".`;
}

function basicHeader({ clientId, clientSecret = "" }: ClientCredentials, method: "basic" | "basic-strict"): string {
  // RFC 6749 §2.3.1: form-encode before base64. Many servers do not decode, so the raw form comes first.
  const encode = method === "basic-strict" ? formEncode : (text: string) => text;
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`, "utf8").toString("base64")}`;
}

function formEncode(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2);
}

/** RFC 7523 §2.2 */
export const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/** How long an assertion may be used: as long as one request travels. */
const LIFETIME_SECONDS = 60;

export interface ClientAssertionOptions {
  client: ClientCredentials;
  definition: OAuthDefinition;
  /** Where the request goes, as declared, and what it is for. */
  url: string;
  step: ExchangeStep;
  nowMs: number;
}

/**
 * Signs what proves the client's identity in one request (RFC 7523 §2.2, §3): never the same one twice.
 * @throws {PackError} OAUTH_CLIENT_MISSING without a private key; OAUTH_KEY_INVALID
 */
export async function createClientAssertion({ client, definition, url, step, nowMs }: ClientAssertionOptions): Promise<string> {
  const { key, algorithm, keyId } = readClientKey(requireClientKey(client), definition.signingAlgorithm);
  // Loaded for those alone who sign.
  const { SignJWT } = await import("jose");
  const issuedAt = Math.floor(nowMs / 1_000);
  return await new SignJWT()
    .setProtectedHeader({ alg: algorithm, ...(keyId === undefined ? {} : { kid: keyId }) })
    .setIssuer(client.clientId)
    .setSubject(client.clientId)
    .setAudience(audienceOf(definition, url, step))
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(key);
}

/**
 * Whom an assertion is for: the issuer when the definition declares one, which no other server can pass on as its own;
 * else the token endpoint (RFC 7523 §3, point 3), for requests to other endpoints of the server too.
 */
function audienceOf({ issuer, tokenUrl }: OAuthDefinition, url: string, step: ExchangeStep): string {
  if (issuer !== undefined) return issuer;
  if (step === "token" || step === "refresh" || tokenUrl === undefined) return url;
  return URL.canParse(tokenUrl) && placeholdersOf(tokenUrl).length === 0 ? tokenUrl : url;
}

/**
 * @returns the text of the private key
 * @throws {PackError} OAUTH_CLIENT_MISSING
 */
export function requireClientKey({ clientSecret }: ClientCredentials): string {
  if (clientSecret !== undefined && clientSecret !== "") return clientSecret;
  throw new PackError("OAUTH_CLIENT_MISSING", "The client has no private key to prove itself with (private_key_jwt).", {
    details: undefined,
    hint: "Pass --client-key-file, or set PACKSMITH_CLIENT_SECRET to the key; register its public half with the provider.",
  });
}
