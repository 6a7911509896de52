import { OTHER_ISSUER, type ProviderProfile, TOKEN_URL } from "../profile.ts";

/** How token endpoints expect the client's credentials (RFC 6749 §2.3.1). */
export const CLIENT_AUTHENTICATION_PROFILES: readonly ProviderProfile[] = [
  {
    name: "basic-only",
    summary: "accepts client credentials only in the Authorization header",
    needs: { credentialsLocation: "AuthorizationHeader" },
    client: { methods: ["client_secret_basic", "none"] },
  },
  {
    name: "basic-raw",
    summary: "accepts only Basic credentials without form-encoding",
    needs: { credentialsLocation: "AuthorizationHeader" },
    client: { methods: ["client_secret_basic", "none"], rawBasic: true },
  },
  {
    name: "body-only",
    summary: "accepts client credentials only in the body",
    needs: { credentialsLocation: "Body" },
    client: { methods: ["client_secret_post", "none"] },
  },
  {
    name: "basic-burns-code",
    summary:
      "accepts only unencoded Basic credentials, and cancels the authorization code after a failure",
    grant: "authorization_code",
    needs: { credentialsLocation: "AuthorizationHeader" },
    client: { methods: ["client_secret_basic", "none"], rawBasic: true, burnsCode: true },
  },
  {
    name: "secret-as-user",
    summary:
      "expects the client secret as the user name of Basic credentials, without the client ID",
    needs: { clientAuthentication: "secret_as_user", credentialsLocation: undefined },
    client: { secretAsUser: true },
  },
  {
    name: "assertion-audience",
    summary:
      "accepts client assertions only with the token URL as the audience, not with the issuer",
    client: { assertion: { audience: TOKEN_URL } },
  },
];

const grant = "authorization_code";

/** What providers expect in authorization requests and send in callbacks. */
export const AUTHORIZATION_PROFILES: readonly ProviderProfile[] = [
  {
    name: "authorize-parameter",
    summary: "requires the parameter audience in the authorization request",
    grant,
    needs: { additionalParams: { audience: "https://api.example" } },
    authorization: { parameters: { audience: "" } },
  },
  {
    name: "renamed-client-id",
    summary: "requires the client ID as client_key in the authorization request",
    grant,
    needs: { additionalParams: { client_key: "{clientId}" } },
    authorization: { parameters: { client_key: "{client_id}" } },
  },
  {
    name: "pushed-required",
    summary: "requires pushed authorization requests (RFC 9126)",
    grant,
    needs: { pushedAuthorizationUrl: "{tokenOrigin}/par" },
    authorization: { pushed: true },
  },
  {
    name: "renamed-parameters",
    summary:
      "uses the names app_id and app_key for the client ID and the client secret in all requests",
    needs: {
      parameterNames: { client_id: "app_id", client_secret: "app_key" },
      credentialsLocation: "Body",
    },
    client: { methods: ["client_secret_post", "none"] },
    authorization: { names: { client_id: "app_id", client_secret: "app_key" } },
  },
  {
    name: "renamed-token-parameters",
    summary:
      "expects client_key in authorization requests, and auth_code instead of code in token requests",
    grant,
    needs: {
      parameterNames: { client_id: "client_key" },
      tokenParameterNames: { code: "auth_code" },
    },
    authorization: { names: { client_id: "client_key" } },
    token: { names: { code: "auth_code" } },
  },
  {
    name: "fragment-parameters",
    summary: "expects the parameters of authorization requests in the URL fragment",
    grant,
    needs: { authorizationUrl: "{authorizationOrigin}/#/authorize" },
    authorization: { fragment: true },
  },
  {
    name: "pkce-refused",
    summary: "rejects authorization requests that use PKCE",
    grant,
    needs: { useProofKeyForCodeExchange: false, pkceChallengeMethod: undefined },
    authorization: { pkce: "refused" },
  },
  {
    name: "pkce-ignored",
    summary: "ignores PKCE",
    grant,
    authorization: { pkce: "ignored" },
  },
  {
    name: "pkce-required",
    summary: "requires PKCE with the method S256",
    grant,
    needs: { useProofKeyForCodeExchange: true, pkceChallengeMethod: undefined },
    authorization: { pkce: "S256" },
  },
  {
    name: "pkce-plain",
    summary: "supports only PKCE with the method plain",
    grant,
    needs: { useProofKeyForCodeExchange: true, pkceChallengeMethod: "plain" },
    authorization: { pkce: "plain" },
  },
  {
    name: "tenant-endpoint",
    summary: "has a separate endpoint for each customer",
    grant,
    needs: {
      requiresEndpointUrl: true,
      authorizationUrl: "{authorizationPath}",
      tokenUrl: "{tokenPath}",
    },
    authorization: { tenant: "tenant-1" },
  },
  {
    name: "callback-parameter",
    summary: "sends companyId in the callback, and requires companyId in the token request",
    grant,
    needs: { callbackParams: ["companyId"], tokenParams: { companyId: "{callback.companyId}" } },
    authorization: { callback: { companyId: "company-42" } },
    token: { parameters: { companyId: "company-42" } },
  },
  {
    name: "callback-extras",
    summary: "adds unexpected parameters to the callback",
    grant,
    authorization: { callback: { locale: "en", "accounts-server": "https://accounts.example" } },
  },
  {
    name: "renamed-code",
    summary: "uses the name auth_code for the code in the callback",
    grant,
    needs: { codeParamName: "auth_code" },
    authorization: { codeParameter: "auth_code" },
  },
  {
    name: "iss-missing",
    summary: "does not send its issuer in the callback",
    grant,
    authorization: { issuer: "none" },
  },
  {
    name: "iss-other",
    summary: "sends a wrong issuer in the callback",
    grant,
    needs: { issuer: OTHER_ISSUER },
    authorization: { issuer: "other" },
  },
  {
    name: "comma-scopes",
    summary: "separates scopes with commas, in requests and in responses",
    needs: { scopeDelimiter: "," },
    scope: { delimiter: "," },
  },
  {
    name: "scope-parameter",
    summary: "uses the name user_scope for the scope parameter",
    needs: { scopeParamName: "user_scope" },
    scope: { parameter: "user_scope" },
  },
];

/** What providers expect in token and refresh requests. */
export const TOKEN_REQUEST_PROFILES: readonly ProviderProfile[] = [
  {
    name: "json-request",
    summary: "accepts token requests only as JSON",
    needs: { tokenRequestFormat: "json" },
    token: { format: "json" },
  },
  {
    name: "query-request",
    summary: "accepts the parameters of token requests only in the URL",
    needs: { tokenRequestFormat: "query", credentialsLocation: "AuthorizationHeader" },
    token: { format: "query" },
  },
  {
    name: "token-parameter",
    summary: "requires the parameter audience in the token request",
    needs: { tokenParams: { audience: "https://api.example" } },
    token: { parameters: { audience: "" } },
  },
  {
    name: "state-in-token-request",
    summary: "requires the state parameter again in the token request",
    grant: "authorization_code",
    needs: { tokenParams: { state: "{state}" } },
    token: { parameters: { state: "" } },
  },
  {
    name: "token-request-header",
    summary: "requires the header X-Api-Version in token requests",
    needs: { tokenHeaders: { "X-Api-Version": "2" } },
    token: { headers: { "X-Api-Version": "2" } },
  },
  {
    name: "token-exchange",
    summary: "issues a first token that the client must exchange for an API token (RFC 8693)",
    needs: {
      tokenExchange: {
        url: "{tokenOrigin}{tokenPath}",
        grantType: "urn:ietf:params:oauth:grant-type:token-exchange",
        params: {
          subject_token: "{token}",
          subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
        },
      },
    },
    token: { exchange: true },
  },
  {
    name: "own-grant-type",
    summary: "uses the name account_credentials for the client credentials grant",
    grant: "client_credentials",
    needs: { grantType: "account_credentials" },
    token: { clientCredentialsGrantType: "account_credentials" },
  },
  {
    name: "refresh-token-kept",
    summary: "sends no new refresh token on refresh; the old refresh token stays valid",
    grant: "authorization_code",
    refresh: { token: "kept" },
  },
  {
    name: "refresh-token-offline",
    summary: "issues a refresh token only if the authorization request has access_type=offline",
    grant: "authorization_code",
    needs: { additionalParams: { access_type: "offline" } },
    refresh: { token: "offline" },
  },
  {
    name: "refresh-token-none",
    summary: "issues no refresh token, so an account works only until the access token expires",
    grant: "authorization_code",
    refresh: { token: "none" },
  },
  {
    name: "refresh-with-access-token",
    summary: "issues no refresh token, but exchanges a valid access token for a new access token",
    grant: "authorization_code",
    needs: {
      tokenRenewal: {
        url: "{tokenOrigin}/renew_token",
        method: "GET",
        grantType: "renew_token",
        params: { access_token: "{token}" },
        withClient: false,
      },
    },
    refresh: { token: "none" },
    token: {
      swaps: [
        {
          kind: "renewal",
          path: "/renew_token",
          method: "GET",
          grantType: "renew_token",
          parameter: "access_token",
          withClient: false,
        },
      ],
    },
  },
  {
    name: "refresh-without-token",
    summary:
      "sends no access token in a refresh response, and extends the lifetime of the old access token",
    grant: "authorization_code",
    needs: { tokenResponse: { refreshKeepsToken: true } },
    refresh: { prolongs: true },
  },
  {
    name: "refresh-url",
    summary: "uses a separate URL for refresh requests",
    grant: "authorization_code",
    needs: { refreshUrl: "{tokenOrigin}/refresh" },
    refresh: { ownEndpoint: true },
  },
  {
    name: "refresh-parameter",
    summary: "requires the parameter type=refresh in the refresh request",
    grant: "authorization_code",
    needs: { refreshParams: { type: "refresh" } },
    refresh: { parameters: { type: "refresh" } },
  },
];

/** How APIs expect the access token. */
export const PROTECTED_RESOURCE_PROFILES: readonly ProviderProfile[] = [
  {
    name: "token-prefix",
    summary: "expects the prefix Token in the Authorization header",
    needs: { tokenPrefix: "Token" },
    resource: { scheme: "Token" },
  },
  {
    name: "token-bare",
    summary: "expects the access token in the Authorization header, without a prefix",
    needs: { tokenPrefix: "" },
    resource: { scheme: "" },
  },
  {
    name: "token-header",
    summary: "expects the access token in the header X-Access-Token",
    needs: { tokenHeaderName: "X-Access-Token", tokenPrefix: undefined },
    resource: { header: "x-access-token", scheme: "" },
  },
  {
    name: "token-query",
    summary: "expects the access token in the query parameter access_token",
    needs: { tokenQueryParam: "access_token" },
    resource: { query: "access_token" },
  },
  {
    name: "resource-unannounced",
    summary: "does not link to the resource metadata in the `WWW-Authenticate` header (RFC 9728)",
    resource: { metadata: "unannounced" },
  },
  {
    name: "resource-root",
    summary: "publishes one metadata document for all resources at the root",
    resource: { metadata: "root" },
  },
  {
    name: "resource-elsewhere",
    summary:
      "publishes the MCP server metadata only at the URL in the `WWW-Authenticate` header of a 401 response",
    resource: { metadata: "elsewhere" },
  },
  {
    name: "resource-none",
    summary: "publishes no resource metadata",
    resource: { metadata: "none" },
  },
  {
    name: "resource-mismatch",
    summary:
      "publishes the metadata of another resource; not needed if the definition contains the URLs",
    resource: { metadata: "other" },
  },
  {
    name: "step-up",
    summary: "requires the scope tools.call to call tools of the MCP server",
    resource: { callScope: "tools.call" },
  },
  {
    name: "step-up-login",
    summary: "requires a login with the authentication context urn:packsmith:strong (RFC 9470)",
    grant,
    needs: { additionalParams: { acr_values: "urn:packsmith:strong" } },
    resource: { login: { acr: "urn:packsmith:strong" } },
  },
];
