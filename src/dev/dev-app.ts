import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import express, {
  type Express,
  type NextFunction,
  type Request,
  type Response,
  type Router,
} from "express";
import { builtFile } from "../shared/own-package.ts";
import { displayText } from "../shared/text.ts";
import { failureView } from "./failures.ts";
import type { RequestGuard } from "./request-guard.ts";
import { badRequest, readQuery, refuse } from "./router.ts";
import type { DevSession } from "./session/dev-session.ts";

export interface DevAppOptions {
  guard: RequestGuard;
  session: DevSession;
  assets: ReadonlyMap<string, Asset>;
  /** The routes of the views. */
  routes: Router;
}

/** Enough for a file of 25 MiB, encoded as base64. */
const MAX_BODY_BYTES = 36 * 1024 * 1024;

/** How long a link works that another command has asked for. */
const INSTANCE_LINK_MS = 10 * 60_000;

/** Loads the page as a page of this server. */
const LAUNCHED =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>packsmith</title>' +
  '<meta http-equiv="refresh" content="0;url=/"></head><body></body></html>';

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
    const query = readQuery(request);
    if (!query.has("launch")) return next();
    const opens = guard.useLaunchKey(query);
    // The link of a browser that has the page already opens it again.
    if (!opens && !guard.hasSession(request)) return next();
    if (opens) response.set("Set-Cookie", guard.cookie);
    // Browsers do not send the cookie after a redirect that another site, or a file, started.
    if (request.headers["sec-fetch-site"] === "cross-site")
      return response.type("html").send(LAUNCHED);
    // Remove the key from the address bar.
    return response.set("Location", "/").status(303).end();
  });
  app.post("/instance/link", (request, response, next) => {
    if (!guard.isFromInstance(request)) return next();
    return response.json({ url: guard.createLink({ lifetimeMs: INSTANCE_LINK_MS }) });
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
  app.use((_request, response) => refuse(response, { status: 404, message: "Not found." }));
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    const failure = failureView(bodyProblem(error) ?? error);
    return response.status(400).json(session.options.redactor.data({ failure }));
  });
  return app;
}

/** Errors of the body parser. The page itself never causes them. */
function bodyProblem(error: unknown): Error | undefined {
  const type = (error as { type?: unknown } | undefined)?.type;
  if (type === "entity.too.large") return badRequest("The request is longer than 36 MiB.");
  return typeof type === "string" ? badRequest("The request is not JSON.") : undefined;
}

/** A file that the page loads. */
export interface Asset {
  contentType: string;
  bytes: Uint8Array;
}

const TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/** The scripts and styles that the package was built with, by path. */
export async function readAssets(
  folder: string = builtFile("web"),
): Promise<ReadonlyMap<string, Asset>> {
  const assets = new Map<string, Asset>([
    ["/icon.svg", { contentType: "image/svg+xml", bytes: Buffer.from(ICON) }],
  ]);
  for (const name of await readdir(folder)) {
    const contentType = TYPES[extname(name)];
    if (contentType !== undefined)
      assets.set(`/${name}`, { contentType, bytes: await readFile(join(folder, name)) });
  }
  return assets;
}

/** The HTML of the page: no inline script or style, nothing from other sites. */
export function devPage({ title, token }: { title: string; token: string }): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<meta name="color-scheme" content="light dark"><meta name="packsmith-token" content="${token}">` +
    `<title>${displayText(title)} · packsmith</title><link rel="icon" href="/icon.svg"><link rel="stylesheet" href="/page.css">` +
    `<script type="module" src="/page.js"></script></head><body><div id="app">` +
    // Shown while the script loads. The script draws the same frame.
    `<div class="shell"><header class="side"><h1>${displayText(title)}</h1></header><main></main></div></div><noscript>This page needs JavaScript.</noscript></body></html>`
  );
}

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3b5bdb"/>' +
  '<path d="M16 6l9 5v10l-9 5-9-5V11z" fill="none" stroke="#fff" stroke-width="2.4" stroke-linejoin="round"/>' +
  '<path d="M7.5 11.3L16 16l8.5-4.7M16 16v9.5" fill="none" stroke="#fff" stroke-width="2.4" stroke-linejoin="round"/></svg>';
