import type { ProviderProfile } from "../profile.ts";

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
