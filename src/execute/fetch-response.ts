/** Response headers that a Pack never sees. */
const HIDDEN_HEADERS = new Set(["authorization", "proxy-authorization", "set-cookie", "set-cookie2"]);

/** @returns the headers with lower-case names, without credentials and without the tokens of this run. */
export function visibleHeaders(headers: Headers, tokens: ReadonlySet<string>): Record<string, string> {
  const shown = [...headers].filter(([name]) => !HIDDEN_HEADERS.has(name));
  return Object.fromEntries(shown.map(([name, value]) => [name, masked(value, tokens)]));
}

/** Overwrites the tokens of this run where a server sends them back, in place, byte for byte. */
export function maskTokens(bytes: Buffer, tokens: ReadonlySet<string>): Buffer {
  for (const token of formsOf(tokens)) {
    for (let at = bytes.indexOf(token); at >= 0; at = bytes.indexOf(token, at + token.length)) bytes.fill("*", at, at + token.length);
  }
  return bytes;
}

/** @returns the response as the Pack sees it: the body parsed when it is JSON, else text; bytes when asked for. */
export function readResponse(
  { status, headers, bytes }: { status: number; headers: Record<string, string>; bytes: Buffer },
  isBinary: boolean,
): { status: number; headers: Record<string, string>; body?: unknown } {
  if (isBinary && status < 400) return { status, headers, body: new Uint8Array(bytes) };
  if (bytes.byteLength === 0) return { status, headers };
  return { status, headers, body: bodyOf(new TextDecoder().decode(bytes), headers["content-type"] ?? "") };
}

function masked(text: string, tokens: ReadonlySet<string>): string {
  return formsOf(tokens).reduce((shown, token) => shown.replaceAll(token, "*".repeat(token.length)), text);
}

function formsOf(tokens: ReadonlySet<string>): string[] {
  return [...new Set([...tokens].flatMap((token) => [token, encodeURIComponent(token)]))].filter((form) => form !== "");
}

function bodyOf(text: string, contentType: string): unknown {
  const isJson = /^application\/(?:[\w.+-]*\+)?json\b|^text\/json\b/i.test(contentType);
  if (!isJson && !/^\s*[{[]/.test(text)) return text;
  try {
    const parsed: unknown = JSON.parse(text);
    return isJson || (typeof parsed === "object" && parsed !== null) ? parsed : text;
  } catch {
    return text;
  }
}
