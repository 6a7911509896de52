import type { OAuth2Authentication } from "../define/oauth.ts";
import type { TokenSet } from "../oauth/token-set.ts";

/**
 * What to change when a provider gave a token that expires and nothing to renew it with (rule 35). Undefined when all is well.
 */
export function refreshAdvice(
  definition: Pick<OAuth2Authentication, "additionalParams" | "scopes">,
  tokenSet: TokenSet,
): string | undefined {
  if (tokenSet.refreshToken !== undefined || tokenSet.expiresAtMs === undefined) return undefined;
  const { additionalParams = {}, scopes = [] } = definition;
  const asksOffline = additionalParams["access_type"] === "offline" || scopes.includes("offline_access");
  const asksConsent = String(additionalParams["prompt"] ?? "").includes("consent");
  const problem = "the provider gave no refresh token, so the account has to be connected again when this token expires.";
  if (!asksOffline) {
    return `${problem} Most providers give one when they are asked: add additionalParams: { access_type: "offline", prompt: "consent" }, or the scope offline_access, whichever the provider documents.`;
  }
  if (!asksConsent) {
    return `${problem} Many providers give one only when the person consents anew: add prompt: "consent" to additionalParams.`;
  }
  return `${problem} Allow the refresh_token grant for the client in the provider's settings.`;
}
