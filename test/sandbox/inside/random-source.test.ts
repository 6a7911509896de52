import { describe, expect, it } from "vitest";
import { createRandomSource } from "../../../src/sandbox/inside/random-source.ts";

describe("createRandomSource", () => {
  it("is ChaCha20", () => {
    // Test vector 1 of RFC 8439, appendix A.1: key, nonce and counter are zero.
    const bytes = createRandomSource("0".repeat(64))(new Uint8Array(64)) as Uint8Array;
    expect(Buffer.from(bytes).toString("hex")).toBe(
      "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
    );
  });

  it("goes on where it stopped, and never repeats a block", () => {
    const inPieces = createRandomSource("1".repeat(64));
    const pieces = [1, 63, 5, 59].flatMap((size) => [
      ...(inPieces(new Uint8Array(size)) as Uint8Array),
    ]);
    expect(pieces).toEqual([
      ...(createRandomSource("1".repeat(64))(new Uint8Array(128)) as Uint8Array),
    ]);
    expect(pieces.slice(0, 64)).not.toEqual(pieces.slice(64));
  });

  it("fills a part of a buffer only, in any type of integer", () => {
    const whole = new Uint8Array(16);
    const view = new Int16Array(whole.buffer, 4, 2);
    expect(createRandomSource("2".repeat(64))(view)).toBe(view);
    expect([...whole.slice(0, 4), ...whole.slice(8)].every((byte) => byte === 0)).toBe(true);
    expect(view.some((value) => value !== 0)).toBe(true);
  });

  it.each([
    [new Float32Array(1)],
    [[1, 2]],
    ["text"],
    [undefined],
    [new DataView(new ArrayBuffer(1))],
    [new Uint8Array(65_537)],
  ])("refuses %s", (view) => {
    expect(() => createRandomSource("0".repeat(64))(view)).toThrow(/getRandomValues/);
  });
});
