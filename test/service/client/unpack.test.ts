import { constants, deflateRawSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isGzip } from "../../../src/service/client/bytes.ts";
import { decodeUtf8, gunzip } from "../../../src/service/client/unpack.ts";

const LIMIT = 10_000_000;
const strategies = [
  constants.Z_DEFAULT_STRATEGY,
  constants.Z_FIXED,
  constants.Z_HUFFMAN_ONLY,
  constants.Z_RLE,
];
const data = fc.oneof(
  fc.uint8Array({ maxLength: 3_000 }),
  fc
    .array(fc.constantFrom("a", "<p>", "héllo ", "\n", "0123456789".repeat(30)), { maxLength: 400 })
    .map((parts) => Buffer.from(parts.join(""))),
);

describe("gunzip", () => {
  it("unpacks what zlib packs, with every level and strategy", () => {
    fc.assert(
      fc.property(
        data,
        fc.integer({ min: 0, max: 9 }),
        fc.constantFrom(...strategies),
        (bytes, level, strategy) => {
          const packed = gzipSync(bytes, { level, strategy });
          expect(isGzip(packed)).toBe(true);
          expect(Buffer.from(gunzip(packed, LIMIT)).equals(bytes)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it("unpacks large files of several blocks", () => {
    const bytes = Buffer.from(
      Array.from(
        { length: 200_000 },
        (_, at) => `<p>${at} ${(at * 2_654_435_761) % 1_000_003}</p>`,
      ).join("\n"),
    );
    expect(Buffer.from(gunzip(gzipSync(bytes), LIMIT)).equals(bytes)).toBe(true);
  });

  it("passes over the name, comment, extra field and checksum of a header", () => {
    const body = Buffer.concat([deflateRawSync("text"), Buffer.alloc(8)]);
    const header = Buffer.from([0x1f, 0x8b, 8, 2 | 4 | 8 | 16, 0, 0, 0, 0, 0, 3]);
    const fields = Buffer.concat([
      Buffer.from([3, 0, 1, 2, 3]),
      Buffer.from("name\0comment\0"),
      Buffer.from([9, 9]),
    ]);
    expect(decodeUtf8(gunzip(Buffer.concat([header, fields, body]), LIMIT))).toBe("text");
  });

  it("reads no field that the header does not announce, also of a file that says it is text", () => {
    const body = Buffer.concat([deflateRawSync("text"), Buffer.alloc(8)]);
    const header = Buffer.from([0x1f, 0x8b, 8, 1, 0, 0, 0, 0, 0, 3]);
    expect(decodeUtf8(gunzip(Buffer.concat([header, body]), LIMIT))).toBe("text");
  });

  it("refuses what unpacks to more than is allowed", () => {
    expect(() => gunzip(gzipSync(Buffer.alloc(5_000_000)), 1_000_000)).toThrow(RangeError);
  });

  it("ends with a RangeError, in time, for data that are broken", () => {
    fc.assert(
      fc.property(
        data,
        fc.nat(),
        fc.integer({ min: 0, max: 255 }),
        fc.boolean(),
        (bytes, at, value, cut) => {
          const packed = gzipSync(bytes);
          const broken = cut ? packed.subarray(0, at % packed.length) : Buffer.from(packed);
          if (!cut) broken[10 + (at % (packed.length - 10))] = value;
          try {
            gunzip(broken, 200_000);
          } catch (error) {
            expect(error).toBeInstanceOf(RangeError);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("decodeUtf8", () => {
  it("reads every text as TextDecoder does", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(decodeUtf8(Buffer.from(text))).toBe(Buffer.from(text).toString());
      }),
    );
    const long = "añ😀漢".repeat(10_000);
    expect(decodeUtf8(Buffer.from(long))).toBe(long);
  });

  it("puts U+FFFD for what is no UTF-8", () => {
    for (const bytes of [
      [0xff],
      [0xc0, 0x80],
      [0x80],
      [0xe2, 0x82],
      [0xed, 0xa0, 0x80],
      [0xf5, 0x80, 0x80, 0x80],
    ]) {
      expect(decodeUtf8(Uint8Array.from([0x61, ...bytes, 0x62]))).toMatch(/^a\uFFFD+b$/);
    }
  });
});
