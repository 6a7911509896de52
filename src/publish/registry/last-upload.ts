import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "../../shared/atomic-write.ts";
import { makeFolder } from "../../shared/make-folder.ts";
import { sha256 } from "../../shared/sha256.ts";
import type { RegistryAddress } from "./registry-address.ts";

/** The version that this machine sent last, and a digest of what it was built from. */
export interface LastUpload {
  version: string;
  contentHash: string;
}

/** The note by which a repeated upload recognises its own version. It is kept next to the vault, and holds no secret. */
export function readLastUpload(home: string, registry: RegistryAddress, packId: number): LastUpload | undefined {
  try {
    return JSON.parse(readFileSync(pathOf(home, registry, packId), "utf8")) as LastUpload;
  } catch {
    return undefined;
  }
}

export async function writeLastUpload(home: string, registry: RegistryAddress, packId: number, upload: LastUpload): Promise<void> {
  makeFolder(join(home, "uploads"), 0o700);
  await writeAtomically(pathOf(home, registry, packId), JSON.stringify(upload), { mode: 0o600 });
}

function pathOf(home: string, { origin }: RegistryAddress, packId: number): string {
  return join(home, "uploads", `${sha256(`${origin} ${packId}`, "hex").slice(0, 32)}.json`);
}
