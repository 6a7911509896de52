import { isAbsolute } from "node:path";
import open from "open";
import { startInOwnTime } from "../shared/time.ts";

/** How long a browser launcher may take to report that it is missing, in milliseconds. */
const LAUNCH_WAIT_MS = 500;

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
    throw new TypeError("Only http and https links are opened.");
  await openWithSystem(url, onProgress);
}

/**
 * Opens an HTML file of packsmith in the user's browser, as `openSystemBrowser` opens a URL.
 * @param path absolute path
 */
export async function openFileInBrowser(
  path: string,
  onProgress: (line: string) => void,
): Promise<void> {
  if (!isAbsolute(path) || !path.endsWith(".html"))
    throw new TypeError("Only absolute paths of HTML files are opened.");
  await openWithSystem(path, onProgress);
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
    onProgress("no browser could be opened; open the link yourself");
  }
}
