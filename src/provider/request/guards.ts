import { randomBytes } from "node:crypto";
import type { NextFunction, Request, Response } from "express";
import type { Recorder } from "../state/recorder.ts";

/** Rule 12: the headers of every response. `formTarget` is where the answer to a form may lead besides this server. */
export function securityHeaders(nonce?: string, formTarget?: string): Record<string, string> {
  const style = nonce === undefined ? "" : ` style-src 'nonce-${nonce}';`;
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

export function sendPage(response: Response, status: number, render: (nonce: string) => string, formTarget?: string): void {
  const nonce = randomBytes(16).toString("base64");
  response.status(status).set(securityHeaders(nonce, formTarget)).type("html").send(render(nonce));
}

/** Chromium applies `form-action` to the redirects after a form too, so the client's own address has to be in it. */
export function formTargetOf(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  return origin === "null" ? protocol : origin;
}

/** Rule 4: a page on another name that points to this address (DNS rebinding) reaches nothing. */
export function guardHost(request: Request, response: Response, next: NextFunction) {
  response.set(securityHeaders());
  if (request.headers.host === `127.0.0.1:${request.socket.localPort}`) return next();
  response.status(421).json({ error: "misdirected_request", error_description: "This server answers under its own address only." });
}

/** The address of this server, from the socket and never from a header (rule 3). */
export function originOf(request: Request): string {
  return `http://127.0.0.1:${request.socket.localPort}`;
}

/** The parsed request URL, or undefined for a request target that is none. */
export function urlOf(request: Request): URL {
  const base = originOf(request);
  return URL.canParse(base + request.url) ? new URL(base + request.url) : new URL(base);
}

/** Rule 17: whether a browser says that another site made this request. */
export function isCrossSite(request: Request): boolean {
  const site = request.headers["sec-fetch-site"];
  const { origin } = request.headers;
  // A form on a page with "no-referrer" sends the origin "null"; its token has to speak for it.
  return (
    (site !== undefined && site !== "same-origin" && site !== "none") ||
    (origin !== undefined && origin !== "null" && origin !== originOf(request))
  );
}

export function recordRequests(recorder: Recorder) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const record = recorder.begin(request.method, urlOf(request));
    response.locals["record"] = record;
    const writeHead = response.writeHead;
    // At the head and not at the end: whoever reads the answer finds the status in the journal.
    response.writeHead = ((...args: Parameters<typeof writeHead>) => {
      record.status = typeof args[0] === "number" ? args[0] : response.statusCode;
      return writeHead.apply(response, args);
    }) as typeof writeHead;
    next();
  };
}
