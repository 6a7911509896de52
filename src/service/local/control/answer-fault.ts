import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { errorBody, sendJson } from "../api/http-error.ts";
import type { Fault } from "./fault-schema.ts";

/**
 * Waits, ends the connection or refuses, as the fault says. @returns whether the fault was the
 * complete response
 */
export async function answerFault(
  { delayMs, drop, retryAfter, status }: Fault,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  if (delayMs !== undefined) await wait(delayMs);
  if (drop === "before") {
    request.socket.destroy();
    return true;
  }
  if (retryAfter !== undefined) response.setHeader("Retry-After", String(retryAfter));
  if (status === undefined) return false;
  sendJson(response, status, errorBody(status));
  return true;
}
