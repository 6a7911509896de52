import { PackError } from "../errors.ts";
import type { IncomingResponse } from "./send-request.ts";

/**
 * More levels than any token response or server metadata needs. A limit keeps a hostile server from
 * exhausting the parser.
 */
const MAX_JSON_DEPTH = 32;

/** How large a body may be, and what the error about a larger one says. */
export interface BodyLimit {
  maxBodyBytes: number;
  host: string;
  hint: string;
}

/**
 * Reads a body up to a limit.
 * @throws {PackError} OAUTH_TOKEN_RESPONSE_INVALID as soon as the body is larger than
 *   `maxBodyBytes`
 */
export async function readLimitedText(
  response: Pick<IncomingResponse, "status" | "body">,
  limit: BodyLimit,
): Promise<string> {
  const { maxBodyBytes } = limit;
  if (response.body === null) return "";
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.byteLength;
    // Leaving the loop cancels the stream, so the rest is never fetched.
    if (size > maxBodyBytes) throw tooLarge(response.status, limit);
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Whether objects and arrays of a JSON text are nested too deeply. Counts without recursion. */
export function isTooDeep(json: string, maxDepth: number = MAX_JSON_DEPTH): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (inString) {
      if (character === "\\") index++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") {
      if (++depth > maxDepth) return true;
    } else if (character === "}" || character === "]") depth--;
  }
  return false;
}

function tooLarge(
  status: number,
  { maxBodyBytes, host, hint }: BodyLimit,
): PackError<"OAUTH_TOKEN_RESPONSE_INVALID"> {
  return new PackError(
    "OAUTH_TOKEN_RESPONSE_INVALID",
    `The response from ${host} is larger than ${maxBodyBytes} bytes.`,
    { details: { status, reason: `larger than ${maxBodyBytes} bytes` }, hint },
  );
}
