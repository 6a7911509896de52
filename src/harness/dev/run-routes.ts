import type { DevSession } from "./dev-session.ts";
import type { DevRouter } from "./router.ts";

/** The routes of the view Run. */
export function addRunRoutes(_router: DevRouter, _session: DevSession): undefined {}
