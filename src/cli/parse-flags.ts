import { TIMER_STRATEGIES, type TimerStrategy } from "../bundle/timer-strategy.ts";
import { parseEndpoint } from "../define/hosts.ts";
import { usageError } from "../errors.ts";
import type { LoginDemand } from "../oauth/challenge.ts";
import { canParseUrl } from "../shared/urls.ts";

/** How and where a user connects an account. */
export interface ConnectionFlags {
  port: string;
  ports?: string;
  redirectHost: string;
  timeout: string;
  requestTimeout: string;
  browser?: string | false;
  endpoint?: string;
  device?: boolean;
  manual?: boolean;
  headless?: boolean;
}

/**
 * Turns the text of the connect options into numbers and choices.
 * @throws {PackError} USAGE_INVALID, ENDPOINT_INVALID
 */
export function parseConnectFlags(flags: ConnectionFlags): {
  port: number;
  ports: number[] | undefined;
  redirectHost: "127.0.0.1" | "localhost";
  timeoutMs: number;
  requestTimeoutMs: number;
} {
  if (flags.redirectHost !== "127.0.0.1" && flags.redirectHost !== "localhost") {
    throw usageError(
      `The redirect host "${flags.redirectHost}" is not on this machine.`,
      "Use 127.0.0.1 or localhost.",
    );
  }
  if (typeof flags.browser === "string" && flags.browser !== "system")
    throw usageError(
      `--browser cannot have the value "${flags.browser}".`,
      "Use --browser system, or --no-browser.",
    );
  const ways = (["device", "manual", "headless"] as const).filter((way) => flags[way] === true);
  if (ways.length > 1)
    throw usageError(
      `--${ways[0]} and --${ways[1]} cannot be used together.`,
      "Remove one of the two options.",
    );
  // A flow may use the endpoint late, or never.
  if (flags.endpoint !== undefined) parseEndpoint(flags.endpoint.trim());
  const timeoutMs = parseWait("--timeout", flags.timeout);
  const requestTimeoutMs = parseWait("--request-timeout", flags.requestTimeout);
  const ports = flags.ports?.split(",").map((port) => parsePort(port.trim()));
  return {
    port: parsePort(flags.port),
    ports,
    redirectHost: flags.redirectHost,
    timeoutMs,
    requestTimeoutMs,
  };
}

/** The login to request. @throws {PackError} USAGE_INVALID */
export function parseLogin({
  acrValues,
  maxAge,
}: {
  acrValues?: string;
  maxAge?: string;
}): LoginDemand | undefined {
  if (acrValues === undefined && maxAge === undefined) return undefined;
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge))
    throw usageError(
      `--max-age cannot have the value "${maxAge}".`,
      "Pass --max-age with a number of seconds; 0 requires a new login.",
    );
  const words = acrValues?.trim().split(/\s+/).join(" ");
  return {
    acrValues: words === "" ? undefined : words,
    maxAgeSeconds: maxAge === undefined ? undefined : Number(maxAge),
  };
}

/** @throws {PackError} USAGE_INVALID */
export function checkUrlFlag(flag: string, text: string | undefined): void {
  if (text === undefined || canParseUrl(text)) return;
  throw usageError(`${flag} is not a valid URL.`, `Write ${flag} https://host.example/path.`);
}

/** @returns milliseconds. @throws {PackError} USAGE_INVALID */
export function parseWait(flag: string, text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 3_600) return seconds * 1_000;
  throw usageError(
    `"${text}" is not a valid time limit.`,
    `Pass ${flag} with a number of seconds, at most 3600.`,
  );
}

/** @throws {PackError} USAGE_INVALID */
export function parsePoolSize(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw usageError(
    `"${text}" is not a valid number of connections.`,
    "Pass --pool-size with a number from 1 to 999.",
  );
}

/** @throws {PackError} USAGE_INVALID */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535)
    throw usageError(
      `"${text}" is not a port.`,
      "Pass a number from 0 to 65535; 0 selects a free port.",
    );
  return port;
}

/** Reads `name=value` texts. @throws {PackError} USAGE_INVALID */
export function parsePairs(flag: string, texts: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const index = text.indexOf("=");
      if (index > 0) return [text.slice(0, index), text.slice(index + 1)];
      throw usageError(`${flag} needs a name and a value.`, `Write ${flag} name=value.`);
    }),
  );
}

const UNITS: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1_000,
  mb: 1_000_000,
  kib: 1_024,
  mib: 1_048_576,
};

/** Reads `200kb`, `1.5 MB` or a number of bytes. @throws {PackError} USAGE_INVALID */
export function parseSize(text: string): number {
  const [, number = "", unit = "b"] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)?\s*$/i.exec(text) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  if (number !== "" && factor !== undefined) return Math.round(Number(number) * factor);
  throw usageError(`"${text}" is not a valid size.`, "Write a size such as 200kb or 1.5mb.");
}

/** What help says about the option that each of several commands has. */
export const TIMER_STRATEGY_TEXT =
  "behavior of setTimeout: none, error or fake (default: timerStrategy in .coda-pack.json, or none)";

/** @throws {PackError} USAGE_INVALID */
export function parseTimerStrategy(text: string | undefined): TimerStrategy | undefined {
  if (text === undefined) return undefined;
  const strategy = TIMER_STRATEGIES.find((name) => name === text);
  if (strategy !== undefined) return strategy;
  throw usageError(
    `"${text}" is not a valid timer strategy.`,
    `Use one of ${TIMER_STRATEGIES.join(", ")}.`,
  );
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * Reads a time, or how long ago it was: `2026-01-31T12:00:00Z`, `2026-01-31`, `30m`, `2h`, `3d`.
 * @param now milliseconds since 1970
 * @throws {PackError} USAGE_INVALID
 */
export function parseMoment(option: string, text: string, now = Date.now()): Date {
  const [, number, unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const timeMs =
    number === undefined
      ? /^\d{4}-\d\d-\d\d/.test(text)
        ? Date.parse(text)
        : Number.NaN
      : now - Number(number) * (UNIT_MS[unit] ?? 0);
  if (!Number.isNaN(timeMs)) return new Date(timeMs);
  throw usageError(
    `"${text.slice(0, 60)}" is not a valid time.`,
    `Write ${option} 2h for two hours ago, or ${option} 2026-01-31T12:00:00Z.`,
  );
}

/**
 * Reads the number of an option.
 * @throws {PackError} USAGE_INVALID unless it is a whole number from 1 to `max`
 */
export function parseCount(option: string, text: string, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= max) return value;
  throw usageError(
    `${option} takes a whole number from 1 to ${max}.`,
    `Write ${option} 3, for example.`,
  );
}
