import { PackError } from "../errors.ts";

/**
 * Reads the number of an option.
 * @throws {PackError} USAGE_INVALID unless it is a whole number from 1 to `max`
 */
export function parseCount(option: string, text: string, max: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= max) return value;
  throw new PackError("USAGE_INVALID", `${option} takes a whole number from 1 to ${max}.`, {
    details: undefined,
    hint: `Write ${option} 3, for example.`,
  });
}
