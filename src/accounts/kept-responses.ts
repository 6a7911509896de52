import { hash } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { PendingTokens } from "../oauth/token-response.ts";
import { writeAtomically } from "../shared/atomic-write.ts";
import { open, seal } from "../shared/crypto.ts";
import { makeFolder } from "../shared/folders.ts";
import { checkPrivateFile } from "./private-file.ts";

/** A token response that the database could not store. */
export interface KeptResponse {
  pending: PendingTokens;
  /**
   * The version of the account's tokens that the response renews. A response to older ones is
   * worthless.
   */
  version: number;
}

/**
 * Token responses in files next to the vault's key, sealed and with mode 0600. The provider may
 * have replaced the stored refresh
 * token, so a response must survive that the database cannot be reached.
 */
export interface KeptResponses {
  keep(id: string, kept: KeptResponse): Promise<void>;
  find(id: string): KeptResponse | undefined;
  forget(id: string): void;
}

export function createKeptResponses(directory: string, key: Uint8Array): KeptResponses {
  const getPath = (id: string) =>
    join(directory, `vault.pending-${hash("sha256", id).slice(0, 32)}`);
  const context = (id: string) => ["kept", id];
  return {
    async keep(id, kept) {
      makeFolder(directory, 0o700);
      await writeAtomically(getPath(id), seal(key, context(id), JSON.stringify(kept)), {
        mode: 0o600,
      });
    },
    find(id) {
      if (!checkPrivateFile(getPath(id))) return undefined;
      const json = open(key, context(id), readFileSync(getPath(id), "utf8"));
      return json === undefined ? undefined : (JSON.parse(json) as KeptResponse);
    },
    forget: (id) => rmSync(getPath(id), { force: true }),
  };
}
