import { inspect } from "node:util";
import { expect, it } from "vitest";
import { createTokenSet, mergeTokenSets, type TokenSet } from "../../src/oauth/token-set.ts";

function tokenSet(changes: Partial<TokenSet> = {}): TokenSet {
  return createTokenSet({
    accessToken: "planted-access",
    tokenType: "Bearer",
    expiresAtMs: 1,
    refreshToken: "planted-refresh",
    scopes: ["read"],
    endpoint: "https://eu.tasks.example",
    extra: { team: "planted-extra" },
    dpopKey: "planted-key",
    clientAuthentication: "body",
    ...changes,
  });
}

// docs/rules.md: rule 25
it("a token set shows no secret when it is inspected", () => {
  expect(inspect(tokenSet(), { depth: 9, showHidden: false })).not.toContain("planted");
});

// docs/rules.md: rule 28
it("a refreshed token set keeps what the new response does not repeat", () => {
  const renewed = tokenSet({
    accessToken: "new",
    refreshToken: undefined,
    scopes: undefined,
    endpoint: undefined,
    dpopKey: undefined,
    extra: {},
  });
  expect(mergeTokenSets(tokenSet(), renewed)).toEqual(tokenSet({ accessToken: "new" }));
  expect(mergeTokenSets(tokenSet(), tokenSet({ refreshToken: "rotated" })).refreshToken).toBe(
    "rotated",
  );
});
