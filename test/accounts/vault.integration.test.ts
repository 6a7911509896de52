import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import Sqlite from "libsql";
import { describe, expect, it } from "vitest";
import { accountId } from "../../src/accounts/account.ts";
import { KEY_FILE_ONLY, openKeyFile } from "../../src/accounts/key-file.ts";
import { openVault } from "../../src/accounts/vault.ts";
import { seal } from "../../src/shared/crypto.ts";
import { accountKey, makeAccount, makeTokenSet } from "../support/accounts.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const planted = ["planted-access", "planted-refresh", "planted-secret", "planted-extra"];

/** A vault folder with one account in it, closed. */
async function fill(directory: string): Promise<void> {
  await using vault = await openVault({ directory });
  await vault.save(makeAccount());
}

function digest(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function edit(directory: string, sql: string, ...values: unknown[]): void {
  const sqlite = new Sqlite(join(directory, "vault.db"));
  sqlite.prepare(sql).run(...values);
  sqlite.close();
}

describe("openVault", () => {
  it("keeps what was saved, across openings", async () => {
    using folder = makeTemporaryFolder();
    await fill(folder.path);
    await using vault = await openVault({ directory: folder.path });
    expect(await vault.get(accountKey)).toEqual(makeAccount());
    expect(await vault.get({ ...accountKey, name: "other" })).toBeUndefined();
    expect(await vault.get({ ...accountKey, slot: "system" })).toBeUndefined();
  });

  // docs/rules.md: rule 26
  it("makes its folder and files readable by the owner only", async () => {
    using folder = makeTemporaryFolder();
    const directory = join(folder.path, "a/b");
    await using vault = await openVault({ directory });
    await vault.save(makeAccount());
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(directory))
      expect(statSync(join(directory, name)).mode & 0o777, name).toBe(0o600);
    expect(readdirSync(directory)).toContain("vault.key");
  });

  // docs/rules.md: rule 26
  it.each(["vault.key", "vault.db"])("refuses a %s that other users can read", async (name) => {
    using folder = makeTemporaryFolder();
    await fill(folder.path);
    for (const mode of [0o640, 0o604, 0o660]) {
      chmodSync(join(folder.path, name), mode);
      await expect(openVault({ directory: folder.path })).rejects.toMatchObject({
        code: "VAULT_PERMISSIONS",
      });
    }
    chmodSync(join(folder.path, name), 0o600);
    await using vault = await openVault({ directory: folder.path });
    expect(await vault.list()).toHaveLength(1);
  });

  it.runIf(process.platform !== "win32")(
    "does not call a vault damaged whose owner has no permission, and says what to do",
    async () => {
      using folder = makeTemporaryFolder();
      await fill(folder.path);
      for (const [path, closed, open] of [
        [join(folder.path, "vault.db"), 0o000, 0o600],
        [join(folder.path, "vault.key"), 0o000, 0o600],
        [folder.path, 0o500, 0o700],
      ] as const) {
        chmodSync(path, closed);
        await expect(openVault({ directory: folder.path })).rejects.toMatchObject({
          code: "VAULT_PERMISSIONS",
          message: expect.stringContaining("you do not have permission"),
          hint: `Run: chmod ${open.toString(8)} ${path}`,
        });
        chmodSync(path, open);
      }
      await using vault = await openVault({ directory: folder.path });
      expect(await vault.list()).toHaveLength(1);
    },
  );

  // docs/rules.md: rule 26
  it.each(["vault.key", "vault.db", "vault.db-wal"])(
    "refuses a %s that is a symbolic link",
    async (name) => {
      using folder = makeTemporaryFolder();
      const target = join(folder.path, "elsewhere");
      symlinkSync(target, join(folder.path, name));
      await expect(openVault({ directory: folder.path })).rejects.toMatchObject({
        code: "VAULT_PERMISSIONS",
        details: { mode: "symlink" },
      });
      expect(existsSync(target)).toBe(false);
    },
  );

  // docs/rules.md: rule 26
  it.runIf(process.platform !== "win32").each([0o770, 0o702])(
    "refuses a folder of mode %o, where others could replace files",
    async (mode) => {
      using folder = makeTemporaryFolder();
      await fill(folder.path);
      chmodSync(folder.path, mode);
      await expect(openVault({ directory: folder.path })).rejects.toMatchObject({
        code: "VAULT_PERMISSIONS",
        details: { path: folder.path },
      });
    },
  );

  // docs/rules.md: rule 26
  it.runIf(process.platform !== "win32")(
    "refuses a link to a folder where others could replace files, and a file",
    async () => {
      using folder = makeTemporaryFolder();
      const [own, link, file] = ["own", "link", "file"].map((name) => join(folder.path, name)) as [
        string,
        string,
        string,
      ];
      await fill(own);
      symlinkSync(own, link);
      writeFileSync(file, "");
      {
        await using vault = await openVault({ directory: link });
        expect(await vault.list()).toHaveLength(1);
      }
      chmodSync(own, 0o777);
      for (const directory of [link, file])
        await expect(openVault({ directory })).rejects.toMatchObject({
          code: "VAULT_PERMISSIONS",
          details: { path: directory },
        });
    },
  );

  // Only root can give files away.
  // docs/rules.md: rule 26
  it.runIf(process.getuid?.() === 0).each(["", "vault.key", "vault.db"])(
    "refuses a vault that belongs to another user, who can read what is stored there: /%s",
    async (name) => {
      using folder = makeTemporaryFolder();
      await fill(folder.path);
      chownSync(join(folder.path, name), 65_534, 65_534);
      await expect(openVault({ directory: folder.path })).rejects.toMatchObject({
        code: "VAULT_PERMISSIONS",
        details: { mode: "owner" },
      });
    },
  );

  it("says so when a record comes from a newer version", async () => {
    using folder = makeTemporaryFolder();
    await fill(folder.path);
    const key = await openKeyFile(join(folder.path, "vault.key"), {
      directory: folder.path,
      create: false,
      keyStore: KEY_FILE_ONLY,
    });
    const { client, tokenSet } = makeAccount();
    const id = accountId(accountKey);
    const rewrite = (secrets: object) =>
      edit(
        folder.path,
        "UPDATE accounts SET secrets_sealed = ?",
        seal(key, ["secrets", id], JSON.stringify(secrets)),
      );
    await using vault = await openVault({ directory: folder.path });
    rewrite({ client, tokenSet, format: 99 });
    await expect(vault.get(accountKey)).rejects.toMatchObject({ code: "DATABASE_NEWER" });
  });

  // docs/rules.md: rule 27
  it("stores no secret in clear", async () => {
    using folder = makeTemporaryFolder();
    await using vault = await openVault({ directory: folder.path });
    await vault.save(makeAccount());
    await vault.saveTokens(accountKey, makeTokenSet({ accessToken: "planted-access-2" }));
    await vault.savePendingTokens(accountKey, {
      status: 200,
      contentType: undefined,
      text: "planted-pending",
      receivedAtMs: 1,
    });
    for (const name of readdirSync(folder.path)) {
      const bytes = readFileSync(join(folder.path, name)).toString("latin1");
      for (const secret of [...planted, "planted"]) {
        expect(bytes, `${name} ${secret}`).not.toContain(secret);
        expect(bytes).not.toContain(
          Buffer.from(secret).toString("base64").replace(/=+$/, "").slice(1, -1),
        );
      }
    }
  });

  // docs/rules.md: rule 25
  it("shows no secret in a list or an inspected account", async () => {
    using folder = makeTemporaryFolder();
    await using vault = await openVault({ directory: folder.path });
    await vault.save(makeAccount());
    const list = await vault.list();
    expect(list).toMatchObject([
      {
        pack: "Tasks",
        file: accountKey.pack,
        slot: accountKey.slot,
        name: accountKey.name,
        clientId: "client-1",
        renewable: true,
        expiresAt: "1970-01-01T00:00:01.000Z",
      },
    ]);
    const account = await vault.get(accountKey);
    const shown = `${JSON.stringify(list)} ${inspect(account, { depth: 9 })} ${inspect({ account })} ${inspect(vault, { depth: 9 })}`;
    for (const secret of planted) expect(shown).not.toContain(secret);
  });

  // docs/rules.md: rule 27
  it("distinguishes a wrong key, a broken key and a missing key, and changes nothing", async () => {
    using folder = makeTemporaryFolder();
    using other = makeTemporaryFolder();
    await fill(folder.path);
    await fill(other.path);
    const keyPath = join(folder.path, "vault.key");
    const right = readFileSync(keyPath);
    const before = digest(join(folder.path, "vault.db"));
    for (const key of [readFileSync(join(other.path, "vault.key")), "garbage", ""]) {
      writeFileSync(keyPath, key);
      await expect(openVault({ directory: folder.path })).rejects.toMatchObject({
        code: "VAULT_KEY_INVALID",
      });
    }
    renameSync(keyPath, `${keyPath}.away`);
    await expect(openVault({ directory: folder.path })).rejects.toMatchObject({
      code: "VAULT_KEY_INVALID",
    });
    expect(existsSync(keyPath), "no new key is made beside an old vault").toBe(false);
    expect(digest(join(folder.path, "vault.db"))).toBe(before);
    writeFileSync(keyPath, right, { mode: 0o600 });
    await using vault = await openVault({ directory: folder.path });
    expect(await vault.get(accountKey)).toBeDefined();
  });

  // docs/rules.md: rule 27
  it("reports a record that was tampered with or swapped as corrupt", async () => {
    using folder = makeTemporaryFolder();
    await using vault = await openVault({ directory: folder.path });
    const second = { ...accountKey, name: "second" };
    await vault.save(makeAccount());
    await vault.save(
      makeAccount({ key: second, client: { clientId: "other", clientSecret: "other-secret" } }),
    );
    const { secrets_sealed: sealed } = new Sqlite(join(folder.path, "vault.db"))
      .prepare("select secrets_sealed from accounts where id = ?")
      .get(accountId(second)) as { secrets_sealed: string };
    const flipped = `${sealed.slice(0, 20)}${sealed[20] === "A" ? "B" : "A"}${sealed.slice(21)}`;
    for (const wrong of [sealed, flipped, "v1.", "v9.abc", ""]) {
      edit(
        folder.path,
        "update accounts set secrets_sealed = ? where id = ?",
        wrong,
        accountId(accountKey),
      );
      await expect(vault.get(accountKey)).rejects.toMatchObject({ code: "VAULT_CORRUPT" });
    }
    expect(await vault.get(second), "other accounts stay usable").toBeDefined();
    await vault.save(makeAccount());
    expect(await vault.get(accountKey), "connecting again fixes it").toBeDefined();
  });

  it.each([
    ["a text", "this is not a database. ".repeat(100), "VAULT_CORRUPT"],
    ["half a header", "SQLite format 3\u0000", "VAULT_CORRUPT"],
  ])("refuses %s in place of the database and leaves it as it is", async (_, content, code) => {
    using folder = makeTemporaryFolder();
    const path = join(folder.path, "vault.db");
    await fill(folder.path);
    for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
    writeFileSync(path, content);
    await expect(openVault({ directory: folder.path })).rejects.toMatchObject({ code });
    expect(readFileSync(path, "utf8")).toBe(content);
  });

  it("labels an account without touching its tokens or a response that is still pending", async () => {
    using folder = makeTemporaryFolder();
    await using vault = await openVault({ directory: folder.path });
    await vault.save(makeAccount());
    const pending = { status: 200, contentType: "application/json", text: "{}", receivedAtMs: 1 };
    await vault.savePendingTokens(accountKey, pending);
    await vault.saveConnectionName(accountKey, "Grace");
    expect(await vault.get(accountKey)).toMatchObject({
      connectionName: "Grace",
      tokenSet: { refreshToken: "planted-refresh" },
    });
    expect(await vault.getPendingTokens(accountKey)).toEqual(pending);
  });

  it("removes an account once", async () => {
    using folder = makeTemporaryFolder();
    await using vault = await openVault({ directory: folder.path });
    await vault.save(makeAccount());
    expect(await vault.remove(accountKey)).toBe(true);
    expect(await vault.remove(accountKey)).toBe(false);
    await expect(vault.saveTokens(accountKey, makeTokenSet())).rejects.toMatchObject({
      code: "ACCOUNT_MISSING",
    });
  });

  it("keeps an endpoint that a person chose, and follows one that came with the tokens", async () => {
    using folder = makeTemporaryFolder();
    await using vault = await openVault({ directory: folder.path });
    await vault.save(makeAccount({ endpoint: "https://chosen.example" }));
    await vault.saveTokens(accountKey, makeTokenSet({ endpoint: "https://from-token.example" }));
    expect((await vault.get(accountKey))?.endpoint).toBe("https://chosen.example");
    await vault.save(
      makeAccount({
        endpoint: "https://one.example",
        tokenSet: makeTokenSet({ endpoint: "https://one.example" }),
      }),
    );
    await vault.saveTokens(accountKey, makeTokenSet({ endpoint: "https://two.example" }));
    expect((await vault.get(accountKey))?.endpoint).toBe("https://two.example");
  });

  it("marks an account for reconnection without touching its tokens, until new ones come", async () => {
    using folder = makeTemporaryFolder();
    await using vault = await openVault({ directory: folder.path, now: () => 5_000 });
    await vault.save(makeAccount());
    await vault.markReconnect(accountKey, "invalid_grant");
    expect(await vault.get(accountKey)).toMatchObject({
      status: "reconnect",
      reconnectReason: "invalid_grant",
      updatedAt: "1970-01-01T00:00:05.000Z",
    });
    expect((await vault.get(accountKey))?.tokenSet?.refreshToken).toBe("planted-refresh");
    await vault.saveTokens(accountKey, makeTokenSet());
    expect(await vault.list()).toMatchObject([{ status: "connected" }]);
  });
});

describe("withRefreshLock", () => {
  it("runs one piece of work at a time, in this process and in another vault", async () => {
    using folder = makeTemporaryFolder();
    await using one = await openVault({ directory: folder.path });
    await using two = await openVault({ directory: folder.path });
    let running = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
    };
    await Promise.all(
      [one, two, one, two, one].map((vault) => vault.withRefreshLock(accountKey, work)),
    );
    expect(most).toBe(1);
  });

  it("goes on after work that failed", async () => {
    using folder = makeTemporaryFolder();
    await using vault = await openVault({ directory: folder.path });
    await expect(
      vault.withRefreshLock(accountKey, () => Promise.reject(new Error("no"))),
    ).rejects.toThrow("no");
    expect(await vault.withRefreshLock(accountKey, async () => "yes")).toBe("yes");
  });

  it("takes over the lease of a crashed owner when it has run out, and gives up waiting before that", async () => {
    using folder = makeTemporaryFolder();
    let now = 1_000;
    await using vault = await openVault({
      directory: folder.path,
      now: () => now,
      lock: { waitMs: 10, pollMs: 5 },
    });
    edit(
      folder.path,
      "insert into refresh_locks (id, owner, expires_at_ms) values (?, 'crashed', 16000)",
      accountId(accountKey),
    );
    await expect(vault.withRefreshLock(accountKey, async () => 1)).rejects.toMatchObject({
      code: "ACCOUNT_BUSY",
    });
    now = 16_000;
    expect(await vault.withRefreshLock(accountKey, async () => 1)).toBe(1);
  });

  // docs/rules.md: rule 28
  it("does not overwrite newer tokens after its lease was lost", async () => {
    using folder = makeTemporaryFolder();
    let now = 1_000;
    await using slow = await openVault({ directory: folder.path, now: () => now });
    await using quick = await openVault({ directory: folder.path, now: () => now });
    await slow.save(makeAccount());
    const stale = slow.withRefreshLock(accountKey, async () => {
      now += 60_000;
      await quick.withRefreshLock(accountKey, () =>
        quick.saveTokens(accountKey, makeTokenSet({ accessToken: "newer" })),
      );
      await quick.withRefreshLock(accountKey, async () => {
        await slow.saveTokens(accountKey, makeTokenSet({ accessToken: "older" }));
      });
    });
    await expect(stale).rejects.toMatchObject({ code: "ACCOUNT_BUSY" });
    expect((await slow.get(accountKey))?.tokenSet?.accessToken).toBe("newer");
  });
});
