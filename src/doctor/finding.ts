import type { AnyPackError } from "../errors.ts";
import { isPackError } from "../errors.ts";

/** What was found of one part of the surroundings. Never holds a secret. */
export interface Finding {
  /** Which part: a word that stays. */
  check: CheckName;
  /** `problem`: packsmith does not work like this. `warning`: something will surprise. `note`: good to know. */
  status: "fine" | "note" | "warning" | "problem";
  message: string;
  /** The one thing to do; only where there is something to do. */
  hint?: string | undefined;
}

export type CheckName =
  | "node"
  | "packages"
  | "typescript"
  | "native"
  | "loopback"
  | "ports"
  | "proxy"
  | "browser"
  | "vault"
  | "keychain"
  | "disk"
  | "clock";

/** An error that the work itself would end with. */
export function problemOf(check: CheckName, error: unknown): Finding {
  if (!isPackError(error)) return { check, status: "problem", message: sentence(error instanceof Error ? error.message : String(error)) };
  const { message, hint } = error as AnyPackError;
  return { check, status: "problem", message, hint };
}

/** The first line alone: the others name files of the installation. */
function sentence(text: string): string {
  const line = text.split("\n")[0] ?? "";
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
