import { findKeychain } from "../accounts/keychain.ts";
import { keyLocation, vaultLocation } from "../accounts/vault-location.ts";
import { type Finding, problemOf } from "./finding.ts";
import type { Surroundings } from "./surroundings.ts";

/** Nothing is kept under this name. */
const PROBE = "packsmith-doctor";

/** Where the key of the vault is, or where that of a new one would go. A key that cannot be had is the vault's problem. */
export async function checkKeychain({ env, platform, timeoutMs }: Surroundings): Promise<Finding[]> {
  const check = "keychain";
  const { home, keyStore } = vaultLocation(env);
  if (keyLocation(home) === "file") return [{ check, status: "fine", message: `The vault's key is in a file in ${home}.` }];
  const keychain = findKeychain({ env, platform, timeoutMs });
  if (keychain === undefined) {
    const where = "a new vault's key goes to a file that only you can read";
    if (keyStore.prefer !== "keychain") return [{ check, status: "fine", message: `No keychain is reached from here; ${where}.` }];
    return [
      {
        check,
        status: "problem",
        message: "PACKSMITH_KEY_STORE=keychain, but no keychain is reached from here.",
        hint: "Run it in the desktop session, or set PACKSMITH_KEY_STORE=file before the first account is connected.",
      },
    ];
  }
  try {
    await keychain.load(PROBE);
    return [{ check, status: "fine", message: `The ${keychain.name} answers.` }];
  } catch (error) {
    const finding = problemOf(check, error);
    // Without a vault whose key is there, nothing needs it yet.
    return [keyLocation(home) === "keychain" || keyStore.prefer === "keychain" ? finding : { ...finding, status: "warning" }];
  }
}
