import { randomUUID } from "node:crypto";
import { placeholdersOf } from "../define/template.ts";
import { PackError } from "../errors.ts";
import { readClientKey } from "./client-key.ts";
import type { ExchangeStep } from "./exchange-record.ts";
import type { OAuthDefinition } from "./token-response.ts";
import type { ClientCredentials } from "./token-set.ts";

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
