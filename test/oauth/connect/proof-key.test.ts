import { describe, expect, it } from "vitest";
import { checkProofKeySupport, usesProofKey } from "../../../src/oauth/connect/proof-key.ts";

const secret = { clientId: "client-1", clientSecret: "planted-secret" };
const none = { clientId: "client-1", clientSecret: undefined };
const empty = { clientId: "client-1", clientSecret: "" };

describe("usesProofKey", () => {
  it.each([
    ["a client without a secret", undefined, none, undefined, true],
    ["a client with an empty secret", undefined, empty, ["plain"], true],
    ["a client without a secret, if the definition says false", false, none, ["S256"], false],
    ["a client with a secret, if the definition says true", true, secret, undefined, true],
    ["a client with a secret, if the metadata lists S256", undefined, secret, ["S256"], true],
    [
      "a client with a secret, if the metadata lists only plain",
      undefined,
      secret,
      ["plain"],
      false,
    ],
    ["a client with a secret and no metadata", undefined, secret, undefined, false],
  ] as const)("decides for %s", (_, useProofKeyForCodeExchange, client, methods, expected) => {
    expect(usesProofKey({ useProofKeyForCodeExchange }, client, methods)).toBe(expected);
  });
});

describe("checkProofKeySupport", () => {
  const issuer = "https://login.example";

  it.each([["plain"], []])("refuses the server of an MCP server that lists %j", (...methods) => {
    expect(() => checkProofKeySupport({ issuer, codeChallengeMethods: methods }, true)).toThrow(
      expect.objectContaining({ code: "OAUTH_DISCOVERY_FAILED" }),
    );
  });

  it("reports a server of another API that lists no S256", () => {
    expect(checkProofKeySupport({ issuer, codeChallengeMethods: ["plain"] }, false)).toBe(
      "the metadata of https://login.example lists only plain for PKCE, not S256, so the authorization code has less protection",
    );
  });

  it.each([undefined, ["plain", "S256"]])("accepts a server that lists %j", (methods) => {
    expect(checkProofKeySupport({ issuer, codeChallengeMethods: methods }, true)).toBeUndefined();
  });
});
