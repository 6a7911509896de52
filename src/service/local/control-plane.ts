import express, { type Request, type Router } from "express";
import * as z from "zod";
import { isPackError } from "../../errors.ts";
import { type ServiceRequestRecord, sendError } from "./app.ts";
import { parseBody } from "./body.ts";
import { HttpError } from "./http-error.ts";
import type { ServiceState } from "./state.ts";

export interface ControlPlaneOptions {
  state: ServiceState;
  requests(): readonly ServiceRequestRecord[];
  /** Goes back to the seed of the start. */
  reset(): Promise<void>;
  /** Replaces everything by another seed. */
  load(seed: unknown): Promise<void>;
}

const clockBody = z.union([
  z.strictObject({ advanceMs: z.number().finite() }),
  z.strictObject({ nowMs: z.number().finite() }),
  z.strictObject({ freeze: z.literal(true) }),
]);

const LAST_TIME_MS = Date.UTC(9999, 11, 31);
const MAX_SEED_BYTES = 50 * 1_024 * 1_024;

/** What tests set and look at. It belongs to the local service alone and needs no token, but nothing of it is for web pages. */
export function createControlPlane({ state, requests, reset, load }: ControlPlaneOptions): Router {
  const router = express.Router({ caseSensitive: true });
  router.use((request, _response, next) => {
    if (!isLocalProgram(request)) throw new HttpError(403, "Only programs on this machine may use the control plane.");
    next();
  });
  router.use(express.json({ type: () => true, limit: MAX_SEED_BYTES }));
  router.post("/reset", async (_request, response) => {
    await reset();
    response.json({});
  });
  router.post("/seed", async (request, response) => {
    await load(request.body);
    response.json({});
  });
  router.get("/clock", (_request, response) => {
    response.json({ nowMs: state.clock.now() });
  });
  router.post("/clock", (request, response) => {
    const change = parseBody(clockBody, request.body);
    if ("freeze" in change) state.clock.freeze();
    else {
      const nowMs = "nowMs" in change ? change.nowMs : state.clock.now() + change.advanceMs;
      if (!(nowMs >= 0 && nowMs <= LAST_TIME_MS)) throw new HttpError(400, "The clock can show times from 1970 to 9999.");
      state.clock.set(nowMs);
    }
    response.json({ nowMs: state.clock.now() });
  });
  router.get("/mutations", async (_request, response) => {
    await state.mutations.pump();
    const rows = await state.storage.db.selectFrom("mutations").selectAll().orderBy("position").execute();
    const items = rows.map(({ id, doc_id, accepted_at_ms, due_at_ms, completed_at_ms, warning }) => ({
      requestId: id,
      docId: doc_id,
      acceptedAtMs: accepted_at_ms,
      dueAtMs: due_at_ms,
      completedAtMs: completed_at_ms,
      warning,
    }));
    response.json({ items });
  });
  router.post("/mutations/complete", async (_request, response) => {
    await state.mutations.pump({ all: true });
    response.json({});
  });
  router.get("/requests", (_request, response) => {
    response.json({ items: requests() });
  });
  router.use(() => {
    throw new HttpError(501, "The control plane has reset, seed, clock, mutations and requests; nothing else is implemented.");
  });
  router.use(((error, request, response, next) => {
    const known = isPackError(error, "SEED_INVALID") ? new HttpError(400, error.details.problems.join("; ")) : error;
    sendError(known, request, response, next);
  }) satisfies express.ErrorRequestHandler);
  return router;
}

// A web page can send requests to this address; a browser marks them, and a rebound host name shows.
function isLocalProgram({ headers, socket }: Request): boolean {
  const hosts = ["127.0.0.1", "localhost"].map((host) => `${host}:${socket.localPort}`);
  return hosts.includes(headers.host ?? "") && headers.origin === undefined && headers["sec-fetch-site"] === undefined;
}
