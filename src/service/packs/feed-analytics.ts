import { isLoopbackHost } from "../../define/hosts.ts";
import type { Pack } from "../../execute/open-pack.ts";
import type { RunResult } from "../../execute/run-target.ts";
import { applyRoutes, type Routes } from "../../oauth/routes.ts";
import { canParseUrl } from "../../shared/urls.ts";
import { findControlUrl } from "../local/control/control-file.ts";
import { toPackRun } from "./pack-run.ts";

const TIMEOUT_MS = 500;
/** All operations of a document service are below this path. */
const SERVICE_PATH = "/apis/v1/";

export interface FeedOptions {
  routes: Routes;
  /** The folder with the control URLs of the services that run. */
  home: string;
  /** For each service, in milliseconds. @default 500 */
  timeoutMs?: number | undefined;
}

/**
 * Counts a run in the analytics of each local service that it sent requests to. A server that is
 * not a local service, or that
 * does not answer soon, is ignored.
 */
export async function feedAnalytics(
  pack: Pack,
  target: string,
  run: RunResult,
  { routes, home, timeoutMs = TIMEOUT_MS }: FeedOptions,
): Promise<void> {
  const origins = new Set(
    run.requests.flatMap(({ url }) => serviceOrigin(applyRoutes(url, routes))),
  );
  if (origins.size === 0) return;
  const body = JSON.stringify([toPackRun(pack, target, run)]);
  const controlUrls = [...origins].flatMap((origin) => findControlUrl(home, origin) ?? []);
  await Promise.allSettled(
    controlUrls.map((controlUrl) => post(`${controlUrl}/analytics`, body, timeoutMs)),
  );
}

function serviceOrigin(text: string): string[] {
  if (!canParseUrl(text)) return [];
  const { protocol, host, origin, pathname } = new URL(text);
  return protocol === "http:" && isLoopbackHost(host) && pathname.startsWith(SERVICE_PATH)
    ? [origin]
    : [];
}

async function post(url: string, body: string, timeoutMs: number): Promise<void> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  await response.body?.cancel();
}
