/** A signed JWT (RFC 7515 §3.1), of which nothing is verified yet. */
export interface DecodedJwt {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  /** The bytes under the signature. */
  signed: Buffer;
  signature: Buffer;
}

const MAX_LENGTH = 16_000;

/** @returns undefined for text that is no JWT */
export function decodeJwt(text: string): DecodedJwt | undefined {
  const [head = "", body = "", signature = "", ...rest] = text.split(".");
  const header = decode(head);
  const claims = decode(body);
  if (text.length > MAX_LENGTH || rest.length > 0 || header === undefined || claims === undefined) return undefined;
  return { header, claims, signed: Buffer.from(`${head}.${body}`, "utf8"), signature: Buffer.from(signature, "base64url") };
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
