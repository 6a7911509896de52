import express, { type Express, type NextFunction, type Request, type Response, type Router } from "express";
import { type Asset, devPage } from "./dev-page.ts";
import type { DevSession } from "./dev-session.ts";
import { failureView } from "./failure-view.ts";
import type { RequestGuard } from "./request-guard.ts";
import { badRequest, queryOf, refuse } from "./router.ts";

export interface DevAppOptions {
  guard: RequestGuard;
  session: DevSession;
  assets: ReadonlyMap<string, Asset>;
  /** What the views answer. */
  routes: Router;
}

/** A file as base64 may be 25 MiB before its encoding. */
const MAX_BODY_BYTES = 36 * 1024 * 1024;

/** The page, its files, its events and the routes of its views, behind the guard. */
export function createDevApp({ guard, session, assets, routes }: DevAppOptions): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("strict routing");
  app.enable("case sensitive routing");
  app.use((request, response, next) => {
    response.set(guard.headers);
    const refusal = guard.checkHost(request);
    return refusal === undefined ? next() : refuse(response, refusal);
  });
  app.get("/", (request, response, next) => {
    if (!guard.isLaunch(queryOf(request))) return next();
    // The key leaves the address bar.
    return response.set({ Location: "/", "Set-Cookie": guard.cookie }).status(303).end();
  });
  app.get([...assets.keys()], (request, response) => {
    const asset = assets.get(request.path);
    response.type(asset?.contentType ?? "").end(asset?.bytes);
  });
  app.use((request, response, next) => {
    const refusal = guard.check(request);
    return refusal === undefined ? next() : refuse(response, refusal);
  });
  app.get("/", (_request, response) => {
    response.type("html").send(devPage({ title: session.state().name, token: guard.token }));
  });
  app.get("/api/events", (_request, response) => session.events.attach(response));
  app.use(express.json({ limit: MAX_BODY_BYTES, strict: false }), routes);
  app.use((_request, response) => refuse(response, { status: 404, message: "There is nothing here." }));
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    const failure = failureView(bodyProblem(error) ?? error);
    return response.status(400).json(session.options.redactor.data({ failure }));
  });
  return app;
}

/** What the body parser says of a request that no page of ours sends. */
function bodyProblem(error: unknown): Error | undefined {
  const type = (error as { type?: unknown } | undefined)?.type;
  if (type === "entity.too.large") return badRequest("The request is longer than 36 MiB.");
  return typeof type === "string" ? badRequest("The request is no JSON.") : undefined;
}
