import { resolve } from "node:path";
import type { Authentication } from "../define/authentication.ts";
import { PackError } from "../errors.ts";
import { openPack } from "../execute/open-pack.ts";
import { replaceFile } from "../shared/atomic-write.ts";
import { readRegularText } from "../shared/files.ts";
import { layOut } from "./openapi/code-document.ts";
import { authenticationCode } from "./openapi/write-pack.ts";
import type { WrittenAuthentication } from "./written-authentication.ts";

/** A member that differs between a Pack and the server's metadata. */
export interface Difference {
  member: string;
  present: unknown;
  discovered: unknown;
}

/** The TypeScript call that declares an authentication. */
export function authenticationText(definition: Authentication): string {
  return layOut(authenticationCode({ ...definition }));
}

/**
 * Adds `setUserAuthentication` to a Pack that has none, after its network domains.
 *
 * @throws {PackError} AUTHENTICATION_PRESENT, PACK_EXPORT_MISSING, OUTPUT_NOT_WRITABLE, and the
 *   errors of loading the Pack
 */
export async function writeAuthentication(
  file: string,
  definition: Authentication,
  cwd: string,
): Promise<WrittenAuthentication> {
  const path = resolve(cwd, file);
  await using pack = await openPack(file, { cwd });
  const text = await readRegularText(path);
  const present = pack.definition.defaultAuthentication;
  const { addAuthentication, lineOfAuthentication } = await import(
    "../validate/authentication-edit.ts"
  );
  if (present !== undefined)
    throw presentError(
      file,
      lineOfAuthentication({ path, text }),
      listDifferences(present, definition),
    );
  const changed = addAuthentication({ path, text }, authenticationText(definition));
  if (changed === undefined) throw noPlaceError(file);
  if (!(await replaceFile(path, text, changed.text))) throw notWrittenError(file, path);
  return { file: path, line: changed.line, hasDomains: pack.definition.networkDomains.length > 0 };
}

function listDifferences(present: Authentication, discovered: Authentication): Difference[] {
  const [before, after] = [
    { ...present } as Record<string, unknown>,
    { ...discovered } as Record<string, unknown>,
  ];
  // Members that the server does not know, such as a label, belong to the author.
  return Object.keys(after)
    .filter((member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]))
    .map((member) => ({ member, present: before[member], discovered: after[member] }));
}

function presentError(
  file: string,
  line: number,
  differences: readonly Difference[],
): PackError<"AUTHENTICATION_PRESENT"> {
  const members = differences.map(({ member }) => member).join(", ");
  const difference =
    members === ""
      ? "The authentication in the Pack matches the server's metadata."
      : `The authentication in the Pack differs in ${members}.`;
  return new PackError(
    "AUTHENTICATION_PRESENT",
    `${file} already has user authentication in line ${line}. ${difference}`,
    {
      details: { file, line, differences },
      hint:
        members === ""
          ? "You do not need to change this authentication."
          : "Compare the authentication in the Pack with the printed code, and edit the Pack.",
    },
  );
}

function noPlaceError(file: string): PackError<"PACK_EXPORT_MISSING"> {
  return new PackError(
    "PACK_EXPORT_MISSING",
    `${file} has no statement such as export const pack = newPack(), so packsmith cannot add the authentication.`,
    {
      details: { exports: [] },
      hint: "Copy the printed code into the Pack.",
    },
  );
}

function notWrittenError(file: string, path: string): PackError<"OUTPUT_NOT_WRITABLE"> {
  return new PackError(
    "OUTPUT_NOT_WRITABLE",
    `${file} changed while the command was running, or belongs to an installed package.`,
    {
      details: { path },
      hint: "Nothing was written. Run the command again.",
    },
  );
}
