import { execSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { currentBuild, recordBuild } from "./current-build.ts";
import { hasChromium } from "./find-chromium.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * The sandbox, the authoring entry and the command line run from `dist`: a stale one would test
 * yesterday's code.
 */
export default function prepare(): () => void {
  if (!hasChromium)
    process.stderr.write(
      "browser tests are skipped: no Chromium was found; PACKSMITH_CHROMIUM names one\n",
    );
  if (currentBuild(root) !== undefined) {
    // It empties `dist` first: a file of a source that was renamed would stay.
    execSync("npm run build --silent", { cwd: root, stdio: "inherit" });
    recordBuild(root);
  }
  // Commands of the tests must neither read nor fill the cache of the user.
  const cache = mkdtempSync(join(tmpdir(), "packsmith-cache-"));
  process.env["PACKSMITH_CACHE"] = cache;
  return () => rmSync(cache, { recursive: true, force: true });
}
