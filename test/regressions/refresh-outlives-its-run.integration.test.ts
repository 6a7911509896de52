import { expect, it } from "vitest";
import { openAccountSession } from "../../src/accounts/account-session.ts";
import { openVault } from "../../src/accounts/vault.ts";
import { accountKey, makeAccount } from "../support/accounts.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { startTokenServer } from "../support/token-server.ts";

function signalOnce() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

it("a vault that is closed during a refresh, as after a formula that did not wait for its request, still stores the rotated tokens", async () => {
  using folder = makeTemporaryFolder();
  const asked = signalOnce();
  const answer = signalOnce();
  await using server = await startTokenServer(async () => {
    asked.resolve();
    await answer.promise;
    return {
      body: {
        access_token: "renewed",
        token_type: "Bearer",
        expires_in: 3600,
        refresh_token: "rotated",
      },
    };
  });
  const definition = {
    type: "OAuth2",
    authorizationUrl: `${server.url}/a`,
    tokenUrl: `${server.url}/t`,
  } as const;

  const vault = await openVault({ directory: folder.path });
  await vault.save(makeAccount());
  const session = await openAccountSession({ vault, key: accountKey, definition });
  const token = session.getAccessToken().catch((error: unknown) => error);
  await asked.promise;
  const closed = vault[Symbol.asyncDispose]();
  answer.resolve();
  expect(await token).toBe("renewed");
  await closed;

  await using again = await openVault({ directory: folder.path });
  expect((await again.get(accountKey))?.tokenSet).toMatchObject({
    accessToken: "renewed",
    refreshToken: "rotated",
  });
});
