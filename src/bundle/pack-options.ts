import { dirname, join } from "node:path";
import { readRegularFile } from "../shared/files.ts";
import { toMembers } from "../shared/values.ts";
import { TIMER_STRATEGIES, type TimerStrategy } from "./timer-strategy.ts";

/** The file next to a Pack with its options. `@codahq/packs-sdk` writes the same file. */
export const PACK_OPTIONS_FILE = ".coda-pack.json";

/** @returns undefined unless the file next to the entry names a strategy */
export function readTimerStrategy(entry: string): TimerStrategy | undefined {
  try {
    const text = readRegularFile(join(dirname(entry), PACK_OPTIONS_FILE)).toString();
    const { timerStrategy } = toMembers(toMembers(JSON.parse(text))["options"]);
    return TIMER_STRATEGIES.find((name) => name === timerStrategy);
  } catch {
    // The commands that need the file say what is wrong with it.
    return undefined;
  }
}
