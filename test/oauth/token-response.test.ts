import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OAuthDefinition } from "../../src/oauth/definition.ts";
import { readTokenResponse, tokenSetFromBody } from "../../src/oauth/token-response.ts";

const NOW = 1_780_000_000_000;

function define(changes: Partial<OAuthDefinition> = {}): OAuthDefinition {
  return {
    type: "OAuth2",
    authorizationUrl: "https://as.example/a",
    tokenUrl: "https://as.example/t",
    ...changes,
  } as OAuthDefinition;
}

function read(body: unknown, definition = define()) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return readTokenResponse(
    { status: 200, contentType: "application/json", text, receivedAtMs: NOW },
    definition,
  );
}

describe("readTokenResponse", () => {
  it("never throws, and what it calls tokens always makes a usable token set", () => {
    const names = [
      "access_token",
      "refresh_token",
      "expires_in",
      "expires_at",
      "scope",
      "token_type",
      "id_token",
      "error",
      "ok",
      "__proto__",
    ];
    const members = fc.dictionary(fc.constantFrom(...names, "data", "constructor"), fc.jsonValue());
    const bodies = fc.oneof(
      fc.string(),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      members.map((value) => JSON.stringify(value)),
    );
    const keys = fc.constantFrom(undefined, "data", "data.inner", "__proto__", "constructor.name");
    fc.assert(
      fc.property(bodies, keys, fc.integer({ min: 200, max: 599 }), (text, key, status) => {
        const definition = define({ nestedResponseKey: key });
        const response = readTokenResponse(
          { status, contentType: undefined, text, receivedAtMs: NOW },
          definition,
        );
        if (response.kind !== "tokens") return;
        const tokenSet = tokenSetFromBody(response.body, ",", "none");
        expect(tokenSet.accessToken).toMatch(/./);
        expect(["string", "undefined"]).toContain(typeof tokenSet.refreshToken);
        if (tokenSet.expiresAtMs !== undefined) expect(tokenSet.expiresAtMs).toBeGreaterThan(NOW);
      }),
      { numRuns: 2_000 },
    );
  });

  it("takes a lifetime that moves no clock for an unknown one", () => {
    const response = read({ access_token: "at", expires_in: 5e-324 });
    expect(
      response.kind === "tokens" && tokenSetFromBody(response.body, " ", "none").expiresAtMs,
    ).toBeUndefined();
  });

  it("names the members of a response without a token, never their values", () => {
    const response = read({ session: "planted-value", other: 1 });
    expect(response).toMatchObject({
      kind: "invalid",
      reason: 'there is no access_token among "session", "other"',
    });
    expect(JSON.stringify(read("planted-bare-token=="))).not.toContain("planted");
  });

  it("reads an endpoint beside the nested tokens or among them", () => {
    const definition = define({
      nestedResponseKey: "data",
      endpointKey: "site.host",
    } as Partial<OAuthDefinition>);
    for (const body of [
      { site: { host: "eu.example" }, data: { access_token: "at" } },
      { data: { access_token: "at", site: { host: "eu.example" } } },
    ]) {
      const response = read(body, definition);
      expect(
        response.kind === "tokens" && tokenSetFromBody(response.body, " ", "none").endpoint,
      ).toBe("eu.example");
    }
  });

  it.each([
    ["a line break", "a\r\nX: y"],
    ["a control character", "a\0b"],
    ["letters beyond Latin 1", "token-\u4e2d"],
    ["half a character", "token-\ud800"],
  ])("refuses an access token with %s, which no header can carry", (_name, access_token) => {
    const response = read(JSON.stringify({ access_token }));
    expect(response).toMatchObject({
      kind: "invalid",
      reason: expect.stringMatching(/^the access_token holds /),
    });
    expect(JSON.stringify(response)).not.toContain("token-");
  });

  it("does not let a provider forge what the normaliser finds", () => {
    const response = read({
      access_token: "at",
      x_expires_at_ms: 1,
      x_endpoint: "evil.example",
      x_original_token_type: "Evil",
      token_type: "Bearer",
    });
    expect(
      response.kind === "tokens" && tokenSetFromBody(response.body, " ", "none"),
    ).toMatchObject({
      expiresAtMs: undefined,
      endpoint: undefined,
      tokenType: "Bearer",
    });
  });

  it("reports each deviation that a strict client would refuse", () => {
    expect(
      read({ access_token: 17, expires_in: "3600", scope: ["a"], refresh_token: null }),
    ).toMatchObject({
      deviations: [
        "access_token is a number.",
        "refresh_token is null.",
        "scope is an array.",
        "expires_in is of type string.",
        "token_type is missing.",
      ],
    });
    expect(read({ access_token: "at", token_type: "Bearer", expires_in: 3600 })).toMatchObject({
      deviations: [],
    });
  });
});
