import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { AccountSummary } from "../accounts/account-summary.ts";
import { findKeychain } from "../accounts/keychain.ts";
import { checkPrivateFile, checkPrivateFolder } from "../accounts/private-file.ts";
import { openVault } from "../accounts/vault.ts";
import { keyLocation, vaultLocation, vaultWarning } from "../accounts/vault-location.ts";
import type { Finding } from "./examination.ts";
import { createProblem, type Machine } from "./finding.ts";

/**
 * Checks that only this user can read the vault, and looks for accounts that need attention.
 * Creates no vault.
 */
export async function checkVault({ env, platform, timeoutMs }: Machine): Promise<Finding[]> {
  const { home, databaseUrl, keyStore } = vaultLocation(env);
  if (databaseUrl !== undefined) {
    const remark = vaultWarning(env);
    const warning: Finding | undefined =
      remark === undefined
        ? undefined
        : { check: "vault", status: "warning", message: sentence(remark) };
    return [
      await checkServer(new URL(databaseUrl), timeoutMs),
      ...(warning === undefined ? [] : [warning]),
    ];
  }
  checkPrivateFolder(home);
  if (!existsSync(join(home, "vault.db"))) {
    const message = `There is no vault yet. packsmith auth connect creates a vault in ${home}.`;
    return [{ check: "vault", status: "fine", message }];
  }
  checkPrivateFile(join(home, "vault.db"));
  await using vault = await openVault({
    directory: home,
    keyStore: { ...keyStore, keychain: findKeychain({ env, platform, timeoutMs }) },
  });
  const accounts = await vault.list();
  const count = `${accounts.length} ${accounts.length === 1 ? "account" : "accounts"}`;
  const first: Finding = {
    check: "vault",
    status: "fine",
    message: `The vault in ${home} has ${count}. Only you can read the vault.`,
  };
  return [first, ...accounts.flatMap(listFindings)];
}

function listFindings({
  file,
  name: account,
  pack,
  status,
  reconnectReason,
}: AccountSummary): Finding[] {
  const name = `The account "${account}" of ${pack}`;
  if (!existsSync(file)) {
    return [
      {
        check: "vault",
        status: "note",
        message: `${name} belongs to ${file}, which no longer exists.`,
        hint: "Accounts are stored by the path of the Pack. If you moved the Pack, connect the account again.",
      },
    ];
  }
  if (status !== "reconnect") return [];
  return [
    {
      check: "vault",
      status: "warning",
      message: `${name} must be connected again: ${reconnectReason ?? "its provider refuses to refresh it"}.`,
      hint: `Run packsmith auth connect ${file}.`,
    },
  ];
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Checks only whether the server answers: a login would create the tables of a new vault. */
async function checkServer({ hostname, port }: URL, timeoutMs: number): Promise<Finding> {
  const place = `${hostname || "localhost"}:${port || "5432"}`;
  const answers = await new Promise<boolean>((resolve) => {
    const socket = connect({
      host: hostname.replace(/^\[|\]$/g, "") || "localhost",
      port: Number(port || 5432),
      timeout: timeoutMs,
    });
    const end = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
  });
  if (answers)
    return {
      check: "vault",
      status: "fine",
      message: `The vault is on the server of DATABASE_URL, and ${place} can be reached.`,
    };
  return {
    check: "vault",
    status: "problem",
    message: `The vault is on the server of DATABASE_URL, but ${place} cannot be reached.`,
    hint: "Start the server, or check the network. To use a vault on this machine, unset DATABASE_URL.",
  };
}

/** The keychain has no entry with this name. */
const PROBE = "packsmith-doctor";

/** Checks where the key of the vault is, or where the key of a new vault would be. */
export async function checkKeychain({ env, platform, timeoutMs }: Machine): Promise<Finding[]> {
  const check = "keychain";
  const { home, keyStore } = vaultLocation(env);
  if (keyLocation(home) === "file")
    return [
      { check, status: "fine", message: `The vault's encryption key is in a file in ${home}.` },
    ];
  const keychain = findKeychain({ env, platform, timeoutMs });
  if (keychain === undefined) {
    const where = "the key of a new vault will be in a file that only you can read";
    if (keyStore.prefer !== "keychain")
      return [{ check, status: "fine", message: `No keychain is available; ${where}.` }];
    return [
      {
        check,
        status: "problem",
        message: "PACKSMITH_KEY_STORE=keychain is set, but no keychain is available.",
        hint: "Run packsmith in the desktop session, or set PACKSMITH_KEY_STORE=file before you connect the first account.",
      },
    ];
  }
  try {
    await keychain.load(PROBE);
    return [{ check, status: "fine", message: `The ${keychain.name} is available.` }];
  } catch (error) {
    const finding = createProblem(check, error);
    // It is a problem only if the keychain has the key of the vault.
    return [
      keyLocation(home) === "keychain" || keyStore.prefer === "keychain"
        ? finding
        : { ...finding, status: "warning" },
    ];
  }
}
