import type { OAuth2Authentication } from "../define/oauth.ts";
import { PackError } from "../errors.ts";

/**
 * @returns a URL of the definition that a flow cannot do without
 * @throws {PackError} OAUTH_URL_MISSING when the definition leaves it to discovery and none took place
 */
export function requiredUrl(definition: OAuth2Authentication, member: "authorizationUrl" | "tokenUrl"): string {
  const url = definition[member];
  if (url !== undefined) return url;
  throw new PackError("OAUTH_URL_MISSING", `The authentication has no ${member}.`, {
    details: { member },
    hint: `Add ${member} to the definition.`,
  });
}
