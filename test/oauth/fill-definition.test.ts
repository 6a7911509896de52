import { expect, it } from "vitest";
import type { OAuthDefinition } from "../../src/oauth/definition.ts";
import { fillDefinition } from "../../src/oauth/fill-definition.ts";

const DEFINITION = {
  type: "OAuth2",
  authorizationUrl: "https://login.example/{tenant}/authorize",
  tokenUrl: "https://login.example/{tenant}/token",
  connectionVariables: [{ name: "tenant", kind: "text", label: "Tenant" }],
  assertionAudience: "urn:{tenant}",
  assertionIssuer: "issuer of {tenant}",
} as unknown as OAuthDefinition;

it("fills URLs in the encoding of their place, and texts as they are", () => {
  const answers = { variables: { tenant: "acme eu" }, callbackParams: {} };
  expect(fillDefinition(DEFINITION, answers)).toMatchObject({
    tokenUrl: "https://login.example/acme%20eu/token",
    assertionAudience: "urn:acme eu",
    assertionIssuer: "issuer of acme eu",
  });
});

it("leaves a definition without variables as it is", () => {
  const plain = { ...DEFINITION, connectionVariables: [] } as OAuthDefinition;
  const answers = { variables: {}, callbackParams: {} };
  expect(fillDefinition(plain, answers)).toBe(plain);
});
