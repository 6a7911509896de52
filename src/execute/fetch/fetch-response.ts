import { base64Forms, isSecretName } from "../../shared/redact.ts";
import { parseXml } from "./xml.ts";

/** Response headers that a Pack never sees. */
const HIDDEN_HEADERS = new Set(["authorization", "proxy-authorization", "set-cookie", "set-cookie2"]);

/** @returns the headers with lower-case names, without credentials and with the tokens of this run masked */
export function visibleHeaders(headers: Iterable<readonly [string, string]>, tokens: ReadonlySet<string>): Record<string, string> {
  const shown = [...headers].filter(([name]) => !HIDDEN_HEADERS.has(name));
  return Object.fromEntries(shown.map(([name, value]) => [name, masked(value, tokens)]));
}

/** Overwrites the tokens of this run, in place and in every usual encoding, where a server sends them back. */
export function maskTokens(bytes: Buffer, tokens: ReadonlySet<string>): Buffer {
  if (tokens.size === 0) return bytes;
  // In latin1 each character is one byte, so an index in the text is an index in the bytes.
  for (const { 0: found, index } of bytes.toString("latin1").matchAll(patternOf(tokens))) bytes.fill("*", index, index + found.length);
  return bytes;
}

/** @returns the response as the Pack sees it: a JSON or XML body is parsed, another one is text, or bytes on request */
export function readResponse(
  { status, headers, bytes }: { status: number; headers: Record<string, string>; bytes: Uint8Array },
  isBinary: boolean,
): { status: number; headers: Record<string, string>; body?: unknown } {
  if (isBinary && status < 400) return { status, headers, body: new Uint8Array(bytes) };
  if (bytes.byteLength === 0) return { status, headers };
  return { status, headers, body: bodyOf(decodeText(bytes, headers["content-type"]), headers["content-type"] ?? "") };
}

/** @returns the text of a body that is probably JSON, for the sandbox to parse; undefined for any other body */
export function jsonTextOf(
  { headers, bytes }: { headers: Record<string, string>; bytes: Uint8Array },
  isBinary: boolean,
): string | undefined {
  if (isBinary || bytes.byteLength === 0) return undefined;
  const contentType = headers["content-type"] ?? "";
  const text = XML.test(contentType) ? undefined : decodeText(bytes, contentType);
  return text !== undefined && (JSON_TYPE.test(contentType) || JSON_START.test(text)) ? text : undefined;
}

/** @returns the text of a body in the character set of its media type; UTF-8 when that is missing or unknown */
export function decodeText(bytes: Uint8Array, contentType = ""): string {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** @returns the values of a parsed body with secret names. A Pack that logs in itself gets its token this way. */
export function namedSecrets(body: unknown, name = "", depth = 0): string[] {
  if (typeof body === "string") return body.length >= MIN_NAMED_LENGTH && isSecretName(name) ? [body] : [];
  if (typeof body !== "object" || body === null || body instanceof Uint8Array || depth > 20) return [];
  return Object.entries(body).flatMap(([member, value]) => namedSecrets(value, Array.isArray(body) ? name : member, depth + 1));
}

const MIN_NAMED_LENGTH = 8;

function masked(text: string, tokens: ReadonlySet<string>): string {
  return tokens.size === 0 ? text : text.replace(patternOf(tokens), (found) => "*".repeat(found.length));
}

/** Shorter pieces of base64 would match ordinary text. */
const MIN_BASE64_LENGTH = 8;

/** Matches tokens as plain text, with JSON escapes, percent-encoded, form-encoded and inside base64. */
function patternOf(tokens: ReadonlySet<string>): RegExp {
  const sources = [...tokens].flatMap((token) => {
    const characters = [...Buffer.from(token, "utf8")].map((byte) => {
      const hex = byte
        .toString(16)
        .padStart(2, "0")
        .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
      // JSON inside JSON escapes the backslashes again.
      return `(?:\\\\{0,4}${escapePattern(String.fromCharCode(byte))}|%${hex}|\\\\{1,4}u00${hex})`;
    });
    return [
      characters.join(""),
      ...base64Forms(token)
        .filter(({ length }) => length >= MIN_BASE64_LENGTH)
        .map(escapePattern),
    ];
  });
  return new RegExp(sources.filter((source) => source !== "").join("|"), "g");
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\\-/]/g, "\\$&");
}

const XML = /^\s*(?:text\/xml|application\/(?:[\w.+-]*\+)?xml)\b/i;
const JSON_TYPE = /^application\/(?:[\w.+-]*\+)?json\b|^text\/json\b/i;
const JSON_START = /^\s*[{[]/;

function bodyOf(text: string, contentType: string): unknown {
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
