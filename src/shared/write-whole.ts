import { randomBytes } from "node:crypto";
import { rename, rm, writeFile } from "node:fs/promises";

/** Writes under a temporary name, then renames: nobody ever sees half a file, and a failure leaves what was there. */
export async function writeWhole(path: string, content: string | Uint8Array, { mode }: { mode?: number | undefined } = {}): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(temporary, content, { flag: "wx", ...(mode === undefined ? {} : { mode }) });
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}
