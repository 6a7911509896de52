import { parseRoutes } from "../../oauth/routes.ts";
import type { PackSession } from "./pack-session.ts";

/**
 * The routes of the command line, and those that the page adds.
 * @throws {PackError} ROUTE_INVALID
 */
export function createSessionRoutes(
  given: readonly string[] = [],
): Pick<PackSession, "routes" | "setRoute"> {
  const added = new Map<string, string>();
  parseRoutes(given);
  return {
    routes: () => [...given, ...[...added].map(([from, to]) => `${from}=${to}`)],
    setRoute(origin, target) {
      if (target === undefined) return void added.delete(origin);
      parseRoutes([`${origin}=${target}`]);
      added.set(origin, target);
    },
  };
}
