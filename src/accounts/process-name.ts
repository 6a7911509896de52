import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, networkInterfaces } from "node:os";
import { sha256 } from "../shared/crypto.ts";

/**
 * A name for this process that other processes can check: which machine it runs on, and under which
 * number.
 */
export function createProcessName(): string {
  return `${placeName()}:${process.pid}:${randomUUID()}`;
}

/**
 * Whether a process ran on this machine and no longer does. False for a process of another machine.
 */
export function hasEnded(name: string): boolean {
  const [place, pid] = name.split(":");
  if (place !== placeName() || !/^\d+$/.test(pid ?? "")) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // EPERM: it runs as another user.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

let known: string | undefined;

/**
 * Names the machine since it was started, and the container: process numbers mean nothing outside
 * of them. Network addresses tell
 * machines of the same name apart. If they change, a process that has ended is taken for one of
 * another machine, which is safe.
 */
function placeName(): string {
  known ??= sha256(JSON.stringify([hostname(), bootId() ?? hardwareAddresses()]), "hex").slice(
    0,
    16,
  );
  return known;
}

/** Of Linux: the start of the kernel, and the container's own process numbers. */
function bootId(): string | undefined {
  try {
    return (
      readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim() +
      readlinkSync("/proc/self/ns/pid")
    );
  } catch {
    return undefined;
  }
}

function hardwareAddresses(): string[] {
  return [
    ...new Set(
      Object.values(networkInterfaces()).flatMap((addresses = []) =>
        addresses.map(({ mac }) => mac),
      ),
    ),
  ].toSorted();
}
