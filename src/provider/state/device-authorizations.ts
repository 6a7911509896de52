import type { ProviderClient } from "../options.ts";
import { BoundedMap } from "./bounded-map.ts";
import type { Grant } from "./token-store.ts";

/** A device that waits until the user has entered its code in a browser (RFC 8628). */
export interface DeviceAuthorization {
  clientId: string;
  deviceCode: string;
  /** As shown to the user, such as `BCDF-GHJK`. */
  userCode: string;
  scopes: readonly string[];
  resources: readonly string[];
  expiresAtMs: number;
  /** How long the device must wait between two requests. */
  intervalSeconds: number;
  polledAtMs: number | undefined;
  decision: "pending" | "denied" | "used" | { grant: Grant };
}

/** A device's request on the consent page. */
export interface DeviceRequest {
  kind: "device";
  device: DeviceAuthorization;
  client: ProviderClient;
  scopes: readonly string[];
  resources: readonly string[];
  prompts: ReadonlySet<string>;
  loginHint: undefined;
}

export interface DeviceAuthorizations {
  issue(
    request: Pick<DeviceAuthorization, "clientId" | "scopes" | "resources">,
  ): DeviceAuthorization;
  /**
   * Finds a waiting device by the entered code. Case and punctuation do not matter (RFC 8628 §6.1).
   */
  findByUserCode(typed: string): DeviceAuthorization | undefined;
  findByDeviceCode(code: string): DeviceAuthorization | undefined;
  clear(): void;
}

export interface DeviceAuthorizationsOptions {
  now: () => number;
  random: (bytes: number) => Uint8Array;
  randomText: (bytes: number) => string;
  intervalSeconds: number;
}

/** Seconds (RFC 8628 §3.2). */
export const DEVICE_LIFETIME_SECONDS = 600;
const MAX_DEVICES = 1_000;
/**
 * RFC 8628 §6.1: only consonants, so that codes contain no words and no letters that look like
 * digits.
 */
const ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";

export function createDeviceAuthorizations({
  now,
  random,
  randomText,
  intervalSeconds,
}: DeviceAuthorizationsOptions): DeviceAuthorizations {
  const devices = new BoundedMap<string, DeviceAuthorization>(MAX_DEVICES);
  return {
    issue(request) {
      const letters = [...random(8)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
      const device: DeviceAuthorization = {
        ...request,
        deviceCode: randomText(32),
        userCode: `${letters.slice(0, 4)}-${letters.slice(4)}`,
        expiresAtMs: now() + DEVICE_LIFETIME_SECONDS * 1_000,
        intervalSeconds,
        polledAtMs: undefined,
        decision: "pending",
      };
      devices.set(device.deviceCode, device);
      return device;
    },
    findByUserCode(typed) {
      const wanted = letters(typed);
      return [...devices.values()].find(
        ({ userCode, decision, expiresAtMs }) =>
          letters(userCode) === wanted && decision === "pending" && expiresAtMs > now(),
      );
    },
    findByDeviceCode: (code) => devices.get(code),
    clear: () => devices.clear(),
  };
}

function letters(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
