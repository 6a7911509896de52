import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { hasChromium } from "../support/chromium.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

// It clicks through the page by its texts.
it.runIf(hasChromium)("npm run screenshots takes a picture of each view", async () => {
  using folder = makeTemporaryFolder();
  const script = join(root, ".ci/screenshots.mjs");
  await run(process.execPath, [script, "--out", folder.path, "--registry-port", "0"]);
  expect(readdirSync(folder.path)).toEqual(readdirSync(join(root, "docs/images")));
});
