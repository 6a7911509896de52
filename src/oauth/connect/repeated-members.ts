import type { OAuth2Authentication } from "../../define/oauth.ts";
import type { DiscoveredServer } from "./discovery.ts";

/**
 * The members of a definition that the metadata of its issuer says as well. Without them the
 * connection is the same, and follows the server when that moves.
 */
export function findRepeatedMembers(
  definition: OAuth2Authentication,
  metadata: DiscoveredServer | undefined,
): string[] {
  if (definition.issuer === undefined || metadata === undefined) return [];
  const { authorizationUrl, tokenUrl, pushedAuthorizationUrl, pkceChallengeMethod } = definition;
  const isRepeated: Readonly<Record<string, boolean>> = {
    authorizationUrl: isSaid(authorizationUrl, metadata.authorizationUrl),
    tokenUrl: isSaid(tokenUrl, metadata.tokenUrl),
    pushedAuthorizationUrl: isSaid(pushedAuthorizationUrl, metadata.pushedRequestUrl),
    dpop: definition.dpop === true && metadata.dpopAdvertised === true,
    useProofKeyForCodeExchange:
      definition.useProofKeyForCodeExchange === true &&
      pkceChallengeMethod === undefined &&
      metadata.codeChallengeMethods?.includes("S256") === true,
  };
  return Object.keys(isRepeated).filter((member) => isRepeated[member]);
}

function isSaid(url: string | undefined, said: string | undefined): boolean {
  return url !== undefined && url === said;
}
