import { randomBytes } from "node:crypto";
import { TLSSocket } from "node:tls";
import type { NextFunction, Request, Response } from "express";
import { parseUrl } from "../../shared/urls.ts";
import type { ProviderState } from "../state/provider-state.ts";

/**
 * Security headers for every response. `formTarget` is an address that a form may redirect to, in
 * addition to this server.
 */
export function securityHeaders(
  nonce?: string,
  formTarget?: string,
  hasScript = false,
): Record<string, string> {
  const own = nonce === undefined ? "" : ` style-src 'nonce-${nonce}';`;
  const style = hasScript ? `${own} script-src 'nonce-${nonce}';` : own;
  return {
    "Cache-Control": "no-store",
    Pragma: "no-cache",
    "Referrer-Policy": "no-referrer",
    "Content-Security-Policy": `default-src 'none';${style} frame-ancestors 'none'; base-uri 'none'; form-action 'self'${formTarget === undefined ? "" : ` ${formTarget}`}`,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
  };
}

export function sendPage(
  response: Response,
  status: number,
  render: (nonce: string) => string,
  formTarget?: string,
  hasScript = false,
): void {
  const nonce = randomBytes(16).toString("base64");
  const headers = securityHeaders(nonce, formTarget, hasScript);
  response.status(status).set(headers).type("html").send(render(nonce));
}

/**
 * Chromium applies `form-action` also to redirects after a form, so it must contain the client's
 * address.
 */
export function getFormTarget(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  return origin === "null" ? protocol : origin;
}

/**
 * Refuses requests under another host name, so that a web page cannot reach this server through DNS
 * rebinding.
 */
export function guardHost(request: Request, response: Response, next: NextFunction) {
  response.set(securityHeaders());
  if (request.headers.host === `127.0.0.1:${request.socket.localPort}`) return next();
  response.status(421).json({
    error: "misdirected_request",
    error_description: "This server accepts only requests to its own address.",
  });
}

/** Lets web pages of every origin read responses (CORS). Cookies are never accepted from them. */
export function allowOrigins(request: Request, response: Response, next: NextFunction): void {
  const isForeign = request.headers.origin !== undefined;
  if (isForeign) {
    response.set({
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": "WWW-Authenticate, DPoP-Nonce",
    });
  }
  if (!isForeign || request.method !== "OPTIONS") {
    next();
    return;
  }
  response
    .status(204)
    .set({
      "Access-Control-Allow-Methods": "GET, POST",
      "Access-Control-Allow-Headers":
        "Authorization, Content-Type, DPoP, MCP-Protocol-Version, Mcp-Method, Mcp-Name",
      "Access-Control-Max-Age": "600",
    })
    .end();
}

/** The origin of this server, from the socket. A header could be forged. */
export function getOrigin(request: Request): string {
  // The port that asks for certificates is another way to the same server.
  if (request.socket instanceof TLSSocket) return String(request.app.locals["origin"]);
  return `http://127.0.0.1:${request.socket.localPort}`;
}

/** The issuer that a request is for: this server, or one of those below it, by its path. */
export function getIssuer({ policy }: ProviderState, request: Request): string {
  return policy.issuer ?? getOrigin(request) + request.baseUrl;
}

/** The URL that the endpoints of the issuer begin with. */
export function getBase(state: ProviderState, request: Request): string {
  return new URL(getIssuer(state, request)).origin + request.baseUrl;
}

/** The URL that the protected resources begin with, as clients see it. */
export function getResourceBase({ policy }: ProviderState, request: Request): string {
  return (policy.apiOrigin ?? getOrigin(request)) + request.baseUrl;
}

/** The parsed request URL; the origin if the request target is not valid. */
export function parseRequestUrl(request: Request): URL {
  const base = getOrigin(request);
  return parseUrl(base + request.url) ?? new URL(base);
}

/** Whether a browser marks the request as coming from another site. */
export function isCrossSite(request: Request): boolean {
  const site = request.headers["sec-fetch-site"];
  const { origin } = request.headers;
  // A form on a page with "no-referrer" sends the origin "null". Its CSRF token is checked instead.
  return (
    (site !== undefined && site !== "same-origin" && site !== "none") ||
    (origin !== undefined && origin !== "null" && origin !== getOrigin(request))
  );
}

export function recordRequests({ recorder, policy: { onRequest } }: ProviderState) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const record = recorder.begin(request.method, parseRequestUrl(request));
    response.locals["record"] = record;
    const writeHead = response.writeHead;
    // Written with the head, so that the status is recorded before the client reads the response.
    response.writeHead = ((...args: Parameters<typeof writeHead>) => {
      record.status = typeof args[0] === "number" ? args[0] : response.statusCode;
      onRequest?.(record);
      return writeHead.apply(response, args);
    }) as typeof writeHead;
    next();
  };
}
