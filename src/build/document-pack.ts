import { basename, resolve } from "node:path";
import { createBuildRecord } from "../bundle/build-record.ts";
import { packReference } from "../compare/pack-reference.ts";
import { PackError } from "../errors.ts";
import { openValidPack } from "../execute/open-pack.ts";
import { writeAtomically } from "../shared/atomic-write.ts";
import { notWritable } from "../shared/failures.ts";
import { readRegularText } from "../shared/files.ts";
import { requireInProject } from "../shared/project-boundary.ts";

export interface DocumentPackOptions {
  cwd: string;
  /** Path of the page. @default "PACK.md" */
  out?: string | undefined;
  /** Only checks whether the page is up to date. @default false */
  check?: boolean | undefined;
}

/**
 * Writes the reference page of a Pack, or checks that it is up to date.
 * @returns the absolute path of the page
 * @throws {PackError} DOCS_STALE, OUTSIDE_PROJECT, OUTPUT_NOT_WRITABLE, and those of building and
 *   loading a Pack
 */
export async function documentPack(
  file: string,
  { cwd, out = "PACK.md", check = false }: DocumentPackOptions,
): Promise<string> {
  await using pack = await openValidPack(file, { cwd });
  const text = packReference(createBuildRecord(pack.bundle, pack.compiled));
  const path = resolve(cwd, out);
  requireInProject(path);
  if (check) {
    const current = await readRegularText(path).catch(() => undefined);
    // Git may have changed the line ends.
    if (current?.replaceAll("\r\n", "\n") === text) return path;
    throw new PackError(
      "DOCS_STALE",
      current === undefined
        ? `${basename(path)} does not exist.`
        : `${basename(path)} is out of date: the definition of the Pack has changed.`,
      {
        details: { path },
        hint: `Run packsmith docs ${file}${out === "PACK.md" ? "" : ` -o ${out}`}, and commit the page.`,
      },
    );
  }
  try {
    await writeAtomically(path, text);
  } catch (cause) {
    throw notWritable(
      "The page",
      path,
      "Check the folder's permissions, or choose another file with -o.",
      cause,
    );
  }
  return path;
}
