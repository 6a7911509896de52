import { expect, it } from "vitest";
import { secretsOf } from "../../src/accounts/account.ts";
import { makeAccount, makeTokenSet } from "../support/accounts.ts";

// docs/rules.md: rule 25
it("the list of an account's secrets includes those that were sent with the tokens", () => {
  const extra = {
    id_token: "header.claims.signature",
    authed_user: { session_handle: "handle-12345", name: "Ada Lovelace" },
    token_endpoint: "https://login.tasks.example/token",
    key_id: 12345678,
    team: "planted-extra",
  };
  expect(secretsOf(makeAccount({ tokenSet: makeTokenSet({ extra }) }))).toEqual([
    "planted-secret",
    "planted-access",
    "planted-refresh",
    "header.claims.signature",
    "handle-12345",
  ]);
  expect(
    secretsOf(
      makeAccount({ tokenSet: undefined, client: { clientId: "public", clientSecret: undefined } }),
    ),
  ).toEqual([]);
});
