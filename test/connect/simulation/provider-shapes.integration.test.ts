import { describe, expect, it } from "vitest";
import { runSimulatedAccount } from "../../../src/connect/simulation/simulated-account.ts";
import { simulateDefinition } from "../../../src/connect/simulation/simulated-definition.ts";
import type { OAuthDefinition } from "../../../src/oauth/definition.ts";
import { STRICT } from "../../../src/provider/profile.ts";

const code = {
  type: "OAuth2",
  authorizationUrl: "https://login.books.example/authorize",
  tokenUrl: "https://login.books.example/token",
  scopes: ["read"] as string[],
} as const;
const api = "https://api.books.example";

/** Definitions for providers with requests of their own. */
const shapes: readonly [shape: string, definition: OAuthDefinition][] = [
  [
    "a long-lived token in return for the first one, renewed with itself: nested, then not",
    {
      ...code,
      nestedResponseKey: "data",
      tokenExchange: {
        url: `${api}/access_token`,
        method: "GET",
        grantType: "exchange_token",
        params: { access_token: "{token}" },
      },
      tokenRenewal: {
        url: `${api}/refresh_access_token`,
        method: "GET",
        grantType: "refresh_token_itself",
        params: { access_token: "{token}" },
        withClient: false,
      },
    },
  ],
  [
    "the token endpoint exchanges and renews, and wants the client each time",
    {
      ...code,
      credentialsLocation: "Body",
      tokenExchange: {
        url: code.tokenUrl,
        method: "GET",
        grantType: "exchange_token",
        params: { exchange_token: "{token}" },
      },
      tokenRenewal: {
        url: code.tokenUrl,
        method: "GET",
        grantType: "exchange_token",
        params: { exchange_token: "{token}" },
      },
    },
  ],
  [
    "a renewal by POST without an exchange",
    {
      ...code,
      tokenRenewal: { url: `${api}/renew`, params: { token: "{token}", days: 60 } },
    },
  ],
  [
    "other names in the authorization request than in the token request",
    {
      ...code,
      parameterNames: { client_id: "client_key" },
      tokenParameterNames: { code: "auth_code", redirect_uri: "" },
      codeParamName: "auth_code",
      credentialsLocation: "Body",
    },
  ],
  [
    "assertions of another issuer for another audience",
    {
      ...code,
      clientAuthentication: "private_key_jwt",
      assertionAudience: "https://books.example",
      assertionIssuer: "app.example",
    },
  ],
  [
    "the token request in the URL",
    { ...code, tokenRequestFormat: "query", credentialsLocation: "Body" },
  ],
  [
    "the token request in the URL, with the client in the header",
    { ...code, tokenRequestFormat: "query", credentialsLocation: "AuthorizationHeader" },
  ],
  [
    "the authorization request in the fragment of the URL",
    { ...code, authorizationUrl: "https://app.books.example/#/oauth/authorize" },
  ],
];

describe("a definition for a provider with requests of its own", () => {
  it.each(shapes)("connects, calls, renews and calls again: %s", async (_shape, definition) => {
    const simulated = simulateDefinition(definition, ["books.example"]);
    expect(await runSimulatedAccount(simulated, ["books.example"], STRICT)).toBeUndefined();
  });
});
