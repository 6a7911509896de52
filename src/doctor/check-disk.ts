import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { homeDirectory } from "../accounts/vault-location.ts";
import { findUp } from "../shared/find-up.ts";
import type { Finding } from "./finding.ts";
import type { Surroundings } from "./surroundings.ts";

const MIN_FREE_BYTES = 200_000_000;

/** Whether the folders that are written to can be, and whether there is room. */
export function checkDisk({ cwd, env }: Surroundings): Finding[] {
  const manifest = findUp(cwd, "package.json");
  const cache = manifest === undefined ? [] : [join(dirname(manifest), "node_modules", ".cache", "packsmith")];
  const findings = [
    ...cache.flatMap((path) => checkFolder("The cache of builds", path, "warning", "Nothing is kept between builds. ")),
    ...checkFolder("The folder of accounts", homeDirectory(env), "problem", ""),
    ...checkFolder("The temporary folder", tmpdir(), "problem", ""),
  ];
  return findings.length > 0
    ? findings
    : [{ check: "disk", status: "fine", message: "Cache, accounts and temporary folder can be written." }];
}

function checkFolder(name: string, path: string, status: Finding["status"], consequence: string): Finding[] {
  const nearest = nearestExisting(path);
  try {
    if (!statSync(nearest).isDirectory()) throw new Error("not a folder");
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch {
    const message = `${name} cannot be written: ${nearest}.`;
    return [{ check: "disk", status, message, hint: `${consequence}Make it a folder of your own.` }];
  }
  const { bavail, bsize } = statfsSync(nearest);
  const free = bavail * bsize;
  if (free >= MIN_FREE_BYTES) return [];
  const message = `${name} is on a disk with ${Math.floor(free / 1_000_000)} MB left: ${nearest}.`;
  return [{ check: "disk", status: "warning", message, hint: "Make room: a build that cannot be written whole is not written." }];
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}
