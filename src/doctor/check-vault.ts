import { existsSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { AccountSummary } from "../accounts/account.ts";
import { findKeychain } from "../accounts/keychain.ts";
import { checkPrivateFile, checkPrivateFolder } from "../accounts/private-file.ts";
import { openVault } from "../accounts/vault.ts";
import { vaultLocation } from "../accounts/vault-location.ts";
import type { Finding } from "./finding.ts";
import type { Surroundings } from "./surroundings.ts";

/** Whether the vault can be read, by this user alone, and what its accounts wait for. Makes none. */
export async function checkVault({ env, platform, timeoutMs }: Surroundings): Promise<Finding[]> {
  const { home, databaseUrl, keyStore } = vaultLocation(env);
  if (databaseUrl !== undefined) return [await checkServer(new URL(databaseUrl), timeoutMs)];
  checkPrivateFolder(home);
  if (!existsSync(join(home, "vault.db"))) {
    const message = `There is no vault yet; the first auth connect makes one in ${home}.`;
    return [{ check: "vault", status: "fine", message }];
  }
  checkPrivateFile(join(home, "vault.db"));
  await using vault = await openVault({
    directory: home,
    keyStore: { ...keyStore, keychain: findKeychain({ env, platform, timeoutMs }) },
  });
  const accounts = await vault.list();
  const count = `${accounts.length} ${accounts.length === 1 ? "account" : "accounts"}`;
  const first: Finding = { check: "vault", status: "fine", message: `The vault in ${home} opens: ${count}, and only you can read it.` };
  return [first, ...accounts.flatMap(findingsOf)];
}

function findingsOf({ key, packName, status, reconnectReason }: AccountSummary): Finding[] {
  const name = `The account "${key.name}" of ${packName}`;
  if (!existsSync(key.pack)) {
    return [
      {
        check: "vault",
        status: "note",
        message: `${name} belongs to ${key.pack}, which is not there any more.`,
        hint: "An account belongs to the path of its Pack: connect it again from the new place.",
      },
    ];
  }
  if (status !== "reconnect") return [];
  return [
    {
      check: "vault",
      status: "warning",
      message: `${name} has to be connected again: ${reconnectReason ?? "its provider refuses to renew it"}.`,
      hint: `Run packsmith auth connect ${key.pack}.`,
    },
  ];
}

/** Logging in would make the tables of a new vault. */
async function checkServer({ hostname, port }: URL, timeoutMs: number): Promise<Finding> {
  const place = `${hostname || "localhost"}:${port || "5432"}`;
  const answers = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, "") || "localhost", port: Number(port || 5432), timeout: timeoutMs });
    const end = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.once("connect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
  });
  if (answers) return { check: "vault", status: "fine", message: `The vault is on the server of DATABASE_URL; ${place} answers.` };
  return {
    check: "vault",
    status: "problem",
    message: `The vault is on the server of DATABASE_URL, and ${place} does not answer.`,
    hint: "Start the server or open the way to it; without DATABASE_URL the vault is on this machine.",
  };
}
