import type { ServerResponse } from "node:http";

export function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.statusCode = status;
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  const bytes = Buffer.byteLength(text);
  response.setHeader("Content-Length", bytes);
  // As a text it leaves together with the headers. Where every character is one byte, none has to be encoded.
  response.end(response.req.method === "HEAD" ? "" : text, bytes === text.length ? "latin1" : "utf8");
}
