import { HttpError } from "./http-error.ts";

/** Where tokens of an authorization server are looked up (RFC 7662), and as which client. */
export interface TokenIntrospection {
  url: string;
  clientId: string;
  clientSecret: string;
  /**
   * The issuer of the server, for the metadata of the API (RFC 9728). @default the origin of `url`
   */
  issuer?: string | undefined;
}

/** What the server says about a token that is active. */
export interface IntrospectedToken {
  scopes: readonly string[];
  /** The user of the token, or else its client. */
  name: string;
}

const TIMEOUT_MS = 5_000;
const MAX_BODY_BYTES = 64 * 1_024;

/**
 * Asks for the state of a token. The answer is never kept, so that a revoked token stops working at
 * once.
 * @returns undefined for a token that is not active
 * @throws {HttpError} 503 when the authorization server gives no usable answer
 */
export async function introspectToken(
  { url, clientId, clientSecret }: TokenIntrospection,
  token: string,
): Promise<IntrospectedToken | undefined> {
  const body = await post(url, clientId, clientSecret, token);
  if (body["active"] !== true) return undefined;
  const text = (...names: string[]) =>
    names.map((name) => body[name]).find((value) => typeof value === "string" && value !== "");
  const scope = body["scope"];
  return {
    scopes: typeof scope === "string" ? scope.split(" ") : [],
    name: String(text("name", "username", "client_id") ?? "Unknown client"),
  };
}

async function post(
  url: string,
  clientId: string,
  clientSecret: string,
  token: string,
): Promise<Record<string, unknown>> {
  try {
    // RFC 6749 §2.3.1: form-encode before base64, or a "+" in the secret is read as a space.
    const credentials = Buffer.from(`${formEncode(clientId)}:${formEncode(clientSecret)}`).toString(
      "base64",
    );
    const response = await fetch(url, {
      method: "POST",
      headers: { Authorization: `Basic ${credentials}`, Accept: "application/json" },
      body: new URLSearchParams({ token, token_type_hint: "access_token" }),
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const answer: unknown = JSON.parse(await limitedText(response));
    if (response.status !== 200 || typeof answer !== "object" || answer === null)
      throw new Error("no introspection response");
    return answer as Record<string, unknown>;
  } catch {
    throw new HttpError(503, "The introspection endpoint did not give a usable response.");
  }
}

async function limitedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BODY_BYTES) throw new Error("too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function formEncode(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}
