import { base64Forms, isSecretName } from "../../shared/redact.ts";
import { parseXml } from "./xml.ts";

/** Response headers that a Pack never sees. */
const HIDDEN_HEADERS = new Set(["authorization", "proxy-authorization", "set-cookie", "set-cookie2"]);

/** @returns the headers with lower-case names, without credentials and without the tokens of this run. */
export function visibleHeaders(headers: Iterable<readonly [string, string]>, tokens: ReadonlySet<string>): Record<string, string> {
  const shown = [...headers].filter(([name]) => !HIDDEN_HEADERS.has(name));
  return Object.fromEntries(shown.map(([name, value]) => [name, masked(value, tokens)]));
}

/** Overwrites the tokens of this run where a server sends them back, in whatever encoding, in place. */
export function maskTokens(bytes: Buffer, tokens: ReadonlySet<string>): Buffer {
  if (tokens.size === 0) return bytes;
  // In latin1 a character is a byte, so that places in the text are places in the bytes.
  for (const { 0: found, index } of bytes.toString("latin1").matchAll(patternOf(tokens))) bytes.fill("*", index, index + found.length);
  return bytes;
}

/** @returns the response as the Pack sees it: the body parsed when it is JSON or XML, else text; bytes when asked for. */
export function readResponse(
  { status, headers, bytes }: { status: number; headers: Record<string, string>; bytes: Uint8Array },
  isBinary: boolean,
): { status: number; headers: Record<string, string>; body?: unknown } {
  if (isBinary && status < 400) return { status, headers, body: new Uint8Array(bytes) };
  if (bytes.byteLength === 0) return { status, headers };
  return { status, headers, body: bodyOf(decodeText(bytes, headers["content-type"]), headers["content-type"] ?? "") };
}

/** @returns the body as text, when the Pack is to see it parsed as JSON, or as the text when it is none after all */
export function jsonTextOf(
  { headers, bytes }: { headers: Record<string, string>; bytes: Uint8Array },
  isBinary: boolean,
): string | undefined {
  if (isBinary || bytes.byteLength === 0) return undefined;
  const contentType = headers["content-type"] ?? "";
  const text = XML.test(contentType) ? undefined : decodeText(bytes, contentType);
  return text !== undefined && (JSON_TYPE.test(contentType) || JSON_START.test(text)) ? text : undefined;
}

/** @returns the text of a body in the character set that its type names; UTF-8 when it names none, or one that nobody knows. */
export function decodeText(bytes: Uint8Array, contentType = ""): string {
  const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** @returns what is secret in a parsed body by its name: a Pack that logs in for itself puts it into its next request. */
export function namedSecrets(body: unknown, name = "", depth = 0): string[] {
  if (typeof body === "string") return body.length >= MIN_NAMED_LENGTH && isSecretName(name) ? [body] : [];
  if (typeof body !== "object" || body === null || body instanceof Uint8Array || depth > 20) return [];
  return Object.entries(body).flatMap(([member, value]) => namedSecrets(value, Array.isArray(body) ? name : member, depth + 1));
}

const MIN_NAMED_LENGTH = 8;

function masked(text: string, tokens: ReadonlySet<string>): string {
  return tokens.size === 0 ? text : text.replace(patternOf(tokens), (found) => "*".repeat(found.length));
}

/** Shorter pieces of base64 are ordinary text. */
const MIN_BASE64_LENGTH = 8;

/** Finds tokens as they are, in JSON with any escapes, percent-encoded, form-encoded and inside base64. */
function patternOf(tokens: ReadonlySet<string>): RegExp {
  const sources = [...tokens].flatMap((token) => {
    const characters = [...Buffer.from(token, "utf8")].map((byte) => {
      const hex = byte
        .toString(16)
        .padStart(2, "0")
        .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
      // JSON inside JSON escapes the backslashes, too.
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

/** @returns the text itself when it is no JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
