import type { DevSession } from "./dev-session.ts";
import type { DevRouter } from "./router.ts";

/** The routes of the view Accounts. */
export function addAccountsRoutes(_router: DevRouter, _session: DevSession): undefined {}
