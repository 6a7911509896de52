import { randomUUID } from "node:crypto";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import { OPERATIONS, type Operation, type OperationId } from "../contract/operations.ts";
import { identifyCaller } from "./caller.ts";
import {
  getAnalyticsLastUpdated,
  listDocAnalytics,
  listDocAnalyticsSummary,
  listPackAnalytics,
  listPackAnalyticsSummary,
  listPackFormulaAnalytics,
  listPageAnalytics,
} from "./handlers/analytics.ts";
import { triggerWebhookAutomation } from "./handlers/automations.ts";
import { listCategories } from "./handlers/categories.ts";
import { createDoc, getDoc, listDocs } from "./handlers/docs.ts";
import { getControl, getFormula, listControls, listFormulas } from "./handlers/formulas-and-controls.ts";
import { getMutationStatus } from "./handlers/mutations.ts";
import { getPage, listPages } from "./handlers/pages.ts";
import { getRow, listRows } from "./handlers/read-rows.ts";
import { getColumn, getTable, listColumns, listTables } from "./handlers/tables.ts";
import { whoami } from "./handlers/whoami.ts";
import { deleteRow, deleteRows, pushButton, updateRow, upsertRows } from "./handlers/write-rows.ts";
import { errorBody, HttpError } from "./http-error.ts";
import type { RateLimits } from "./rate-limits.ts";
import { forbidden, type Handler } from "./service-call.ts";
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
}

const HANDLERS: Partial<Record<OperationId, Handler>> = {
  listDocAnalytics,
  listDocAnalyticsSummary,
  listPageAnalytics,
  listPackAnalytics,
  listPackAnalyticsSummary,
  listPackFormulaAnalytics,
  getAnalyticsLastUpdated,
  whoami,
  listDocs,
  getDoc,
  createDoc,
  listTables,
  getTable,
  listColumns,
  getColumn,
  listRows,
  getRow,
  upsertRows,
  updateRow,
  deleteRow,
  deleteRows,
  pushButton,
  listPages,
  getPage,
  listFormulas,
  getFormula,
  listControls,
  getControl,
  listCategories,
  triggerWebhookAutomation,
  getMutationStatus,
};

export interface AppOptions {
  state: ServiceState;
  /** Absent: requests are not limited. */
  rateLimits: { limits: RateLimits; retryAfter: boolean } | undefined;
  record(request: ServiceRequestRecord): void;
  /** Answers what begins with `/__emulator`. */
  control: express.Router;
}

export function createApp({ state, rateLimits, record, control }: AppOptions): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("case sensitive routing", true);
  app.set("query parser", false);
  app.use((request, response, next) => {
    const requestId = randomUUID();
    response.set({ "Cache-Control": "no-store", "X-Request-Id": requestId, "X-Content-Type-Options": "nosniff" });
    response.once("finish", () => {
      const { method, originalUrl } = request;
      record({ atMs: state.clock.now(), method, path: originalUrl, status: response.statusCode, requestId });
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
    app[method](path, authenticate(state, operation, rateLimits), readBody, answer(state, id, operation));
  }
  app.use(() => {
    throw new HttpError(404);
  });
  app.use(sendError);
  return app;
}

// Before the body is read, so that nobody without a token makes the service hold one.
function authenticate(state: ServiceState, { method, group }: Operation, rateLimits: AppOptions["rateLimits"]) {
  return async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const caller = await identifyCaller(state, request.headers.authorization);
    const waitMs = rateLimits?.limits.waitOf(caller.userId, group) ?? 0;
    if (waitMs > 0) {
      if (rateLimits?.retryAfter === true) response.set("Retry-After", String(Math.ceil(waitMs / 1_000)));
      throw new HttpError(429);
    }
    if (!request.path.endsWith("/whoami") && !(method === "GET" ? caller.canRead : caller.canWrite)) throw forbidden();
    response.locals["caller"] = caller;
    next();
  };
}

function answer(state: ServiceState, operation: OperationId, { status }: Operation) {
  return async (request: Request, response: Response): Promise<void> => {
    const handler = HANDLERS[operation];
    if (handler === undefined)
      throw new HttpError(501, `The local service does not implement ${operation}: documents are set up with its seed.`);
    await state.mutations.pump();
    await requireConsistency(state, request);
    const [path = "", ...search] = request.originalUrl.split("?");
    const result = await handler({
      state,
      operation,
      caller: response.locals["caller"],
      params: request.params as Record<string, string>,
      query: new URLSearchParams(search.join("?")),
      body: parseJson(request.body),
      root: `http://${hostOf(request)}${API_PATH}`,
      path: path.slice(API_PATH.length),
    });
    response.status(status).json(result);
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

function parseJson(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw new HttpError(400, "The request body is not valid JSON.");
  }
}

/** Every failure has the same body. What is not expected says nothing about the inside. */
export function sendError(error: unknown, _request: Request, response: Response, next: NextFunction): void {
  if (response.headersSent) {
    next(error);
    return;
  }
  const [status, message] = statusAndMessage(error);
  response.status(status).json(errorBody(status, message));
}

function statusAndMessage(error: unknown): [status: number, message: string] {
  if (error instanceof HttpError) return [error.status, error.message];
  const status = error instanceof Error && "status" in error ? Number(error.status) : 500;
  // Too large a body is a 400 of the documented service.
  if (status === 413) return [400, "request entity too large"];
  return status >= 400 && status < 500 ? [400, "The request cannot be read."] : [500, "Internal Server Error"];
}
