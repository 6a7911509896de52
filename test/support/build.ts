import { execSync } from "node:child_process";
import { hasChromium } from "./find-chromium.ts";

const root = new URL("../..", import.meta.url);

/** The sandbox worker, the authoring entry and the command line run from `dist`; a stale one would test yesterday's code. */
export default function build(): void {
  if (!hasChromium) process.stderr.write("browser tests are skipped: no Chromium was found; PACKSMITH_CHROMIUM names one\n");
  // It empties `dist` first: a file of a source that was renamed would stay.
  execSync("npm run build --silent", { cwd: root, stdio: "inherit" });
}
