/** The parts of a body, as one buffer. */
export interface BodyBuffer {
  add(chunk: Uint8Array): void;
  /** What has arrived. The next part may change it. */
  read(): Buffer;
}

/** Before its standard library has it (ES2024). Node has it since version 20. */
interface GrowingBuffer extends ArrayBuffer {
  resize(length: number): void;
}
const GrowingBuffer = ArrayBuffer as typeof ArrayBuffer &
  (new (
    length: number,
    options: { maxByteLength: number },
  ) => GrowingBuffer);

/** A smaller body is copied at its end, which is faster. */
const MAX_COPIED_BYTES = 1024 * 1024;
const STEP_BYTES = 1024 * 1024;

/**
 * A large body grows in place: it is in memory once, and its parts can be freed while it arrives.
 * The address space of `maxBytes` is reserved for it, but only what has arrived uses memory.
 */
export function createBodyBuffer(maxBytes: number): BodyBuffer {
  let chunks: Uint8Array[] = [];
  let large: GrowingBuffer | undefined;
  let count = 0;

  const write = (chunk: Uint8Array, buffer: GrowingBuffer): void => {
    const end = count + chunk.byteLength;
    if (end > buffer.byteLength)
      buffer.resize(Math.min(maxBytes, Math.ceil(end / STEP_BYTES) * STEP_BYTES));
    Buffer.from(buffer, count, chunk.byteLength).set(chunk);
    count = end;
  };

  return {
    add(chunk) {
      if (large === undefined && count + chunk.byteLength <= MAX_COPIED_BYTES) {
        chunks.push(chunk);
        count += chunk.byteLength;
        return;
      }
      if (large === undefined) {
        const parts = chunks;
        chunks = [];
        count = 0;
        large = new GrowingBuffer(0, { maxByteLength: maxBytes });
        for (const part of parts) write(part, large);
      }
      write(chunk, large);
    },
    read: () => (large === undefined ? Buffer.concat(chunks) : Buffer.from(large, 0, count)),
  };
}
