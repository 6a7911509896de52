import type { Request, Router } from "express";
import express from "express";
import * as z from "zod";
import { isPackError } from "../../../errors.ts";
import { sameSecret } from "../../../shared/crypto.ts";
import type { RateGroup } from "../../contract/operations.ts";
import { HttpError, sendError } from "../api/http-error.ts";
import type { RateLimitOptions, RateLimits } from "../api/rate-limits.ts";
import { parseBody } from "../api/request-input.ts";
import type { ServiceRequestRecord } from "../api/request-record.ts";
import { delay, latency } from "../edits/edit-settings.ts";
import { findPack, savePart } from "../registry/registry-store.ts";
import type { ServiceState } from "../state.ts";
import { dumpState, restoreSnapshot, saveSnapshot } from "../store/snapshots.ts";
import type { ControlAnswers } from "./control-answers.ts";
import { faultSchema } from "./fault-schema.ts";
import type { Faults } from "./faults.ts";
import { ingestRuns, packRunsSchema } from "./pack-runs.ts";
import type { SharedControls } from "./shared-controls.ts";

export interface ControlPlaneOptions {
  /** The first part of every path: who does not know it may do nothing. */
  key: string;
  state: ServiceState;
  rateLimits: RateLimits;
  faults: Faults;
  requests(): readonly ServiceRequestRecord[];
  change: SharedControls["change"];
  /** Goes back to the seed of the start. */
  reset(): Promise<void>;
  /** Replaces everything by another seed. */
  load(seed: unknown): Promise<void>;
}

const name = z.strictObject({ name: z.string().min(1).max(200) });
const clockBody = z.union([
  z.strictObject({ advanceMs: z.number().finite() }),
  z.strictObject({ nowMs: z.number().finite() }),
  z.strictObject({ freeze: z.boolean() }),
]);
const latencyBody = z.strictObject({
  latency: latency.optional(),
  snapshotLagMs: delay.optional(),
  failedMutation: z.enum(["warning", "stuck"]).optional(),
});
const groups = ["read", "write", "content", "listDocs", "analytics"] as const satisfies RateGroup[];
const rateLimitsBody = z.union([
  z.strictObject({ off: z.literal(true) }),
  z.strictObject({
    retryAfter: z.boolean().optional(),
    limits: z
      .partialRecord(
        z.enum(groups),
        z.strictObject({ requests: z.int().min(1), windowMs: z.int().min(1) }),
      )
      .optional(),
  }),
]);

const LAST_TIME_MS = Date.UTC(9999, 11, 31);
const MAX_SEED_BYTES = 50 * 1_024 * 1_024;

/**
 * The part of the service that tests control. It needs the key of this start, and refuses requests
 * from web pages.
 */
export function createControlPlane(options: ControlPlaneOptions): Router {
  const { reset, load } = options;
  const router = express.Router({ caseSensitive: true });
  router.use((request, _response, next) => {
    if (!isLocalProgram(request))
      throw new HttpError(403, "Only programs on this machine may use the control plane.");
    const [, key = "", ...rest] = request.url.split("/");
    if (!sameSecret(key, options.key)) {
      throw new HttpError(
        403,
        "The URL of a control request must contain the key of the current run. Use the controlUrl that the service printed.",
      );
    }
    request.url = `/${rest.join("/")}`;
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
  addState(router, options);
  addClock(router, options);
  addEdits(router, options);
  addTraffic(router, options);
  router.use(() => {
    throw new HttpError(
      501,
      "The control plane does not have this path. See docs/service.md for its paths.",
    );
  });
  router.use(((error, _request, response, _next) => {
    const known = isPackError(error, "SEED_INVALID")
      ? new HttpError(400, error.details.problems.join("; "))
      : error;
    sendError(known, response);
  }) satisfies express.ErrorRequestHandler);
  return router;
}

function addState(router: Router, { state }: ControlPlaneOptions): void {
  router.get("/state", async (_request, response) => {
    await state.edits.pump();
    response.json(await dumpState(state.storage.db));
  });
  router.post("/snapshot", async (request, response) => {
    const { name: snapshot } = parseBody(name, request.body);
    await state.storage.transaction((transaction) => saveSnapshot(transaction, `user:${snapshot}`));
    response.json({});
  });
  router.post("/restore", async (request, response) => {
    const { name: snapshot } = parseBody(name, request.body);
    const found = await state.storage.transaction((transaction) =>
      restoreSnapshot(transaction, `user:${snapshot}`),
    );
    if (!found) throw new HttpError(404, "There is no snapshot with that name.");
    state.edits.reload();
    response.json({});
  });
  router.post("/approvals", async (request, response) => {
    const { packId } = parseBody(z.strictObject({ packId: z.int().min(1) }), request.body);
    if ((await findPack(state.storage.db, packId)) === undefined)
      throw new HttpError(404, "There is no Pack with that id.");
    await state.storage.transaction((transaction) =>
      savePart(transaction, packId, "approval", "approval", {}),
    );
    response.json({});
  });
  router.post("/analytics", async (request, response) => {
    const runs = parseBody(packRunsSchema, request.body);
    await state.storage.transaction((transaction) =>
      ingestRuns(transaction, runs, state.clock.now()),
    );
    response.json({});
  });
}

function addClock(router: Router, { state: { clock }, change }: ControlPlaneOptions): void {
  router.get("/clock", (_request, response) => {
    response.json({
      nowMs: clock.now(),
      isFrozen: clock.isFrozen,
    } satisfies ControlAnswers["clock"]);
  });
  router.post("/clock", async (request, response) => {
    const wanted = parseBody(clockBody, request.body);
    await change("clock", () => {
      if ("freeze" in wanted) {
        if (wanted.freeze) clock.freeze();
        else clock.resume();
        return;
      }
      const nowMs = "nowMs" in wanted ? wanted.nowMs : clock.now() + wanted.advanceMs;
      if (!(nowMs >= 0 && nowMs <= LAST_TIME_MS))
        throw new HttpError(400, "The clock can show times from 1970 to 9999.");
      clock.set(nowMs);
    });
    response.json({ nowMs: clock.now(), isFrozen: clock.isFrozen });
  });
}

function addEdits(router: Router, { state, change }: ControlPlaneOptions): void {
  const { edits, settings, storage } = state;
  const requestBody = z.strictObject({ requestId: z.string().optional() });
  router.get("/mutations", async (_request, response) => {
    await edits.pump();
    const rows = await storage.db.selectFrom("mutations").selectAll().orderBy("position").execute();
    const items = rows.map(
      ({ id, doc_id, accepted_at_ms, due_at_ms, completed_at_ms, warning, state, edit }) => ({
        requestId: id,
        docId: doc_id,
        state: state === "offered" ? ("pending" as const) : state,
        // What is done keeps nothing of its edit.
        ...describeEdit(edit),
        acceptedAtMs: accepted_at_ms,
        dueAtMs: due_at_ms,
        completedAtMs: completed_at_ms,
        warning,
      }),
    );
    response.json({ items, hold: settings.isHeld } satisfies ControlAnswers["mutations"]);
  });
  router.post("/mutations/complete", async (request, response) => {
    const { requestId } = parseBody(requestBody, request.body ?? {});
    if (requestId === undefined) await edits.pump({ all: true });
    else if (!(await edits.complete(requestId)))
      throw new HttpError(404, "There is no pending edit with that request id.");
    response.json({});
  });
  router.post("/mutations/hold", async (request, response) => {
    const { hold } = parseBody(z.strictObject({ hold: z.boolean() }), request.body);
    await change("edits", () => {
      settings.isHeld = hold;
    });
    if (!hold) await edits.release();
    response.json({ hold: settings.isHeld });
  });
  router.post("/mutations/warn", async (request, response) => {
    const { requestId, warning } = parseBody(
      z.strictObject({ requestId: z.string(), warning: z.string().min(1) }),
      request.body,
    );
    if (!(await edits.fail(requestId, warning)))
      throw new HttpError(404, "There is no pending edit with that request id.");
    response.json({});
  });
  router.post("/publish-snapshot", async (_request, response) => {
    await edits.pump({ aheadMs: settings.snapshotLagMs });
    response.json({});
  });
  router.get("/latency", (_request, response) => {
    const { snapshotLagMs, failedMutation } = settings;
    response.json({
      latency: settings.latency,
      snapshotLagMs,
      failedMutation,
    } satisfies ControlAnswers["latency"]);
  });
  router.post("/latency", async (request, response) => {
    const wanted = parseBody(latencyBody, request.body);
    await change("edits", () => {
      settings.latency = wanted.latency ?? settings.latency;
      settings.snapshotLagMs = wanted.snapshotLagMs ?? settings.snapshotLagMs;
      settings.failedMutation = wanted.failedMutation ?? settings.failedMutation;
    });
    response.json({
      latency: settings.latency,
      snapshotLagMs: settings.snapshotLagMs,
      failedMutation: settings.failedMutation,
    });
  });
}

/** What an edit that waits will do, without its cells. */
function describeEdit(text: string): { kind?: string; tableId?: string; rows?: number } {
  const { kind, tableId, rows, rowIds } = JSON.parse(text) as Partial<{
    kind: string;
    tableId: string;
    rows: unknown[];
    rowIds: unknown[];
  }>;
  if (kind === undefined) return {};
  const count = (rows ?? rowIds)?.length;
  return {
    kind,
    ...(tableId === undefined ? {} : { tableId }),
    ...(count === undefined ? {} : { rows: count }),
  };
}

function addTraffic(router: Router, options: ControlPlaneOptions): void {
  const { rateLimits, faults, requests, change } = options;
  router.get("/requests", (_request, response) => {
    response.json({ items: [...requests()] } satisfies ControlAnswers["requests"]);
  });
  router.get("/faults", (_request, response) => {
    response.json({ faults: [...faults.list()] } satisfies ControlAnswers["faults"]);
  });
  router.post("/faults", async (request, response) => {
    const wanted = parseBody(
      z.strictObject({ faults: z.array(faultSchema).max(1_000) }),
      request.body,
    );
    await change("faults", () => faults.replace(wanted.faults));
    response.json({ faults: faults.list() });
  });
  router.get("/rate-limits", async (_request, response) => {
    response.json({
      options: rateLimits.options === undefined ? null : { ...rateLimits.options },
      windows: await rateLimits.inspect(),
    } satisfies ControlAnswers["rate-limits"]);
  });
  router.post("/rate-limits", async (request, response) => {
    const wanted = parseBody(rateLimitsBody, request.body);
    await change("limits", () =>
      rateLimits.set("off" in wanted ? undefined : (wanted as RateLimitOptions)),
    );
    await rateLimits.forget();
    response.json({ options: rateLimits.options ?? null });
  });
}

// A web page can send requests to this address; a browser marks them, and a rebound host name
// shows. Requests of other machines come from their addresses, or through a load balancer on this
// one, which marks them.
function isLocalProgram({ headers, socket }: Request): boolean {
  const hosts = ["127.0.0.1", "localhost"].map((host) => `${host}:${socket.localPort}`);
  return (
    LOOPBACK.test(socket.remoteAddress ?? "") &&
    FORWARDING.every((name) => headers[name] === undefined) &&
    hosts.includes(headers.host ?? "") &&
    headers.origin === undefined &&
    headers["sec-fetch-site"] === undefined
  );
}

const LOOPBACK = /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/;
/** What load balancers add to a request. */
const FORWARDING = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"] as const;
