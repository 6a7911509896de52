import type { ServerResponse } from "node:http";
import { sendJson } from "../api/http-error.ts";
import type { Fault } from "./faults.ts";

const FILLER = " ".repeat(64 * 1_024);

/** Sends an answer whose request was carried out, but not as it should be. */
export function sendFaulty(response: ServerResponse, status: number, result: object, { drop, truncate, hugeBytes }: Fault): void {
  if (drop === "after") {
    response.socket?.destroy();
    return;
  }
  const text = JSON.stringify(result);
  response.statusCode = status;
  response.setHeader("Content-Type", "application/json; charset=utf-8");
  if (truncate === true) {
    response.setHeader("Content-Length", Buffer.byteLength(text));
    response.write(text.slice(0, text.length >> 1), () => response.socket?.destroy());
    return;
  }
  if (hugeBytes === undefined) {
    sendJson(response, status, result);
    return;
  }
  // White space is JSON: a client that takes it all finds a valid answer at its end.
  let left = hugeBytes - Buffer.byteLength(text);
  const fill = () => {
    while (left > 0) {
      const part = FILLER.slice(0, Math.min(left, FILLER.length));
      left -= part.length;
      if (!response.write(part)) {
        response.once("drain", fill);
        return;
      }
    }
    response.end(text);
  };
  fill();
}
