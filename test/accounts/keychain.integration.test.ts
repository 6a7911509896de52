import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import type { KeyStore } from "../../src/accounts/key-file.ts";
import { findKeychain, type Keychain } from "../../src/accounts/keychain.ts";
import { openVault } from "../../src/accounts/vault.ts";
import { chooseKeyStore } from "../../src/accounts/vault-location.ts";
import { accountKey, makeAccount } from "../support/accounts.ts";
import { isLong } from "../support/breadth.ts";
import { describeKeyring, startKeyring } from "../support/keyring.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const REFERENCE = /^packsmith-vault-key:keychain:([0-9a-f]{32})\n$/;

describe("where there is no keychain", () => {
  it.each<[string, NodeJS.Platform, Record<string, string>]>([
    ["Windows", "win32", { PATH: "/usr/bin" }],
    ["Linux without a session bus", "linux", { PATH: "/usr/bin" }],
    [
      "Linux without secret-tool",
      "linux",
      { PATH: "/nowhere", DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" },
    ],
    ["a Mac without its tool", "darwin", { PATH: "/nowhere:relative" }],
  ])("%s keeps the key in a file", async (_, platform, env) => {
    using folder = makeTemporaryFolder();
    expect(findKeychain({ platform, env })).toBeUndefined();
    const keyStore = chooseKeyStore(env, platform);
    await fill(folder.path, keyStore);
    expect(readFileSync(join(folder.path, "vault.key"), "utf8")).toMatch(
      /^packsmith-vault-key:1:[\w-]{43}\n$/,
    );
    await expect(
      openVault({
        directory: join(folder.path, "new"),
        keyStore: { ...keyStore, prefer: "keychain" },
      }),
    ).rejects.toMatchObject({
      code: "KEYCHAIN_UNAVAILABLE",
    });
    expect(existsSync(join(folder.path, "new", "vault.key"))).toBe(false);
  });

  it("PACKSMITH_KEY_STORE is file or keychain", () => {
    expect(chooseKeyStore({ PACKSMITH_KEY_STORE: "file" }, "linux").prefer).toBe("file");
    expect(chooseKeyStore({ PACKSMITH_KEY_STORE: "keychain" }, "linux").prefer).toBe("keychain");
    expect(chooseKeyStore({ PACKSMITH_KEY_STORE: "" }, "linux").prefer).toBe("auto");
    expect(() => chooseKeyStore({ PACKSMITH_KEY_STORE: "cloud" }, "linux")).toThrow(
      expect.objectContaining({ code: "USAGE_INVALID" }),
    );
  });
});

/**
 * A stand-in for macOS's `security`: it keeps entries in files, and notes its arguments and
 * environment.
 */
const SECURITY = `#!/usr/bin/env node
const fs = require("node:fs"), path = require("node:path");
const folder = __dirname, args = process.argv.slice(2);
fs.appendFileSync(path.join(folder, "seen"), JSON.stringify({ args, env: process.env }) + "\\n");
if (fs.existsSync(path.join(folder, "locked"))) process.exit(36);
const option = (words, name) => words[words.indexOf(name) + 1];
// One file for each entry: two programs that keep something at once disturb each other as little as
// in the real one.
const entry = (words) => path.join(folder, "entries", option(words, "-a"));
if (args[0] === "-i") {
  const words = fs.readFileSync(0, "utf8").trim().split(" ");
  if (words[0] !== "add-generic-password" || option(words, "-s") !== "packsmith") process.exit(0);
  fs.mkdirSync(path.join(folder, "entries"), { recursive: true });
  fs.writeFileSync(entry(words), option(words, "-w"));
} else if (args[0] === "find-generic-password") {
  if (!fs.existsSync(entry(args))) process.exit(44);
  process.stdout.write(fs.readFileSync(entry(args), "utf8") + "\\n");
} else if (args[0] === "delete-generic-password") fs.rmSync(entry(args), { force: true });
`;

describe.skipIf(process.platform === "win32")("the macOS keychain", () => {
  it("holds the key of a new vault; the file names the entry only, and the vault opens again", async () => {
    using mac = fakeMac();
    await fill(mac.vault, mac.keyStore);
    const id = REFERENCE.exec(readFileSync(join(mac.vault, "vault.key"), "utf8"))?.[1] ?? "";
    expect(mac.entries()).toEqual({ [id]: expect.stringMatching(/^[\w-]{43}$/) });
    await using again = await openVault({ directory: mac.vault, keyStore: mac.keyStore });
    expect(await again.get(accountKey)).toEqual(makeAccount());
  });

  // docs/rules.md: rule 29
  it("gets the key in no argument and no environment variable of its tool", async () => {
    using mac = fakeMac({ PACKSMITH_CLIENT_SECRET: "planted-secret" });
    await fill(mac.vault, mac.keyStore);
    const [key = ""] = Object.values(mac.entries());
    const seen = readFileSync(join(mac.tools, "seen"), "utf8");
    expect(seen).toContain('"args":["-i"]');
    for (const secret of [key, "planted-secret"]) expect(seen).not.toContain(secret);
  });

  it("a vault that has a key file keeps it, whatever is preferred", async () => {
    using mac = fakeMac();
    await fill(mac.vault, { prefer: "file", keychain: undefined });
    const before = readFileSync(join(mac.vault, "vault.key"), "utf8");
    await fill(mac.vault, { ...mac.keyStore, prefer: "keychain" });
    expect(readFileSync(join(mac.vault, "vault.key"), "utf8")).toBe(before);
    expect(mac.entries()).toEqual({});
  });

  // docs/rules.md: rule 27
  it.runIf(isLong)(
    "is reported with what to do when it is locked, and no second key is made",
    async () => {
      using mac = fakeMac();
      await fill(mac.vault, mac.keyStore);
      const before = readFileSync(join(mac.vault, "vault.key"), "utf8");
      mac.lock();
      await expect(
        openVault({ directory: mac.vault, keyStore: mac.keyStore }),
      ).rejects.toMatchObject({
        code: "KEYCHAIN_UNAVAILABLE",
        hint: expect.stringContaining("Unlock the keychain"),
      });
      await expect(
        openVault({ directory: mac.vault, keyStore: { prefer: "file", keychain: undefined } }),
      ).rejects.toMatchObject({
        code: "KEYCHAIN_UNAVAILABLE",
      });
      const fresh = join(mac.vault, "new");
      await expect(openVault({ directory: fresh, keyStore: mac.keyStore })).rejects.toMatchObject({
        code: "KEYCHAIN_UNAVAILABLE",
      });
      expect([
        existsSync(join(fresh, "vault.key")),
        readFileSync(join(mac.vault, "vault.key"), "utf8"),
      ]).toEqual([false, before]);
    },
  );

  it.runIf(isLong)("an entry that was removed is told, and not replaced", async () => {
    using mac = fakeMac();
    await fill(mac.vault, mac.keyStore);
    rmSync(join(mac.tools, "entries"), { recursive: true });
    await expect(openVault({ directory: mac.vault, keyStore: mac.keyStore })).rejects.toMatchObject(
      { code: "VAULT_KEY_INVALID" },
    );
    expect(mac.entries()).toEqual({});
  });

  it.runIf(isLong)(
    "of two that open a new vault at once, both use one key, and one entry is left",
    async () => {
      using mac = fakeMac();
      const vaults = await Promise.all(
        [1, 2].map(() => openVault({ directory: mac.vault, keyStore: mac.keyStore })),
      );
      await vaults[0]?.save(makeAccount());
      expect(await vaults[1]?.get(accountKey)).toEqual(makeAccount());
      for (const vault of vaults) await vault[Symbol.asyncDispose]();
      expect(Object.keys(mac.entries())).toHaveLength(1);
    },
  );

  it("a shared vault on a database server keeps its key in a file, which another machine gets a copy of", async () => {
    using mac = fakeMac();
    const databaseUrl = "postgres://127.0.0.1:1/none";
    await expect(
      openVault({ directory: mac.vault, databaseUrl, keyStore: mac.keyStore }),
    ).rejects.toMatchObject({
      code: "DATABASE_UNREACHABLE",
    });
    expect(mac.entries()).toEqual({});
  });
});

describeKeyring("the desktop's keyring, for real", () => {
  it.runIf(isLong)(
    "keeps, gives and forgets an entry, and tells a missing one from a locked one",
    async () => {
      await using keyring = await startKeyring();
      const keychain = createKeychain(keyring.env);
      expect(await keychain.load("vault-1")).toBeUndefined();
      expect(await keychain.save("vault-1", "planted-key")).toBe(true);
      expect(await keychain.load("vault-1")).toBe("planted-key");
      await keyring.restart("locked");
      await expect(keychain.load("vault-1")).rejects.toMatchObject({
        code: "KEYCHAIN_UNAVAILABLE",
        details: { reason: "it is locked" },
      });
      await expect(keychain.save("vault-2", "another")).rejects.toMatchObject({
        code: "KEYCHAIN_UNAVAILABLE",
        details: { reason: "it is locked" },
      });
      await keyring.restart("unlocked");
      await keychain.forget("vault-1");
      expect(await keychain.load("vault-1")).toBeUndefined();
    },
  );

  it("holds the key of a new vault, which opens again after the next login", async () => {
    await using keyring = await startKeyring();
    using folder = makeTemporaryFolder();
    const keyStore = chooseKeyStore(keyring.env, "linux");
    await fill(folder.path, keyStore);
    expect(readFileSync(join(folder.path, "vault.key"), "utf8")).toMatch(REFERENCE);
    await keyring.restart("locked");
    await expect(openVault({ directory: folder.path, keyStore })).rejects.toMatchObject({
      code: "KEYCHAIN_UNAVAILABLE",
    });
    await keyring.restart("unlocked");
    await using again = await openVault({ directory: folder.path, keyStore });
    expect(await again.get(accountKey)).toEqual(makeAccount());
  });

  it("without a keyring behind the bus the key goes to a file, unless the keychain is demanded", async () => {
    using folder = makeTemporaryFolder();
    const keyStore = chooseKeyStore(
      { PATH: process.env["PATH"] ?? "", DBUS_SESSION_BUS_ADDRESS: "unix:path=/nowhere" },
      "linux",
    );
    await expect(
      openVault({ directory: folder.path, keyStore: { ...keyStore, prefer: "keychain" } }),
    ).rejects.toMatchObject({
      code: "KEYCHAIN_UNAVAILABLE",
    });
    await fill(folder.path, keyStore);
    expect(readFileSync(join(folder.path, "vault.key"), "utf8")).toMatch(/^packsmith-vault-key:1:/);
  });
});

async function fill(directory: string, keyStore: KeyStore): Promise<void> {
  await using vault = await openVault({ directory, keyStore });
  await vault.save(makeAccount());
}

function createKeychain(env: Record<string, string>): Keychain {
  const keychain = findKeychain({ env, platform: "linux" });
  if (keychain === undefined) throw new Error("There is no keychain.");
  return keychain;
}

function fakeMac(more: Record<string, string> = {}) {
  const folder = makeTemporaryFolder();
  const tools = folder.path;
  writeFileSync(join(tools, "security"), SECURITY);
  chmodSync(join(tools, "security"), 0o700);
  // The stand-in is a program for Node.
  const env = {
    PATH: [tools, dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
    HOME: tools,
    ...more,
  };
  return {
    tools,
    vault: join(tools, "vault"),
    keyStore: chooseKeyStore(env, "darwin"),
    entries: (): Record<string, string> => {
      const path = join(tools, "entries");
      return existsSync(path)
        ? Object.fromEntries(
            readdirSync(path).map((id) => [id, readFileSync(join(path, id), "utf8")]),
          )
        : {};
    },
    lock: () => writeFileSync(join(tools, "locked"), ""),
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}
