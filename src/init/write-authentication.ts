import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Authentication } from "../define/authentication.ts";
import { PackError } from "../errors.ts";
import { loadPack } from "../load/load-pack.ts";
import { replaceFile } from "../shared/atomic-write.ts";
import { layOut } from "./openapi/code-document.ts";
import { authenticationCode } from "./openapi/write-pack.ts";

/** A member that a Pack has otherwise than the server says. */
export interface Difference {
  member: string;
  present: unknown;
  discovered: unknown;
}

/** What became of a file. */
export interface WrittenAuthentication {
  /** Absolute path. */
  file: string;
  /** The first line of what was written. Counts from 1. */
  line: number;
  /** Whether the Pack declares a network domain. */
  hasDomains: boolean;
}

/** @returns the call that declares an authentication, as TypeScript. */
export function authenticationText(definition: Authentication): string {
  return layOut(authenticationCode({ ...definition }));
}

/**
 * Adds `setUserAuthentication` to a Pack that has none, after its network domains.
 * @throws {PackError} AUTHENTICATION_PRESENT, PACK_EXPORT_MISSING, OUTPUT_NOT_WRITABLE, and what keeps the Pack from being loaded
 */
export async function writeAuthentication(file: string, definition: Authentication, cwd: string): Promise<WrittenAuthentication> {
  const path = resolve(cwd, file);
  await using pack = await loadPack(file, { cwd });
  const text = await readFile(path, "utf8");
  const present = pack.definition.defaultAuthentication;
  const { addAuthentication, lineOfAuthentication } = await import("../validate/authentication-edit.ts");
  if (present !== undefined) throw presentError(file, lineOfAuthentication({ path, text }), differencesOf(present, definition));
  const changed = addAuthentication({ path, text }, authenticationText(definition));
  if (changed === undefined) throw unplaced(file);
  if (!(await replaceFile(path, text, changed.text))) throw unwritten(file, path);
  return { file: path, line: changed.line, hasDomains: pack.definition.networkDomains.length > 0 };
}

function differencesOf(present: Authentication, discovered: Authentication): Difference[] {
  const [before, after] = [{ ...present } as Record<string, unknown>, { ...discovered } as Record<string, unknown>];
  // What the server does not know of, such as a label, is the author's.
  return Object.keys(after)
    .filter((member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]))
    .map((member) => ({ member, present: before[member], discovered: after[member] }));
}

function presentError(file: string, line: number, differences: readonly Difference[]): PackError<"AUTHENTICATION_PRESENT"> {
  const members = differences.map(({ member }) => member).join(", ");
  const what = members === "" ? "it says what the server says" : `it differs in ${members}`;
  return new PackError("AUTHENTICATION_PRESENT", `${file} has user authentication already, in line ${line}; ${what}.`, {
    details: { file, line, differences },
    hint: members === "" ? "There is nothing to change." : "Compare the two, and change what you want to change.",
  });
}

function unplaced(file: string): PackError<"PACK_EXPORT_MISSING"> {
  return new PackError(
    "PACK_EXPORT_MISSING",
    `${file} has no statement such as export const pack = newPack() to which it could be added.`,
    {
      details: { exports: [] },
      hint: "Copy what is printed above into the Pack.",
    },
  );
}

function unwritten(file: string, path: string): PackError<"OUTPUT_NOT_WRITABLE"> {
  return new PackError("OUTPUT_NOT_WRITABLE", `${file} was changed meanwhile, or belongs to an installed package.`, {
    details: { path },
    hint: "Run the command again; nothing was written.",
  });
}
