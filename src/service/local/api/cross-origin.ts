import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Lets the web pages of every origin read responses. What protects the service is the token, which
 * a page has to know; there are no cookies.
 * @returns whether the request was only the question of a browser, which is answered then
 */
export function allowOtherOrigins(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (headers.origin === undefined) return false;
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Access-Control-Expose-Headers", "Retry-After, X-Request-Id");
  if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return false;
  response.writeHead(204, {
    "Access-Control-Allow-Methods": "GET, POST, PUT, PATCH, DELETE",
    "Access-Control-Allow-Headers": headers["access-control-request-headers"] ?? "",
    "Access-Control-Max-Age": "7200",
  });
  response.end();
  return true;
}
