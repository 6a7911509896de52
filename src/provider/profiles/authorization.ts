import { OTHER_ISSUER, type ProviderProfile } from "../profile.ts";

const grant = "authorization_code";

/** What authorization requests have to look like, and what callbacks bring. */
export const AUTHORIZATION_PROFILES: readonly ProviderProfile[] = [
  {
    name: "authorize-parameter",
    summary: "demands a parameter of its own in the authorization request: audience",
    grant,
    needs: { additionalParams: { audience: "https://api.example" } },
    authorization: { parameters: { audience: "" } },
  },
  {
    name: "renamed-client-id",
    summary: "wants the client ID in the authorization request under a name of its own: client_key",
    grant,
    needs: { additionalParams: { client_key: "{clientId}" } },
    authorization: { parameters: { client_key: "{client_id}" } },
  },
  {
    name: "pkce-refused",
    summary: "refuses authorization requests with a proof key",
    grant,
    needs: { useProofKeyForCodeExchange: false, pkceChallengeMethod: undefined },
    authorization: { pkce: "refused" },
  },
  {
    name: "pkce-ignored",
    summary: "ignores proof keys",
    grant,
    authorization: { pkce: "ignored" },
  },
  {
    name: "pkce-required",
    summary: "requires a proof key with the method S256",
    grant,
    needs: { useProofKeyForCodeExchange: true, pkceChallengeMethod: undefined },
    authorization: { pkce: "S256" },
  },
  {
    name: "pkce-plain",
    summary: "knows proof keys with the method plain alone",
    grant,
    needs: { useProofKeyForCodeExchange: true, pkceChallengeMethod: "plain" },
    authorization: { pkce: "plain" },
  },
  {
    name: "tenant-endpoint",
    summary: "has no common address: each customer signs in at an endpoint of its own",
    grant,
    needs: { requiresEndpointUrl: true, authorizationUrl: "{authorizationPath}", tokenUrl: "{tokenPath}" },
    authorization: { tenant: "tenant-1" },
  },
  {
    name: "callback-parameter",
    summary: "names the account in the callback (companyId) and demands it in the token request",
    grant,
    needs: { callbackParams: ["companyId"], tokenParams: { companyId: "{callback.companyId}" } },
    authorization: { callback: { companyId: "company-42" } },
    token: { parameters: { companyId: "company-42" } },
  },
  {
    name: "callback-extras",
    summary: "adds parameters to the callback that nobody asked for",
    grant,
    authorization: { callback: { locale: "en", "accounts-server": "https://accounts.example" } },
  },
  {
    name: "renamed-code",
    summary: "calls the code of the callback auth_code",
    grant,
    authorization: { codeParameter: "auth_code" },
  },
  {
    name: "iss-missing",
    summary: "does not name its issuer in the callback",
    grant,
    authorization: { issuer: "none" },
  },
  {
    name: "iss-other",
    summary: "names an issuer of its own in the callback",
    grant,
    needs: { issuer: OTHER_ISSUER },
    authorization: { issuer: "other" },
  },
  {
    name: "comma-scopes",
    summary: "separates scopes by commas, in requests and in answers",
    needs: { scopeDelimiter: "," },
    scope: { delimiter: "," },
  },
  {
    name: "scope-parameter",
    summary: "calls the scope parameter user_scope",
    needs: { scopeParamName: "user_scope" },
    scope: { parameter: "user_scope" },
  },
];
