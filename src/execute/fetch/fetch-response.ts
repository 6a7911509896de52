import { PackError } from "../../errors.ts";
import type { TapedResponse } from "../../oauth/tape.ts";
import type { RawBody } from "../../sandbox/protocol.ts";
import { isSecretName } from "../../shared/redact.ts";
import type { SecretMatcher } from "../../shared/secret-matcher.ts";
import { parseXml, walkXml } from "../../shared/xml.ts";
import { createBodyBuffer } from "./body-buffer.ts";

/** Response headers that a Pack never sees. */
const HIDDEN_HEADERS = new Set([
  "authorization",
  "proxy-authorization",
  "set-cookie",
  "set-cookie2",
]);

/**
 * A response without credential headers, and with the tokens of this run masked where a server
 * sends them back: in place, and in
 * every form that the matcher knows.
 * @throws {PackError} FETCH_UNMASKED
 */
export function maskResponse(
  {
    status,
    headers,
    bytes,
  }: { status: number; headers: Readonly<Record<string, string>>; bytes: Buffer },
  tokens: SecretMatcher<undefined>,
  host: string,
): TapedResponse {
  return orDiscard(host, () => {
    const shown = { status, headers: maskHeaders(headers, tokens) };
    return maskDecoded({ ...shown, bytes: maskTokens(bytes, tokens) }, tokens);
  });
}

/**
 * Masks what has arrived of a stream, in UTF-8.
 * @throws {PackError} FETCH_UNMASKED
 */
export function maskPart(bytes: Buffer, tokens: SecretMatcher<undefined>, host: string): Buffer {
  return orDiscard(host, () => maskTokens(bytes, tokens));
}

/** @throws {PackError} FETCH_UNMASKED, without a cause, which might quote what was searched */
function orDiscard<Result>(host: string, mask: () => Result): Result {
  try {
    return mask();
  } catch {
    throw new PackError(
      "FETCH_UNMASKED",
      `packsmith discarded the response from ${host}, because packsmith could not search the response for the account's tokens.`,
      {
        details: { host },
        hint: "The server received the request. If the request changes data, check whether it took effect before you retry.",
      },
    );
  }
}

/** @returns the headers that a Pack may see */
function maskHeaders(
  headers: Readonly<Record<string, string>>,
  tokens: SecretMatcher<undefined>,
): Record<string, string> {
  const shown = Object.entries(headers).filter(([name]) => !HIDDEN_HEADERS.has(name));
  // In latin1 each character is one byte, as in the header itself.
  const masked = shown.map(
    ([name, value]) =>
      [name, maskTokens(Buffer.from(value, "latin1"), tokens).toString("latin1")] as const,
  );
  return Object.fromEntries(masked);
}

/**
 * Searches the text that a Pack gets, which is made from the bytes by their character set, and for
 * XML the values in it, which can join what comments and elements separate.
 * @throws when the values of an XML body hold a token that the body does not show in one piece
 */
function maskDecoded(response: TapedResponse, tokens: SecretMatcher<undefined>): TapedResponse {
  if (tokens.isEmpty) return response;
  const { headers, bytes } = response;
  const type = headers["content-type"] ?? "";
  if (!XML.test(type) && isUtf8(type)) return response;
  const utf8 = isUtf8(type) ? bytes : encodeUtf8(bytes, createDecoder(type));
  const ranges = isUtf8(type) ? [] : tokens.find(utf8);
  for (const { start, end } of ranges) utf8.fill("*".charCodeAt(0), start, end);
  if (XML.test(type)) refuseJoinedToken(decodeText(utf8), tokens);
  if (ranges.length === 0) return response;
  const utf8Type = `${type.split(";")[0]};charset=utf-8`;
  return { ...response, headers: { ...headers, "content-type": utf8Type }, bytes: utf8 };
}

/**
 * Comments, CDATA, instructions, and text after an element: what is around them becomes one text.
 */
const JOINED_XML = /<!(?!DOCTYPE)|[\s\S]<\?|(?:<\/[^<>]*|\/)>\s*[^\s<]/;

/** Searches in portions, so that only a part of the values is in memory. */
function refuseJoinedToken(xml: string, tokens: SecretMatcher<undefined>): void {
  if (!JOINED_XML.test(xml)) return;
  let values = "";
  let isFound = false;
  const search = (): void => {
    isFound ||= tokens.replace(values, () => "") !== values;
    values = "";
  };
  const isXml = walkXml(xml, ({ name, attributes, text }) => {
    values += [name, text, ...Object.entries(attributes).flat(), ""].join("\0");
    if (values.length > PORTION_LENGTH) search();
  });
  search();
  if (isXml && isFound) throw new Error("The response contains a token in several parts.");
}

const PORTION_LENGTH = 256 * 1024;

function maskTokens(bytes: Buffer, tokens: SecretMatcher<undefined>): Buffer {
  for (const { start, end } of tokens.find(bytes)) bytes.fill("*", start, end);
  return bytes;
}

/**
 * @returns the response as the Pack sees it: a JSON or XML body is parsed, another one is text, or
 * bytes on request
 */
export function readResponse(
  {
    status,
    headers,
    bytes,
  }: { status: number; headers: Record<string, string>; bytes: Uint8Array },
  isBinary: boolean,
): { status: number; headers: Record<string, string>; body?: unknown } {
  if (isBinary && status < 400) return { status, headers, body: new Uint8Array(bytes) };
  if (bytes.byteLength === 0) return { status, headers };
  return {
    status,
    headers,
    body: parseBody(decodeText(bytes, headers["content-type"]), headers["content-type"] ?? ""),
  };
}

/**
 * @param grow awaited before the body needs more memory
 * @returns the body for the sandbox to read: its bytes on request, otherwise text in UTF-8;
 * undefined for an empty text
 */
export async function readRawBody(
  { headers, bytes }: { headers: Record<string, string>; bytes: Uint8Array },
  isBinary: boolean,
  grow: (bytes: number) => Promise<void> = async () => undefined,
): Promise<RawBody | undefined> {
  if (isBinary) return { form: "bytes", bytes };
  const contentType = headers["content-type"] ?? "";
  if (bytes.byteLength === 0) return undefined;
  if (!isUtf8(contentType)) await grow(bytes.byteLength);
  const utf8 = isUtf8(contentType)
    ? removeByteOrderMark(bytes)
    : encodeUtf8(bytes, createDecoder(contentType));
  if (XML.test(contentType)) return { form: "xml", bytes: utf8 };
  const isJson = JSON_TYPE.test(contentType) || startsAsJson(utf8);
  return { form: isJson ? "json" : "text", bytes: utf8 };
}

/** In steps: the text of a large body would need much more memory than its bytes. */
function encodeUtf8(bytes: Uint8Array, decoder: InstanceType<typeof TextDecoder>): Uint8Array {
  // A byte becomes at most three.
  const utf8 = createBodyBuffer(bytes.byteLength * 3);
  for (let start = 0; start < bytes.byteLength; start += PORTION_LENGTH) {
    const portion = bytes.subarray(start, start + PORTION_LENGTH);
    utf8.add(Buffer.from(decoder.decode(portion, { stream: true })));
  }
  utf8.add(Buffer.from(decoder.decode()));
  return utf8.read();
}

/** As every decoder of UTF-8 does. */
function removeByteOrderMark(bytes: Uint8Array): Uint8Array {
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return hasMark ? bytes.subarray(3) : bytes;
}

function startsAsJson(utf8: Uint8Array): boolean {
  let start = 0;
  while (SPACES.has(utf8[start] ?? 0)) start += 1;
  return JSON_START.test(decodeText(utf8.subarray(start, start + 64)));
}

const SPACES = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20]);

/**
 * @returns the text of a body in the character set of its media type; UTF-8 when that is missing or
 * unknown
 */
export function decodeText(bytes: Uint8Array, contentType = ""): string {
  return createDecoder(contentType).decode(bytes);
}

function createDecoder(contentType: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(readCharset(contentType));
  } catch {
    return new TextDecoder();
  }
}

function readCharset(contentType: string): string {
  return /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? "utf-8";
}

function isUtf8(contentType: string): boolean {
  return createDecoder(contentType).encoding === "utf-8";
}

/**
 * @returns the values of a parsed body with secret names. A Pack that logs in itself gets its token
 * this way.
 */
export function namedSecrets(body: unknown, name = "", depth = 0): string[] {
  if (typeof body === "string")
    return body.length >= MIN_NAMED_LENGTH && isSecretName(name) ? [body] : [];
  if (typeof body !== "object" || body === null || body instanceof Uint8Array || depth > 20)
    return [];
  return Object.entries(body).flatMap(([member, value]) =>
    namedSecrets(value, Array.isArray(body) ? name : member, depth + 1),
  );
}

const MIN_NAMED_LENGTH = 8;

const XML = /^\s*(?:text\/xml|application\/(?:[\w.+-]*\+)?xml)\b/i;
const JSON_TYPE = /^application\/(?:[\w.+-]*\+)?json\b|^text\/json\b/i;
const JSON_START = /^\s*[{[]/;

function parseBody(text: string, contentType: string): unknown {
  if (XML.test(contentType)) return parseXml(text) ?? text;
  return JSON_TYPE.test(contentType) || JSON_START.test(text) ? parseJson(text) : text;
}

/** @returns the text itself when it is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
