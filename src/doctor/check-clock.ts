import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { homeDirectory } from "../accounts/vault-location.ts";
import { findUp } from "../shared/find-up.ts";
import type { Finding } from "./finding.ts";
import type { Surroundings } from "./surroundings.ts";

/** Less is what file systems and time servers disagree about. */
const TOLERANCE_MS = 5 * 60_000;

/** Whether files were written later than now: then the clock is behind, or was ahead. Nobody is asked for the time. */
export function checkClock({ cwd, env, now }: Surroundings): Finding[] {
  const manifest = findUp(cwd, "package.json");
  const project = manifest === undefined ? [] : [manifest, join(dirname(manifest), "node_modules", ".package-lock.json")];
  const latest = [...project, ...filesIn(homeDirectory(env))]
    .filter((path) => existsSync(path))
    .map((path) => ({ path, writtenAtMs: statSync(path).mtimeMs }))
    .sort((a, b) => b.writtenAtMs - a.writtenAtMs)[0];
  const aheadMs = latest === undefined ? 0 : latest.writtenAtMs - now();
  if (latest === undefined || aheadMs <= TOLERANCE_MS) {
    return [{ check: "clock", status: "fine", message: `The clock says ${new Date(now()).toISOString()}; no file is later.` }];
  }
  return [
    {
      check: "clock",
      status: "warning",
      message: `The clock is behind: ${latest.path} was written ${Math.round(aheadMs / 60_000)} minutes after now.`,
      hint: "Set the clock. With a wrong one, tokens seem valid after they have expired, and signatures are refused.",
    },
  ];
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
