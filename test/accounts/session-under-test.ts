import { openAccountSession } from "../../src/accounts/account-session.ts";
import type { AccountSessionOptions } from "../../src/accounts/renew-account.ts";
import { openVault, type Vault } from "../../src/accounts/vault.ts";
import type { OAuth2Authentication } from "../../src/define/oauth.ts";
import { accountKey, makeAccount } from "../support/accounts.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { type Behaviour, startTokenServer } from "../support/token-server.ts";

export function define(
  url: string,
  changes: Partial<OAuth2Authentication> = {},
): OAuth2Authentication {
  return {
    type: "OAuth2",
    authorizationUrl: `${url}/a`,
    tokenUrl: `${url}/t`,
    ...changes,
  } as OAuth2Authentication;
}

/** A rotating token endpoint: a refresh token works once, and its second use ends the family. */
export function rotating(first = "planted-refresh"): Behaviour {
  let current = first;
  let count = 0;
  return ({ params }) => {
    if (params.get("refresh_token") !== current) {
      current = "ended";
      return { status: 400, body: { error: "invalid_grant", error_description: "reused" } };
    }
    count++;
    current = `rotated-${count}`;
    return {
      body: {
        access_token: `renewed-${count}`,
        token_type: "Bearer",
        expires_in: 3600,
        refresh_token: current,
      },
    };
  };
}

export async function setUp(
  behave: Behaviour,
  changes: Partial<OAuth2Authentication> = {},
  account = makeAccount(),
) {
  const folder = makeTemporaryFolder();
  const server = await startTokenServer(behave);
  const vault = await openVault({ directory: folder.path });
  await vault.save(account);
  const definition = define(server.url, changes);
  const open = (options: Partial<AccountSessionOptions> = {}) =>
    openAccountSession({ vault, key: accountKey, definition, ...options });
  return {
    folder,
    server,
    vault,
    definition,
    open,
    async [Symbol.asyncDispose]() {
      await vault[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** The stored tokens, read through the vault. */
export async function stored(vault: Vault) {
  const account = await vault.get(accountKey);
  return {
    access: account?.tokenSet?.accessToken,
    refresh: account?.tokenSet?.refreshToken,
    status: account?.status,
  };
}
