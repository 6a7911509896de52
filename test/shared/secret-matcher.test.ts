import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSecretMatcher } from "../../src/shared/secret-matcher.ts";

/** Characters of tokens, and those that encodings change. */
const token = (maxLength: number, minLength = 8) =>
  fc.string({ unit: fc.constantFrom(...'abcXYZ019-._~+/= "&é€😀\n'), minLength, maxLength });

const percent = encodeURIComponent;
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const everyByte = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
const everyUnit = (text: string) =>
  Array.from(
    { length: text.length },
    (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");

const ENCODERS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  percent,
  "percent in lower case": (text) => percent(text).replace(/%../g, (code) => code.toLowerCase()),
  "percent for every byte": everyByte,
  "percent twice": (text) => percent(percent(text)),
  form: (text) => new URLSearchParams({ s: text }).toString().slice(2),
  JSON: json,
  "JSON with escaped slashes": (text) => json(text).replaceAll("/", "\\/"),
  "JSON with every unit escaped": everyUnit,
  "JSON in JSON": (text) => json(json(text)),
  "percent-encoded JSON": (text) => percent(json(text)),
  "percent in JSON": (text) => json(percent(text)),
  hexadecimal: (text) => Buffer.from(text).toString("hex"),
  "upper-case hexadecimal": (text) => Buffer.from(text).toString("hex").toUpperCase(),
};

/**
 * The same search without cleverness: one index after the other, for one text that nothing has to
 * be decoded in.
 */
function naiveRanges(text: Buffer, secrets: readonly string[]): boolean[] {
  const covered = Array.from({ length: text.length }, () => false);
  for (const secret of secrets) {
    const bytes = Buffer.from(secret);
    for (let start = 0; start + bytes.length <= text.length; start++) {
      if (bytes.every((byte, offset) => text[start + offset] === byte))
        covered.fill(true, start, start + bytes.length);
    }
  }
  return covered;
}

function createMatcher(secrets: readonly string[]) {
  const matcher = createSecretMatcher<string>();
  for (const secret of secrets) matcher.add(secret, secret);
  return matcher;
}

describe("createSecretMatcher", () => {
  it("covers the same bytes as a search at every index, also where places overlap", () => {
    // Few characters, none of which an encoding changes, so that secrets repeat, touch and contain
    // each other.
    const word = fc.string({ unit: fc.constantFrom("x", "y"), minLength: 4, maxLength: 9 });
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 5 }),
        fc.string({ unit: fc.constantFrom("x", "y"), maxLength: 200 }),
        (secrets, text) => {
          const bytes = Buffer.from(text);
          const covered = Array.from({ length: bytes.length }, () => false);
          for (const { start, end } of createMatcher(secrets).find(bytes))
            covered.fill(true, start, end);
          expect(covered).toEqual(naiveRanges(bytes, secrets));
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each(Object.entries(ENCODERS))("finds exactly the secret that travels as %s", (_, encode) => {
    fc.assert(
      fc.property(
        token(60),
        fc.string({ unit: fc.constantFrom(..."<> ;:|"), maxLength: 20 }),
        (secret, around) => {
          const shown = createMatcher([secret]).replace(
            `${around}${encode(secret)}${around}`,
            (found) => `[${found.length}]`,
          );
          expect(shown).toBe(`${around}[${secret.length}]${around}`);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("finds a short secret in upper-case hexadecimal, with and without separators", () => {
    for (const shown of ["6A6B6C6D", "6A 6B 6C 6D", "6A:6B:6C:6D", "6A-6B-6C-6D"])
      expect(createMatcher(["jklm"]).replace(`<${shown}>`, () => "*")).toBe("<*>");
  });

  it.each(["token-42", "schlüssel€42"])("finds exactly %s in both orders of UTF-16", (secret) => {
    const littleEndian = Buffer.from(secret, "utf16le");
    const bigEndian = Buffer.from(littleEndian).swap16();
    const ranges = [littleEndian, bigEndian].map((bytes) => [
      ...createMatcher([secret]).find(bytes),
    ]);
    const all = [expect.objectContaining({ start: 0, end: littleEndian.length })];
    expect(ranges).toEqual([all, all]);
  });

  it("finds a secret in base64 and base64url, whatever is before and after it", () => {
    fc.assert(
      fc.property(
        token(200, 12),
        fc.string({ maxLength: 7 }),
        fc.string({ maxLength: 7 }),
        (secret, before, after) => {
          for (const encoding of ["base64", "base64url"] as const) {
            const [found] = createMatcher([secret]).find(
              Buffer.from(Buffer.from(before + secret + after).toString(encoding)),
            );
            expect(found?.label).toBe(secret);
          }
        },
      ),
    );
  });

  it("finds each of 1 to 20 tokens of 40 to 64,000 characters in each encoding", () => {
    const tokens = fc.array(
      fc.tuple(fc.integer({ min: 40, max: 64_000 }), fc.integer({ min: 1 })),
      { minLength: 1, maxLength: 20 },
    );
    fc.assert(
      fc.property(tokens, fc.nat(), (sizes, choice) => {
        const secrets = sizes.map(([length, seed]) => made(length, seed));
        const encoders = Object.values(ENCODERS);
        const texts = secrets.map(
          (secret, index) => encoders[(choice + index) % encoders.length]?.(secret) ?? "",
        );
        const shown = createMatcher(secrets).replace(`<${texts.join("><")}>`, () => "*");
        expect(shown).toBe("<*>".repeat(texts.length));
      }),
      { numRuns: 15 },
    );
  });

  it("finds what has another escape, or half an escape, directly before it", () => {
    const secret = "ab/cd+ef==0123";
    for (const before of ["%", "%4", "\\", "\\\\", "\\u00", "%%", "%zz", "\\n", "%3D", "100%"]) {
      expect(createMatcher([secret]).replace(`${before}${secret}`, () => "*")).not.toContain(
        "ef==0123",
      );
    }
    for (const before of ["%", "\\", "\\\\", "\\n", "\\u00e9", "100%"]) {
      expect(
        createMatcher([secret]).replace(`${before}${secret.replaceAll("/", "\\/")}`, () => "*"),
      ).not.toContain("ef==0123");
    }
  });

  it("changes nothing in a text without a secret, and leaves lone surrogates alone", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.string({ unit: "binary", maxLength: 1 }), maxLength: 200 }),
        (text) => {
          expect(createMatcher(["a-secret-that-is-nowhere"]).replace(text, () => "*")).toBe(text);
        },
      ),
    );
    expect(createMatcher(["elsewhere"]).replace("\ud800 %ff \\ud800 %", () => "*")).toBe(
      "\ud800 %ff \\ud800 %",
    );
  });

  it("finds the next occurrence that begins inside the one before", () => {
    expect(createMatcher(["xxyxxx"]).find(Buffer.from("xxyxxxyxxx"))).toEqual([
      { start: 0, end: 10, label: "xxyxxx" },
    ]);
  });

  it("finds an encoded secret after a percent sign that is none", () => {
    expect(createMatcher(["ab/cd+ef"]).replace("100% of ab%2Fcd%2Bef", () => "*")).toBe(
      "100% of *",
    );
  });

  it("takes the label of the longer secret when one contains the other", () => {
    expect(createMatcher(["inner", "inner-outer"]).find(Buffer.from("inner-outer"))).toEqual([
      { start: 0, end: 11, label: "inner-outer" },
    ]);
    expect(
      createMatcher(["outer-inner", "inner"]).replace("outer-inner inner", (found) => `[${found}]`),
    ).toBe("[outer-inner] [inner]");
  });

  it("needs one pass over a text that repeats the beginning of a long secret everywhere", () => {
    // A search that starts again at each index would compare 6 · 10^10 bytes here.
    const secret = `${"a".repeat(63_999)}b`;
    const text = Buffer.from(`${"a".repeat(60_000)}b`.repeat(16));
    expect(createMatcher([secret]).find(text)).toEqual([]);
    expect(createMatcher([secret]).find(Buffer.concat([text, Buffer.from(secret)]))).toHaveLength(
      1,
    );
  });

  it("finds a list of numbers in each base, whatever separates them, and hides all of it", () => {
    const numbers = fc.constantFrom(
      { base: 8, prefix: "0o" },
      { base: 10, prefix: "" },
      { base: 16, prefix: "0x" },
      { base: 16, prefix: "\\x" },
    );
    const separator = fc.string({
      unit: fc.constantFrom(..." \n\t,;:_.|()[]/"),
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(token(60), numbers, separator, (secret, { base, prefix }, between) => {
        const list = [...Buffer.from(secret)].map(
          (byte) => prefix + byte.toString(base).padStart(base === 16 ? 2 : 1, "0"),
        );
        const shown = createMatcher([secret]).replace(`<${list.join(between)}>`, () => "*");
        expect(shown).toBe(`<${prefix}*>`);
      }),
    );
  });

  it("finds lists of numbers everywhere in a text that is searched in pieces", () => {
    const secret = "token-of-a-user-with-forty-characters-00";
    const list = [...Buffer.from(secret)].join(", ");
    const count = 17_000;
    const text = Array.from({ length: count }, () => `${"a word ".repeat(9)}${list}`);
    const shown = createMatcher([secret]).replace(text.join("\n"), () => "*");
    expect(shown.split("*")).toHaveLength(count + 1);
    expect(shown).not.toMatch(/\d/);
  });

  it("leaves lists of numbers alone that are no secret, and numbers that are far apart", () => {
    const matcher = createMatcher(["abcdefgh", "12345678", "1234", "abcdefghijklmnop"]);
    const rows = Array.from({ length: 9 }, (_, index) => `${96 + index}: ${"a word ".repeat(9)}`);
    for (const text of [
      rows.join("\n"),
      "97, 98, 99, 100, 101, 102, 103",
      "1,2,3,4,5,6,7,8",
      "31,323,334 and 313 233 34",
      "abcd efgh",
      "a b c d e f g h",
      JSON.stringify(Array.from({ length: 30 }, (_, index) => index)),
    ])
      expect(matcher.replace(text, () => "*")).toBe(text);
  });

  it("ignores what is too short to be a secret", () => {
    expect(createMatcher(["", "abc"]).find(Buffer.from("abc"))).toEqual([]);
    expect(createMatcher(["abcd"]).find(Buffer.from("abcd"))).toHaveLength(1);
  });
});

/** A token of one length, different for each seed. */
function made(length: number, seed: number): string {
  const characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_./+=";
  let state = seed >>> 0;
  let text = "";
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += characters[(state >>> 16) % characters.length];
  }
  return text;
}
