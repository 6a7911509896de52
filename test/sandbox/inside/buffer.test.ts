import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Buffer as OwnBuffer } from "../../../src/sandbox/inside/buffer.ts";

// Compared with Node's own, under the same type.
const Own = OwnBuffer as unknown as typeof Buffer;
const encodings = [
  "utf8",
  "hex",
  "base64",
  "base64url",
  "latin1",
  "ascii",
  "utf16le",
  "utf-8",
  "binary",
  "ucs2",
] as const;
const plain = (value: unknown): unknown => (value instanceof Uint8Array ? [...value] : value);

/** What a piece of work gives with each of the two, errors included. */
function both(work: (of: typeof Buffer) => unknown): [own: unknown, node: unknown] {
  const run = (of: typeof Buffer): unknown => {
    try {
      return plain(work(of));
    } catch (error) {
      return (error as Error).constructor.name;
    }
  };
  return [run(Own), run(Buffer)];
}

describe("the sandbox's Buffer", () => {
  it.each(encodings)("writes any bytes as %s, as Node does", (encoding) => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        // The package writes several U+FFFD for some invalid parts, for which Node writes one.
        const [own, node] = both((of) =>
          of
            .from(bytes)
            .toString(encoding)
            .replaceAll(/\ufffd+/g, "\ufffd"),
        );
        expect(own).toEqual(node);
      }),
    );
  });

  it.each(encodings)("reads any text as %s, as Node does", (encoding) => {
    // Node takes the low byte of some wide characters for a digit; the package does not. It reads
    // "A=" as the digit "A", too.
    const texts =
      encoding === "hex"
        ? fc
            .string({ unit: fc.constantFrom(..."0123456789abcdefABCDEF") })
            .map((text) => (text.length % 2 === 0 ? text : `${text}0zz`))
        : fc.oneof(
            fc.string({ unit: encoding.startsWith("base64") ? "grapheme-ascii" : "binary" }),
            fc.string(),
            fc.base64String(),
          );
    fc.assert(
      fc.property(texts, (text) => {
        const [own, node] = both((of) =>
          [...of.from(text, encoding), of.byteLength(text, encoding)].slice(0, -1),
        );
        expect(own).toEqual(node);
      }),
    );
  });

  it("reads lone surrogates as Node does", () => {
    const [own, node] = both((of) => of.from("a\ud800b\udc00\ud83d\ude00"));
    expect(own).toEqual(node);
  });

  it.each<[string, (of: typeof Buffer) => unknown]>([
    ["concat", (of) => of.concat([of.from("ab"), of.from("cd")])],
    ["concat, cut", (of) => of.concat([of.from("ab"), of.from("cd")], 3)],
    ["concat, padded", (of) => of.concat([of.from("ab")], 4)],
    ["concat of no list", (of) => of.concat("ab" as never)],
    ["alloc with text", (of) => of.alloc(5, "ab")],
    ["alloc with hex", (of) => of.alloc(5, "0aff", "hex")],
    ["alloc of text", (of) => of.alloc("5" as never)],
    ["alloc below zero", (of) => of.alloc(-1)],
    ["from a number", (of) => of.from(5 as never)],
    ["from JSON", (of) => of.from(JSON.parse(JSON.stringify(of.from("hi"))))],
    ["from an ArrayBuffer", (of) => of.from(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2)],
    ["from a wrapped text", (of) => of.from(Object("hi"))],
    ["isBuffer", (of) => [of.isBuffer(of.from("")), of.isBuffer(new Uint8Array(1))]],
    [
      "isEncoding",
      (of) => ["UTF8", "base64", "utf-7", "constructor"].map((name) => of.isEncoding(name)),
    ],
    ["an unknown encoding", (of) => of.from("a", "utf-7" as never)],
    ["JSON", (of) => JSON.stringify(of.from([1, 2]))],
    [
      "equals and compare",
      (of) => [
        of.from("a").equals(of.from("a")),
        of.compare(of.from("a"), of.from("b")),
        of.from("abc").compare(of.from("ab")),
      ],
    ],
    ["compare of parts", (of) => of.from("xab").compare(of.from("ab"), 0, 2, 1, 3)],
    [
      "slice shares memory",
      (of) => {
        const whole = of.from("abc");
        whole.slice(1)[0] = 120;
        return whole.toString();
      },
    ],
    ["subarray is a Buffer", (of) => of.from("hello").subarray(1, 3).toString("hex")],
    ["toString of a part", (of) => of.from("hello").toString("utf8", 1, 3)],
    ["toString beyond the end", (of) => of.from("hello").toString("utf8", 3, 99)],
    [
      "write",
      (of) => {
        const to = of.alloc(6);
        return [to.write("héllo", 1), ...to];
      },
    ],
    [
      "write half a character",
      (of) => {
        const to = of.alloc(2);
        return [to.write("aé"), ...to];
      },
    ],
    [
      "write hex",
      (of) => {
        const to = of.alloc(4);
        return [to.write("0aff", 1, "hex"), ...to];
      },
    ],
    ["fill", (of) => of.alloc(5).fill("ab", 1, 4)],
    [
      "copy",
      (of) => {
        const to = of.alloc(3);
        return [of.from("hello").copy(to, 1, 2), ...to];
      },
    ],
    [
      "indexOf",
      (of) => [
        of.from("hello").indexOf("l"),
        of.from("hello").indexOf("l", -2),
        of.from("hello").indexOf(111),
        of.from("hello").indexOf("x"),
      ],
    ],
    [
      "lastIndexOf and includes",
      (of) => [
        of.from("hello").lastIndexOf("l"),
        of.from("hello").includes("ell"),
        of.from("hello").includes("6c6f", "hex" as never),
      ],
    ],
    [
      "integers",
      (of) => {
        const to = of.alloc(8);
        to.writeInt16BE(-2, 0);
        to.writeUInt32LE(4_000_000_000, 2);
        return [...to, to.readInt16BE(0), to.readUInt32LE(2), to.readUint8(1)];
      },
    ],
    [
      "integers of any size",
      (of) => {
        const to = of.alloc(6);
        to.writeUIntBE(0x123456789a, 0, 5);
        return [
          ...to,
          to.readUIntBE(0, 5),
          to.readUIntLE(0, 6),
          to.readIntBE(3, 3),
          to.readIntLE(1, 4),
        ];
      },
    ],
    [
      "negative integers of any size",
      (of) => {
        const to = of.alloc(6);
        to.writeIntBE(-5, 0, 3);
        to.writeIntLE(-70000, 3, 3);
        return [...to];
      },
    ],
    [
      "fractions",
      (of) => {
        const to = of.alloc(12);
        to.writeFloatLE(1.5, 0);
        to.writeDoubleBE(-2.25, 4);
        return [...to, to.readFloatLE(0), to.readDoubleBE(4)];
      },
    ],
    [
      "big integers",
      (of) => {
        const to = of.alloc(8);
        to.writeBigInt64LE(-3n);
        return [...to, String(to.readBigUInt64LE())];
      },
    ],
    ["reading beyond the end", (of) => of.alloc(2).readUInt32LE(0)],
    ["swap", (of) => of.from([1, 2, 3, 4]).swap16()],
    ["swap of an odd size", (of) => of.from([1, 2, 3]).swap32()],
    ["map keeps the class", (of) => of.isBuffer(of.from([1]).map((byte) => byte + 1))],
  ])("does %s as Node does", (_, work) => {
    const [own, node] = both(work);
    expect(own).toEqual(node);
  });

  it("takes the older constructor", () => {
    expect(
      new (Own as unknown as new (text: string, encoding: string) => Buffer)(
        "6869",
        "hex",
      ).toString(),
    ).toBe("hi");
  });
});
