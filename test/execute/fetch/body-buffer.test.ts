import { describe, expect, it } from "vitest";
import { createBodyBuffer } from "../../../src/execute/fetch/body-buffer.ts";

const MIB = 1024 * 1024;

const makeChunks = (sizes: readonly number[]): Buffer[] =>
  sizes.map((size, index) => Buffer.alloc(size, index + 1));

describe("a body is the same in whatever parts it arrives", () => {
  it.each([
    ["none", []],
    ["one", [5]],
    ["many small ones", Array.from({ length: 100 }, (_, index) => index)],
    ["as much as is copied", [MIB - 1, 1]],
    ["one byte more", [MIB, 1]],
    ["a large one", [3 * MIB + 7]],
    ["small ones after large ones", [MIB + 1, 1, 0, 2 * MIB, 3]],
    ["all that may arrive", [2 * MIB, 2 * MIB]],
  ])("%s", (_, sizes) => {
    const buffer = createBodyBuffer(4 * MIB);
    const chunks = makeChunks(sizes);
    for (const chunk of chunks) buffer.add(chunk);
    expect(buffer.read().equals(Buffer.concat(chunks))).toBe(true);
  });
});

it("what has arrived can be read before the next part", () => {
  const buffer = createBodyBuffer(4 * MIB);
  const chunks = makeChunks([MIB, 10, 2 * MIB]);
  for (const [index, chunk] of chunks.entries()) {
    buffer.add(chunk);
    expect(buffer.read().equals(Buffer.concat(chunks.slice(0, index + 1)))).toBe(true);
  }
});
