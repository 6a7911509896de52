import {
  constants,
  createHmac,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  verify,
} from "node:crypto";
import { sameSecret } from "../../shared/crypto.ts";
import { OAuthError } from "../answer.ts";
import type { ProviderClient } from "../options.ts";
import type { ClientAuthenticationMethod, ClientQuirks } from "../profile.ts";
import type { PresentedCertificate } from "./client-certificate.ts";
import { decodeJwt } from "./jwt.ts";
import type { Parameters } from "./parameters.ts";

interface PresentedCredentials {
  method: ClientAuthenticationMethod;
  clientId: string;
  clientSecret: string | undefined;
  assertion?: string | undefined;
}

/** Facts to check an assertion or a certificate against. */
export type AssertionFacts = Pick<AssertionCheck, "audiences" | "issuer" | "nowMs"> & {
  /** What the client showed in the TLS handshake. */
  certificate: PresentedCertificate | undefined;
  /** Marks an identifier of a client as used; false if it was used before. */
  claimIdentifier(clientId: string, identifier: string): boolean;
};

/**
 * Authenticates the client of a request (RFC 6749 §2.3). Calls `onMethod` with the method before
 * checking it.
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
  const presented =
    quirks.secretAsUser === true
      ? readSecretAsUser(clients, authorization)
      : readCredentials(authorization, parameters, quirks);
  const { clientId, clientSecret, assertion } = presented;
  const client = clients.get(clientId);
  // RFC 8705 §2: on the wire, only the certificate tells such a request from one of a public
  // client.
  const usesCertificate =
    presented.method === "none" && client?.certificateThumbprint !== undefined;
  const method = usesCertificate ? "tls_client_auth" : presented.method;
  onMethod(method);
  const usesSecret = assertion !== undefined && client?.publicKey === undefined;
  if (
    client === undefined ||
    !listMethods(client, quirks.methods).includes(usesSecret ? "client_secret_jwt" : method)
  )
    throw createRefusal();
  if (assertion !== undefined) {
    verifyAssertion(assertion, {
      ...facts,
      clientId,
      key:
        client.publicKey === undefined
          ? { secret: client.clientSecret ?? "" }
          : { publicKey: client.publicKey },
      claimIdentifier: (identifier) => facts.claimIdentifier(clientId, identifier),
    });
    return client;
  }
  if (client.certificateThumbprint !== undefined) {
    checkCertificate(client.certificateThumbprint, facts);
    return client;
  }
  // The same error for an unknown client and a wrong secret.
  if (client.clientSecret !== undefined && !sameSecret(clientSecret ?? "", client.clientSecret))
    throw createRefusal();
  return client;
}

/** @param own the only methods of the server, whatever clients registered */
function listMethods(
  client: ProviderClient,
  own: ClientQuirks["methods"],
): readonly ClientAuthenticationMethod[] {
  if (client.publicKey !== undefined) return ["private_key_jwt"];
  if (client.certificateThumbprint !== undefined) return ["tls_client_auth"];
  if (client.clientSecret === undefined) return ["none"];
  return (
    own ??
    client.authenticationMethods ?? ["client_secret_basic", "client_secret_post"]
  ).filter((method) => method !== "none");
}

/** @throws {OAuthError} invalid_client */
function checkCertificate(registered: string, { certificate, nowMs }: AssertionFacts): void {
  if (certificate === undefined)
    throw createRefusal(
      "The client presented no TLS certificate. Send the request to the endpoint for mutual TLS.",
    );
  if (!sameSecret(certificate.thumbprint, registered))
    throw createRefusal("The TLS certificate is not registered for the client.");
  if (nowMs > certificate.validToMs || nowMs < certificate.validFromMs)
    throw createRefusal("The TLS certificate has expired, or is not valid yet.");
}

function readCredentials(
  authorization: string | undefined,
  parameters: Parameters,
  quirks: ClientQuirks,
): PresentedCredentials {
  const clientId = parameters.get("client_id");
  const clientSecret = parameters.get("client_secret");
  const assertion = parameters.get("client_assertion");
  if (assertion !== undefined) {
    if (authorization !== undefined || clientSecret !== undefined) throw twoMethods();
    if (parameters.get("client_assertion_type") !== ASSERTION_TYPE)
      throw createRefusal("client_assertion_type must be the type of a JWT assertion.");
    const subject = findSubject(assertion);
    if (subject === undefined) throw createRefusal("The client assertion is not a JWT.");
    // RFC 7521 §4.2: client_id is optional, but must be the same.
    if (clientId !== undefined && clientId !== subject)
      throw createRefusal("client_id is not the client of the assertion.");
    return { method: "private_key_jwt", clientId: subject, clientSecret: undefined, assertion };
  }
  if (authorization === undefined) {
    if (clientId === undefined) throw createRefusal("Client authentication is missing.");
    return {
      method: clientSecret === undefined ? "none" : "client_secret_post",
      clientId,
      clientSecret,
    };
  }
  if (clientSecret !== undefined) throw twoMethods();
  const basic = readBasic(authorization, quirks.rawBasic === true ? (text) => text : formDecode);
  if (clientId !== undefined && clientId !== basic.clientId)
    throw new OAuthError(
      "invalid_request",
      "client_id in the body is different from the client ID in the Authorization header.",
    );
  return basic;
}

/** The client is the one whose secret is the user name. */
function readSecretAsUser(
  clients: ReadonlyMap<string, ProviderClient>,
  authorization: string | undefined,
): PresentedCredentials {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization ?? "")?.[1] ?? "";
  const secret = /^(.+):$/s.exec(Buffer.from(encoded, "base64").toString("utf8"))?.[1];
  if (secret === undefined)
    throw createRefusal(
      "The client secret must be the user name of Basic credentials, without a password.",
    );
  const owner = [...clients.values()].find(
    ({ clientSecret }) => clientSecret !== undefined && sameSecret(secret, clientSecret),
  );
  return { method: "client_secret_basic", clientId: owner?.clientId ?? "", clientSecret: secret };
}

function readBasic(authorization: string, decode: (text: string) => string): PresentedCredentials {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization)?.[1];
  if (encoded === undefined)
    throw createRefusal("The Authorization header is not valid Basic authentication.");
  const decoded = Buffer.from(encoded, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  if (colon < 1) throw createRefusal("The Authorization header is not valid Basic authentication.");
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
    throw createRefusal(
      "The client ID and secret in the Authorization header are not form-encoded (RFC 6749 section 2.3.1).",
    );
  }
}

function twoMethods(): OAuthError {
  return new OAuthError(
    "invalid_request",
    "The request contains two methods of client authentication. Use only one method.",
  );
}

function createRefusal(description = "Client authentication failed."): OAuthError {
  return new OAuthError("invalid_client", description);
}

/** RFC 7523 §2.2 */
export const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
/**
 * Signature algorithms that this server accepts (RFC 7518 §3.1, RFC 8037). Not `none`, and no HMAC
 * with a shared secret.
 */
export const ASSERTION_ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
] as const;
/** Longest lifetime of an assertion (RFC 7523 §3, point 4). */
const MAX_LIFETIME_SECONDS = 600;
/** How far two clocks may differ. */
const LEEWAY_SECONDS = 60;
const CURVES: Readonly<Record<string, string>> = {
  ES256: "prime256v1",
  ES384: "secp384r1",
  ES512: "secp521r1",
};

/** Facts to check an assertion against. */
export interface AssertionCheck {
  clientId: string;
  /** The key that the client registered, or its secret (`client_secret_jwt`). */
  key: { publicKey: string | JsonWebKey } | { secret: string };
  /** Accepted audiences: the names of this server. */
  audiences: readonly string[];
  /** The `iss` of assertions. @default the client ID */
  issuer?: string | undefined;
  nowMs: number;
  /** Marks the identifier of an assertion as used; false if it was used before. */
  claimIdentifier(identifier: string): boolean;
}

/** The client that an assertion claims to be from. Nothing is verified yet. */
function findSubject(assertion: string): string | undefined {
  const subject = decodeJwt(assertion)?.claims["sub"];
  return typeof subject === "string" ? subject : undefined;
}

/**
 * Verifies a client assertion (RFC 7523 §3): signature, issuer and subject, audience, lifetime, and
 * that it is used for the
 * first time.
 * @throws {OAuthError} invalid_client
 */
function verifyAssertion(assertion: string, check: AssertionCheck): void {
  const jwt = decodeJwt(assertion);
  if (jwt === undefined) throw refusedAssertion("The client assertion is not a JWT.");
  const { header, claims, signed, signature } = jwt;
  const { key } = check;
  const isGenuine =
    "secret" in key
      ? isSignedWithSecret(header["alg"], key.secret, signed, signature)
      : isSignedBy(header["alg"], parsePublicKey(key.publicKey), signed, signature);
  if (!isGenuine) {
    throw refusedAssertion(
      "The signature of the client assertion does not match the registered key.",
    );
  }
  const { iss, sub, aud, exp, nbf, iat, jti } = claims;
  const nowSeconds = check.nowMs / 1_000;
  const { clientId, issuer = clientId } = check;
  if (iss !== issuer || sub !== clientId)
    throw refusedAssertion(
      issuer === clientId
        ? "iss and sub of the client assertion must be the client ID."
        : `iss of the client assertion must be ${issuer}, and sub the client ID.`,
    );
  if (
    !(Array.isArray(aud) ? aud : [aud]).some((audience) =>
      check.audiences.includes(String(audience)),
    )
  ) {
    throw refusedAssertion(
      `The client assertion is for another audience; its aud must be ${check.audiences.slice(0, 2).join(" or ")}.`,
    );
  }
  if (typeof exp !== "number" || exp <= nowSeconds - LEEWAY_SECONDS)
    throw refusedAssertion("The client assertion has expired.");
  if (exp > nowSeconds + MAX_LIFETIME_SECONDS)
    throw refusedAssertion("The client assertion is valid for too long; the limit is ten minutes.");
  for (const instant of [nbf, iat]) {
    if (
      instant !== undefined &&
      !(typeof instant === "number" && instant <= nowSeconds + LEEWAY_SECONDS)
    ) {
      throw refusedAssertion("The iat of the client assertion is in the future.");
    }
  }
  if (typeof jti !== "string" || jti === "")
    throw refusedAssertion("The client assertion has no jti.");
  if (!check.claimIdentifier(jti)) throw refusedAssertion("The client assertion was used before.");
}

/**
 * The algorithms of `client_secret_jwt`: only for a client that registered it, never for one with a
 * public key.
 */
function isSignedWithSecret(
  algorithm: unknown,
  secret: string,
  signed: Buffer,
  signature: Buffer,
): boolean {
  if (algorithm !== "HS256" && algorithm !== "HS384" && algorithm !== "HS512")
    throw refusedAssertion("The algorithm of the client assertion must be HS256, HS384 or HS512.");
  const expected = createHmac(`sha${algorithm.slice(2)}`, secret)
    .update(signed)
    .digest("base64url");
  return secret !== "" && sameSecret(signature.toString("base64url"), expected);
}

/** Facts to check the assertion of a grant against. */
export interface GrantAssertionCheck {
  /** Public keys of trusted issuers, by `iss`. */
  issuers: Readonly<Record<string, string | JsonWebKey>>;
  audiences: readonly string[];
  nowMs: number;
}

/**
 * Verifies an assertion that stands for a user (RFC 7523 §3).
 * @returns its subject
 * @throws {OAuthError} invalid_grant
 */
export function verifyGrantAssertion(
  assertion: string,
  { issuers, audiences, nowMs }: GrantAssertionCheck,
): string {
  const invalid = (reason: string) => new OAuthError("invalid_grant", `The assertion ${reason}.`);
  const jwt = decodeJwt(assertion);
  if (jwt === undefined) throw invalid("is not a JWT");
  const { iss, sub, aud, exp, nbf } = jwt.claims;
  const publicKey =
    typeof iss === "string" && Object.hasOwn(issuers, iss) ? issuers[iss] : undefined;
  if (publicKey === undefined) throw invalid("is not from a trusted issuer");
  if (!isSignedBy(jwt.header["alg"], parsePublicKey(publicKey), jwt.signed, jwt.signature))
    throw invalid("has another signature");
  if (!(Array.isArray(aud) ? aud : [aud]).some((audience) => audiences.includes(String(audience))))
    throw invalid("is for another audience");
  if (typeof exp !== "number" || exp <= nowMs / 1_000 - LEEWAY_SECONDS)
    throw invalid("has expired");
  if (nbf !== undefined && !(typeof nbf === "number" && nbf <= nowMs / 1_000 + LEEWAY_SECONDS))
    throw invalid("was issued in the future");
  if (typeof sub !== "string" || sub === "") throw invalid("has no subject");
  return sub;
}

function isSignedBy(
  algorithm: unknown,
  key: KeyObject,
  signed: Buffer,
  signature: Buffer,
): boolean {
  const known = ASSERTION_ALGORITHMS.find((name) => name === algorithm);
  if (known === undefined)
    throw refusedAssertion(
      `The algorithm of the client assertion must be one of ${ASSERTION_ALGORITHMS.join(", ")}.`,
    );
  const type = key.asymmetricKeyType;
  const hash = `sha${known.slice(2)}`;
  // The key must be for this algorithm: a signature that is valid in another scheme proves nothing.
  if (known === "EdDSA") return type === "ed25519" && verify(null, signed, key, signature);
  if (known.startsWith("ES")) {
    const fits = type === "ec" && key.asymmetricKeyDetails?.namedCurve === CURVES[known];
    return fits && verify(hash, signed, { key, dsaEncoding: "ieee-p1363" }, signature);
  }
  if (known.startsWith("PS")) {
    const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = constants;
    return (
      (type === "rsa" || type === "rsa-pss") &&
      verify(hash, signed, { key, padding, saltLength }, signature)
    );
  }
  return type === "rsa" && verify(hash, signed, key, signature);
}

function parsePublicKey(key: string | JsonWebKey): KeyObject {
  return createPublicKey(typeof key === "string" ? key : { key, format: "jwk" });
}

function refusedAssertion(description: string): OAuthError {
  return new OAuthError("invalid_client", description);
}
