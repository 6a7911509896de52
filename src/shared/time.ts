import { countText } from "./count-text.ts";

/**
 * The clock for durations: it only goes forward. The first use of `performance` would load ten
 * files of Node.
 * @returns milliseconds since this process started, with fractions
 */
export function uptimeMs(): number {
  return process.uptime() * 1000;
}

/** A limit as messages name it: `1 second`, `30 seconds`, `0.5 seconds`. */
export function formatSeconds(ms: number): string {
  const seconds = Math.round(ms / 100) / 10;
  return countText(seconds, "second");
}

/**
 * A signal that aborts after a time, in milliseconds, or when another signal does.
 * @param signal undefined: only the time counts
 */
export function limitedSignal(limitMs: number, signal: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(limitMs);
  if (signal === undefined) return limit;
  // Node 20 drops a time limit that only AbortSignal.any refers to, as soon as it collects garbage.
  // A listener keeps it.
  limit.addEventListener("abort", () => {}, { once: true });
  return AbortSignal.any([limit, signal]);
}

/** Whether this machine knows the time zone, such as `Europe/Berlin`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The user's own time zone, once it is put aside. */
let own: { zone: string | undefined } | undefined;

/**
 * Makes the local time of this process that of a server, UTC, before a sandbox starts: what a Pack
 * finds as local time does not
 * depend on where its author sits.
 */
export function useServerTime(): void {
  if (process.env["TZ"] === "UTC") return;
  own = { zone: process.env["TZ"] };
  setZone("UTC");
}

/**
 * Starts a program that goes on as the user's own, such as a browser, which would show the time of
 * a server in every page.
 */
export async function startInOwnTime<Result>(start: () => Promise<Result>): Promise<Result> {
  if (own === undefined) return await start();
  setZone(own.zone);
  try {
    return await start();
  } finally {
    setZone("UTC");
  }
}

function setZone(zone: string | undefined): void {
  if (zone === undefined) delete process.env["TZ"];
  else process.env["TZ"] = zone;
}
