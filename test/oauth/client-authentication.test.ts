import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import {
  type ClientAssertionOptions,
  createClientAssertion,
} from "../../src/oauth/client-authentication.ts";
import type { OAuthDefinition } from "../../src/oauth/definition.ts";
import { makeSigningKeys } from "../support/signing-keys.ts";

const { privateKey } = makeSigningKeys("ec");
const TOKEN_URL = "https://login.example/token";
const REVOKE_URL = "https://login.example/revoke";
const ISSUER = "https://login.example";

interface Changes extends Omit<Partial<ClientAssertionOptions>, "definition"> {
  definition?: { issuer?: string; tokenUrl?: string; assertionAudience?: string };
}

describe("the audience of a client assertion", () => {
  it.each<[string, Changes, string]>([
    ["the issuer of the definition", { definition: { issuer: ISSUER } }, ISSUER],
    ["the issuer that was discovered", { issuer: ISSUER }, ISSUER],
    ["the token endpoint without an issuer", {}, TOKEN_URL],
    [
      "the token endpoint if that is tried",
      { issuer: ISSUER, method: "private_key_jwt-url" },
      TOKEN_URL,
    ],
    [
      "the token endpoint if there is nothing else to try",
      { method: "private_key_jwt-url" },
      TOKEN_URL,
    ],
    [
      "the token endpoint, in a request to another one",
      { definition: { tokenUrl: TOKEN_URL }, url: REVOKE_URL, step: "revocation" },
      TOKEN_URL,
    ],
    [
      "the other endpoint, if the token endpoint is not known",
      { url: REVOKE_URL, step: "revocation" },
      REVOKE_URL,
    ],
    [
      "the other endpoint, if the token endpoint depends on the account",
      {
        definition: { tokenUrl: "https://login.example/{tenant}/token" },
        url: REVOKE_URL,
        step: "revocation",
      },
      REVOKE_URL,
    ],
    [
      "the other endpoint, if the token endpoint is relative to the account's",
      { definition: { tokenUrl: "/token" }, url: REVOKE_URL, step: "revocation" },
      REVOKE_URL,
    ],
    [
      "what the definition says",
      { definition: { assertionAudience: "https://a.example", issuer: ISSUER } },
      "https://a.example",
    ],
  ])("is %s", async (_, { definition = {}, ...options }, audience) => {
    const assertion = await createClientAssertion({
      client: { clientId: "client", clientSecret: privateKey },
      method: "private_key_jwt",
      // Only these members have an effect here.
      definition: definition as OAuthDefinition,
      url: TOKEN_URL,
      step: "token",
      nowMs: 0,
      ...options,
    });
    expect(decodeJwt(assertion)).toMatchObject({ aud: audience, iss: "client", sub: "client" });
  });
});
