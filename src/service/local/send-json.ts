import type { ServerResponse } from "node:http";

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  response.setHeader("Content-Length", Buffer.byteLength(text));
  // As a text it leaves together with the headers.
  response.end(response.req.method === "HEAD" ? undefined : text);
}
