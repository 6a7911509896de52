import { PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodeFrame } from "../../../src/sandbox/frame.ts";
import { readMessages } from "../../../src/sandbox/host/sandbox-channel.ts";

/** Reads what was cut into pieces of these sizes; the last size is for the rest. */
async function read(
  bytes: Buffer,
  sizes: readonly number[],
): Promise<{ messages: (readonly string[])[]; isInvalid: boolean }> {
  const pipe = new PassThrough();
  const messages: (readonly string[])[] = [];
  let isInvalid = false;
  readMessages(
    pipe,
    (texts) => messages.push(texts),
    () => {
      isInvalid = true;
    },
  );
  let at = 0;
  for (const size of sizes) {
    pipe.write(bytes.subarray(at, at + size));
    at += size;
    await new Promise(setImmediate);
  }
  pipe.end(bytes.subarray(at));
  await new Promise((resolve) => setImmediate(resolve));
  return { messages, isInvalid };
}

const createFrames = (texts: readonly string[]) =>
  texts.map((text, index) => encodeFrame(text, index < texts.length - 1));

describe("messages from a process", () => {
  it("are the same in whatever pieces they arrive", async () => {
    const message = fc.array(fc.string({ unit: "grapheme" }), { minLength: 1, maxLength: 2 });
    const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 5 }), sizes, async (messages, pieces) => {
        const bytes = Buffer.concat(messages.flatMap(createFrames));
        expect(await read(bytes, pieces)).toEqual({ messages, isInvalid: false });
      }),
    );
  });

  it("are not read when one claims to be longer than any can be, nor what follows it", async () => {
    const header = Buffer.from([255, 255, 255, 255, 0]);
    const bytes = Buffer.concat([encodeFrame("first", false), header, encodeFrame("after", false)]);
    expect(await read(bytes, [])).toEqual({ messages: [["first"]], isInvalid: true });
  });

  it("are not collected without end", async () => {
    const bytes = Buffer.concat(Array.from({ length: 3 }, () => encodeFrame("more", true)));
    expect(await read(bytes, [])).toEqual({ messages: [], isInvalid: true });
  });
});
