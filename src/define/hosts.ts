import { PackError } from "../errors.ts";

/** Whether a host, with or without a port, is this machine: localhost, 127.0.0.0/8 or [::1]. */
export function isLoopbackHost(host: string): boolean {
  const name = stripPort(host);
  return (
    name === "localhost" ||
    name === "[::1]" ||
    name === "::1" ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
  );
}

/**
 * Whether a host equals a domain or is a subdomain of it, on a label boundary, in lower case and
 * without a trailing dot
 * (RFC 1034 §3.1). A domain with a port matches that port only; a loopback domain without a port
 * matches any port.
 */
export function hostMatchesDomain(host: string, domain: string): boolean {
  const wanted = stripPort(domain);
  const name = stripPort(host);
  if (name === "" || wanted === "") return false;
  if (readPort(domain) !== readPort(host) && !(readPort(domain) === "" && isLoopbackHost(domain)))
    return false;
  return name === wanted || (!isLoopbackHost(wanted) && name.endsWith(`.${wanted}`));
}

/**
 * Joins a relative URL to an endpoint: origin + endpoint path + relative URL, byte for byte.
 * @throws {PackError} ENDPOINT_INVALID for the endpoint, URL_NOT_ALLOWED for the relative URL
 */
export function joinEndpoint(endpoint: string, relative: string): string {
  const base = parseEndpoint(endpoint);
  const path = relative.split(/[?#]/)[0] ?? "";
  const dots = path.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  if (!/^\/(?!\/)/.test(relative) || /[\\\s\p{Cc}]/u.test(relative) || dots) {
    throw new PackError(
      "URL_NOT_ALLOWED",
      "The relative URL does not start with exactly one slash, or points to a place outside of the endpoint.",
      {
        details: { url: relative.slice(0, 200), reason: "not a plain path" },
        hint: "Write the URL as /path. The path cannot contain a backslash or the segments . and ..",
      },
    );
  }
  return `${base}${relative}`;
}

/**
 * Reads an endpoint: a host, or an https URL with an optional path. http only for loopback hosts.
 * @throws {PackError} ENDPOINT_INVALID
 */
export function parseEndpoint(value: string): string {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `https://${value}`;
  const refuse = (reason: string): never => {
    throw new PackError("ENDPOINT_INVALID", `The endpoint is not valid: ${reason}.`, {
      details: { reason },
      hint: "Enter a URL such as https://host or https://host/path.",
    });
  };
  const url = /[\s\\\p{Cc}]/u.test(text) ? undefined : parseUrl(text);
  if (url === undefined) return refuse("it is not a valid URL");
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopbackHost(url.host)))
    return refuse("it is not https");
  if (url.username !== "" || url.password !== "")
    return refuse("it contains a user name or a password");
  if (text.includes("?") || text.includes("#")) return refuse("it has a query or a fragment");
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function stripPort(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d+$/, (port) =>
      host.includes("[") || host.indexOf(":") === host.lastIndexOf(":") ? "" : port,
    )
    .replace(/\.$/, "");
}

function readPort(host: string): string {
  return /^(?:\[[^\]]*\]|[^:]*):(\d+)$/.exec(host)?.[1] ?? "";
}

/** Not by `URL.canParse`, which reads Latin-1 text wrongly once Node 20 has optimized it. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
