import { describe, expect, it } from "vitest";
import { answersEnd } from "../../../src/execute/mcp/event-stream.ts";

const STREAM = "text/event-stream; charset=utf-8";
const ANSWER = `data: {"jsonrpc":"2.0","id":1,"result":{}}`;
const PROGRESS = `data: {"jsonrpc":"2.0","method":"notifications/progress"}`;

describe("a stream of events", () => {
  it.each([
    ["one answer", `${ANSWER}\n\n`],
    ["an error", `data: {"id":1,"error":{"code":-32601,"message":"No."}}\n\n`],
    ["a byte order mark and lines that end in CR LF", `\uFEFF${ANSWER}\r\n\r\n`],
    ["an answer in several lines", `event: message\rdata: {"id":1,\rdata:"result":1}\r\r`],
    ["progress before the answer", `${PROGRESS}\n\n${ANSWER}\n\n`],
    ["progress after the answer", `${ANSWER}\n\n${PROGRESS}\n\n`],
  ])("contains the answer: %s", (_, body) => {
    expect(answersEnd(STREAM, body)).toBe(true);
  });

  it.each([
    ["nothing", ""],
    ["an answer whose blank line is still on its way", `${ANSWER}\n`],
    ["progress only", `${PROGRESS}\n\n`],
    ["text that is not JSON", "data: result\n\n"],
    ["a comment", `: ${ANSWER}\n\n`],
  ])("contains no answer: %s", (_, body) => {
    expect(answersEnd(STREAM, body)).toBe(false);
  });

  it("is only one by its content type", () => {
    expect(answersEnd("application/json", `${ANSWER}\n\n`)).toBe(false);
  });
});
