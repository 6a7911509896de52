import { slice, stringify } from "../intrinsics.ts";
import { inspect } from "./inspect.ts";
import { send } from "./output.ts";

const LEVELS = ["trace", "debug", "info", "warn", "error", "log"] as const;
const MAX_LINES = 1000;
const MAX_LINE_LENGTH = 10_000;

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
  if (lines > MAX_LINES + 1) return;
  let line = "";
  for (let index = 0; index < values.length && line.length < MAX_LINE_LENGTH; index++) {
    line += (index === 0 ? "" : " ") + inspect(values[index], MAX_LINE_LENGTH);
  }
  if (line.length > MAX_LINE_LENGTH) line = `${slice(line, 0, MAX_LINE_LENGTH)}… (cut)`;
  if (lines > MAX_LINES) line = `More than ${MAX_LINES} console lines; the rest is omitted.`;
  send(`{"k":"log","level":"${level}","message":${stringify(line)}}`);
}
