import { uptimeMs } from "../shared/time.ts";
import { checkKeychain, checkVault } from "./check-accounts.ts";
import { checkClock, checkDisk } from "./check-files.ts";
import { checkNative, checkNode, checkPackages, checkTypeScript } from "./check-installation.ts";
import { checkBrowser, checkLoopback, checkPorts, checkProxy } from "./check-network.ts";
import { checkSandbox } from "./check-sandbox.ts";
import type { CheckName, Examination, Finding } from "./examination.ts";
import { createProblem, type Machine } from "./finding.ts";

export interface ExamineOptions {
  /** A folder of the project. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Ports to check, in addition to the port of `packsmith dev`. @default none */
  ports?: readonly number[] | undefined;
  /** @default process.platform */
  platform?: NodeJS.Platform | undefined;
  /** @default the version of this process */
  nodeVersion?: string | undefined;
  /** @default Date.now */
  now?: (() => number) | undefined;
}

/** The limit of a check that waits for another program. The checks run in parallel. */
const TIMEOUT_MS = 900;

const CHECKS: Readonly<Record<CheckName, (machine: Machine) => Finding[] | Promise<Finding[]>>> = {
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
  sandbox: checkSandbox,
};

/**
 * Checks this machine and the project for problems with packsmith. Contacts no other machine,
 * except the server of `DATABASE_URL`.
 * Creates no vault, and never throws: a check that fails is a finding.
 */
export async function examineMachine(options: ExamineOptions): Promise<Examination> {
  const started = uptimeMs();
  const machine: Machine = {
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
        return await CHECKS[name](machine);
      } catch (error) {
        return [createProblem(name, error)];
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
