import { randomUUID } from "node:crypto";
import express, { type Express, type Request, type Response } from "express";
import type { OperationId } from "../contract/operations.ts";
import { API_PATH, answerOperation, type OperationContext } from "./answer-operation.ts";
import { EXPORT_PATH, serveExport } from "./handlers/page-exports.ts";
import { HttpError } from "./http-error.ts";
import { reasonNotBuilt } from "./not-built.ts";
import { isQuiet } from "./quiet.ts";
import { sendError } from "./send-error.ts";

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

export function createApp({ record, control, ...context }: AppOptions): Express {
  const { state } = context;
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("case sensitive routing", true);
  app.set("query parser", false);
  app.use((request, response, next) => {
    const requestId = randomUUID();
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Request-Id", requestId);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.once("close", () => {
      if (isQuiet(request.headers)) return;
      const { method, originalUrl } = request;
      const warning = response.getHeader("X-Emulator-Warning")?.toString();
      const { operation } = response.locals as { operation?: OperationId };
      record({ atMs: state.clock.now(), method, path: originalUrl, status: response.statusCode, requestId, operation, warning });
    });
    next();
  });
  app.use(API_PATH, async (request: Request, response: Response) => {
    if (await answerOperation(context, request, response)) return;
    const reason = reasonNotBuilt(request.path);
    throw reason === undefined ? new HttpError(404) : new HttpError(501, reason);
  });
  app.use("/__emulator", control);
  app.get("/openapi.json", async (_request, response) => {
    const { openApiDescription } = await import("../contract/openapi.ts");
    response.json(openApiDescription({ serverUrl: API_PATH }));
  });
  app.get(EXPORT_PATH, serveExport(state));
  app.use(() => {
    throw new HttpError(404);
  });
  app.use(sendError);
  return app;
}
