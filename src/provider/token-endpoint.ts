import type { Request, Response } from "express";
import { answerClient, sendAnswer } from "./client-endpoint.ts";
import type { Fault } from "./faults.ts";
import { formParameters } from "./form.ts";
import { issueTokens } from "./grants.ts";
import { OAuthError } from "./oauth-error.ts";
import type { ProviderState } from "./provider-state.ts";

const HUGE_BYTES = 5_000_000;

/** RFC 6749 §3.2, with the fault plan in front of it. */
export function tokenEndpoint(state: ProviderState) {
  return async (request: Request, response: Response) => {
    const fault = state.faults.take();
    const replaced = fault !== undefined && fault.kind !== "delay" && fault.kind !== "truncate";
    const spoiled = replaced && fault.processed !== true;
    const answer = spoiled
      ? undefined
      : answerClient(state, request, response, (client, parameters) => issueTokens(state, client, parameters));
    if (spoiled) noteForm(state, request, response);
    if (fault?.delayMs !== undefined && fault.delayMs > 0) await state.policy.sleep(fault.delayMs);
    if (response.destroyed) return;
    if (replaced) return sendFault(response, fault);
    const shaped = state.policy.profile.tokenAnswer?.(answer ?? { status: 500, headers: {}, body: "" }) ?? answer;
    if (shaped === undefined) return;
    if (fault?.kind === "truncate") return sendTruncated(response, JSON.stringify(shaped.body));
    sendAnswer(response, shaped);
  };
}

/** The journal shows what was sent even when the fault answered instead of the grant. */
function noteForm(state: ProviderState, request: Request, response: Response): void {
  try {
    formParameters(request, response, state.recorder);
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
  }
}

function sendFault(response: Response, fault: Fault): void {
  switch (fault.kind) {
    case "response":
      response.status(fault.status);
      if (typeof fault.body === "object") response.type("json");
      response.set(fault.headers ?? {});
      response.end(typeof fault.body === "object" ? JSON.stringify(fault.body) : (fault.body ?? ""));
      return;
    case "drop":
      response.destroy();
      return;
    case "redirect":
      response
        .status(fault.status ?? 307)
        .set("Location", fault.location)
        .end();
      return;
    case "html":
      response
        .status(fault.status ?? 200)
        .type("html")
        .end("<!doctype html><title>Down for maintenance</title><h1>We will be back soon</h1>");
      return;
    case "huge":
      sendHuge(response, fault.bytes ?? HUGE_BYTES);
  }
}

function sendTruncated(response: Response, text: string): void {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
  response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy());
}

function sendHuge(response: Response, bytes: number): void {
  const chunk = Buffer.alloc(64 * 1024, "x");
  let left = bytes;
  const more = () => {
    while (left > 0 && !response.destroyed) {
      const size = Math.min(left, chunk.length);
      left -= size;
      if (!response.write(chunk.subarray(0, size))) return;
    }
    response.off("drain", more);
    response.end('"}');
  };
  response.type("json").write('{"padding":"');
  response.on("drain", more);
  more();
}
