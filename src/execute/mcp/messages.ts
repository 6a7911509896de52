import { isRecord } from "../../shared/values.ts";

/** The answer to one JSON-RPC request. */
export type Answer =
  | { ok: true; result: Record<string, unknown> }
  | { ok: false; code: number; message: string };

/**
 * Finds the answer to a request in the body of its response: one JSON message, or a stream of
 * events with other messages
 * before it (Streamable HTTP transport of the Model Context Protocol).
 * @returns undefined when the body has no answer to this request
 */
export function answerTo(id: number, contentType: string, body: string): Answer | undefined {
  const texts = /^text\/event-stream\b/i.test(contentType) ? eventsOf(body) : [body];
  for (const text of texts) {
    const message = parsed(text);
    // An error about a request that cannot be read has no ID.
    if (
      !isRecord(message) ||
      (message["id"] !== id && !(message["id"] === null && "error" in message))
    )
      continue;
    const { result, error } = message;
    if (isRecord(result)) return { ok: true, result };
    if (isRecord(error)) {
      return {
        ok: false,
        code: typeof error["code"] === "number" ? error["code"] : 0,
        message: String(error["message"] ?? ""),
      };
    }
  }
  return undefined;
}

/**
 * Whether a stream of events already contains an answer, so that the rest need not be awaited: some
 * servers keep the stream open.
 * @param body what has arrived so far
 */
export function answersEnd(contentType: string, body: string): boolean {
  if (!/^text\/event-stream\b/i.test(contentType)) return false;
  return eventsOf(body).some((text) => {
    const message = parsed(text);
    return isRecord(message) && ("result" in message || "error" in message);
  });
}

/** The data of each event that is complete: the WHATWG event stream format. */
function eventsOf(stream: string): string[] {
  const events = stream.replace(/^\uFEFF/, "").split(/\r\n\r\n|\n\n|\r\r/);
  // What follows the last blank line may still be on its way.
  return events.slice(0, -1).map((event) =>
    event
      .split(/\r\n|\n|\r/)
      .filter((line) => /^data(?::|$)/.test(line))
      .map((line) => line.replace(/^data:? ?/, ""))
      .join("\n"),
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
