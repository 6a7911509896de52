import type { IncomingMessage, ServerResponse } from "node:http";
import type { Request, Response } from "express";
import { HttpError } from "./http-error.ts";

/**
 * Reads the body of a request. @throws {HttpError} 400 for one that is larger, or that ends too
 * early
 */
export async function readBytes(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): Promise<Buffer> {
  const { "content-encoding": encoding = "identity", "content-length": length } = request.headers;
  if (encoding !== "identity") return await inflated(request, response, maxBytes);
  if (Number(length ?? 0) > maxBytes) throw tooLarge();
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else {
        // What is still to come is passed over, or no other request could follow on the connection.
        request.off("data", take).resume();
        reject(tooLarge());
      }
    };
    const broken = (): void => reject(new HttpError(400, "The request cannot be read."));
    request
      .on("data", take)
      .once("end", () => resolve(Buffer.concat(chunks)))
      .once("error", broken)
      .once("close", broken);
  });
}

/** Few clients compress what they send. */
async function inflated(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): Promise<Buffer> {
  const { default: express } = await import("express");
  await new Promise<void>((resolve, reject) => {
    express.raw({ type: () => true, limit })(
      request as Request,
      response as Response,
      (error: unknown) => (error === undefined ? resolve() : reject(error)),
    );
  });
  const { body } = request as Request;
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
}

function tooLarge(): HttpError {
  return new HttpError(400, "request entity too large");
}
