import { randomBytes } from "node:crypto";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import type { AuthorizationAttempt } from "../../oauth/connect/authorization-attempt.ts";
import { sameSecret } from "../../shared/crypto.ts";
import type { LinkOptions } from "../../shared/launch-keys.ts";
import {
  type CallbackAddress,
  type CallbackAddressOptions,
  openCallbackAddress,
} from "./callback-address.ts";
import {
  type ConnectOutcome,
  createFlowResult,
  createInterruption,
  type FlowEnd,
  type FlowResult,
  settleOnce,
} from "./flow-result.ts";
import {
  BROKEN,
  MISDIRECTED,
  NOT_FOUND,
  NOT_STARTED_HERE,
  OTHER_STATE,
  SENT_AS_FORM,
  sendPage,
  TOO_MANY,
} from "./page.ts";
import { createPendingAttempts, type PendingAttempts } from "./pending-attempts.ts";
import { createStartLinks, type StartLinks } from "./start-links.ts";

export interface CallbackServerOptions<Account> extends CallbackAddressOptions, FlowEnd<Account> {
  /** Begins an authorization request. Called for each visit of `/start`. */
  begin(redirectUri: string): Promise<AuthorizationAttempt>;
  /** Ends the flow, for a deadline or an interrupt. */
  signal?: AbortSignal | undefined;
  random?: ((bytes: number) => Buffer) | undefined;
}

/** A server for one connection. It closes after success, failure or denial (RFC 8252 §8.3). */
export interface CallbackServer<Account> extends AsyncDisposable {
  /**
   * The URL to open in the browser. It has a launch key, so that no web page can start a flow, and
   * works in one browser.
   */
  readonly startUrl: string;
  /** Makes another link like `startUrl`. */
  createLink(options?: LinkOptions): string;
  /**
   * The URI to register with the provider. It comes from configuration, never from a request's
   * `Host`.
   */
  readonly redirectUri: string;
  /**
   * With `https`: the SHA-256 fingerprint of the certificate, to compare with the one in the
   * browser's warning.
   */
  readonly fingerprint: string | undefined;
  readonly outcome: Promise<ConnectOutcome<Account>>;
  /**
   * Resolves when the browser has loaded the result page, or has had time to. Closing earlier would
   * leave it with an error page.
   */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Limits for visits of `/start` and of the callback. A person needs far fewer. */
const MAX_ATTEMPTS = 10;
const MAX_CALLBACKS = 30;
/** How long the result page can be loaded, in milliseconds. */
const RESULT_PAGE_MS = 800;

/**
 * Starts the local server for the authorization code flow: `/start` sets a cookie and redirects to
 * the provider, the callback exchanges the code, `/done` shows the result.
 * @throws {PackError} PORT_IN_USE; INTERRUPTED, or the signal's reason, if the signal has already
 *   aborted
 */
export async function startCallbackServer<Account>(
  options: CallbackServerOptions<Account>,
): Promise<CallbackServer<Account>> {
  const { random = randomBytes, signal } = options;
  const app = createApp();
  const address = await openCallbackAddress(app, options);
  const closed = settleOnce<void>();
  const close = async () => {
    await address.close();
    closed.settle();
  };
  const result = createFlowResult(options, () => {
    setTimeout(() => void close(), RESULT_PAGE_MS).unref();
  });
  const links = createStartLinks(address.origin, random);
  guardRequests(app, address, random);
  serveFlow(app, { begin: options.begin, address, links, result, random, close });

  // A signal that aborted before, such as while the Pack was built, sends no event.
  if (signal?.aborted) {
    await close();
    throw createInterruption(signal);
  }
  signal?.addEventListener("abort", () => {
    result.interrupt(signal);
    void close();
  });
  const hasCertificate = address.fingerprint !== undefined;
  return {
    startUrl: links.create(),
    // With https, the user first has to look at the browser's warning.
    createLink: (link) =>
      links.create({ ...link, lifetimeMs: hasCertificate ? undefined : link?.lifetimeMs }),
    redirectUri: address.redirectUri,
    fingerprint: address.fingerprint,
    outcome: result.outcome,
    closed: closed.promise,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createApp(): Express {
  const app = express();
  // Another path is another connection.
  app.enable("case sensitive routing");
  app.enable("strict routing");
  app.disable("x-powered-by");
  app.disable("etag");
  return app;
}

function guardRequests(
  app: Express,
  { hosts }: CallbackAddress,
  random: (bytes: number) => Buffer,
): void {
  app.use(securityHeaders(random));
  app.use((request, response, next) => {
    // DNS rebinding: a web page can point its own host name at this address, so only the exact
    // hosts are served.
    if (hosts.has(request.headers.host ?? "")) return next();
    return sendPage(response, 421, MISDIRECTED, getNonce(response));
  });
  app.use((request, response, next) => {
    // Express answers HEAD with the handlers of GET, which begin and use up attempts.
    if (request.method === "HEAD") return sendPage(response, 405, NOT_FOUND, getNonce(response));
    return next();
  });
}

interface ServedFlow {
  begin(redirectUri: string): Promise<AuthorizationAttempt>;
  address: CallbackAddress;
  links: StartLinks;
  result: FlowResult<unknown>;
  random(bytes: number): Buffer;
  close(): Promise<void>;
}

function serveFlow(app: Express, flow: ServedFlow): void {
  const { address, result, close } = flow;
  const pending = createPendingAttempts(address, flow.random);
  app.get("/start", createStartHandler(flow, pending));
  const callbackRoute = address.redirectPath.replace(/[{}()[\]+?!:*\\]/g, "\\$&");
  app.get(callbackRoute, createCallbackHandler(flow, pending));
  app.post(callbackRoute, (_request, response) =>
    sendPage(response, 405, SENT_AS_FORM, getNonce(response)),
  );
  app.get("/done", (_request, response) => {
    const { page } = result;
    if (page === undefined) return sendPage(response, 404, NOT_FOUND, getNonce(response));
    response.on("finish", () => void close());
    return sendPage(response, page.tone === "good" ? 200 : 400, page, getNonce(response));
  });
  app.use((request, response) => {
    const known = ["/start", address.redirectPath, "/done"].includes(request.path);
    return sendPage(response, known ? 405 : 404, NOT_FOUND, getNonce(response));
  });
  app.use((_error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    sendPage(response, 500, BROKEN, getNonce(response)),
  );
}

function createStartHandler(
  { begin, address, links, result }: ServedFlow,
  pending: PendingAttempts,
) {
  let attempts = 0;
  return async (request: Request, response: Response) => {
    const visit = links.visit(request);
    if (!visit.ok) return sendPage(response, 403, visit.page, getNonce(response));
    if (result.page !== undefined) return response.redirect(303, "/done");
    if (++attempts > MAX_ATTEMPTS) return sendPage(response, 429, TOO_MANY, getNonce(response));
    try {
      const attempt = await begin(address.redirectUri);
      pending.add(attempt, response);
      const { name, value, options } = visit.cookie;
      response.cookie(name, value, options);
      return response.redirect(303, attempt.authorizationUrl);
    } catch (error) {
      result.fail(error);
      return response.redirect(303, "/done");
    }
  };
}

function createCallbackHandler({ address, result }: ServedFlow, pending: PendingAttempts) {
  let callbacks = 0;
  return async (request: Request, response: Response) => {
    const query = new URL(request.originalUrl, address.origin).searchParams;
    const states = query.getAll("state");
    const own = pending.findOwn(request);
    if (own.size === 0) return sendPage(response, 403, NOT_STARTED_HERE, getNonce(response));
    // Requests of others do not count. Otherwise any web page could use up the visits of the real
    // callback.
    if (++callbacks > MAX_CALLBACKS) return sendPage(response, 429, TOO_MANY, getNonce(response));
    const match = [...own].find(
      ([, { state }]) => states.length === 1 && sameSecret(states[0] ?? "", state),
    );
    // A redirect of another tab, or a forged one. The attempt goes on: otherwise any page could end
    // it.
    if (match === undefined) return sendPage(response, 400, OTHER_STATE, getNonce(response));
    const [id, attempt] = match;
    pending.remove(id, response);
    await result.complete(query, attempt);
    // The redirect removes the code from the address bar (RFC 9700 §4.3).
    return response.redirect(303, "/done");
  };
}

function securityHeaders(random: (bytes: number) => Buffer) {
  return (_request: Request, response: Response, next: NextFunction) => {
    const nonce = random(12).toString("base64url");
    response.locals["nonce"] = nonce;
    response.set({
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "Content-Security-Policy": `default-src 'none'; style-src 'nonce-${nonce}'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'`,
      "X-Content-Type-Options": "nosniff",
      "Cross-Origin-Opener-Policy": "same-origin",
    });
    next();
  };
}

function getNonce(response: Response): string {
  return String(response.locals["nonce"]);
}
