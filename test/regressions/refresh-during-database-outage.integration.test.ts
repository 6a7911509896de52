import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openAccountSession } from "../../src/accounts/account-session.ts";
import { openVault } from "../../src/accounts/vault.ts";
import { PackError } from "../../src/errors.ts";
import { accountKey, makeAccount, makeTokenSet } from "../support/accounts.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { startTokenServer } from "../support/token-server.ts";

/** A vault whose database cannot be written from the token response on, until it is back. */
async function refreshDuringOutage(folder: string) {
  let isDown = false;
  let count = 0;
  let aheadMs = 0;
  const now = () => Date.now() + aheadMs;
  const server = await startTokenServer(() => {
    isDown = true;
    count += 1;
    return {
      body: {
        access_token: `renewed-${count}`,
        token_type: "Bearer",
        expires_in: 3600,
        refresh_token: `rotated-${count}`,
      },
    };
  });
  const vault = await openVault({
    directory: folder,
    now,
    onWrite() {
      if (isDown)
        throw new PackError("DATABASE_UNREACHABLE", "The database cannot be used.", {
          details: { url: "postgres://db" },
        });
    },
  });
  await vault.save(makeAccount());
  const definition = {
    type: "OAuth2",
    authorizationUrl: `${server.url}/a`,
    tokenUrl: `${server.url}/t`,
  } as const;
  const session = await openAccountSession({ vault, key: accountKey, definition, now });
  await expect(session.getAccessToken()).rejects.toMatchObject({ code: "DATABASE_UNREACHABLE" });
  return {
    vault,
    server,
    session,
    recover: () => {
      isDown = false;
      // The lease could not be given back, and has run out.
      aheadMs = 20_000;
    },
    kept: () => readdirSync(folder).filter((name) => name.startsWith("vault.pending-")),
    async [Symbol.asyncDispose]() {
      await vault[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

it("the rotated tokens of a refresh are kept, sealed and private, and stored when the database is back", async () => {
  using folder = makeTemporaryFolder();
  await using outage = await refreshDuringOutage(folder.path);
  const [name = ""] = outage.kept();
  expect(statSync(join(folder.path, name)).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(folder.path, name), "utf8")).toMatch(/^v1\.[\w-]+$/);
  outage.recover();
  // Another process of this machine finds it, too.
  await using again = await openVault({ directory: folder.path });
  expect(await again.getPendingTokens(accountKey)).toMatchObject({
    text: expect.stringContaining("rotated-1"),
  });
  expect(await outage.session.getAccessToken()).toBe("renewed-1");
  expect(outage.server.requests).toHaveLength(1);
  expect((await again.get(accountKey))?.tokenSet).toMatchObject({
    accessToken: "renewed-1",
    refreshToken: "rotated-1",
  });
  expect(outage.kept()).toEqual([]);
});

it("a kept response is worthless once the account has other tokens", async () => {
  using folder = makeTemporaryFolder();
  await using outage = await refreshDuringOutage(folder.path);
  outage.recover();
  await using other = await openVault({ directory: folder.path });
  // Another machine, which does not see the file, has renewed the account.
  const moved = outage.kept().map((name) => ({
    path: join(folder.path, name),
    text: readFileSync(join(folder.path, name), "utf8"),
  }));
  await other.saveTokens(accountKey, makeTokenSet({ accessToken: "of-another-machine" }));
  for (const { path, text } of moved) writeFileSync(path, text, { mode: 0o600 });
  expect(await other.getPendingTokens(accountKey)).toBeUndefined();
  expect(outage.kept()).toEqual([]);
});
