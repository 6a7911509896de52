import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { sameSecret } from "../shared/crypto.ts";

export interface RequestGuardOptions {
  port: number;
  random?: ((bytes: number) => Buffer) | undefined;
}

/** Why a request is refused, as the response says it. */
export interface Refusal {
  status: 403 | 405 | 415 | 421;
  message: string;
}

/**
 * Decides which requests the server accepts. The link in the terminal contains a launch key, which
 * becomes a cookie that
 * scripts cannot read and other sites do not send. A request that changes something also needs the
 * token of the page, a JSON
 * body, and the page's own origin. See docs/security.md.
 */
export interface RequestGuard {
  readonly origin: string;
  readonly launchKey: string;
  /**
   * Sent by the page with each POST. It is part of the page, so only who may read the page can send
   * it.
   */
  readonly token: string;
  /** The `Set-Cookie` header of the answer to the launch link. */
  readonly cookie: string;
  /** Sent with every response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether a query carries the launch key. */
  isLaunch(query: URLSearchParams): boolean;
  /** Checks what every request must have. */
  checkHost(request: IncomingMessage): Refusal | undefined;
  /** Checks that the browser was opened with the link, and for a POST that our page sent it. */
  check(request: IncomingMessage): Refusal | undefined;
}

export function createRequestGuard({
  port,
  random = randomBytes,
}: RequestGuardOptions): RequestGuard {
  const hosts = new Set([`127.0.0.1:${port}`, `localhost:${port}`]);
  const launchKey = random(16).toString("base64url");
  const token = random(24).toString("base64url");
  const session = random(24).toString("base64url");
  // Cookies ignore ports, so the name contains the port. Otherwise two servers would overwrite each
  // other's cookie.
  const name = `packsmith_dev_${port}`;

  const checkHost = ({ headers, method }: IncomingMessage): Refusal | undefined => {
    // DNS rebinding: a website can point its own host name at this address.
    if (!hosts.has(headers.host ?? ""))
      return { status: 421, message: "This server answers only on its own loopback address." };
    if (method !== "GET" && method !== "POST")
      return { status: 405, message: "This server accepts only GET and POST." };
    // A page on another port of this machine counts as the same site. It may only link here.
    const site = headers["sec-fetch-site"] ?? "none";
    const isLink =
      site === "same-site" && headers["sec-fetch-mode"] === "navigate" && method === "GET";
    if (site !== "none" && site !== "same-origin" && !isLink)
      return { status: 403, message: "Other sites may not send requests to this server." };
    return undefined;
  };
  return {
    origin: `http://127.0.0.1:${port}`,
    launchKey,
    token,
    cookie: `${name}=${session}; HttpOnly; SameSite=Strict; Path=/`,
    headers: {
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Content-Security-Policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
        "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    },
    isLaunch: (query) => sameSecret(query.get("launch") ?? "", launchKey),
    checkHost,
    check(request) {
      const { headers, method } = request;
      if (!sameSecret(cookieNamed(name, headers.cookie), session)) {
        return {
          status: 403,
          message: "Open the link that packsmith dev printed in its terminal.",
        };
      }
      if (method !== "POST") return undefined;
      const { origin, host } = headers;
      if (origin !== `http://${host}`)
        return { status: 403, message: "Only the page of this server may send this request." };
      if (!sameSecret(String(headers["x-packsmith-token"] ?? ""), token)) {
        return {
          status: 403,
          message: "The page belongs to an earlier run of packsmith dev. Reload it.",
        };
      }
      if (!/^application\/json\b/i.test(headers["content-type"] ?? ""))
        return { status: 415, message: "Send JSON." };
      return undefined;
    },
  };
}

function cookieNamed(name: string, header = ""): string {
  for (const pair of header.split(";")) {
    const at = pair.indexOf("=");
    if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return "";
}
