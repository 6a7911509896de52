import type { DevSession } from "./dev-session.ts";
import type { DevRouter } from "./router.ts";

/** The routes of the view Service. */
export function addServiceRoutes(_router: DevRouter, _session: DevSession): undefined {}
