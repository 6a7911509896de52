import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { hasChromium } from "./find-chromium.ts";

const root = new URL("../..", import.meta.url);

/** The sandbox worker, the authoring entry and the command line run from `dist`; a stale one would test yesterday's code. */
export default function build(): void {
  if (!hasChromium) process.stderr.write("browser tests are skipped: no Chromium was found; PACKSMITH_CHROMIUM names one\n");
  const tsc = fileURLToPath(new URL("node_modules/typescript/bin/tsc", root));
  execFileSync(process.execPath, [tsc, "-p", "tsconfig.json"], { cwd: root, stdio: "inherit" });
  for (const step of ["bundle-cli", "bundle-authoring", "bundle-web", "bundle-packages", "list-unreached"])
    execFileSync(process.execPath, [`.ci/${step}.mjs`], { cwd: root, stdio: "inherit" });
}
