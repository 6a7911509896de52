import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

let known: { folder: string | undefined } | undefined;

/**
 * @codahq/packs-sdk, installed with a Node that it supports. `PACKSMITH_BENCH_PEERS` names a folder
 * that has them already.
 * @returns undefined when they cannot be installed
 */
export function installedPeers(work: string): string | undefined {
  known ??= { folder: install(join(work, "peers")) };
  return known.folder;
}

function install(folder: string): string | undefined {
  mkdirSync(folder, { recursive: true });
  const given = process.env["PACKSMITH_BENCH_PEERS"];
  if (given !== undefined) {
    symlinkSync(join(given, "node_modules"), join(folder, "node_modules"), "junction");
  } else {
    writeFileSync(join(folder, "package.json"), "{}");
    const packages = ["@codahq/packs-sdk", "node@24"];
    try {
      execFileSync(
        "npm",
        ["install", "--prefix", folder, "--no-audit", "--no-fund", "--prefer-offline", ...packages],
        {
          stdio: "ignore",
          timeout: 600_000,
        },
      );
    } catch {
      return undefined;
    }
  }
  return existsSync(join(folder, "node_modules/@codahq/packs-sdk/package.json"))
    ? folder
    : undefined;
}
