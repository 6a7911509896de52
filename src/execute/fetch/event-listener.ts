import type { SecretMatcher } from "../../shared/secret-matcher.ts";
import { maskPart, maskResponse } from "./fetch-response.ts";
import type { ResponseListener } from "./transport.ts";

/** Receives a stream of events (the WHATWG event stream format) while it arrives. */
export interface EventListener {
  /** A stream of events begins. Other responses are not announced. */
  start(status: number, headers: Readonly<Record<string, string>>): void;
  /** One or more complete events. */
  write(events: Uint8Array): void;
  /** When it is aborted, the events so far are the response. */
  end: AbortSignal | undefined;
}

const EMPTY = Buffer.alloc(0);
const EVENT_STREAM = /^text\/event-stream\b/i;

/** Hands on the events of a response, masked as its complete body is later. */
export function maskEvents(
  listener: EventListener,
  tokens: SecretMatcher<undefined>,
  host: string,
): ResponseListener {
  let isStream = false;
  let rest: Buffer = Buffer.alloc(0);
  return {
    get end() {
      return isStream ? listener.end : undefined;
    },
    start(status, headers) {
      isStream = status < 400 && EVENT_STREAM.test(headers["content-type"] ?? "");
      if (isStream)
        listener.start(
          status,
          maskResponse({ status, headers, bytes: EMPTY }, tokens, host).headers,
        );
    },
    write(chunk) {
      if (!isStream) return;
      // A token may be in two chunks, but not in two events.
      rest = Buffer.concat([rest, chunk]);
      const end = findEnd(rest);
      if (end === 0) return;
      listener.write(maskPart(Buffer.from(rest.subarray(0, end)), tokens, host));
      rest = rest.subarray(end);
    },
  };
}

/** @returns where the last complete event ends: after a blank line */
function findEnd(bytes: Buffer): number {
  const ends = ["\n\n", "\r\n\r\n", "\r\r"].map((blank) => {
    const index = bytes.lastIndexOf(blank, undefined, "latin1");
    return index === -1 ? 0 : index + blank.length;
  });
  return Math.max(...ends);
}
