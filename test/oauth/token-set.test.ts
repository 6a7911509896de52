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

it("shows no secret when it is inspected (rule 25)", () => {
  expect(inspect(tokenSet(), { depth: 9, showHidden: false })).not.toContain("planted");
});

it("keeps after a refresh what the new response does not repeat (rule 28)", () => {
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
