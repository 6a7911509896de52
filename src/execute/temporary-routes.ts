/** Stands in until src/oauth/routes.ts arrives. */
export type Routes = Readonly<Record<string, string>>;

export function applyRoutes(url: string, routes: Routes): string {
  const { origin } = new URL(url);
  const target = routes[origin];
  return target === undefined ? url : target.replace(/\/$/, "") + url.slice(url.indexOf(origin) + origin.length);
}
