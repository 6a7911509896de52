import { accessSync, constants, existsSync, readdirSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cacheFolder, findUp, homeDirectory } from "../shared/folders.ts";
import type { Finding } from "./examination.ts";
import type { Machine } from "./finding.ts";

const MIN_FREE_BYTES = 200_000_000;

/** Checks that the folders can be written, and that the disk has space. */
export function checkDisk({ env }: Machine): Finding[] {
  const findings = [
    ...checkFolder("The build cache", cacheFolder(env), "warning", "Builds are not cached. "),
    ...checkFolder("The accounts folder", homeDirectory(env), "problem", ""),
    ...checkFolder("The temporary folder", tmpdir(), "problem", ""),
  ];
  return findings.length > 0
    ? findings
    : [
        {
          check: "disk",
          status: "fine",
          message:
            "packsmith can write to the cache, the accounts folder and the temporary folder.",
        },
      ];
}

function checkFolder(
  name: string,
  path: string,
  status: Finding["status"],
  consequence: string,
): Finding[] {
  const nearest = nearestExisting(path);
  try {
    if (!statSync(nearest).isDirectory()) throw new Error("not a folder");
    accessSync(nearest, constants.W_OK | constants.X_OK);
  } catch {
    const message = `${name} cannot be written: ${nearest}.`;
    return [
      {
        check: "disk",
        status,
        message,
        hint: `${consequence}Change the permissions of the folder, or replace the file with a folder.`,
      },
    ];
  }
  const { bavail, bsize } = statfsSync(nearest);
  const free = bavail * bsize;
  if (free >= MIN_FREE_BYTES) return [];
  const message = `${name} is on a disk with ${Math.floor(free / 1_000_000)} MB left: ${nearest}.`;
  return [
    {
      check: "disk",
      status: "warning",
      message,
      hint: "Free some disk space. Otherwise, packsmith cannot write builds.",
    },
  ];
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** File systems and time servers may differ by less. */
const TOLERANCE_MS = 5 * 60_000;

/** Checks for files from the future: then the clock is slow, or was fast. Uses no time server. */
export function checkClock({ cwd, env, now }: Machine): Finding[] {
  const manifest = findUp(cwd, "package.json");
  const project =
    manifest === undefined
      ? []
      : [manifest, join(dirname(manifest), "node_modules", ".package-lock.json")];
  const latest = [...project, ...filesIn(homeDirectory(env))]
    .filter((path) => existsSync(path))
    .map((path) => ({ path, writtenAtMs: statSync(path).mtimeMs }))
    .sort((a, b) => b.writtenAtMs - a.writtenAtMs)[0];
  const aheadMs = latest === undefined ? 0 : latest.writtenAtMs - now();
  if (latest === undefined || aheadMs <= TOLERANCE_MS) {
    return [
      {
        check: "clock",
        status: "fine",
        message: `The clock of this machine shows ${new Date(now()).toISOString()}. No file has a later date.`,
      },
    ];
  }
  return [
    {
      check: "clock",
      status: "warning",
      message: `The clock is behind: ${latest.path} has a date that is ${Math.round(aheadMs / 60_000)} minutes in the future.`,
      hint: "Correct the clock of this machine. With a wrong clock, expired tokens seem valid, and servers reject signatures.",
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
