import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./build-parts.ts";
import { reportMissing } from "./oracles.ts";

/** The e2e suite: the build of today's sources, because a stale one would test yesterday's code. */
export default function prepare(): void {
  reportMissing("e2e");
  execFileSync(process.execPath, [join(ROOT, ".ci/build.mjs"), "--if-changed"], {
    stdio: "inherit",
  });
}
