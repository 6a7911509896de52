import { OTHER_ISSUER, type ProviderProfile } from "../profile.ts";

/** What token endpoints expect of a client's credentials (RFC 6749 §2.3.1). */
export const CLIENT_AUTHENTICATION_PROFILES: readonly ProviderProfile[] = [
  {
    name: "basic-only",
    summary: "takes client credentials in the Authorization header alone",
    needs: { credentialsLocation: "AuthorizationHeader" },
    client: { methods: ["client_secret_basic", "none"] },
  },
  {
    name: "basic-raw",
    summary: "takes Basic credentials alone, and does not form-decode them",
    needs: { credentialsLocation: "AuthorizationHeader" },
    client: { methods: ["client_secret_basic", "none"], rawBasic: true },
  },
  {
    name: "body-only",
    summary: "takes client credentials in the body alone",
    needs: { credentialsLocation: "Body" },
    client: { methods: ["client_secret_post", "none"] },
  },
  {
    name: "basic-burns-code",
    summary: "takes raw Basic alone, and uses up the code of a request that authenticates otherwise",
    grant: "authorization_code",
    needs: { credentialsLocation: "AuthorizationHeader" },
    client: { methods: ["client_secret_basic", "none"], rawBasic: true, burnsCode: true },
  },
];

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

/** What token and refresh requests have to look like. */
export const TOKEN_REQUEST_PROFILES: readonly ProviderProfile[] = [
  {
    name: "json-request",
    summary: "takes token requests as JSON alone",
    needs: { tokenRequestFormat: "json" },
    token: { format: "json" },
  },
  {
    name: "query-request",
    summary: "takes the parameters of token requests in the URL alone",
    grant: "client_credentials",
    needs: { tokenRequestFormat: "query", credentialsLocation: "AuthorizationHeader" },
    token: { format: "query" },
  },
  {
    name: "token-parameter",
    summary: "demands a parameter of its own in the token request: audience",
    needs: { tokenParams: { audience: "https://api.example" } },
    token: { parameters: { audience: "" } },
  },
  {
    name: "own-grant-type",
    summary: "calls the client credentials grant account_credentials",
    grant: "client_credentials",
    needs: { grantType: "account_credentials" },
    token: { clientCredentialsGrantType: "account_credentials" },
  },
  {
    name: "refresh-token-kept",
    summary: "sends no new refresh token on refresh; the old one stays valid",
    grant: "authorization_code",
    refresh: { token: "kept" },
  },
  {
    name: "refresh-token-offline",
    summary: "gives a refresh token only when the authorization request says access_type=offline",
    grant: "authorization_code",
    needs: { additionalParams: { access_type: "offline" } },
    refresh: { token: "offline" },
  },
  {
    name: "refresh-token-none",
    summary: "gives no refresh token at all, so that an account lives as long as its access token",
    grant: "authorization_code",
    refresh: { token: "none" },
  },
  {
    name: "refresh-url",
    summary: "refreshes at an address other than the token endpoint",
    grant: "authorization_code",
    needs: { refreshUrl: "{tokenOrigin}/refresh" },
    refresh: { ownEndpoint: true },
  },
  {
    name: "refresh-parameter",
    summary: "demands a parameter of its own in the refresh request: type=refresh",
    grant: "authorization_code",
    needs: { refreshParams: { type: "refresh" } },
    refresh: { parameters: { type: "refresh" } },
  },
];

/** How an API wants the access token. */
export const PROTECTED_RESOURCE_PROFILES: readonly ProviderProfile[] = [
  {
    name: "token-prefix",
    summary: "wants Authorization: Token …",
    needs: { tokenPrefix: "Token" },
    resource: { scheme: "Token" },
  },
  {
    name: "token-bare",
    summary: "wants the access token in Authorization without a word before it",
    needs: { tokenPrefix: "" },
    resource: { scheme: "" },
  },
  {
    name: "token-header",
    summary: "wants the access token in a header of its own: X-Access-Token",
    needs: { tokenHeaderName: "X-Access-Token", tokenPrefix: undefined },
    resource: { header: "x-access-token", scheme: "" },
  },
  {
    name: "token-query",
    summary: "wants the access token in the URL: access_token",
    needs: { tokenQueryParam: "access_token" },
    resource: { query: "access_token" },
  },
];
