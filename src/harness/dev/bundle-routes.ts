import type { DevSession } from "./dev-session.ts";
import type { DevRouter } from "./router.ts";

/** The routes of the view Bundle. */
export function addBundleRoutes(_router: DevRouter, _session: DevSession): undefined {}
