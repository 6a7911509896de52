import { isRecord } from "../../shared/values.ts";

/**
 * Whether a stream of events already contains an answer, so that the rest need not be awaited: some
 * servers keep the stream open.
 * @param body what has arrived so far
 */
export function answersEnd(contentType: string, body: string): boolean {
  if (!/^text\/event-stream\b/i.test(contentType)) return false;
  return readEvents(body).some((text) => {
    const message = parseJson(text);
    return isRecord(message) && ("result" in message || "error" in message);
  });
}

/** The data of each event that is complete: the WHATWG event stream format. */
function readEvents(stream: string): string[] {
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
