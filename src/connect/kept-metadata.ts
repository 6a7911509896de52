import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { DiscoveredServer } from "../oauth/connect/discovery.ts";
import { writeAtomically } from "../shared/atomic-write.ts";
import { sha256 } from "../shared/crypto.ts";
import { makeFolder } from "../shared/folders.ts";
import { parseUrl } from "../shared/urls.ts";
import { isRecord } from "../shared/values.ts";

/** What the metadata of an issuer said when it was read last. */
export interface KeptMetadata {
  /** The day, such as "2026-01-31" (UTC). */
  readOn: string;
  server: DiscoveredServer;
}

/**
 * Keeps the metadata of an issuer, which is public, so that `packsmith validate` can compare Packs
 * with it without a request. If that fails, the connection goes on.
 * @param home folder of the vault
 */
export async function keepMetadata(
  home: string,
  { issuer, server, nowMs }: { issuer: string; server: DiscoveredServer; nowMs: number },
): Promise<void> {
  const kept: KeptMetadata = { readOn: new Date(nowMs).toISOString().slice(0, 10), server };
  try {
    makeFolder(home, 0o700);
    makeFolder(folderIn(home), 0o700);
    await writeAtomically(findFile(home, issuer), `${JSON.stringify(kept, undefined, 2)}\n`, {
      mode: 0o600,
    });
  } catch {
    // `validate` then says less.
  }
}

/** @returns undefined if no readable metadata of the issuer is kept */
export async function readKeptMetadata(
  home: string,
  issuer: string,
): Promise<KeptMetadata | undefined> {
  try {
    const kept: unknown = JSON.parse(await readFile(findFile(home, issuer), "utf8"));
    if (!isRecord(kept) || !isRecord(kept["server"])) return undefined;
    const { codeChallengeMethods } = kept["server"];
    const isReadable =
      typeof kept["readOn"] === "string" &&
      (codeChallengeMethods === undefined || Array.isArray(codeChallengeMethods));
    return isReadable ? (kept as unknown as KeptMetadata) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether any metadata is kept. */
export function hasKeptMetadata(home: string): boolean {
  return existsSync(folderIn(home));
}

function folderIn(home: string): string {
  return join(home, "metadata");
}

/** An origin is the same with and without a slash. */
function findFile(home: string, issuer: string): string {
  const url = parseUrl(issuer)?.href ?? issuer;
  return join(folderIn(home), `${sha256(url, "hex").slice(0, 24)}.json`);
}
