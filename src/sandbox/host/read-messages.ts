import type { Readable } from "node:stream";
import { HEADER_BYTES, readHeader } from "../frame.ts";

/** A result is limited inside; whatever claims to be longer was not written by the sandbox. */
const MAX_LENGTH = 256 * 1024 * 1024;
const MAX_TEXTS = 2;

/**
 * Reads messages from the pipe of a process that is not trusted.
 * @param onMessage receives the texts of one message
 * @param onInvalid called once, for what cannot be a message; nothing is read after it
 */
export function readMessages(
  pipe: Readable,
  onMessage: (texts: readonly string[]) => void,
  onInvalid: () => void,
): void {
  let chunks: Buffer[] = [];
  let received = 0;
  let needed = HEADER_BYTES;
  let texts: string[] = [];
  pipe.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    received += chunk.length;
    if (received < needed) return;
    let bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks);
    for (;;) {
      if (bytes.length < HEADER_BYTES) break;
      const { length, isContinued } = readHeader(bytes);
      if (length > MAX_LENGTH || texts.length === MAX_TEXTS) {
        pipe.removeAllListeners("data");
        onInvalid();
        return;
      }
      needed = HEADER_BYTES + length;
      if (bytes.length < needed) break;
      texts.push(bytes.toString("utf8", HEADER_BYTES, needed));
      bytes = bytes.subarray(needed);
      needed = HEADER_BYTES;
      if (isContinued) continue;
      const message = texts;
      texts = [];
      onMessage(message);
    }
    chunks = [bytes];
    received = bytes.length;
  });
}
