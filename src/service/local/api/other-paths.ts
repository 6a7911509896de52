import type { RequestListener } from "node:http";
import express from "express";
import { type ControlPlaneOptions, createControlPlane } from "../control/control-plane.ts";
import type { ServiceState } from "../state.ts";
import { EXPORT_PATH, serveExport } from "./handlers/page-exports.ts";
import { HttpError, sendError } from "./http-error.ts";
import { API_PATH, METADATA_PATH, resourceMetadata } from "./resource-metadata.ts";

/**
 * Answers the paths outside the API: the control plane, the OpenAPI description, and the files of
 * exports.
 */
export function createOtherPaths(
  state: ServiceState,
  control: ControlPlaneOptions,
): RequestListener {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("case sensitive routing", true);
  app.set("query parser", false);
  app.use("/__emulator", createControlPlane(control));
  app.get("/openapi.json", async (_request, response) => {
    const { openApiDescription } = await import("../../contract/openapi.ts");
    response.json(openApiDescription({ serverUrl: API_PATH }));
  });
  app.get(METADATA_PATH, (request, response) => {
    response.json(resourceMetadata(state, request));
  });
  app.get(EXPORT_PATH, serveExport(state));
  app.use(() => {
    throw new HttpError(404);
  });
  app.use(((error, _request, response, _next) =>
    sendError(error, response)) satisfies express.ErrorRequestHandler);
  return app;
}
