import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { readCookies } from "../shared/cookies.ts";
import { sameSecret } from "../shared/crypto.ts";
import { createLaunchKeys, type LinkOptions } from "../shared/launch-keys.ts";

export interface RequestGuardOptions {
  port: number;
  random?: ((bytes: number) => Buffer) | undefined;
}

/** The header with the instance key. */
export const INSTANCE_HEADER = "x-packsmith-instance";

/** Why a request is refused, as the response says it. */
export interface Refusal {
  status: 403 | 405 | 415 | 421;
  message: string;
}

/**
 * Decides which requests the server accepts. A link contains a launch key that works once. It
 * becomes a cookie that scripts cannot read and other sites do not send. A request that changes
 * something also needs the token of the page, a JSON body, and the page's own origin. See
 * docs/security.md.
 */
export interface RequestGuard {
  readonly origin: string;
  /**
   * Lets other commands of the same user read, and ask for a link. It is only in a file of the
   * user, and no web page can send its header.
   */
  readonly instanceKey: string;
  /**
   * Sent by the page with each POST. It is part of the page, so only who may read the page can send
   * it.
   */
  readonly token: string;
  /** The `Set-Cookie` header of the answer to the launch link. */
  readonly cookie: string;
  /** Sent with every response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Makes a link that opens the page once. */
  createLink(options?: LinkOptions): string;
  /** Whether a query carries a launch key that was not used. The key cannot be used again. */
  useLaunchKey(query: URLSearchParams): boolean;
  /** Whether a request is from a command that read the instance key. */
  isFromInstance(request: IncomingMessage): boolean;
  /** Whether a request has the cookie that a link gave to the browser. */
  hasSession(request: IncomingMessage): boolean;
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
  const origin = `http://127.0.0.1:${port}`;
  const instanceKey = random(24).toString("base64url");
  const launchKeys = createLaunchKeys(random);
  const token = random(24).toString("base64url");
  const session = random(24).toString("base64url");
  // Cookies ignore ports, so the name contains the port. Otherwise two servers would overwrite each
  // other's cookie.
  const name = `packsmith_dev_${port}`;

  const readKey = (query: URLSearchParams): string => query.get("launch") ?? "";
  const isFromInstance = ({ headers }: IncomingMessage): boolean =>
    sameSecret(String(headers[INSTANCE_HEADER] ?? ""), instanceKey);
  const hasSession = ({ headers }: IncomingMessage): boolean =>
    sameSecret(readCookies(headers.cookie).get(name) ?? "", session);

  const checkHost = ({ headers, method, url }: IncomingMessage): Refusal | undefined => {
    // DNS rebinding: a website can point its own host name at this address.
    if (!hosts.has(headers.host ?? ""))
      return {
        status: 421,
        message: "This server accepts requests only on its own loopback address.",
      };
    if (method !== "GET" && method !== "POST")
      return { status: 405, message: "This server accepts only GET and POST." };
    // A page on another port of this machine counts as the same site. It may only link here. The
    // file that opens the browser counts as another site.
    const site = headers["sec-fetch-site"] ?? "none";
    const isLink =
      headers["sec-fetch-mode"] === "navigate" &&
      method === "GET" &&
      (site === "same-site" ||
        launchKeys.isUnused(readKey(new URL(url ?? "/", origin).searchParams)));
    if (site !== "none" && site !== "same-origin" && !isLink)
      return { status: 403, message: "This server does not accept requests from other sites." };
    return undefined;
  };
  return {
    origin,
    instanceKey,
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
    createLink: (options) => `${origin}/?launch=${launchKeys.create(options)}`,
    useLaunchKey: (query) => launchKeys.use(readKey(query)),
    isFromInstance,
    hasSession,
    checkHost,
    check(request) {
      const { headers, method } = request;
      if (method === "GET" && isFromInstance(request)) return undefined;
      if (!hasSession(request)) {
        return {
          status: 403,
          message:
            "A link opens this page only once. Run packsmith dev for the same file in another terminal: the command prints a new link.",
        };
      }
      if (method !== "POST") return undefined;
      const { origin, host } = headers;
      if (origin !== `http://${host}`)
        return { status: 403, message: "Only this server's page can send this request." };
      if (!sameSecret(String(headers["x-packsmith-token"] ?? ""), token)) {
        return {
          status: 403,
          message: "The page belongs to an earlier run of packsmith dev. Reload the page.",
        };
      }
      if (!/^application\/json\b/i.test(headers["content-type"] ?? ""))
        return { status: 415, message: "Send JSON." };
      return undefined;
    },
  };
}
