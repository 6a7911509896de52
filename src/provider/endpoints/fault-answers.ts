import type { Request, RequestHandler, Response } from "express";
import { OAuthError } from "../answer.ts";
import type { Fault, FaultEndpoint } from "../faults.ts";
import { formParameters } from "../request/request-body.ts";
import type { ProviderState } from "../state/provider-state.ts";

const HUGE_BYTES = 5_000_000;

/** Wraps an endpoint, so that planned faults replace or change its responses. */
export function withFaults(
  state: ProviderState,
  endpoint: FaultEndpoint,
  handler: RequestHandler,
): RequestHandler {
  return async (request, response, next) => {
    const fault = state.faults.take(endpoint);
    if (fault === undefined) return void (await handler(request, response, next));
    const wait = async () => {
      if (fault.delayMs !== undefined && fault.delayMs > 0) await state.policy.sleep(fault.delayMs);
    };
    if (needsAnswer(fault)) {
      holdAnswer(response, wait, (body, send) => {
        if (fault.kind === "delay") return send();
        if (fault.kind === "truncate") return sendTruncated(response, body);
        for (const name of ["content-type", "content-length", "location", "www-authenticate"])
          response.removeHeader(name);
        sendFault(response, fault);
      });
      return void (await handler(request, response, next));
    }
    noteForm(state, request, response);
    await wait();
    if (!response.destroyed) sendFault(response, fault);
  };
}

function needsAnswer(fault: Fault): boolean {
  return fault.kind === "delay" || fault.kind === "truncate" || fault.processed === true;
}

/** Lets the endpoint handle the request, and intercepts its response. */
function holdAnswer(
  response: Response,
  wait: () => Promise<void>,
  release: (body: string, send: () => void) => void,
): void {
  const { end } = response;
  response.end = ((...args: Parameters<typeof end>) => {
    response.end = end;
    const [chunk] = args as unknown[];
    const body = typeof chunk === "string" || Buffer.isBuffer(chunk) ? chunk.toString() : "";
    void wait().then(() => {
      if (!response.destroyed) release(body, () => void end.apply(response, args));
    });
    return response;
  }) as typeof end;
}

/** Records the form of a request that the endpoint does not see, because a fault answers it. */
function noteForm(state: ProviderState, request: Request, response: Response): void {
  try {
    if (request.method === "POST") formParameters(request, response, state.recorder);
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
      response.end(
        typeof fault.body === "object" ? JSON.stringify(fault.body) : (fault.body ?? ""),
      );
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
      return;
    case "delay":
    case "truncate":
      throw new TypeError(`A ${fault.kind} fault needs an answer.`);
  }
}

function sendTruncated(response: Response, text: string): void {
  response.writeHead(response.statusCode, {
    "Content-Length": Math.max(Buffer.byteLength(text), 2),
  });
  response.write(text.slice(0, Math.floor(text.length / 2)), () => response.destroy());
}

function sendHuge(response: Response, bytes: number): void {
  const chunk = Buffer.alloc(64 * 1024, "x");
  let left = bytes;
  const writeMore = () => {
    while (left > 0 && !response.destroyed) {
      const size = Math.min(left, chunk.length);
      left -= size;
      if (!response.write(chunk.subarray(0, size))) return;
    }
    response.off("drain", writeMore);
    response.end('"}');
  };
  response.type("json").write('{"padding":"');
  response.on("drain", writeMore);
  writeMore();
}
