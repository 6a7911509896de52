import type { RequestListener } from "node:http";
import { isPackError } from "../errors.ts";
import type { LinkOptions } from "../shared/launch-keys.ts";
import { type LoopbackServer, listenOnLoopback } from "../shared/loopback-server.ts";
import { addAccountsRoutes } from "./accounts/accounts-routes.ts";
import { addBundleRoutes } from "./bundle/bundle-routes.ts";
import { createDevApp, readAssets } from "./dev-app.ts";
import { addHistoryRoutes } from "./history/history-routes.ts";
import { addMcpRoutes } from "./mcp/mcp-routes.ts";
import { addOverviewRoutes } from "./overview/overview-routes.ts";
import { addPublishRoutes } from "./publish/publish-routes.ts";
import { createRequestGuard } from "./request-guard.ts";
import { createRouteTable, type DevRouter } from "./router.ts";
import { addRunRoutes } from "./run/run-routes.ts";
import { addServiceRoutes } from "./service/service-routes.ts";
import { type DevSession, startDevSession } from "./session/dev-session.ts";
import type { DevSessionOptions } from "./session/pack-session.ts";
import { addTimelineRoutes } from "./timeline/timeline-routes.ts";

export interface DevServerOptions extends DevSessionOptions {
  /** Port on 127.0.0.1. @default 0, a free one */
  port?: number | undefined;
  /** How many of the next ports to try if the port is taken. @default 0 */
  furtherPorts?: number | undefined;
  random?: ((bytes: number) => Buffer) | undefined;
}

/** The page of one Pack, on this machine only. */
export interface DevServer extends AsyncDisposable {
  readonly port: number;
  /** The address without a launch key. */
  readonly origin: string;
  /** For other commands of the same user, see `RequestGuard`. */
  readonly instanceKey: string;
  /** Makes a link that opens the page once: the first who has it can use the server. */
  createLink(options?: LinkOptions): string;
  readonly session: DevSession;
  close(): Promise<void>;
}

/** Adds the routes of a view. @returns how to end what the view started */
export type AddRoutes = (
  router: DevRouter,
  session: DevSession,
) => AsyncDisposable | undefined | Promise<AsyncDisposable>;

const VIEWS: readonly AddRoutes[] = [
  addOverviewRoutes,
  addRunRoutes,
  addMcpRoutes,
  addAccountsRoutes,
  addTimelineRoutes,
  addHistoryRoutes,
  addServiceRoutes,
  addBundleRoutes,
  addPublishRoutes,
];

/**
 * Starts the page of a Pack, with its overview, accounts, runs and everything else that its author
 * needs.
 * @throws {PackError} PORT_IN_USE, ROUTE_INVALID, PACK_FILE_UNREADABLE
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const { port = 0, furtherPorts = 0, random } = options;
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = await listenOnFirst(
    (request, response) => answer(request, response),
    port,
    furtherPorts,
  );
  try {
    const guard = createRequestGuard({ port: server.port, random });
    // The page loads while the Pack is built.
    const [session, assets] = await Promise.all([startDevSession(options), readAssets()]);
    const { status, failure } = session.state();
    if (status === "missing" && failure !== undefined) {
      // Later the file may go away and come back. A file that is missing at the start is an error.
      await session[Symbol.asyncDispose]();
      throw failure.cause;
    }
    const table = createRouteTable((value) => session.options.redactor.data(value));
    const views = await Promise.all(VIEWS.map((addRoutes) => addRoutes(table, session))).catch(
      async (error: unknown) => {
        await session[Symbol.asyncDispose]();
        throw error;
      },
    );
    table.end();
    answer = createDevApp({ guard, session, assets, routes: table.router });
    const close = async (): Promise<void> => {
      for (const view of views) await view?.[Symbol.asyncDispose]();
      await session[Symbol.asyncDispose]();
      await server.close();
    };
    return {
      port: server.port,
      origin: guard.origin,
      instanceKey: guard.instanceKey,
      createLink: guard.createLink,
      session,
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

async function listenOnFirst(
  listener: RequestListener,
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
