import { expectTypeOf } from "vitest";
import {
  type Authentication,
  AuthenticationType,
  newPack,
  type OAuth2Authentication,
  type OAuth2ClientCredentialsAuthentication,
  type SystemAuthentication,
} from "../../../src/index.ts";

const pack = newPack();
const code = {
  type: "OAuth2",
  authorizationUrl: "https://a.example",
  tokenUrl: "https://a.example",
} as const;
const machine = { type: "OAuth2ClientCredentials", tokenUrl: "https://a.example" } as const;

// Every type has its own members.
expectTypeOf<Authentication["type"]>().toEqualTypeOf<AuthenticationType>();
pack.setUserAuthentication({ type: AuthenticationType.None });
pack.setUserAuthentication({ type: "HeaderBearerToken", defaultConnectionRequirement: "optional" });
pack.setUserAuthentication({ type: "CodaApiHeaderBearerToken", shouldAutoAuthSetup: true });
pack.setUserAuthentication({ type: "CustomHeaderToken", headerName: "X-Key", tokenPrefix: "Key" });
pack.setUserAuthentication({
  type: "MultiHeaderToken",
  headers: [{ name: "X-Key", description: "The key." }],
});
pack.setUserAuthentication({ type: "QueryParamToken", paramName: "key" });
pack.setUserAuthentication({
  type: "MultiQueryParamToken",
  params: [{ name: "key", description: "The key." }],
});
pack.setUserAuthentication({ type: "WebBasic", uxConfig: { usernameOnly: true } });
pack.setUserAuthentication({ type: "Custom", params: [{ name: "key", description: "The key." }] });
pack.setUserAuthentication({ type: "AWSAccessKey", service: "s3" });
pack.setSystemAuthentication({ type: "AWSAssumeRole", service: "s3" });
pack.setUserAuthentication({
  type: "HeaderBearerToken",
  getConnectionName: async (context) => context.endpoint,
  requiresEndpointUrl: true,
  endpointDomain: "tasks.example",
  networkDomain: ["tasks.example"],
  instructionsUrl: "https://tasks.example/help",
  postSetup: [
    {
      type: "SetEndPoint",
      name: "site",
      description: "Which site?",
      getOptions: async () => [{ display: "A", value: "a" }],
    },
  ],
});
// @ts-expect-error the header's name is missing
pack.setUserAuthentication({ type: "CustomHeaderToken" });
// @ts-expect-error a bearer token has no parameter
pack.setUserAuthentication({ type: "HeaderBearerToken", paramName: "key" });
// @ts-expect-error OAuth22
pack.setUserAuthentication({ type: "OAuth22", tokenUrl: "https://a.example" });

// The authorization code flow.
pack.setUserAuthentication({
  ...code,
  useProofKeyForCodeExchange: true,
  pkceChallengeMethod: "plain",
});
pack.setUserAuthentication({ ...code, useProofKeyForCodeExchange: false });
pack.setUserAuthentication({
  ...code,
  scopes: ["a"],
  scopeDelimiter: ";",
  credentialsLocation: "AuthorizationHeader",
});
pack.setUserAuthentication({
  type: "OAuth2",
  useDynamicClientRegistration: true,
  issuer: "https://a.example",
});
pack.setUserAuthentication({
  type: "OAuth2",
  issuer: "https://a.example",
  tokenHeaderName: "X-Token",
});
// @ts-expect-error a challenge method without PKCE
pack.setUserAuthentication({ ...code, pkceChallengeMethod: "S256" });
pack.setUserAuthentication({
  ...code,
  useProofKeyForCodeExchange: false,
  // @ts-expect-error a challenge method with PKCE off
  pkceChallengeMethod: "S256",
});
pack.setUserAuthentication({
  ...code,
  useProofKeyForCodeExchange: true,
  // @ts-expect-error a challenge method that there is not
  pkceChallengeMethod: "S512",
});
// @ts-expect-error a delimiter that there is not
pack.setUserAuthentication({ ...code, scopeDelimiter: "|" });
// @ts-expect-error no token URL, and nothing to discover it from
pack.setUserAuthentication({ type: "OAuth2", authorizationUrl: "https://a.example" });
// @ts-expect-error scopes are a list
pack.setUserAuthentication({ ...code, scopes: "a b" });
// @ts-expect-error the client's secret is no part of a definition
pack.setUserAuthentication({ ...code, clientSecret: "s" });
// @ts-expect-error tokenPrefx
pack.setUserAuthentication({ ...code, tokenPrefx: "Token" });

// Client credentials.
pack.setSystemAuthentication({
  ...machine,
  additionalParams: { audience: "https://a.example" },
  grantType: "account_credentials",
});
pack.setUserAuthentication({
  ...machine,
  tokenRequestFormat: "query",
  credentialsLocation: "AuthorizationHeader",
});
// @ts-expect-error no authorization URL
pack.setSystemAuthentication({ ...machine, authorizationUrl: "https://a.example" });
// @ts-expect-error no PKCE
pack.setSystemAuthentication({ ...machine, useProofKeyForCodeExchange: true });
// @ts-expect-error no refresh
pack.setSystemAuthentication({ ...machine, refreshUrl: "https://a.example" });
// @ts-expect-error no token URL
pack.setSystemAuthentication({ type: "OAuth2ClientCredentials" });

// The additions.
pack.setUserAuthentication({
  ...code,
  connectionVariables: [
    {
      name: "region",
      label: "Region",
      kind: "choice",
      options: [{ value: "eu", label: "Europe", parts: { api: "eu.a.example" } }],
    },
    { name: "tenant", label: "Tenant", kind: "segment", pattern: /^\d+$/ },
    { name: "pin", label: "PIN", kind: "text", secret: true },
  ],
  tokenRequestFormat: "json",
  callbackParams: ["realm", { name: "company-id", as: "companyId", kind: "segment" }],
  tokenParams: { audience: "x", version: 2 },
  refreshUrl: "https://a.example/refresh",
  refreshParams: { scope: "a" },
  endpointUrl: "https://{region.api}/{callback.companyId}",
});
pack.setUserAuthentication({ ...code, tokenRequestFormat: "query" });
pack.setUserAuthentication({
  ...code,
  // @ts-expect-error a secret has no default
  connectionVariables: [{ name: "pin", label: "PIN", kind: "text", secret: true, default: "1" }],
});
pack.setUserAuthentication({
  ...code,
  // @ts-expect-error a choice needs its options
  connectionVariables: [{ name: "region", label: "Region", kind: "choice" }],
});

// Where each may stand.
expectTypeOf<OAuth2Authentication>().not.toExtend<SystemAuthentication>();
expectTypeOf<OAuth2ClientCredentialsAuthentication>().toExtend<SystemAuthentication>();
// @ts-expect-error a person has to consent
pack.setSystemAuthentication(code);
// @ts-expect-error nothing to authenticate with
pack.setSystemAuthentication({ type: "None" });
