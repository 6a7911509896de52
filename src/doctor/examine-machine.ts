import { uptimeMs } from "../shared/uptime.ts";
import { checkBrowser } from "./check-browser.ts";
import { checkClock } from "./check-clock.ts";
import { checkDisk } from "./check-disk.ts";
import { checkKeychain } from "./check-keychain.ts";
import { checkLoopback } from "./check-loopback.ts";
import { checkNative } from "./check-native.ts";
import { checkNode } from "./check-node.ts";
import { checkPackages } from "./check-packages.ts";
import { checkPorts } from "./check-ports.ts";
import { checkProxy } from "./check-proxy.ts";
import { checkTypeScript } from "./check-typescript.ts";
import { checkVault } from "./check-vault.ts";
import { type CheckName, type Finding, problemOf } from "./finding.ts";
import type { Surroundings } from "./surroundings.ts";

export interface ExamineOptions {
  /** A folder of the project. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Ports to look at beside that of `packsmith dev`. @default none */
  ports?: readonly number[] | undefined;
  /** @default process.platform */
  platform?: NodeJS.Platform | undefined;
  /** @default that of this process */
  nodeVersion?: string | undefined;
  /** @default Date.now */
  now?: (() => number) | undefined;
}

export interface Examination {
  findings: Finding[];
  /** Whether nothing stops the work. */
  ok: boolean;
  durationMs: number;
}

/** All checks run at once, so that the slowest one decides. */
const TIMEOUT_MS = 900;

const CHECKS: Readonly<Record<CheckName, (surroundings: Surroundings) => Finding[] | Promise<Finding[]>>> = {
  node: checkNode,
  packages: checkPackages,
  typescript: checkTypeScript,
  native: checkNative,
  loopback: checkLoopback,
  ports: checkPorts,
  proxy: checkProxy,
  browser: checkBrowser,
  vault: checkVault,
  keychain: checkKeychain,
  disk: checkDisk,
  clock: checkClock,
};

/**
 * Looks at what packsmith needs of this machine and of the project. Asks nobody outside this machine (only whether the server of
 * `DATABASE_URL` answers), creates no vault, and never throws: a check that fails is a finding.
 */
export async function examineMachine(options: ExamineOptions): Promise<Examination> {
  const started = uptimeMs();
  const surroundings: Surroundings = {
    cwd: options.cwd,
    env: options.env,
    ports: options.ports ?? [],
    platform: options.platform ?? process.platform,
    nodeVersion: options.nodeVersion ?? process.versions.node,
    now: options.now ?? Date.now,
    timeoutMs: TIMEOUT_MS,
  };
  const found = await Promise.all(
    (Object.keys(CHECKS) as CheckName[]).map(async (name) => {
      try {
        return await CHECKS[name](surroundings);
      } catch (error) {
        return [problemOf(name, error)];
      }
    }),
  );
  const findings = found.flat();
  return {
    findings,
    ok: findings.every(({ status }) => status !== "problem"),
    durationMs: Math.round(uptimeMs() - started),
  };
}
