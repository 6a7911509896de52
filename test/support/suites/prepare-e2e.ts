import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { ROOT } from "./build-parts.ts";
import { reportMissing } from "./oracles.ts";

/**
 * The suites e2e and long: the build of today's sources, because a stale one would test yesterday's
 * code.
 */
export default function prepare({ name }: TestProject): void {
  reportMissing(name === "long" ? "long" : "e2e");
  execFileSync(process.execPath, [join(ROOT, ".ci/build.mjs"), "--if-changed"], {
    stdio: "inherit",
  });
}
