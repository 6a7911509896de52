import { execFile } from "node:child_process";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { openVault } from "../../src/accounts/vault.ts";
import { accountKey, makeAccount, makeTokenSet } from "../support/accounts.ts";
import { isLong } from "../support/breadth.ts";
import { describePostgres, makePostgresDatabase } from "../support/postgres.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { startTokenServer } from "../support/token-server.ts";

const script = fileURLToPath(new URL("fixtures/use-account.js", import.meta.url));

async function runChild(input: object): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [script, JSON.stringify(input)]);
  return stdout;
}

/** Two machines with one database and one key: two folders. */
async function setUp() {
  const database = await makePostgresDatabase();
  const [one, two] = [makeTemporaryFolder(), makeTemporaryFolder()];
  const first = await openVault({ directory: one.path, databaseUrl: database.url });
  copyFileSync(join(one.path, "vault.key"), join(two.path, "vault.key"));
  await first.save(makeAccount());
  return {
    database,
    one,
    two,
    first,
    async [Symbol.asyncDispose]() {
      await first[Symbol.asyncDispose]();
      for (const folder of [one, two]) folder[Symbol.dispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

describePostgres("a vault on a database server", () => {
  // docs/rules.md: rule 27
  it("a vault on a server is shared by the machines that have its key, and holds no secret in clear", async () => {
    await using run = await setUp();
    await using second = await openVault({
      directory: run.two.path,
      databaseUrl: run.database.url,
    });
    expect(await second.get(accountKey)).toEqual(makeAccount());
    await second.saveTokens(accountKey, makeTokenSet({ accessToken: "planted-newer" }));
    expect((await run.first.get(accountKey))?.tokenSet?.accessToken).toBe("planted-newer");
    const rows = JSON.stringify(await run.database.query("select * from packsmith_vault.accounts"));
    expect(rows).toContain("v1.");
    expect(rows).not.toContain("planted");
    expect(existsSync(join(run.one.path, "vault.db"))).toBe(false);
  });

  // docs/rules.md: rule 27
  it("a vault on a server refuses a machine without the key or with another one, and makes none for it", async () => {
    await using run = await setUp();
    using third = makeTemporaryFolder();
    const open = () => openVault({ directory: third.path, databaseUrl: run.database.url });
    await expect(open()).rejects.toMatchObject({ code: "VAULT_KEY_INVALID" });
    expect(existsSync(join(third.path, "vault.key"))).toBe(false);
    await (await openVault({ directory: third.path }))[Symbol.asyncDispose]();
    await expect(open()).rejects.toMatchObject({ code: "VAULT_KEY_INVALID" });
  });

  // docs/rules.md: rule 28
  it.runIf(isLong)(
    "two processes on each of two machines make one token request for an expired account",
    async () => {
      await using run = await setUp();
      let count = 0;
      await using server = await startTokenServer(() => ({
        body: {
          access_token: `renewed-${++count}`,
          token_type: "Bearer",
          expires_in: 3600,
          refresh_token: `rotated-${count}`,
        },
      }));
      const definition = {
        type: "OAuth2",
        authorizationUrl: `${server.url}/a`,
        tokenUrl: `${server.url}/t`,
      };
      const inputs = [run.one, run.two, run.one, run.two].map(({ path }) => ({
        directory: path,
        databaseUrl: run.database.url,
        key: accountKey,
        definition,
        calls: 10,
      }));
      expect(new Set(await Promise.all(inputs.map(runChild)))).toEqual(
        new Set(['["renewed-1"]\n']),
      );
      expect(server.requests).toHaveLength(1);
      expect((await run.first.get(accountKey))?.tokenSet?.refreshToken).toBe("rotated-1");
    },
  );

  // docs/rules.md: rule 28
  it("one of two machines takes over an expired lease, also when their clocks disagree", async () => {
    await using run = await setUp();
    // An hour ahead: by its own clock every lease of others has run out.
    await using ahead = await openVault({
      directory: run.two.path,
      databaseUrl: run.database.url,
      now: () => Date.now() + 3_600_000,
      lock: { waitMs: 40, pollMs: 20 },
    });
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++running);
      await expect(ahead.withRefreshLock(accountKey, async () => 1)).rejects.toMatchObject({
        code: "ACCOUNT_BUSY",
      });
      running--;
    };
    await run.first.withRefreshLock(accountKey, work);
    await run.database.query(
      "insert into packsmith_vault.refresh_locks select id, 'crashed', 1 from packsmith_vault.accounts",
    );
    const short = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    };
    await Promise.all([
      run.first.withRefreshLock(accountKey, short),
      ahead.withRefreshLock(accountKey, short).catch(() => undefined),
    ]);
    expect(most).toBe(1);
  });

  it("removes, marks and keeps pending responses as the embedded vault does", async () => {
    await using run = await setUp();
    const pending = { status: 200, contentType: "application/json", text: "{}", receivedAtMs: 1 };
    await run.first.savePendingTokens(accountKey, pending);
    expect(await run.first.getPendingTokens(accountKey)).toEqual(pending);
    await run.first.markReconnect(accountKey, "invalid_grant");
    expect(await run.first.list()).toMatchObject([{ status: "reconnect" }]);
    await run.first.save(makeAccount());
    expect(await run.first.getPendingTokens(accountKey)).toBeUndefined();
    expect(await run.first.remove(accountKey)).toBe(true);
    expect(await run.first.remove(accountKey)).toBe(false);
  });
});
