import type { TimerStrategy } from "../bundle/run-esbuild.ts";
import { PackError } from "../errors.ts";

const UNITS: Readonly<Record<string, number>> = { b: 1, kb: 1_000, mb: 1_000_000, kib: 1_024, mib: 1_048_576 };
export const TIMER_STRATEGIES: readonly TimerStrategy[] = ["none", "error", "fake"];

/** Reads `200kb`, `1.5 MB` or a number of bytes. @throws {PackError} USAGE_INVALID */
export function parseSize(text: string): number {
  const [, number = "", unit = "b"] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)?\s*$/i.exec(text) ?? [];
  const factor = UNITS[unit.toLowerCase()];
  if (number !== "" && factor !== undefined) return Math.round(Number(number) * factor);
  throw new PackError("USAGE_INVALID", `"${text}" is not a size.`, { details: undefined, hint: "Write it as 200kb or 1.5mb." });
}

/** @throws {PackError} USAGE_INVALID */
export function parseTimerStrategy(text: string): TimerStrategy {
  const strategy = TIMER_STRATEGIES.find((name) => name === text);
  if (strategy !== undefined) return strategy;
  throw new PackError("USAGE_INVALID", `There is no timer strategy "${text}".`, {
    details: undefined,
    hint: `Use one of ${TIMER_STRATEGIES.join(", ")}.`,
  });
}
