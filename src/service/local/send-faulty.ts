import type { Response } from "express";
import type { Fault } from "./faults.ts";

const FILLER = " ".repeat(64 * 1_024);

/** Sends an answer whose request was carried out, but not as it should be. */
export function sendFaulty(response: Response, result: object, { drop, truncate, hugeBytes }: Fault): void {
  if (drop === "after") {
    response.socket?.destroy();
    return;
  }
  const text = JSON.stringify(result);
  response.type("application/json");
  if (truncate === true) {
    response.set("Content-Length", String(Buffer.byteLength(text)));
    response.write(text.slice(0, text.length >> 1), () => response.socket?.destroy());
    return;
  }
  if (hugeBytes === undefined) {
    response.send(text);
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
