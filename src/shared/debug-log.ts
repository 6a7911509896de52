import { debuglog } from "node:util";
import { createRedactor, type Redactor } from "./redact.ts";
import { canParseUrl } from "./urls.ts";

/** What `NODE_DEBUG=packsmith:TOPIC` can show. */
export type DebugTopic = "oauth" | "build" | "run" | "service" | "publish";

/**
 * Writes one line about a step.
 * @param describe called only if the topic is switched on, so that a step costs nothing otherwise
 * @param redactor knows the secrets of this step. @default the one of `useDebugRedactor`
 */
export type DebugLog = (describe: () => string, redactor?: Redactor) => void;

/** Line breaks and other control characters would make several lines of one. */
const CONTROL = /\p{Cc}+/gu;

let processRedactor: Redactor = createRedactor();

/** Sets the redactor of lines whose step has none: that of the command. */
export function useDebugRedactor(redactor: Redactor): void {
  processRedactor = redactor;
}

/**
 * Creates a log of steps on stderr. `NODE_DEBUG=packsmith:oauth` switches it on, with a list and
 * `packsmith:*` as for Node's own modules. Secrets are masked.
 * @param open makes the writer of a name. @default Node's `debuglog`
 * @example
 * ```ts
 * const debug = createDebugLog("build");
 * debug(() => `bundle: ${name} ${bytes} bytes in ${durationMs} ms`);
 * ```
 */
export function createDebugLog(
  topic: DebugTopic,
  open: (name: string) => { (line: string): void; readonly enabled: boolean } = debugWriter,
): DebugLog {
  const write = open(`packsmith:${topic}`);
  return (describe, redactor = processRedactor) => {
    if (write.enabled) write(redactor.text(describe()).replace(CONTROL, " "));
  };
}

/** A percent sign in a line is text, and not a place of a format. */
function debugWriter(name: string) {
  const log = debuglog(name);
  return Object.defineProperty((line: string) => log("%s", line), "enabled", {
    get: () => log.enabled,
  }) as { (line: string): void; readonly enabled: boolean };
}

/** The address of a request as a line shows it: without its query and user info. */
export function showAddress(url: string): string {
  if (!canParseUrl(url)) return "(not a URL)";
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
