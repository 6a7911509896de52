import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import { OPERATIONS, type Operation, type OperationId } from "../contract/operations.ts";
import { identifyCaller } from "./caller.ts";
import { type Fault, type Faults, parseFaultHeader } from "./faults.ts";
import { HANDLERS } from "./handlers/handlers.ts";
import { EXPORT_PATH, serveExport } from "./handlers/page-exports.ts";
import { errorBody, HttpError } from "./http-error.ts";
import { reasonNotBuilt } from "./not-built.ts";
import type { RateLimits } from "./rate-limits.ts";
import { sendError } from "./send-error.ts";
import { sendFaulty } from "./send-faulty.ts";
import { forbidden } from "./service-call.ts";
import type { ServiceState } from "./state.ts";

/** Where the versioned API begins. */
export const API_PATH = "/apis/v1";
const MAX_BODY_BYTES = 2 * 1_024 * 1_024;

/** A request as the control plane and tests see it. It holds no header and no body. */
export interface ServiceRequestRecord {
  /** Milliseconds since the epoch, on the clock of the service. */
  atMs: number;
  method: string;
  path: string;
  status: number;
  requestId: string;
  /** Undefined for what is no operation. */
  operation?: OperationId | undefined;
  /** What a strict service ignored of the request. */
  warning?: string | undefined;
}

export interface AppOptions {
  state: ServiceState;
  rateLimits: RateLimits;
  faults: Faults;
  record(request: ServiceRequestRecord): void;
  /** Answers what begins with `/__emulator`. */
  control: express.Router;
}

export function createApp({ state, rateLimits, faults, record, control }: AppOptions): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("case sensitive routing", true);
  app.set("query parser", false);
  app.use((request, response, next) => {
    const requestId = randomUUID();
    response.set({ "Cache-Control": "no-store", "X-Request-Id": requestId, "X-Content-Type-Options": "nosniff" });
    response.once("close", () => {
      const { method, originalUrl } = request;
      const warning = response.getHeader("X-Emulator-Warning")?.toString();
      const { operation } = response.locals as { operation?: OperationId };
      record({ atMs: state.clock.now(), method, path: originalUrl, status: response.statusCode, requestId, operation, warning });
    });
    next();
  });
  app.use("/__emulator", control);
  app.get("/openapi.json", async (_request, response) => {
    const { openApiDescription } = await import("../contract/openapi.ts");
    response.json(openApiDescription({ serverUrl: API_PATH }));
  });
  const readBody = express.raw({ type: () => true, limit: MAX_BODY_BYTES });
  for (const [id, operation] of Object.entries(OPERATIONS) as [OperationId, Operation][]) {
    const path = API_PATH + operation.path.replace(/\{(\w+)\}/g, ":$1");
    const method = operation.method.toLowerCase() as "get" | "post" | "put" | "patch" | "delete";
    app[method](path, authenticate(state, id, operation, rateLimits), injectFault(faults, id), readBody, answer(state, id, operation));
  }
  app.get(EXPORT_PATH, serveExport(state));
  app.use((request: Request) => {
    const reason = request.path.startsWith(API_PATH) ? reasonNotBuilt(request.path.slice(API_PATH.length)) : undefined;
    throw reason === undefined ? new HttpError(404) : new HttpError(501, reason);
  });
  app.use(sendError);
  return app;
}

// Before the body is read, so that nobody without a token makes the service hold one.
function authenticate(state: ServiceState, id: OperationId, { method, group }: Operation, rateLimits: RateLimits) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    response.locals["operation"] = id;
    const caller = await identifyCaller(state, request.headers.authorization);
    const waitMs = rateLimits.waitOf(caller.userId, group);
    if (waitMs > 0) {
      if (rateLimits.options?.retryAfter === true) response.set("Retry-After", String(Math.ceil(waitMs / 1_000)));
      throw new HttpError(429);
    }
    if (id !== "whoami" && !(method === "GET" ? caller.canRead : caller.canWrite)) throw forbidden();
    response.locals["caller"] = caller;
    next();
  };
}

function injectFault(faults: Faults, operation: OperationId) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const header = request.headers["x-emulator-fault"];
    const asked = typeof header === "string" ? parseFaultHeader(header) : undefined;
    const { docId } = request.params as Record<string, string>;
    const limit = Number(new URLSearchParams(request.originalUrl.split("?")[1]).get("limit") ?? 0);
    const fault = asked ?? faults.take({ operation, docId, limit });
    if (fault?.delayMs !== undefined) await wait(fault.delayMs);
    if (fault?.drop === "before") {
      request.socket.destroy();
      return;
    }
    if (fault?.retryAfter !== undefined) response.set("Retry-After", String(fault.retryAfter));
    if (fault?.status !== undefined) {
      response.status(fault.status).json(errorBody(fault.status));
      return;
    }
    response.locals["fault"] = fault;
    next();
  };
}

function answer(state: ServiceState, operation: OperationId, { status }: Operation) {
  const handler = HANDLERS[operation];
  return async (request: Request, response: Response): Promise<void> => {
    await state.mutations.pump();
    await requireConsistency(state, request);
    const [path = "", ...search] = request.originalUrl.split("?");
    const notes = new Map<string, string>();
    const { publicUrl, dialect } = state.settings;
    const result = await handler({
      state,
      operation,
      caller: response.locals["caller"],
      params: paramsOf(request),
      query: queryOf(search.join("?")),
      body: parseBody(request, operation),
      root: `${publicUrl === undefined ? `http://${hostOf(request)}` : new URL(publicUrl).origin}${API_PATH}`,
      path: path.slice(API_PATH.length),
      notes,
    });
    for (const [name, value] of notes) response.set(name, value);
    // Row V1 of the differences.
    response.status(operation === "createDoc" && dialect === "public" ? 201 : status);
    const fault = response.locals["fault"] as Fault | undefined;
    if (fault === undefined) response.json(result);
    else sendFaulty(response, result, fault);
  };
}

// Decision 65; writes and routes without a document ignore the header (decision 66: any pending edit of the document counts).
async function requireConsistency(state: ServiceState, { method, headers, params }: Request): Promise<void> {
  const version = headers["x-service-doc-version"] ?? headers["x-coda-doc-version"];
  const docId = params["docId"];
  if (method !== "GET" || version === undefined || version === "" || typeof docId !== "string") return;
  if (version !== "latest" || (await state.mutations.hasPending(docId))) throw new HttpError(400, "Doc is not yet up to date.");
}

// Decision 110: links name the host that the caller used, as long as it is one.
function hostOf(request: Request): string {
  const { host } = request.headers;
  return host !== undefined && /^(?:[A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.test(host)
    ? host
    : `127.0.0.1:${request.socket.localPort}`;
}

function parseBody({ body, headers }: Request, operation: OperationId): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined;
  const text = body.toString("utf8");
  if (operation === "triggerWebhookAutomation" && headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true)
    return Object.fromEntries(new URLSearchParams(text));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new HttpError(400, "The request body is not valid JSON.");
  }
  if (text.includes("\\u0000") && hasNul(value)) throw new HttpError(400, "A text in the request body has the character U+0000.");
  return value;
}

// No database keeps this character in a text, so nothing is called by it.
const NUL = "\u0000";

function paramsOf({ params }: Request): Record<string, string> {
  const texts = params as Record<string, string>;
  if (Object.values(texts).some((text) => text.includes(NUL))) throw new HttpError(404);
  return texts;
}

function queryOf(search: string): URLSearchParams {
  const query = new URLSearchParams(search);
  for (const [name, value] of query) if (value.includes(NUL)) throw new HttpError(400, `${name.slice(0, 100)} has the character U+0000.`);
  return query;
}

function hasNul(value: unknown): boolean {
  if (typeof value === "string") return value.includes(NUL);
  return (
    typeof value === "object" && value !== null && Object.entries(value).some(([name, member]) => name.includes(NUL) || hasNul(member))
  );
}
