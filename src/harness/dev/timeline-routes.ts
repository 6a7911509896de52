import type { DevSession } from "./dev-session.ts";
import type { DevRouter } from "./router.ts";

/** The routes of the view Timeline. */
export function addTimelineRoutes(_router: DevRouter, _session: DevSession): undefined {}
