import { randomBytes } from "node:crypto";
import type { OAuth2Authentication } from "../../define/oauth.ts";
import type { Redactor } from "../../shared/redact.ts";
import { listClientSecrets } from "../client-key.ts";
import { requestedScopes } from "../definition.ts";
import { canBindTokens, createDpopKey, findDpopSecret } from "../dpop.ts";
import type { ClientCredentials } from "../token-set.ts";
import { createProofKey, type ProofKey, usesProofKey } from "./proof-key.ts";

export interface RequestValueOptions {
  client: ClientCredentials;
  /** Requested in addition to the definition's scopes. */
  extraScopes?: readonly string[] | undefined;
  /** `code_challenge_methods_supported` of the server's metadata. @default unknown */
  codeChallengeMethods?: readonly string[] | undefined;
  /**
   * Binds the tokens to a new key (RFC 9449), if the definition sends tokens in a way that allows
   * it. @default the definition's `dpop`
   */
  dpop?: boolean | undefined;
  /** Random bytes. @default node:crypto's randomBytes */
  random?: ((size: number) => Uint8Array) | undefined;
  /** Receives the secrets. */
  redactor?: Redactor | undefined;
}

/**
 * 256 bits: more than the 128 of RFC 6749 §10.10, and a code verifier of 43 characters (RFC 7636
 * §4.1).
 */
const RANDOM_BYTES = 32;

/** The values that are made for one request, and checked or used when its user comes back. */
export interface RequestValues {
  state: string;
  proofKey: ProofKey | undefined;
  nonce: string | undefined;
  dpopKey: string | undefined;
}

/** Makes them new, and tells the redactor which are secret. */
export async function createRequestValues(
  definition: OAuth2Authentication,
  options: RequestValueOptions,
): Promise<RequestValues> {
  const { client, random = randomBytes, redactor, codeChallengeMethods, extraScopes } = options;
  const state = randomText(random);
  const proofKey = usesProofKey(definition, client, codeChallengeMethods)
    ? await createProofKey(definition, randomText(random))
    : undefined;
  // Some servers demand one from everyone who asks for an ID Token (OpenID Connect Core §3.1.2.1
  // leaves it to the client).
  const nonce = asksForIdToken(definition, extraScopes) ? randomText(random) : undefined;
  const isBound = (options.dpop ?? definition.dpop) === true && canBindTokens(definition);
  const dpopKey = isBound ? createDpopKey() : undefined;
  for (const secret of listClientSecrets(client.clientSecret)) redactor?.add(secret);
  redactor?.add(proofKey?.verifier);
  redactor?.add(findDpopSecret(dpopKey));
  return { state, proofKey, nonce, dpopKey };
}

/** Whether the request has the scope `openid`, wherever the definition puts it. */
function asksForIdToken(
  definition: OAuth2Authentication,
  extraScopes: readonly string[] | undefined,
): boolean {
  const scopes = [
    ...requestedScopes(definition, extraScopes),
    String(definition.additionalParams?.["scope"] ?? ""),
  ];
  return scopes.some((scope) => scope.split(/\s+/).includes("openid"));
}

function randomText(random: (size: number) => Uint8Array): string {
  return Buffer.from(random(RANDOM_BYTES)).toString("base64url");
}
