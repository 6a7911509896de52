import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "./folders.ts";
import type { LinkOptions } from "./launch-keys.ts";

/** How long a browser may take to start and to open the file. */
const LAUNCH_MS = 30_000;

export interface LaunchFile extends Disposable {
  /** An HTML file that only this user can read. Its link works once. */
  readonly path: string;
}

/** A local server that a browser opens with a link. */
export interface LaunchedServer {
  createLink(options?: LinkOptions): string;
}

/**
 * Writes a page that leads to the server, for a browser to open. The arguments of a browser can be
 * read by all users of the machine, so they have the name of this file and not the link. The file
 * is removed when its link was used or is too old.
 * @param home the folder of the vault
 * @returns undefined if the file cannot be written
 */
export async function writeLaunchFile(
  home: string,
  server: LaunchedServer,
): Promise<LaunchFile | undefined> {
  const folder = join(home, "links");
  const path = join(folder, `open-${randomBytes(8).toString("hex")}.html`);
  const remove = () => {
    clearTimeout(timer);
    rmSync(path, { force: true });
  };
  const timer = setTimeout(remove, LAUNCH_MS);
  timer.unref();
  const url = server.createLink({ lifetimeMs: LAUNCH_MS, onUse: remove });
  try {
    makeFolder(folder, 0o700);
    await writeFile(path, pageFor(url), { mode: 0o600, flag: "wx" });
    return { path, [Symbol.dispose]: remove };
  } catch {
    remove();
    return undefined;
  }
}

function pageFor(url: string): string {
  const address = url.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>packsmith</title>' +
    `<meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${address}">` +
    "</head><body></body></html>\n"
  );
}
