import { rmSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { AccountSlot } from "../../accounts/account-summary.ts";
import { PackError } from "../../errors.ts";
import { writeAtomically } from "../../shared/atomic-write.ts";
import { sha256 } from "../../shared/crypto.ts";
import { makeFolder } from "../../shared/folders.ts";
import type { LocalConnection } from "./rehearsal.ts";

/** Which Pack a rehearsal is for, and whose it is. */
export interface RehearsedPack {
  file: string;
  cwd: string;
  /** The folder of the vault, which is never in a project. */
  home: string;
}

interface RunningRehearsal {
  pid: number;
  connection: LocalConnection;
}

/**
 * Records how to reach the rehearsal that this process runs, for other commands of the same user:
 * in a file that only the user can read.
 * @returns a function that removes the file
 */
export async function noteRehearsal(
  pack: RehearsedPack,
  connection: LocalConnection,
): Promise<() => void> {
  makeFolder(join(pack.home, "local"), 0o700);
  const path = await getPath(pack);
  const running: RunningRehearsal = { pid: process.pid, connection };
  await writeAtomically(path, JSON.stringify(running), { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/**
 * How to reach the rehearsal that another command runs for a Pack.
 * @param slot the kind of account that is wanted. @default the one that it was started for
 * @throws {PackError} PROVIDER_NOT_RUNNING
 */
export async function findRehearsal(
  pack: RehearsedPack,
  slot?: AccountSlot | undefined,
): Promise<LocalConnection> {
  const running = await readFile(await getPath(pack), "utf8")
    .then((text) => JSON.parse(text) as RunningRehearsal)
    .catch(() => undefined);
  const isFitting =
    running !== undefined &&
    isAlive(running.pid) &&
    (slot === undefined || slot === running.connection.slot);
  if (isFitting) return running.connection;
  throw new PackError(
    "PROVIDER_NOT_RUNNING",
    `No local provider is running for ${pack.file}${slot === undefined ? "" : ` and its ${slot.replace(":", " ")} account`}.`,
    {
      details: { file: pack.file },
      hint: `Run packsmith provider --for ${pack.file}${slotOption(slot)} in another terminal.`,
    },
  );
}

function slotOption(slot: AccountSlot | undefined): string {
  if (slot === undefined || slot === "user") return "";
  return slot === "system" ? " --system" : ` --admin ${slot.slice("admin:".length)}`;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function getPath({ file, cwd, home }: RehearsedPack): Promise<string> {
  const path = resolve(cwd, file);
  const real = await realpath(path).catch(() => path);
  return join(home, "local", `${sha256(real, "hex").slice(0, 24)}.json`);
}
