import open from "open";
import { type LaunchedServer, type LaunchFile, writeLaunchFile } from "../shared/launch-file.ts";
import { startInOwnTime } from "../shared/time.ts";

/** How long a browser launcher may take to report that it is missing, in milliseconds. */
const LAUNCH_WAIT_MS = 500;

const NOT_OPENED = "no browser could be opened; open the link yourself";

/**
 * Opens the user's browser with an argument list, never through a shell: a URL may contain shell
 * commands. A machine without a
 * browser is not an error, because the link was already printed.
 */
export async function openSystemBrowser(
  url: string,
  onProgress: (line: string) => void,
): Promise<void> {
  const { protocol } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:")
    throw new TypeError("packsmith opens only http and https links.");
  await openWithSystem(url, onProgress);
}

/**
 * Opens a server of this machine in the user's browser, with a file that only the user can read: see
 * `writeLaunchFile`.
 * @param home the folder of the vault
 * @returns the file, which the caller disposes of when the server ends
 */
export async function openLocalServer(
  home: string,
  server: LaunchedServer,
  onProgress: (line: string) => void,
): Promise<LaunchFile | undefined> {
  const file = await writeLaunchFile(home, server);
  if (file === undefined) onProgress(NOT_OPENED);
  else await openWithSystem(file.path, onProgress);
  return file;
}

async function openWithSystem(target: string, onProgress: (line: string) => void): Promise<void> {
  try {
    const launcher = await startInOwnTime(() => open(target));
    await new Promise<void>((resolve, reject) => {
      launcher.once("error", reject);
      const timer = setTimeout(resolve, LAUNCH_WAIT_MS);
      launcher.once("exit", (code) => {
        clearTimeout(timer);
        if (code === 0 || code === null) resolve();
        else reject(new Error(`the launcher ended with ${code}`));
      });
    });
    launcher.unref();
  } catch {
    onProgress(NOT_OPENED);
  }
}
