import { randomUUID } from "node:crypto";
import type { BaseOAuthAuthentication } from "../define/oauth.ts";
import { findPlaceholders } from "../define/template.ts";
import { isPackError, PackError } from "../errors.ts";
import { canParseUrl } from "../shared/urls.ts";
import { requireClientCertificate } from "./client-certificate.ts";
import { readClientKey } from "./client-key.ts";
import type { OAuthDefinition } from "./definition.ts";
import type { ExchangeStep } from "./exchange-record.ts";
import { UNNAMED_ERROR } from "./token-failure.ts";
import type { ClientAuthenticationMethod, ClientCredentials } from "./token-set.ts";

/**
 * The client authentication methods to try, in order. Raw and form-encoded Basic count once when
 * they give the same header.
 * @param known the method that the token endpoint accepted before; it is tried first
 * @param supported `token_endpoint_auth_methods_supported` of the server's metadata (RFC 8414 §2):
 *   these are tried before others
 * @param issuer the server's issuer, if it was discovered
 * @throws {PackError} OAUTH_CLIENT_MISSING, OAUTH_KEY_INVALID when the definition needs a private
 *   key and this one cannot sign
 */
export function clientAuthenticationMethods(
  definition: Pick<
    BaseOAuthAuthentication,
    | "credentialsLocation"
    | "clientAuthentication"
    | "signingAlgorithm"
    | "issuer"
    | "assertionAudience"
  >,
  client: ClientCredentials,
  known?: ClientAuthenticationMethod | undefined,
  supported: readonly string[] = [],
  issuer: string | undefined = definition.issuer,
): ClientAuthenticationMethod[] {
  if (definition.clientAuthentication === "private_key_jwt") {
    // Try nothing else: sending the private key as a client secret would give it away.
    readClientKey(requireClientKey(client), definition.signingAlgorithm);
    // Servers that follow the revision of RFC 7523 accept only their issuer as the audience, and
    // many others only the token URL.
    if (issuer === undefined || definition.assertionAudience !== undefined)
      return ["private_key_jwt"];
    return known === "private_key_jwt-url"
      ? ["private_key_jwt-url", "private_key_jwt"]
      : ["private_key_jwt", "private_key_jwt-url"];
  }
  if (definition.clientAuthentication === "tls_client_auth") {
    requireClientCertificate(client);
    return ["tls_client_auth"];
  }
  if (client.clientSecret === undefined || client.clientSecret === "") return ["none"];
  if (definition.clientAuthentication === "secret_as_user") return ["secret_as_user"];
  const basic: ClientAuthenticationMethod[] =
    basicHeader(client, "basic") === basicHeader(client, "basic-strict")
      ? ["basic"]
      : ["basic", "basic-strict"];
  const allowed: Record<
    NonNullable<BaseOAuthAuthentication["credentialsLocation"]>,
    ClientAuthenticationMethod[]
  > = {
    Automatic: ["body", ...basic],
    Body: ["body"],
    AuthorizationHeader: basic,
  };
  const methods =
    allowed[registeredLocation(client) ?? definition.credentialsLocation ?? "Automatic"];
  // The sort is stable, so that the order above decides within each rank.
  const rank = (method: ClientAuthenticationMethod) =>
    method === known ? 0 : isListed(method, supported) ? 1 : 2;
  return methods.toSorted((a, b) => rank(a) - rank(b));
}

/** Whether a client proves its identity with a signed assertion. */
export function isAssertion(method: ClientAuthenticationMethod | undefined): boolean {
  return method === "private_key_jwt" || method === "private_key_jwt-url";
}

/** The names of the methods in metadata and registrations. */
const METADATA_NAMES: Readonly<Record<ClientAuthenticationMethod, string>> = {
  body: "client_secret_post",
  basic: "client_secret_basic",
  "basic-strict": "client_secret_basic",
  private_key_jwt: "private_key_jwt",
  "private_key_jwt-url": "private_key_jwt",
  tls_client_auth: "tls_client_auth",
  none: "none",
  secret_as_user: "client_secret_basic",
};

/** Whether metadata lists a method. */
export function isListed(
  method: ClientAuthenticationMethod,
  supported: readonly string[],
): boolean {
  return supported.includes(METADATA_NAMES[method]);
}

/** RFC 7591 §2: a registered client uses the method of its registration. */
function registeredLocation({
  registration,
}: ClientCredentials): "Body" | "AuthorizationHeader" | undefined {
  if (registration === undefined || registration.method === "none") return undefined;
  return registration.method === "client_secret_post" ? "Body" : "AuthorizationHeader";
}

/**
 * Writes the client's credentials into a request, in exactly one place: RFC 6749 §2.3 forbids two
 * methods in one request.
 * Removes what a library wrote before.
 * @param assertion for the method `private_key_jwt`: signed for this request only
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
  if (method === "secret_as_user") {
    headers.set(
      "authorization",
      `Basic ${Buffer.from(`${client.clientSecret ?? ""}:`, "utf8").toString("base64")}`,
    );
    return;
  }
  params.set("client_id", client.clientId);
  if (isAssertion(method)) {
    if (assertion === undefined) throw new TypeError("private_key_jwt needs an assertion.");
    params.set("client_assertion_type", ASSERTION_TYPE);
    params.set("client_assertion", assertion);
  }
  if (method === "body") params.set("client_secret", client.clientSecret ?? "");
}

/**
 * Tries one method after the other until the server accepts the client. Goes on only after status
 * 401, `invalid_client`, or status 403
 * with `unauthorized_client`, which some servers answer to a client that authenticates by another
 * method than it was registered with.
 * @param supported `token_endpoint_auth_methods_supported` of the server's metadata, for the hint
 * @throws {PackError} the error of the last attempt
 */
export async function authenticateInTurn<Result>(
  methods: readonly ClientAuthenticationMethod[],
  attempt: (method: ClientAuthenticationMethod) => Promise<Result>,
  supported: readonly string[] = [],
): Promise<Result> {
  for (const [index, method] of methods.entries()) {
    try {
      return await attempt(method);
    } catch (error) {
      if (!isPackError(error, "OAUTH_TOKEN_REJECTED")) throw error;
      const refusedClient = refusesClient(error.details);
      if (index > 0 && error.details.error === "invalid_grant") throw usedUpCode(error, method);
      if (!refusedClient) throw error;
      if (index === methods.length - 1)
        throw isClientError(error.details) ? refusedByAll(error, methods, supported) : error;
    }
  }
  throw new TypeError("authenticateInTurn needs at least one method.");
}

function refusesClient({ status, error }: { status: number; error: string }): boolean {
  return (
    status === 401 ||
    error === "invalid_client" ||
    (status === 403 && error === "unauthorized_client")
  );
}

/** Many servers answer 401 to wrong client credentials, and name no error of the protocol. */
function isClientError({ status, error }: { status: number; error: string }): boolean {
  return (
    error === "invalid_client" ||
    error === "unauthorized_client" ||
    (status === 401 && error === UNNAMED_ERROR)
  );
}

// Some servers use up a single-use code or refresh token when the client authentication of the same
// request fails.
function usedUpCode(
  error: PackError<"OAUTH_TOKEN_REJECTED">,
  method: ClientAuthenticationMethod,
): PackError {
  const edit =
    method === "private_key_jwt-url"
      ? "assertionAudience to the token URL"
      : `credentialsLocation: "${method === "body" ? "Body" : "AuthorizationHeader"}"`;
  return new PackError(
    "OAUTH_TOKEN_REJECTED",
    `${error.message} An earlier attempt with a different client authentication method may already have used the authorization code.`,
    {
      details: error.details,
      hint: `Set ${edit} in the authentication definition. Then connect the account again.`,
    },
  );
}

/** The same error with a hint that names what was not tried yet. */
function refusedByAll(
  error: PackError<"OAUTH_TOKEN_REJECTED">,
  methods: readonly ClientAuthenticationMethod[],
  supported: readonly string[],
): PackError {
  return new PackError("OAUTH_TOKEN_REJECTED", error.message, {
    details: error.details,
    hint: hintAfter(methods, supported),
  });
}

function hintAfter(
  methods: readonly ClientAuthenticationMethod[],
  supported: readonly string[],
): string {
  const other = (["private_key_jwt", "tls_client_auth"] as const).find((method) =>
    supported.includes(method),
  );
  if (other !== undefined && !methods.some((method) => supported.includes(METADATA_NAMES[method])))
    return `The server accepts only ${supported.join(", ")}: set clientAuthentication: "${other}" in the authentication definition.`;
  if (methods.includes("none"))
    return "Check the client ID. If the provider issued a client secret, set PACKSMITH_CLIENT_SECRET to the secret, and connect again.";
  if (methods.includes("private_key_jwt")) {
    return "Check the client ID, and check that the provider has the public key that belongs to this private key. If the provider expects another audience or issuer in the assertion, set assertionAudience or assertionIssuer.";
  }
  if (methods.includes("tls_client_auth"))
    return "Check the client ID, and check that the provider has registered this certificate. Many providers have a separate token URL for TLS client certificates: check tokenUrl.";
  const [body, basic] = [methods.includes("body"), methods.includes("basic")];
  if (body && basic)
    return "Check the client ID and the client secret. The provider rejected them in the body and in the Authorization header.";
  return `Check the client ID and the client secret. If both are right, set credentialsLocation: "${body ? "AuthorizationHeader" : "Body"}".`;
}

function basicHeader(
  { clientId, clientSecret = "" }: ClientCredentials,
  method: "basic" | "basic-strict",
): string {
  // RFC 6749 §2.3.1: form-encode before base64. Many servers do not decode, so the raw form comes
  // first.
  const encode = method === "basic-strict" ? formEncode : (text: string) => text;
  return `Basic ${Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`, "utf8").toString("base64")}`;
}

function formEncode(text: string): string {
  return new URLSearchParams({ v: text }).toString().slice(2);
}

/** RFC 7523 §2.2 */
export const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/** An assertion serves one request, so it expires soon. */
const LIFETIME_SECONDS = 60;

export interface ClientAssertionOptions {
  client: ClientCredentials;
  method: ClientAuthenticationMethod;
  definition: OAuthDefinition;
  /** The server's issuer, if it was discovered. */
  issuer?: string | undefined;
  /** Where the request goes, as declared. */
  url: string;
  step: ExchangeStep;
  nowMs: number;
}

/**
 * Signs the assertion that proves the client's identity in one request (RFC 7523 §2.2, §3). Each
 * has its own `jti`.
 * @throws {PackError} OAUTH_CLIENT_MISSING without a private key; OAUTH_KEY_INVALID
 */
export async function createClientAssertion(options: ClientAssertionOptions): Promise<string> {
  const { client, definition, nowMs } = options;
  const { key, algorithm, keyId } = readClientKey(
    requireClientKey(client),
    definition.signingAlgorithm,
  );
  // Loaded only when something is signed.
  const { SignJWT } = await import("jose");
  const issuedAt = Math.floor(nowMs / 1_000);
  return await new SignJWT()
    .setProtectedHeader({ alg: algorithm, ...(keyId === undefined ? {} : { kid: keyId }) })
    .setIssuer(definition.assertionIssuer ?? client.clientId)
    .setSubject(client.clientId)
    .setAudience(chooseAudience(options))
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS)
    .sign(key);
}

/**
 * The audience of an assertion: the server's issuer, if it is known, because no other server can
 * use such an assertion. Otherwise the token endpoint (RFC 7523 §3, point 3), also for requests to
 * other endpoints of the server.
 */
function chooseAudience({ definition, method, issuer, url, step }: ClientAssertionOptions): string {
  const { assertionAudience, tokenUrl } = definition;
  if (assertionAudience !== undefined) return assertionAudience;
  const known = definition.issuer ?? issuer;
  if (known !== undefined && method !== "private_key_jwt-url") return known;
  if (step === "token" || step === "refresh" || tokenUrl === undefined) return url;
  return canParseUrl(tokenUrl) && findPlaceholders(tokenUrl).length === 0 ? tokenUrl : url;
}

/**
 * @returns the text of the private key
 * @throws {PackError} OAUTH_CLIENT_MISSING
 */
export function requireClientKey({ clientSecret }: ClientCredentials): string {
  if (clientSecret !== undefined && clientSecret !== "") return clientSecret;
  throw new PackError(
    "OAUTH_CLIENT_MISSING",
    "The client has no private key to sign with (private_key_jwt).",
    {
      details: undefined,
      hint: "Pass --client-key-file, or set PACKSMITH_CLIENT_SECRET to the key. Register the public key with the provider.",
    },
  );
}
