import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import express from "express";
import type { OperationId } from "../contract/operations.ts";
import { API_PATH, answerOperation, type OperationContext } from "./answer-operation.ts";
import { EXPORT_PATH, serveExport } from "./handlers/page-exports.ts";
import { HttpError } from "./http-error.ts";
import { reasonNotBuilt } from "./not-built.ts";
import { sendError } from "./send-error.ts";
import type { ServiceState } from "./state.ts";

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

export interface AppOptions extends OperationContext {
  record(request: ServiceRequestRecord): void;
  /** Answers what begins with `/__emulator`. */
  control: express.Router;
}

/** Answers every request. Those of the API do not pass express, which keeps what it handled in memory for long. */
export function createApp({ record, control, ...context }: AppOptions): RequestListener {
  const { state } = context;
  const others = createOthers(state, control);
  return (request, response) => {
    const { method = "", url = "" } = request;
    const requestId = randomUUID();
    let operation: OperationId | undefined;
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Request-Id", requestId);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.once("close", () => {
      const warning = response.getHeader("X-Emulator-Warning")?.toString();
      record({ atMs: state.clock.now(), method, path: url, status: response.statusCode, requestId, operation, warning });
    });
    if (!IS_API.test(url)) {
      others(request, response);
      return;
    }
    const answer = async () => {
      const isOperation = await answerOperation(context, request, response, (id) => {
        operation = id;
      });
      if (isOperation) return;
      const reason = reasonNotBuilt(url.slice(API_PATH.length).replace(/\?.*/s, "") || "/");
      throw reason === undefined ? new HttpError(404) : new HttpError(501, reason);
    };
    answer().catch((error: unknown) => sendError(error, response));
  };
}

const IS_API = new RegExp(`^${API_PATH}(?:[/?]|$)`);

/** What is no part of the API. */
function createOthers(state: ServiceState, control: express.Router): RequestListener {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("case sensitive routing", true);
  app.set("query parser", false);
  app.use("/__emulator", control);
  app.get("/openapi.json", async (_request, response) => {
    const { openApiDescription } = await import("../contract/openapi.ts");
    response.json(openApiDescription({ serverUrl: API_PATH }));
  });
  app.get(EXPORT_PATH, serveExport(state));
  app.use(() => {
    throw new HttpError(404);
  });
  app.use(((error, _request, response, _next) => sendError(error, response)) satisfies express.ErrorRequestHandler);
  return app;
}
