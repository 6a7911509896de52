import { slice, stringify } from "../intrinsics.ts";
import { MAX_CONSOLE_LINE, MAX_CONSOLE_LINES } from "../protocol.ts";
import { inspect } from "./inspect.ts";
import { send } from "./output.ts";

const LEVELS = ["trace", "debug", "info", "warn", "error", "log"] as const;

let lines = 0;

/** The limit of lines is for each run. */
export function restartConsole(): void {
  lines = 0;
}

export function createConsole(): Record<string, unknown> {
  const console: Record<string, unknown> = {};
  for (const level of LEVELS) console[level] = (...values: unknown[]) => log(level, values);
  return console;
}

function log(level: string, values: readonly unknown[]): void {
  lines += 1;
  if (lines > MAX_CONSOLE_LINES + 1) return;
  let line = "";
  for (let index = 0; index < values.length && line.length < MAX_CONSOLE_LINE; index++) {
    line += (index === 0 ? "" : " ") + inspect(values[index], MAX_CONSOLE_LINE);
  }
  if (line.length > MAX_CONSOLE_LINE) line = `${slice(line, 0, MAX_CONSOLE_LINE)}… (cut)`;
  if (lines > MAX_CONSOLE_LINES)
    line = `More than ${MAX_CONSOLE_LINES} console lines; the rest is omitted.`;
  send(`{"k":"log","level":"${level}","message":${stringify(line)}}`);
}
