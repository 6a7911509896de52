import { findPackName } from "../bundle/pack-name.ts";
import { packNames } from "../bundle/pack-names.ts";
import { PackError } from "../errors.ts";

/**
 * The error for Packs that would be written to the same folder.
 * @param files absolute paths of the entry files; the first one is the file to report
 */
export function nameConflict(
  name: string,
  files: readonly [file: string, ...others: string[]],
): PackError {
  const lost = files.length === 2 ? "the other" : "the others";
  return new PackError(
    "PACK_NAME_CONFLICT",
    `${listFiles(files)} have the same name "${name}", so one output would overwrite ${lost}.`,
    { details: { name, files }, hint: howToRename(files) },
  );
}

/**
 * The error for a folder that contains the build of a Pack that still exists, but is not a part of
 * this command.
 * @param directory the folder
 * @param parties the name, and absolute paths of the Pack that is built and of the one before
 */
export function outputConflict(
  directory: string,
  { name, entry, other }: Readonly<Record<"name" | "entry" | "other", string>>,
): PackError {
  const names = new Set(packNames([entry, other]).values());
  const together =
    names.size === 1
      ? ""
      : `build both Packs in one command, which names them ${[...names].sort().join(" and ")}, or `;
  return new PackError(
    "PACK_NAME_CONFLICT",
    `${entry} and ${other} have the same name "${name}", and ${directory} contains the build of ${other}.`,
    {
      details: { name, files: [entry, other] },
      hint: `${howToRename([entry, other])} You can also ${together}choose another folder with --out-dir.`,
    },
  );
}

/** More than these are counted. */
const SHOWN_FILES = 5;

function listFiles(files: readonly string[]): string {
  const shown = files.length > SHOWN_FILES ? files.slice(0, SHOWN_FILES - 1) : files;
  const rest = files.length - shown.length;
  const parts = rest === 0 ? shown : [...shown, `${rest} other Packs`];
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** How the first of some Packs gets another name than the others. */
function howToRename([entry, ...others]: readonly [string, ...string[]]): string {
  const { givenBy, folder } = findPackName(entry);
  const source = givenBy ?? folder;
  const isShared = others.some((other) => {
    const found = findPackName(other);
    return (found.givenBy ?? found.folder) === source;
  });
  if (source === undefined || isShared) return `Rename the file ${entry}.`;
  return source === givenBy
    ? `Change the name in ${givenBy}.`
    : `Rename the folder ${folder}, or set "name" in a package.json or .coda-pack.json in this folder.`;
}
