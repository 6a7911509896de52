import { describePack } from "./describe-pack.ts";
import type { DevSession } from "./dev-session.ts";
import type { DevRouter } from "./router.ts";

/** The routes of the view Overview, which every view reads the Pack from. */
export function addOverviewRoutes(router: DevRouter, session: DevSession): undefined {
  router.get("/api/pack", () => describePack(session));
}
