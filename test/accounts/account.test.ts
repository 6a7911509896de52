import { expect, it } from "vitest";
import { extraScopesFor, listSecrets } from "../../src/accounts/account.ts";
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
  expect(listSecrets(makeAccount({ tokenSet: makeTokenSet({ extra }) }))).toEqual([
    "planted-secret",
    "planted-access",
    "planted-refresh",
    "header.claims.signature",
    "handle-12345",
  ]);
  expect(
    listSecrets(
      makeAccount({ tokenSet: undefined, client: { clientId: "public", clientSecret: undefined } }),
    ),
  ).toEqual([]);
});

// RFC 6749 §3.3 and §5.1
it.each<[string, Parameters<typeof extraScopesFor>[0], string[]]>([
  ["without an account", undefined, ["asked"]],
  [
    "that the server granted, which are fewer",
    makeAccount({ scopes: ["read"], requestedScopes: ["read", "write"] }),
    ["read", "asked"],
  ],
  [
    "that were requested, if the server named none",
    makeAccount({ scopes: undefined, requestedScopes: ["read", "write"] }),
    ["read", "write", "asked"],
  ],
  ["that the server granted, which are none", makeAccount({ scopes: [] }), ["asked"]],
  [
    "of an account that has only a registered client",
    makeAccount({ tokenSet: undefined, scopes: undefined, requestedScopes: ["read"] }),
    ["asked"],
  ],
])("a new connection keeps the scopes %s", (_, before, expected) => {
  expect(extraScopesFor(before, ["asked"])).toEqual(expected);
});
