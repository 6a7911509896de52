import { execSync } from "node:child_process";
import { currentBuild, recordBuild } from "../current-build.ts";
import { ROOT } from "./build-parts.ts";
import { reportMissing } from "./oracles.ts";

/** The e2e suite: the build of today's sources, because a stale one would test yesterday's code. */
export default function prepare(): void {
  reportMissing("e2e");
  if (currentBuild(ROOT) === undefined) return;
  // It empties `dist` first: a file of a source that was renamed would stay.
  execSync("npm run build --silent", { cwd: ROOT, stdio: "inherit" });
  recordBuild(ROOT);
}
