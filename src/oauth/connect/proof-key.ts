import { calculatePKCECodeChallenge } from "openid-client";
import type { OAuth2Authentication } from "../../define/oauth.ts";
import { PackError } from "../../errors.ts";
import type { ClientCredentials } from "../token-set.ts";
import type { DiscoveredServer } from "./discovery.ts";

/**
 * Whether an authorization request has a code challenge (RFC 7636). The definition decides, otherwise
 * the server's metadata. A client without a secret always has one, because nothing else protects
 * its code (RFC 9700 §2.1.1).
 * @param methods `code_challenge_methods_supported` of the metadata
 */
export function usesProofKey(
  { useProofKeyForCodeExchange }: Pick<OAuth2Authentication, "useProofKeyForCodeExchange">,
  { clientSecret = "" }: ClientCredentials,
  methods: readonly string[] | undefined,
): boolean {
  return useProofKeyForCodeExchange ?? (clientSecret === "" || methods?.includes("S256") === true);
}

/** A code verifier and its challenge. */
export interface ProofKey {
  verifier: string;
  method: "S256" | "plain";
  value: string;
}

export async function createProofKey(
  { pkceChallengeMethod: method = "S256" }: Pick<OAuth2Authentication, "pkceChallengeMethod">,
  verifier: string,
): Promise<ProofKey> {
  const value = method === "plain" ? verifier : await calculatePKCECodeChallenge(verifier);
  return { verifier, method, value };
}

/**
 * Checks that a server knows S256. Clients of MCP servers must not continue without it; for others
 * it is reported.
 * @returns what to report, if anything
 * @throws {PackError} OAUTH_DISCOVERY_FAILED for an MCP server
 */
export function checkProofKeySupport(
  server: Pick<DiscoveredServer, "issuer" | "codeChallengeMethods"> | undefined,
  isMcp: boolean,
): string | undefined {
  const methods = server?.codeChallengeMethods;
  if (server === undefined || methods === undefined || methods.includes("S256")) return undefined;
  const named = methods.length === 0 ? "no method" : `only ${methods.join(", ")}`;
  if (!isMcp)
    return `the metadata of ${server.issuer} lists ${named} for PKCE, not S256, so the authorization code has less protection`;
  throw new PackError(
    "OAUTH_DISCOVERY_FAILED",
    `The server at ${server.issuer} cannot be used for an MCP server: its metadata lists ${named} for PKCE, not S256.`,
    {
      details: { issuer: server.issuer },
      hint: "The MCP authorization specification requires S256. Ask the operator of the server to support S256.",
      rule: "RFC 7636 §4.2",
    },
  );
}
