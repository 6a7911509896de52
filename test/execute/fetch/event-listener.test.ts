import { describe, expect, it } from "vitest";
import { maskEvents } from "../../../src/execute/fetch/event-listener.ts";
import { createSecretMatcher } from "../../../src/shared/secret-matcher.ts";

/** @returns what a listener got of a response that arrived in these chunks */
function listen(chunks: readonly string[], contentType = "text/event-stream"): string[] {
  const received: string[] = [];
  const tokens = createSecretMatcher<undefined>();
  tokens.add("synthetic-token", undefined);
  const listener = maskEvents(
    {
      start: () => undefined,
      write: (events) => void received.push(Buffer.from(events).toString()),
      end: undefined,
    },
    tokens,
    "api.example",
  );
  listener.start?.(200, { "content-type": contentType });
  for (const chunk of chunks) listener.write?.(Buffer.from(chunk));
  return received;
}

describe("a stream of events", () => {
  it("is handed on in complete events only", () => {
    expect(listen(["da", "ta: a", "\n", "\ndata: b\n\ndata", ": c\n\n"])).toEqual([
      "data: a\n\ndata: b\n\n",
      "data: c\n\n",
    ]);
  });

  it.each(["\n\n", "\r\n\r\n", "\r\r"])("ends an event with %j", (blank) => {
    expect(listen([`data: a${blank}data: b`])).toEqual([`data: a${blank}`]);
  });

  it("shows no token that arrived in two parts", () => {
    const [text] = listen(["data: synthetic-", "token\n\n"]);
    expect(text).toMatch(/^data: /);
    expect(text).not.toContain("synthetic-token");
  });

  it("is nothing else", () => {
    expect(listen(["data: a\n\n"], "text/plain")).toEqual([]);
  });
});
