/** Response headers that a Pack never sees. */
const HIDDEN_HEADERS = new Set(["authorization", "proxy-authorization", "set-cookie", "set-cookie2"]);

/** @returns the headers with lower-case names, without credentials. */
export function visibleHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => !HIDDEN_HEADERS.has(name)));
}

/** @returns the response as the Pack sees it: the body parsed when it is JSON, else text; bytes when asked for. */
export function readResponse(
  exchange: { status: number; headers: Headers; bytes: Uint8Array },
  isBinary: boolean,
): { status: number; headers: Record<string, string>; body?: unknown } {
  const { status, bytes } = exchange;
  const response = { status, headers: visibleHeaders(exchange.headers) };
  if (isBinary && status < 400) return { ...response, body: new Uint8Array(bytes) };
  if (bytes.byteLength === 0) return response;
  return { ...response, body: bodyOf(new TextDecoder().decode(bytes), exchange.headers.get("content-type") ?? "") };
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
