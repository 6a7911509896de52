import { describe, expect, it } from "vitest";
import { openAccountSession } from "../../src/accounts/account-session.ts";
import { openVault } from "../../src/accounts/vault.ts";
import { accountKey, makeAccount, makeTokenSet } from "../support/accounts.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { type Answer, startTokenServer } from "../support/token-server.ts";

const NEW_TOKENS = {
  accessToken: "connected-again-access",
  refreshToken: "connected-again-refresh",
  expiresAtMs: undefined,
};

/** A refresh of the old account is under way when a person connects the account again. */
async function connectDuringRefresh(answer: Answer, { forgetFirst = false } = {}) {
  using folder = makeTemporaryFolder();
  await using vault = await openVault({ directory: folder.path });
  await using other = await openVault({ directory: folder.path });
  await vault.save(makeAccount());
  await using server = await startTokenServer(async () => {
    if (forgetFirst) await other.remove(accountKey);
    await other.save(makeAccount({ tokenSet: makeTokenSet(NEW_TOKENS), connectionName: "Grace" }));
    return answer;
  });
  const definition = {
    type: "OAuth2",
    authorizationUrl: `${server.url}/a`,
    tokenUrl: `${server.url}/t`,
  } as const;
  const session = await openAccountSession({ vault, key: accountKey, definition });
  const outcome = await session.getAccessToken().catch((error: { code: string }) => error.code);
  return {
    outcome,
    account: await other.get(accountKey),
    pending: await other.getPendingTokens(accountKey),
  };
}

describe("an account that is connected again while its old tokens are being refreshed", () => {
  it("keeps its new tokens when the old refresh succeeds, and leaves nothing of it behind", async () => {
    const { outcome, account, pending } = await connectDuringRefresh({
      body: {
        access_token: "late-access",
        token_type: "Bearer",
        expires_in: 3600,
        refresh_token: "late-refresh",
      },
    });
    expect(account).toMatchObject({
      connectionName: "Grace",
      status: "connected",
      tokenSet: NEW_TOKENS,
    });
    expect(pending).toBeUndefined();
    expect(outcome).toBe("ACCOUNT_BUSY");
  });

  it("is not marked for reconnecting when the old refresh token turns out to be revoked", async () => {
    const { outcome, account } = await connectDuringRefresh({
      status: 400,
      body: { error: "invalid_grant" },
    });
    expect(account).toMatchObject({ status: "connected", tokenSet: NEW_TOKENS });
    expect(outcome).toBe("ACCOUNT_BUSY");
  });

  it("keeps its new tokens also when the old account was forgotten in between", async () => {
    const { account } = await connectDuringRefresh(
      { body: { access_token: "late-access", token_type: "Bearer" } },
      { forgetFirst: true },
    );
    expect(account).toMatchObject({ status: "connected", tokenSet: NEW_TOKENS });
  });
});
