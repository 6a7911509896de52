import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRecordingTape } from "../../../src/execute/cassette/record-tape.ts";
import { maskResponse, readResponse } from "../../../src/execute/fetch/fetch-response.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { createSecretMatcher } from "../../../src/shared/secret-matcher.ts";

const characters = (text: string) => Array.from(text);
const listBytes = (text: string) => [...Buffer.from(text)];
const hex = (value: number, length = 2) => value.toString(16).padStart(length, "0");
const base64 = (text: string) => Buffer.from(text).toString("base64");
const wrap = (text: string, width: number, end: string) =>
  (text.match(new RegExp(`.{1,${width}}`, "gs")) ?? []).join(end);
const units = (text: string) => text.split("").map((unit) => unit.charCodeAt(0));
const codes = (text: string) => characters(text).map((each) => each.codePointAt(0) ?? 0);
const utf16 = (text: string) => Buffer.from(text, "utf16le");
const swapped = (text: string) => utf16(text).swap16();
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const percent = encodeURIComponent;
const quoted = (text: string) =>
  listBytes(text)
    .map((byte) => `=${hex(byte).toUpperCase()}`)
    .join("");
const NAMED: Readonly<Record<string, string>> = {
  "/": "&sol;",
  "+": "&plus;",
  "=": "&equals;",
  "&": "&amp;",
  "<": "&lt;",
  ".": "&period;",
  é: "&eacute;",
};
const decimal = (text: string) =>
  codes(text)
    .map((code) => `&#${code};`)
    .join("");

const utf32 = (text: string) => Buffer.from(Uint32Array.from(codes(text)).buffer);
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const listBits = (text: string) =>
  listBytes(text)
    .map((byte) => byte.toString(2).padStart(8, "0"))
    .join("");
const base32 = (text: string) =>
  (listBits(text).match(/.{1,5}/g) ?? [])
    .map((digit) => BASE32[Number.parseInt(digit.padEnd(5, "0"), 2)])
    .join("");
const bytesFrom = (numbers: readonly string[], base: number) =>
  Buffer.from(numbers.map((number) => Number.parseInt(number, base))).toString();

/** How a server may send a token back. */
const ENCODINGS: Readonly<Record<string, (token: string) => string | Buffer>> = {
  plain: (token) => token,
  percent,
  "percent, lower case": (token) => percent(token).replace(/%../g, (code) => code.toLowerCase()),
  "percent, every byte": (token) =>
    listBytes(token)
      .map((byte) => `%${hex(byte)}`)
      .join(""),
  "percent, units of escape()": (token) =>
    units(token)
      .map((unit) => `%u${hex(unit, 4)}`)
      .join(""),
  form: (token) => new URLSearchParams({ s: token }).toString().slice(2),
  "JSON escapes": json,
  "JSON, escaped slashes": (token) => json(token).replaceAll("/", "\\/"),
  "JSON, every unit": (token) =>
    units(token)
      .map((unit) => `\\u${hex(unit, 4)}`)
      .join(""),
  "JavaScript, \\x": (token) =>
    codes(token)
      .map((code) => (code < 256 ? `\\x${hex(code)}` : `\\u{${hex(code)}}`))
      .join(""),
  "JavaScript, \\u{}": (token) =>
    codes(token)
      .map((code) => `\\u{${hex(code)}}`)
      .join(""),
  "XML references, decimal": decimal,
  "XML references, hexadecimal": (token) =>
    codes(token)
      .map((code) => `&#x${hex(code)};`)
      .join(""),
  "HTML references, upper case": (token) =>
    codes(token)
      .map((code) => `&#X${hex(code).toUpperCase()};`)
      .join(""),
  "HTML references, leading zeros": (token) =>
    codes(token)
      .map((code) => `&#${String(code).padStart(12, "0")};`)
      .join(""),
  "HTML references, no semicolon": (token) =>
    codes(token)
      .map((code) => `&#${code}`)
      .join(""),
  "HTML references, names": (token) =>
    characters(token)
      .map((each) => NAMED[each] ?? each)
      .join(""),
  "UTF-16LE": utf16,
  "UTF-16BE": swapped,
  "UTF-16LE with BOM": (token) => utf16(`\ufeff${token}`),
  "UTF-16BE with BOM": (token) => swapped(`\ufeff${token}`),
  "Latin-1": (token) => Buffer.from(token, "latin1"),
  hexadecimal: (token) => Buffer.from(token).toString("hex"),
  "hexadecimal, upper case": (token) => Buffer.from(token).toString("hex").toUpperCase(),
  "hexadecimal with spaces": (token) =>
    listBytes(token)
      .map((byte) => hex(byte))
      .join(" "),
  "hexadecimal with colons": (token) =>
    listBytes(token)
      .map((byte) => hex(byte))
      .join(":"),
  "hexadecimal in lines": (token) => wrap(Buffer.from(token).toString("hex"), 32, "\n"),
  base64,
  base64url: (token) => Buffer.from(token).toString("base64url"),
  "base64 in a header": (token) => base64(`Bearer ${token}`),
  "base64, MIME": (token) => wrap(base64(`x${token}`), 76, "\r\n"),
  "base64, PEM": (token) => wrap(base64(`xy${token}`), 64, "\n"),
  "base64, indented lines": (token) => wrap(base64(token), 20, "\n    "),
  "base64url in lines": (token) => wrap(Buffer.from(token).toString("base64url"), 76, "\n"),
  "base64 of UTF-16LE": (token) => utf16(token).toString("base64"),
  "base64 of UTF-16BE": (token) => swapped(token).toString("base64"),
  "base64, percent-encoded": (token) => percent(base64(token)),
  "quoted-printable": quoted,
  "quoted-printable, soft line breaks": (token) => wrap(token.replaceAll("=", "=3D"), 9, "=\r\n"),
  "quoted-printable in lines": (token) => wrap(quoted(token), 75, "=\n"),
  "UTF-32LE": utf32,
  "UTF-32BE": (token) => utf32(token).swap32(),
  "a list of bytes": (token) => JSON.stringify([...Buffer.from(token)]),
  "a list of bytes with spaces": (token) => listBytes(token).join(", "),
  "a list of hexadecimal bytes": (token) =>
    listBytes(token)
      .map((byte) => `0x${hex(byte)}`)
      .join(", "),
  "binary digits": (token) =>
    listBytes(token)
      .map((byte) => byte.toString(2).padStart(8, "0"))
      .join(" "),
  "octal escapes": (token) =>
    listBytes(token)
      .map((byte) => `\\${byte.toString(8).padStart(3, "0")}`)
      .join(""),
  "escapes of Python": (token) =>
    codes(token)
      .map((code) => `\\U${hex(code, 8)}`)
      .join(""),
  "escapes of a style sheet": (token) =>
    codes(token)
      .map((code) => `\\${hex(code, 6)}`)
      .join(""),
  "escapes of a style sheet, short": (token) =>
    codes(token)
      .map((code) => `\\${hex(code)}`)
      .join(" "),
  "bytes in indented JSON": (token) => JSON.stringify([...Buffer.from(token)], null, 4),
  "bytes as members": (token) => JSON.stringify(new Uint8Array(Buffer.from(token)), null, 2),
  "signed bytes": (token) => JSON.stringify([...new Int8Array(Buffer.from(token))]),
  "padded decimal bytes with tabs": (token) =>
    listBytes(token)
      .map((byte) => String(byte).padStart(3, "0"))
      .join("\t"),
  "decimal code points with semicolons": (token) => codes(token).join(";"),
  "characters of SQL": (token) =>
    codes(token)
      .map((code) => `CHAR(${code})`)
      .join(" || "),
  "characters of JavaScript": (token) => `String.fromCharCode(${units(token).join(":")})`,
  "hexadecimal characters of JavaScript": (token) =>
    units(token)
      .map((unit) => `String.fromCharCode(0x${hex(unit)})`)
      .join("+"),
  ...Object.fromEntries(
    [",", "; ", "_", ".", "\n", "\t", "%2C", "&#10;"].map((separator) => [
      `hexadecimal with ${JSON.stringify(separator)}`,
      (token: string) =>
        listBytes(token)
          .map((byte) => hex(byte))
          .join(separator),
    ]),
  ),
  "hexadecimal in groups of four": (token) => wrap(Buffer.from(token).toString("hex"), 4, " "),
  "hexadecimal in groups of seven": (token) =>
    wrap(`${Buffer.from(`${token}.`).toString("hex")}abc`, 7, "-"),
  "hexadecimal, mixed case": (token) =>
    characters(Buffer.from(token).toString("hex"))
      .map((digit, index) => (index % 3 === 0 ? digit.toUpperCase() : digit))
      .join(""),
  "code points of Unicode": (token) =>
    codes(token)
      .map((code) => `U+${hex(code, 4).toUpperCase()}`)
      .join(" "),
  "bytes with \\x, upper case": (token) =>
    listBytes(token)
      .map((byte) => `\\x${hex(byte).toUpperCase()}`)
      .join(""),
  "bytes of Python": (token) => token.replaceAll("é", "\\xc3\\xa9"),
  "octal bytes": (token) =>
    listBytes(token)
      .map((byte) => `0o${byte.toString(8)}`)
      .join(", "),
  "octal escapes of what is not ASCII": (token) => token.replaceAll("é", "\\303\\251"),
  "binary digits in lines": (token) =>
    listBytes(token)
      .map((byte) => byte.toString(2).padStart(8, "0"))
      .join("\n"),
  "base64 with spaces": (token) => wrap(base64(token), 6, " "),
  "base64 in quotes": (token) => wrap(base64(`x${token}`), 9, '", "'),
  "percent three times": (token) => percent(percent(percent(token))),
  "percent five times": (token) => percent(percent(percent(percent(percent(token))))),
  "JSON three times": (token) => json(json(json(`"${token}"`))),
  "decomposed letters": (token) => token.normalize("NFD"),
  "wide letters": (token) =>
    token.replace(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)),
  ...Object.fromEntries(
    ["\u200b", "\u00ad", "\0", "\u001b[0;31m", "\u001b]8;;x\u0007", "\u{e0020}", "\ufe0f"].map(
      (character) => [
        `characters with ${JSON.stringify(character)} between them`,
        (token: string) => characters(token).join(character),
      ],
    ),
  ),
  "invisible characters in JSON": (token) => characters(token).join("\\u200B"),
  "an invisible reference": (token) => `${token.slice(0, 9)}&shy;${token.slice(9)}`,
  base32,
  "base32, lower case, in lines": (token) => wrap(base32(`xy${token}`).toLowerCase(), 64, "\n"),
};

const unescapeUnits = (text: string) =>
  text.replace(/\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2})|(.))/gis, (_, a, b, c, other) =>
    other === undefined ? String.fromCodePoint(Number.parseInt(a ?? b ?? c, 16)) : other,
  );
const unescapeBytes = (text: string, pattern: RegExp) =>
  Buffer.concat(
    text
      .split(pattern)
      .map((part, index) =>
        index % 2 === 1 ? Buffer.from(part, "hex") : Buffer.from(part, "utf8"),
      ),
  ).toString();

const repeat = (text: string, decode: (text: string) => string) =>
  [1, 2, 3, 4, 5].reduce((result) => decode(result), text);

/** What a Pack can do with a text in one step. */
const DECODERS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll("\0", ""),
  (text) => text.normalize("NFKC"),
  (text) => text.replace(/\u001b(?:\[[0-9;]*m|\][^\u0007]*\u0007)|\p{Cf}|\ufe0f|&shy;/gu, ""),
  (text) => text.replace(/\\u200B/g, ""),
  (text) => repeat(text, (each) => unescapeBytes(each, /%([\da-f]{2})/i)),
  (text) => repeat(text, (each) => each.replace(/\\(.)/gs, "$1")),
  (text) => unescapeBytes(text, /\\x([\da-f]{2})/i),
  (text) => text.replaceAll("\\303\\251", "é"),
  // Numbers, with anything between them.
  (text) => bytesFrom(text.match(/\d+/g) ?? [], 10),
  (text) =>
    bytesFrom(
      (text.match(/\d+/g) ?? []).filter((_, index) => index % 2 === 1),
      10,
    ),
  (text) => bytesFrom(text.match(/-?\d+/g) ?? [], 10),
  (text) => String.fromCharCode(...(text.slice(-8000).match(/\d+/g) ?? []).map(Number)),
  (text) =>
    bytesFrom(
      (text.match(/0o[0-7]+/g) ?? []).map((each) => each.slice(2)),
      8,
    ),
  (text) =>
    String.fromCharCode(
      ...(text.slice(-16_000).match(/(?:0x|U\+)[\dA-Fa-f]+/g) ?? []).map((each) =>
        Number.parseInt(each.slice(2), 16),
      ),
    ),
  (text) => unescapeBytes(text, /%([\da-f]{2})/i),
  (text) => text.replace(/%u([\da-f]{4})/gi, (_, code) => String.fromCharCode(Number(`0x${code}`))),
  unescapeUnits,
  (text) =>
    text.replace(/&#(?:x([\da-f]+)|(\d+));?/gi, (_, hexadecimal, number) =>
      String.fromCodePoint(hexadecimal ? Number.parseInt(hexadecimal, 16) : Number(number)),
    ),
  (text) => Object.entries(NAMED).reduce((left, [each, name]) => left.replaceAll(name, each), text),
  (text) => unescapeBytes(text.replace(/=[ \t]*\r?\n/g, ""), /=([\da-f]{2})/i),
  (text) => Buffer.from(text.replace(/[^\da-f]/gi, ""), "hex").toString(),
  (text) => Buffer.from(text, "base64").toString(),
  (text) => Buffer.from(text, "base64").toString("utf16le"),
  (text) => Buffer.from(text, "latin1").toString("utf16le"),
  (text) => bytesFrom(text.match(/\b\d{2,3}\b/g) ?? [], 10),
  (text) =>
    bytesFrom(
      (text.match(/0x[\da-f]{2}/g) ?? []).map((each) => each.slice(2)),
      16,
    ),
  (text) => bytesFrom(text.match(/\b[01]{8}\b/g) ?? [], 2),
  (text) =>
    bytesFrom(
      (text.match(/\\\d{3}/g) ?? []).map((each) => each.slice(1)),
      8,
    ),
  (text) =>
    text.replace(/\\(?:U([\da-f]{8})|([\da-f]{2,6}) ?)/g, (_, long, short) =>
      String.fromCodePoint(Math.min(Number.parseInt(long ?? short, 16), 0x10_ffff)),
    ),
  (text) => {
    // The token is at the end.
    const digits = Array.from(text.slice(-4000).toUpperCase(), (each) => BASE32.indexOf(each));
    const bits = digits.flatMap((digit) => (digit < 0 ? [] : digit.toString(2).padStart(5, "0")));
    return bytesFrom(bits.join("").match(/.{8}/g) ?? [], 2);
  },
];

/** The responses in which a text can travel; each gives it back to the Pack as a value. */
const MEDIA: Readonly<Record<string, (content: string) => string>> = {
  "application/json": (content) => JSON.stringify({ seen: content }),
  "application/problem+json": (content) => JSON.stringify([{ [content]: content }]),
  "application/xml": (content) =>
    `<a b="${escapeXml(content)}"><!-- c -->${escapeXml(content)}<d/></a>`,
  "text/html": (content) => `<p>${content}</p>`,
  "text/plain": (content) => content,
  "text/csv": (content) => `a,${content}`,
  "application/x-www-form-urlencoded": (content) => `seen=${content}`,
  "application/octet-stream": (content) => content,
};

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Characters of tokens, and some that encodings change. */
const token = fc.string({
  unit: fc.constantFrom(..."abcdefXYZ0123456789-._~+/=é"),
  minLength: 24,
  maxLength: 400,
});
const size = fc.oneof(fc.nat(200), fc.nat(64_000));
const filler = (length: number) => '{"title": "Write notes", "n": 17}\n'.repeat(length / 34);

function receive(bytes: Buffer, type: string, secret: string, status = 200, isBinary = false) {
  const tokens = createSecretMatcher<undefined>();
  tokens.add(secret, undefined);
  const headers = { "content-type": type, "x-seen": bytes.subarray(0, 500).toString("latin1") };
  const masked = maskResponse({ status, headers, bytes }, tokens, "api.tasks.example");
  return { masked, response: readResponse(masked, isBinary) };
}

function textsIn(value: unknown): string[] {
  if (value instanceof Uint8Array)
    return [Buffer.from(value).toString(), Buffer.from(value).toString("latin1")];
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

function expectHidden(value: unknown, secret: string): void {
  const readable = textsIn(value).flatMap((text) =>
    DECODERS.map((decode) => decode(text)).filter((decoded) => decoded.includes(secret)),
  );
  expect(readable).toEqual([]);
}

describe.each(Object.entries(ENCODINGS))("a token that travels as %s", (_, encode) => {
  it("is not readable after one decoding, in any media type and size", () => {
    fc.assert(
      fc.property(
        token,
        size,
        fc.constantFrom(...Object.entries(MEDIA)),
        fc.constantFrom(200, 400),
        fc.boolean(),
        (secret, length, [type, write], status, isBinary) => {
          const encoded = encode(secret);
          const bytes =
            typeof encoded === "string"
              ? Buffer.from(write(`${filler(length)}<${encoded}>`))
              : Buffer.concat([Buffer.from(filler(length)), encoded]);
          const { masked, response } = receive(bytes, type, secret, status, isBinary);
          expectHidden(response, secret);
          expectHidden(masked.bytes, secret);
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe("a token in a response", () => {
  const SECRET = "at/canary+1==second.half/of-the_token";

  it.each(["utf-16le", "utf-16be", "utf-16", "iso-8859-1", "iso-2022-jp"])(
    "is masked in the text that its character set %s gives",
    (charset) => {
      const text = JSON.stringify({ seen: percent(SECRET), again: decimal(SECRET) });
      const bytes = charset.startsWith("utf-16")
        ? utf16(text)
        : Buffer.from(text.replaceAll("a", "\x1b(Ba"));
      const body = charset === "utf-16be" ? bytes.swap16() : bytes;
      const { response } = receive(body, `application/json; charset=${charset}`, SECRET);
      expectHidden(response, SECRET);
    },
  );

  it.each([
    `<a>${SECRET.slice(0, 9)}<!-- c -->${SECRET.slice(9)}</a>`,
    `<a>${SECRET.slice(0, 9)}<b>c</b>${SECRET.slice(9)}</a>`,
    `<a>${SECRET.slice(0, 9)}<![CDATA[${SECRET.slice(9)}]]></a>`,
  ])("is not given to the Pack when XML joins its pieces: %s", (xml) => {
    expect(() => receive(Buffer.from(xml), "text/xml", SECRET)).toThrow(
      expect.objectContaining({ code: "FETCH_UNMASKED" }),
    );
  });

  it("is in no cassette, in any encoding", async () => {
    for (const encode of Object.values(ENCODINGS)) {
      const redactor = createRedactor();
      redactor.add(SECRET);
      const tape = createRecordingTape({ redactor });
      const encoded = encode(SECRET);
      const bytes = typeof encoded === "string" ? Buffer.from(encoded) : encoded;
      const request = {
        purpose: "pack",
        method: "GET",
        url: "https://api.tasks.example/",
      } as const;
      await tape.exchange({ ...request, body: undefined }, async () => ({
        status: 200,
        headers: { "content-type": "text/plain", "x-seen": bytes.toString("latin1") },
        bytes,
      }));
      const [exchange] = tape.cassette("Echo", {} as never).exchanges;
      const body = exchange?.response?.body;
      expectHidden(
        typeof body === "string" ? body : Buffer.from(body?.base64 ?? "", "base64"),
        SECRET,
      );
      expectHidden(exchange?.response?.headers, SECRET);
    }
  });

  it("is found in pieces anywhere in a large XML document", () => {
    const row = "<row><id>1</id><!-- of a list --></row>";
    const pieces = `<token>${SECRET.slice(0, 5)}<!-- -->${SECRET.slice(5)}</token>`;
    const document = (value: string) =>
      Buffer.from(`<a>${row.repeat(20_000)}${value}${row.repeat(10_000)}</a>`);
    expect(() => receive(document(pieces), "text/xml", SECRET)).toThrow(
      expect.objectContaining({ code: "FETCH_UNMASKED" }),
    );
    expect(() => receive(document(""), "text/xml", SECRET)).not.toThrow();
  });

  it("leaves other texts as they are, also those that look like encodings", () => {
    const text = `a\nb&amp;c=3D%41\\u0041 QUJD\r\nREVG ${"&#65;".repeat(50)} &#x;&;&#0; =\n=zz \\u{110000}`;
    const { response } = receive(Buffer.from(text), "text/plain", SECRET);
    expect(response.body).toBe(text);
  });

  it("is not seen in words of a text that a line break separates", () => {
    const { response } = receive(
      Buffer.from("pass\nword and pass\n word"),
      "text/plain",
      "password",
    );
    expect(response.body).toBe("pass\nword and pass\n word");
  });

  it.each([
    "\n",
    "a\n",
    "=",
    "\\u{",
    "&",
    "&#0",
    "%",
    "&#65;",
    " \n",
    "1,",
    "7",
    "7f",
    "ab,",
    "%25",
    "%2525",
    "-",
    "\u001b[",
    "\u001b]",
    "\u200b",
    "\0",
  ])("is searched for in time that grows with the text: %j", (unit) => {
    const matcher = createSecretMatcher<undefined>();
    matcher.add(SECRET, undefined);
    // A search that looks at the rest of the text at each place would take minutes.
    expect(matcher.find(Buffer.from(unit.repeat(1_000_000)))).toEqual([]);
  });
});
