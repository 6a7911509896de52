import { isLoopbackHost } from "../define/hosts.ts";
import { PackError } from "../errors.ts";
import { canParseUrl } from "../shared/urls.ts";

/**
 * Redirects requests from a declared origin to a server on this machine, so that a Pack keeps its
 * production URLs while it
 * runs against local servers. URL checks run on the declared URL, before the route is applied.
 */
export type Routes = Readonly<Record<string, string>>;

export const NO_ROUTES: Routes = Object.freeze({});

/**
 * Reads routes such as `https://api.example=http://127.0.0.1:4711`. An origin on this machine
 * without another one
 * (`http://127.0.0.1:4711`) allows requests to that port as they are. `https://*.api.example` stands
 * for a domain and every host below it, as a network domain does; an exact origin goes first.
 * @throws {PackError} ROUTE_INVALID for another form, a repeated origin, or a target that is not on
 *   this machine
 */
export function parseRoutes(texts: readonly string[]): Routes {
  const routes: Record<string, string> = {};
  for (const text of texts) {
    const separator = text.indexOf("=");
    const from = parseOrigin(separator < 0 ? text : text.slice(0, separator));
    const to = parseOrigin(text.slice(separator + 1));
    if (from === undefined || to === undefined)
      throw invalid(text, "is not of the form FROM=TO with two origins");
    if (!isLoopbackHost(new URL(to).host))
      throw invalid(text, "has a target that is not on this machine");
    if (from.startsWith("http:") && !isLoopbackHost(new URL(from).host))
      throw invalid(text, "begins with http, but Packs can request only https");
    if (from in routes) throw invalid(text, "repeats an origin");
    routes[from] = to;
  }
  return Object.freeze(routes);
}

/** Whether requests to this URL may go to this machine. */
export function isRouted(url: string, routes: Routes): boolean {
  return findTarget(url, routes) !== undefined;
}

/**
 * The URL with its origin replaced, if there is a route for it. Otherwise the URL is unchanged,
 * byte for byte.
 */
export function applyRoutes(url: string, routes: Routes): string {
  const target = findTarget(url, routes);
  if (target === undefined) return url;
  const rest = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(.*)$/is.exec(url)?.[1] ?? "";
  return `${target}${rest}`;
}

function findTarget(url: string, routes: Routes): string | undefined {
  if (!canParseUrl(url)) return undefined;
  const { origin, protocol, host } = new URL(url);
  if (Object.hasOwn(routes, origin)) return routes[origin];
  const labels = host.split(".");
  const domain = labels
    .map((_, index) => `${protocol}//*.${labels.slice(index).join(".")}`)
    .find((each) => Object.hasOwn(routes, each));
  return domain === undefined ? undefined : routes[domain];
}

/** An http or https origin without path, query, fragment or user info. */
function parseOrigin(text: string): string | undefined {
  if (!canParseUrl(text)) return undefined;
  const url = new URL(text);
  const bare =
    url.pathname === "/" &&
    url.search === "" &&
    url.hash === "" &&
    url.username === "" &&
    url.password === "";
  return bare && (url.protocol === "https:" || url.protocol === "http:") ? url.origin : undefined;
}

function invalid(text: string, reason: string): PackError<"ROUTE_INVALID"> {
  return new PackError("ROUTE_INVALID", `The route "${text.slice(0, 200)}" ${reason}.`, {
    details: { route: text.slice(0, 200) },
    hint: "Write a route as https://api.example=http://127.0.0.1:4711, with a target on 127.0.0.1, [::1] or localhost.",
  });
}
