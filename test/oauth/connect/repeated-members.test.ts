import { expect, it } from "vitest";
import type { OAuth2Authentication } from "../../../src/define/oauth.ts";
import type { DiscoveredServer } from "../../../src/oauth/connect/discovery.ts";
import { findRepeatedMembers } from "../../../src/oauth/connect/repeated-members.ts";

const ISSUER = "https://login.tasks.example";
const METADATA: DiscoveredServer = {
  issuer: ISSUER,
  issuerPromised: true,
  authorizationUrl: `${ISSUER}/authorize`,
  tokenUrl: `${ISSUER}/token`,
  revocationUrl: undefined,
  introspectionUrl: undefined,
  deviceAuthorizationUrl: undefined,
  pushedRequestUrl: `${ISSUER}/par`,
  registrationUrl: undefined,
  dpopAdvertised: true,
  scopes: undefined,
  codeChallengeMethods: ["S256"],
  grantTypes: undefined,
  clientAuthenticationMethods: undefined,
  unusableEndpoints: [],
  readsClientMetadata: false,
};
const URLS = { authorizationUrl: `${ISSUER}/authorize`, tokenUrl: `${ISSUER}/token` };

it.each<[what: string, members: object, repeated: string[]]>([
  ["nothing but the issuer", {}, []],
  ["the URLs of the metadata", URLS, ["authorizationUrl", "tokenUrl"]],
  ["another token URL", { ...URLS, tokenUrl: `${ISSUER}/token2` }, ["authorizationUrl"]],
  [
    "a place for pushed requests",
    { pushedAuthorizationUrl: `${ISSUER}/par` },
    ["pushedAuthorizationUrl"],
  ],
  ["DPoP", { dpop: true }, ["dpop"]],
  ["PKCE", { useProofKeyForCodeExchange: true }, ["useProofKeyForCodeExchange"]],
  ["no PKCE, which is a choice", { useProofKeyForCodeExchange: false }, []],
  [
    "another method of PKCE",
    { useProofKeyForCodeExchange: true, pkceChallengeMethod: "plain" },
    [],
  ],
])("of a definition with %s", (_, members, repeated) => {
  const definition = { type: "OAuth2", issuer: ISSUER, ...members } as OAuth2Authentication;
  const withoutIssuer = { ...definition, issuer: undefined } as never;
  expect(findRepeatedMembers(definition, METADATA)).toEqual(repeated);
  expect(findRepeatedMembers(withoutIssuer, METADATA)).toEqual([]);
  expect(findRepeatedMembers(definition, undefined)).toEqual([]);
});
