import type { IncomingMessage, ServerResponse } from "node:http";
import { isPackError } from "../../errors.ts";
import { type LoopbackServer, listenOnLoopback } from "../../loopback-server.ts";
import { addAccountsRoutes } from "./accounts-routes.ts";
import { addBundleRoutes } from "./bundle-routes.ts";
import { type Asset, devPage, readAssets } from "./dev-page.ts";
import { type DevSession, type DevSessionOptions, startDevSession } from "./dev-session.ts";
import { failureView } from "./failure-view.ts";
import { addOverviewRoutes } from "./overview-routes.ts";
import { readJsonBody } from "./read-json-body.ts";
import { createRequestGuard, type Refusal, type RequestGuard } from "./request-guard.ts";
import { BytesAnswer, createRouteTable, type DevRouter, type RouteTable } from "./router.ts";
import { addRunRoutes } from "./run-routes.ts";
import { addServiceRoutes } from "./service-routes.ts";
import { addTimelineRoutes } from "./timeline-routes.ts";

export interface DevServerOptions extends DevSessionOptions {
  /** Port on 127.0.0.1. @default 0, a free one */
  port?: number | undefined;
  /** When the port is taken, the next ones are tried, at most this many. @default 0 */
  furtherPorts?: number | undefined;
  random?: ((bytes: number) => Buffer) | undefined;
}

/** The page of one Pack, on this machine only. */
export interface DevServer extends AsyncDisposable {
  readonly port: number;
  /** Without a key: what a person recognises the server by. */
  readonly origin: string;
  /** What the browser opens. It carries the launch key: who has the link may use the server. */
  readonly url: string;
  readonly session: DevSession;
  close(): Promise<void>;
}

/** A view of the page: adds its routes, and says how what it started ends. */
export type AddRoutes = (router: DevRouter, session: DevSession) => AsyncDisposable | undefined;

const VIEWS: readonly AddRoutes[] = [
  addOverviewRoutes,
  addRunRoutes,
  addAccountsRoutes,
  addTimelineRoutes,
  addServiceRoutes,
  addBundleRoutes,
];

/**
 * Starts the page of a Pack: its overview, its accounts, runs and everything else that an author needs while writing it.
 * @throws {PackError} PORT_IN_USE, ROUTE_INVALID, PACK_FILE_UNREADABLE
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { port = 0, furtherPorts = 0, random } = options;
  const table = createRouteTable();
  let answer: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async (_request, response) => {
    response.writeHead(503).end();
  };
  const server = await listenOnFirst((request, response) => void answer(request, response), port, furtherPorts);
  try {
    const guard = createRequestGuard({ port: server.port, random });
    // The page loads while the Pack is built.
    const [session, assets] = await Promise.all([startDevSession(options), readAssets()]);
    const { status, failure } = session.state();
    if (status === "missing" && failure !== undefined) {
      // Later it may go and come back; a name that was wrong from the beginning is told at once.
      await session[Symbol.asyncDispose]();
      throw failure.cause;
    }
    const views = VIEWS.map((addRoutes) => addRoutes(table, session));
    answer = (request, response) => answerRequest(request, response, { guard, session, assets, table });
    const close = async (): Promise<void> => {
      for (const view of views) await view?.[Symbol.asyncDispose]();
      await session[Symbol.asyncDispose]();
      await server.close();
    };
    const url = `${guard.origin}/?launch=${guard.launchKey}`;
    return { port: server.port, origin: guard.origin, url, session, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await server.close();
    throw error;
  }
}

async function listenOnFirst(
  listener: (request: IncomingMessage, response: ServerResponse) => void,
  port: number,
  furtherPorts: number,
): Promise<LoopbackServer> {
  try {
    return await listenOnLoopback(listener, port);
  } catch (error) {
    if (furtherPorts === 0 || !isPackError(error, "PORT_IN_USE")) throw error;
    return await listenOnFirst(listener, port + 1, furtherPorts - 1);
  }
}

interface Parts {
  guard: RequestGuard;
  session: DevSession;
  assets: ReadonlyMap<string, Asset>;
  table: RouteTable;
}

async function answerRequest(request: IncomingMessage, response: ServerResponse, parts: Parts): Promise<void> {
  const { guard, session, assets, table } = parts;
  for (const [name, value] of Object.entries(guard.headers)) response.setHeader(name, value);
  const wrongHost = guard.checkHost(request);
  if (wrongHost !== undefined) return refuse(response, wrongHost);
  const target = guard.origin + (request.url ?? "/");
  if (!URL.canParse(target)) return refuse(response, { status: 404, message: "There is nothing here." });
  const { pathname, searchParams } = new URL(target);
  if (request.method === "GET") {
    if (pathname === "/" && guard.isLaunch(searchParams)) {
      // The key leaves the address bar.
      response.writeHead(303, { Location: "/", "Set-Cookie": guard.cookie }).end();
      return;
    }
    const asset = assets.get(pathname);
    if (asset !== undefined) {
      response.writeHead(200, { "Content-Type": asset.contentType, "Content-Length": asset.bytes.byteLength }).end(asset.bytes);
      return;
    }
  }
  const refusal = guard.check(request);
  if (refusal !== undefined) return refuse(response, refusal);
  if (request.method === "GET" && pathname === "/") {
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" });
    response.end(devPage({ title: session.state().name, token: guard.token }));
    return;
  }
  if (request.method === "GET" && pathname === "/api/events") return session.events.attach(response);
  await answerRoute(request, response, { table, session, pathname, query: searchParams });
}

interface RouteCall {
  table: RouteTable;
  session: DevSession;
  pathname: string;
  query: URLSearchParams;
}

async function answerRoute(request: IncomingMessage, response: ServerResponse, call: RouteCall): Promise<void> {
  const { redactor } = call.session.options;
  const found = call.table.find(request.method ?? "", call.pathname);
  if (found === undefined) return refuse(response, { status: 404, message: "There is nothing here." });
  if ("allowed" in found) {
    response.setHeader("Allow", found.allowed);
    return refuse(response, { status: 405, message: `This is asked for with ${found.allowed}.` });
  }
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  try {
    const body = request.method === "POST" ? await readJsonBody(request) : undefined;
    const answer = await found.handle({ params: found.params, query: call.query, body, signal: gone.signal });
    if (answer instanceof BytesAnswer) {
      response.writeHead(200, { "Content-Type": answer.contentType }).end(answer.bytes);
      return;
    }
    sendJson(response, 200, redactor.data(answer ?? null));
  } catch (error) {
    sendJson(response, 400, redactor.data({ failure: failureView(error) }));
  }
}

function refuse(response: ServerResponse, { status, message }: Omit<Refusal, "status"> & { status: number }): void {
  // What the refused request still sends is not read.
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", Connection: "close" }).end(`${message}\n`);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  if (response.destroyed) return;
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8" }).end(JSON.stringify(value));
}
