import { PackError } from "../errors.ts";

/** Turns the text of the connect options into numbers and choices. @throws {PackError} USAGE_INVALID */
export function parseConnectFlags(flags: {
  port: string;
  ports?: string;
  redirectHost: string;
  timeout: string;
  requestTimeout: string;
  browser?: string | false;
}): {
  port: number;
  ports: number[] | undefined;
  redirectHost: "127.0.0.1" | "localhost";
  timeoutMs: number;
  requestTimeoutMs: number;
} {
  if (flags.redirectHost !== "127.0.0.1" && flags.redirectHost !== "localhost") {
    throw usage(`The redirect host "${flags.redirectHost}" is not on this machine.`, "Use 127.0.0.1 or localhost.");
  }
  if (typeof flags.browser === "string" && flags.browser !== "system")
    throw usage(`"${flags.browser}" is no way to open a browser.`, "Use --browser system, or --no-browser.");
  const timeoutMs = parseWait("--timeout", flags.timeout);
  const requestTimeoutMs = parseWait("--request-timeout", flags.requestTimeout);
  const ports = flags.ports?.split(",").map((port) => parsePort(port.trim()));
  return { port: parsePort(flags.port), ports, redirectHost: flags.redirectHost, timeoutMs, requestTimeoutMs };
}

/** @returns milliseconds. @throws {PackError} USAGE_INVALID */
export function parseWait(flag: string, text: string): number {
  const seconds = Number(text);
  if (seconds > 0 && seconds <= 3_600) return seconds * 1_000;
  throw usage(`"${text}" is not a time to wait.`, `Give ${flag} in seconds, at most 3600.`);
}

/** @throws {PackError} USAGE_INVALID */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw usage(`"${text}" is not a port.`, "Give a number from 0 to 65535; 0 takes a free port.");
  return port;
}

/** Reads `name=value` texts. @throws {PackError} USAGE_INVALID */
export function parsePairs(flag: string, texts: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const index = text.indexOf("=");
      if (index > 0) return [text.slice(0, index), text.slice(index + 1)];
      throw usage(`${flag} needs a name and a value.`, `Write ${flag} name=value.`);
    }),
  );
}

function usage(message: string, hint: string): PackError {
  return new PackError("USAGE_INVALID", message, { details: undefined, hint });
}
