import express, { type NextFunction, type Request, type Response, type Router } from "express";
import { sameSecret } from "../../shared/crypto.ts";
import { parseFaults } from "../faults.ts";
import { isCrossSite } from "../request/guards.ts";
import type { ProviderState } from "../state/provider-state.ts";

const MAX_ADVANCE_MS = 100 * 365 * 86_400_000;

/**
 * Clock, request log, reset and faults over HTTP, for tests in another process. Their paths begin
 * with the key of this start. Web pages cannot use them: they accept only JSON, and no cross-site
 * requests.
 */
export function controlEndpoints(state: ProviderState): Router {
  const router = express.Router();
  router.use(guardControl(state.controlKey));
  router.get("/clock", (_request, response) => void response.json({ nowMs: state.clock.now() }));
  router.post("/clock", (request, response) => {
    const advanceMs = bodyMember(request, "advanceMs");
    if (typeof advanceMs !== "number" || !(advanceMs >= 0 && advanceMs <= MAX_ADVANCE_MS))
      return refuse(response, "advanceMs must be a number of milliseconds, 0 or more.");
    state.clock.advance(advanceMs);
    response.json({ nowMs: state.clock.now() });
  });
  router.get(
    "/requests",
    (_request, response) => void response.json({ requests: state.recorder.requests }),
  );
  router.post("/reset", (_request, response) => {
    state.reset();
    response.status(204).end();
  });
  router.post("/faults", (request, response) => {
    const parsed = parseFaults(bodyMember(request, "faults"));
    if (!parsed.ok) return refuse(response, parsed.reason);
    state.faults.add(parsed.faults);
    response.status(204).end();
  });
  return router;
}

/** Other users of the machine can send requests, too: only who knows the key may do something. */
function guardControl(controlKey: string) {
  return (request: Request, response: Response, next: NextFunction) => {
    if (isCrossSite(request) || request.headers.origin !== undefined)
      return refuse(response, "Web pages cannot control this server.", 403);
    const [, key = "", ...rest] = request.url.split("/");
    if (!sameSecret(key, controlKey))
      return refuse(
        response,
        "Use the controlUrl that the server printed. The URL contains the key of the current run.",
        403,
      );
    if (
      request.method === "POST" &&
      !/^application\/json\b/i.test(request.headers["content-type"] ?? "")
    )
      return refuse(response, "Send application/json.", 415);
    request.url = `/${rest.join("/")}`;
    next();
  };
}

function bodyMember(request: Request, name: string): unknown {
  try {
    return (JSON.parse(String(request.body)) as Record<string, unknown> | null)?.[name];
  } catch {
    return undefined;
  }
}

function refuse(response: Response, description: string, status = 400): void {
  response.status(status).json({ error: "invalid_request", error_description: description });
}
