import { randomBytes } from "node:crypto";
import { sameSecret } from "./crypto.ts";
import { uptimeMs } from "./time.ts";

export interface LinkOptions {
  /** How long the link works. @default as long as the server runs */
  lifetimeMs?: number | undefined;
  /** Called when the link was used. */
  onUse?: (() => void) | undefined;
}

/** Keys in links to a local server. Who opens a link first may use the server. */
export interface LaunchKeys {
  create(options?: LinkOptions): string;
  /** Whether a link with this key would open the server. */
  isUnused(key: string): boolean;
  /** Whether a link opens the server. It does so once. */
  use(key: string): boolean;
  /** Whether a key was used, or is too old. */
  wasCreated(key: string): boolean;
}

interface Launch {
  key: string;
  endMs: number;
  isUsed: boolean;
  onUse: () => void;
}

export function createLaunchKeys(random: (bytes: number) => Buffer = randomBytes): LaunchKeys {
  const launches: Launch[] = [];
  const find = (key: string): Launch | undefined =>
    launches.find((launch) => sameSecret(key, launch.key));
  const isUnused = (launch: Launch | undefined): launch is Launch =>
    launch !== undefined && !launch.isUsed && uptimeMs() < launch.endMs;
  return {
    create({ lifetimeMs = Number.POSITIVE_INFINITY, onUse = () => {} } = {}) {
      const key = random(16).toString("base64url");
      launches.push({ key, endMs: uptimeMs() + lifetimeMs, isUsed: false, onUse });
      return key;
    },
    isUnused: (key) => isUnused(find(key)),
    wasCreated: (key) => find(key) !== undefined,
    use(key) {
      const launch = find(key);
      if (!isUnused(launch)) return false;
      launch.isUsed = true;
      launch.onUse();
      return true;
    },
  };
}
