import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "../../../shared/atomic-write.ts";
import { makeFolder } from "../../../shared/folders.ts";
import { canParseUrl } from "../../../shared/urls.ts";

/**
 * Keeps the control URL of a service, which has its key, for other programs of the same user: in a
 * file that only the user can read.
 * @param home the user's configuration folder
 * @returns a function that removes the file
 */
export async function keepControlUrl(home: string, controlUrl: string): Promise<() => void> {
  const folder = join(home, "services");
  makeFolder(folder, 0o700);
  const path = join(folder, new URL(controlUrl).port);
  await writeAtomically(path, `${controlUrl}\n`, { mode: 0o600 });
  return () => rmSync(path, { force: true });
}

/** @returns the control URL of the service at this origin; undefined when none was kept */
export function findControlUrl(home: string, origin: string): string | undefined {
  try {
    const text = readFileSync(join(home, "services", new URL(origin).port), "utf8").trim();
    return canParseUrl(text) && new URL(text).port === new URL(origin).port ? text : undefined;
  } catch {
    return undefined;
  }
}
