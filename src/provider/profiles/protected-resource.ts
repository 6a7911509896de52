import type { ProviderProfile } from "../profile.ts";

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
