import { styleText } from "node:util";
import type { PackError, SourcePlace } from "../errors.ts";
import { jsonText } from "../shared/json.ts";
import type { Redactor } from "../shared/redact.ts";

export interface Streams {
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  env: NodeJS.ProcessEnv;
  cwd: string;
}

export type Tone = "good" | "bad" | "warning" | "quiet" | "strong";

/**
 * The only way to the terminal. Everything passes the redactor, and foreign text loses its control
 * characters.
 */
export interface Output {
  readonly json: boolean;
  /** Columns of the terminal that shows the progress; undefined when it goes elsewhere. */
  readonly width: number | undefined;
  /** Columns of the terminal that shows the data; undefined when it goes elsewhere. */
  readonly dataWidth: number | undefined;
  /** One JSON document on stdout, in one line. */
  document(value: object): void;
  /** A line of data on stdout. */
  data(line: string): void;
  /** A line of progress on stderr. With `--json` it is still shown, because stdout stays clean. */
  progress(line: string): void;
  error(error: PackError, debug: boolean): void;
  /** Colours a part of a line of progress. */
  style(tone: Tone, text: string): string;
  /** Colours a part of a line of data: a file gets no colours, even if stderr is a terminal. */
  dataStyle(tone: Tone, text: string): string;
}

export function createOutput(streams: Streams, json: boolean, redactor: Redactor): Output {
  const style = createStyle(streams.stderr, streams.env);
  const writeLine = (stream: Streams["stderr"], text: string) => {
    const clean = isColoured(stream, streams.env) ? withoutControls : printable;
    stream.write(`${clean(redactor.text(text))}\n`);
  };
  const progress = (line: string) => writeLine(streams.stderr, line);
  return {
    json,
    width: findWidth(streams.stderr),
    dataWidth: findWidth(streams.stdout),
    document: (value) => void streams.stdout.write(`${jsonText(redactor.data(value))}\n`),
    data: (line) => writeLine(streams.stdout, line),
    progress,
    error(error, debug) {
      progress(
        `${style("bad", "error")} ${style("strong", error.code)}  ${printable(error.message)}`,
      );
      if (error.hint !== undefined) progress(`  ${style("quiet", "→")} ${printable(error.hint)}`);
      const where = formatPlace(error);
      if (where !== "") progress(`  ${style("quiet", where)}`);
      if (debug) progress(style("quiet", formatStack(error)));
    },
    style,
    dataStyle: createStyle(streams.stdout, streams.env),
  };
}

function findWidth({ isTTY, columns }: { isTTY?: boolean; columns?: number }): number | undefined {
  return isTTY === true ? columns || 100 : undefined;
}

function createStyle(stream: { isTTY?: boolean }, env: NodeJS.ProcessEnv): Output["style"] {
  if (!isColoured(stream, env)) return (_tone, text) => text;
  // Without the option, it would ask stdout, which often goes into a file while a person reads
  // stderr.
  return (tone, text) => styleText(STYLES[tone], text, { validateStream: false });
}

function isColoured({ isTTY = false }: { isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean {
  return wantsColours(env) ?? isTTY;
}

/**
 * What the user said: https://no-color.org wins over https://force-color.org. An empty variable
 * says nothing.
 */
function wantsColours({ NO_COLOR, FORCE_COLOR }: NodeJS.ProcessEnv): boolean | undefined {
  if (NO_COLOR) return false;
  return FORCE_COLOR ? !/^(?:0|false)$/.test(FORCE_COLOR) : undefined;
}

const STYLES = {
  good: "green",
  bad: "red",
  warning: "yellow",
  quiet: "dim",
  strong: "bold",
} as const;

/** Removes what would move the cursor or change the window title; line breaks and tabs stay. */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    "",
  );
}

/** The same for a complete line: only the colour codes of `STYLES` stay. */
function withoutControls(line: string): string {
  return line
    .split(/(\u001b\[(?:[12]|22|3[1-3]|39)m)/)
    .map((part, index) => (index % 2 === 1 ? part : printable(part)))
    .join("");
}

/** Where the definition decides about it, and which clause of a standard it is about. */
export function formatPlace({
  place,
  rule,
}: {
  place?: SourcePlace | undefined;
  rule?: string | undefined;
}): string {
  const at = place === undefined ? [] : [`${printable(place.file)}:${place.line}:${place.column}`];
  return [...at, ...(rule === undefined ? [] : [rule])].join("  ");
}

function formatStack(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${formatStack(error.cause)}` : "";
  return `${error.stack ?? error.message}${cause}`;
}

/** Fewer things are done before progress is of interest. */
const MIN_TOTAL = 20;
const INTERVAL_MS = 1_000;

/**
 * Makes a function to call after each of many things. It shows how far the work is, at most once a
 * second.
 * @param now milliseconds of a clock that only goes forward
 */
export function createProgress(
  output: Output,
  now: () => number,
): (done: number, total: number) => void {
  const startedMs = now();
  let saidMs = startedMs;
  return (done, total) => {
    const nowMs = now();
    if (total < MIN_TOTAL || done === total || nowMs - saidMs < INTERVAL_MS) return;
    saidMs = nowMs;
    const secondsLeft = Math.ceil((((nowMs - startedMs) / done) * (total - done)) / 1_000);
    output.progress(output.style("quiet", `${done} of ${total}, about ${secondsLeft} s left`));
  };
}
