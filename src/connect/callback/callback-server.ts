import { randomBytes } from "node:crypto";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import type { RedirectChoice } from "../../accounts/account-summary.ts";
import { isPackError, PackError } from "../../errors.ts";
import type { AuthorizationAttempt } from "../../oauth/connect/authorization-attempt.ts";
import type { TokenSet } from "../../oauth/token-set.ts";
import { createSelfSignedCertificate } from "../../shared/certificate/self-signed-certificate.ts";
import { readCookies } from "../../shared/cookies.ts";
import { sameSecret } from "../../shared/crypto.ts";
import type { LinkOptions } from "../../shared/launch-keys.ts";
import { type LoopbackServer, listenOnLoopback } from "../../shared/loopback-server.ts";
import { parseRedirectUri } from "../redirect-path.ts";
import {
  BROKEN,
  failurePage,
  GO_ON,
  MISDIRECTED,
  NOT_FOUND,
  NOT_STARTED_HERE,
  OTHER_STATE,
  type Page,
  SENT_AS_FORM,
  sendPage,
  TOO_MANY,
} from "./page.ts";
import { createStartLinks } from "./start-links.ts";

export interface CallbackServerOptions<Account> extends RedirectChoice {
  /** Shown on the pages. */
  packName: string;
  /** Path of the redirect URI. @default "/oauth/callback" */
  redirectPath?: string | undefined;
  /** Begins an authorization request. Called for each visit of `/start`. */
  begin(redirectUri: string): Promise<AuthorizationAttempt>;
  /** Stores the tokens and returns the account. If it fails, the flow fails. */
  complete(tokenSet: TokenSet, attempt: AuthorizationAttempt): Promise<Account>;
  /** What the success page shows about the account. */
  describe(account: Account): readonly (readonly [name: string, value: string])[];
  /**
   * Adds details to an error before the page shows it and the caller gets it. @default adds nothing
   */
  diagnose?: ((error: PackError) => PackError) | undefined;
  /**
   * Resolves if the user has to answer something outside the browser. The page then says so.
   * @default never
   */
  elsewhere?: Promise<void> | undefined;
  /** Ends the flow, for a deadline or an interrupt. */
  signal?: AbortSignal | undefined;
  random?: ((bytes: number) => Buffer) | undefined;
}

export type ConnectOutcome<Account> =
  | { ok: true; account: Account }
  | { ok: false; error: PackError };

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

interface PendingAttempt {
  attempt: AuthorizationAttempt;
  cookie: string;
}

/** Limits for visits of `/start` and of the callback. A person needs far fewer. */
const MAX_ATTEMPTS = 10;
const MAX_CALLBACKS = 30;
/** How long the result page can be loaded, in milliseconds. */
const RESULT_PAGE_MS = 800;

/**
 * Starts the local server for the authorization code flow: `/start` sets a cookie and redirects to
 * the provider, the
 * callback exchanges the code, `/done` shows the result.
 * @throws {PackError} PORT_IN_USE; INTERRUPTED, or the signal's reason, if the signal has already
 *   aborted
 */
export async function startCallbackServer<Account>(
  options: CallbackServerOptions<Account>,
): Promise<CallbackServer<Account>> {
  const { redirectHost = "127.0.0.1", random = randomBytes } = options;
  const outside =
    options.redirectUri === undefined ? undefined : parseRedirectUri(options.redirectUri);
  const redirectPath = outside?.pathname ?? options.redirectPath ?? "/oauth/callback";
  const pending = new Map<string, PendingAttempt>();
  const outcome = settleOnce<ConnectOutcome<Account>>();
  let attempts = 0;
  let callbacks = 0;
  let resultPage: Page | undefined;

  const app = express();
  // Another path is another connection.
  app.enable("case sensitive routing");
  app.enable("strict routing");
  const certificate = options.https === true ? createSelfSignedCertificate() : undefined;
  const tls =
    certificate === undefined
      ? undefined
      : { key: certificate.privateKey, cert: certificate.certificate };
  const servers = await listenOnFirst(
    (port) => listen(app, redirectHost, port, tls),
    options.ports ?? [options.port ?? 0],
  );
  const { port } = servers[0];
  const origin =
    outside?.origin ?? `${tls === undefined ? "http" : "https"}://${redirectHost}:${port}`;
  const redirectUri = options.redirectUri ?? `${origin}${redirectPath}`;
  const hosts = new Set(
    redirectHost === "localhost"
      ? [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]
      : [`127.0.0.1:${port}`],
  );
  if (outside !== undefined) hosts.add(outside.host);
  const links = createStartLinks(origin, random);

  const closed = settleOnce<void>();
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
    closed.settle();
  };
  const finish = (result: ConnectOutcome<Account>, page: Page) => {
    resultPage = page;
    outcome.settle(result);
    setTimeout(() => void close(), RESULT_PAGE_MS).unref();
  };
  const fail = (error: unknown) => {
    const { diagnose = (known) => known } = options;
    const known = diagnose(isPackError(error) ? error : createUnexpectedError(error));
    finish({ ok: false, error: known }, failurePage(known));
  };

  const completeAttempt = async (
    query: URLSearchParams,
    attempt: AuthorizationAttempt,
  ): Promise<void> => {
    try {
      const account = await options.complete(await attempt.complete(query), attempt);
      finish(
        { ok: true, account },
        {
          title: "Connected",
          lead: `${options.packName} can use this account now.`,
          facts: options.describe(account),
          hint: "You can close this tab.",
          tone: "good",
        },
      );
    } catch (error) {
      fail(error);
    }
  };

  app.disable("x-powered-by");
  app.disable("etag");
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
  app.get("/start", async (request, response) => {
    const visit = links.visit(request);
    if (!visit.ok) return sendPage(response, 403, visit.page, getNonce(response));
    if (resultPage !== undefined) return response.redirect(303, "/done");
    if (++attempts > MAX_ATTEMPTS) return sendPage(response, 429, TOO_MANY, getNonce(response));
    try {
      const attempt = await options.begin(redirectUri);
      const id = random(6).toString("hex");
      const cookie = random(16).toString("base64url");
      pending.set(id, { attempt, cookie });
      // The cookie binds the attempt to this browser (RFC 9700 §4.7). Cookies ignore ports, so its
      // name contains the attempt's ID.
      const secure = origin.startsWith("https:");
      response.cookie(cookieName(id), cookie, {
        httpOnly: true,
        sameSite: "lax",
        secure,
        path: redirectPath,
        maxAge: 10 * 60_000,
      });
      const { name, value, options: startOnly } = visit.cookie;
      response.cookie(name, value, startOnly);
      return response.redirect(303, attempt.authorizationUrl);
    } catch (error) {
      fail(error);
      return response.redirect(303, "/done");
    }
  });
  const callbackRoute = redirectPath.replace(/[{}()[\]+?!:*\\]/g, "\\$&");
  app.get(callbackRoute, async (request, response) => {
    const query = new URL(request.originalUrl, origin).searchParams;
    const states = query.getAll("state");
    const own = findByCookie(pending, request.headers.cookie);
    if (own.length === 0) return sendPage(response, 403, NOT_STARTED_HERE, getNonce(response));
    // Requests of others do not count. Otherwise any web page could use up the visits of the real
    // callback.
    if (++callbacks > MAX_CALLBACKS) return sendPage(response, 429, TOO_MANY, getNonce(response));
    const match = own.find(
      ([, { attempt }]) => states.length === 1 && sameSecret(states[0] ?? "", attempt.state),
    );
    // A redirect of another tab, or a forged one. The attempt goes on: otherwise any page could end
    // it.
    if (match === undefined) return sendPage(response, 400, OTHER_STATE, getNonce(response));
    const [id, { attempt }] = match;
    // Deleted before the exchange starts, so that a replayed callback finds nothing (RFC 9700
    // §4.5).
    pending.delete(id);
    response.clearCookie(cookieName(id), { path: redirectPath });
    const completion = completeAttempt(query, attempt);
    // If the user is asked something in the terminal, this tab must not wait for the answer.
    if (options.elsewhere !== undefined) void options.elsewhere.then(() => (resultPage ??= GO_ON));
    await Promise.race([completion, options.elsewhere ?? completion]);
    // The redirect removes the code from the address bar (RFC 9700 §4.3).
    return response.redirect(303, "/done");
  });
  app.post(callbackRoute, (_request, response) =>
    sendPage(response, 405, SENT_AS_FORM, getNonce(response)),
  );
  app.get("/done", (_request, response) => {
    if (resultPage === undefined) return sendPage(response, 404, NOT_FOUND, getNonce(response));
    response.on("finish", () => void close());
    return sendPage(
      response,
      resultPage.tone === "good" ? 200 : 400,
      resultPage,
      getNonce(response),
    );
  });
  app.use((request, response) => {
    const known = ["/start", redirectPath, "/done"].includes(request.path);
    return sendPage(response, known ? 405 : 404, NOT_FOUND, getNonce(response));
  });
  app.use((_error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    sendPage(response, 500, BROKEN, getNonce(response)),
  );

  // A signal that aborted before, such as while the Pack was built, sends no event.
  if (options.signal?.aborted) {
    await close();
    throw interruption(options.signal);
  }
  options.signal?.addEventListener("abort", () => {
    if (options.signal !== undefined)
      outcome.settle({ ok: false, error: interruption(options.signal) });
    void close();
  });
  return {
    startUrl: links.create(),
    // With https, the user first has to look at the browser's warning.
    createLink: (link) =>
      links.create({ ...link, lifetimeMs: tls === undefined ? link?.lifetimeMs : undefined }),
    redirectUri,
    fingerprint: certificate?.fingerprint,
    outcome: outcome.promise,
    closed: closed.promise,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function createUnexpectedError(error: unknown): PackError {
  return new PackError("INTERNAL", "Connecting the account failed unexpectedly.", {
    details: undefined,
    hint: "Run the command again with --debug, and report its output.",
    cause: error,
  });
}

function interruption({ reason }: AbortSignal): PackError {
  if (isPackError(reason)) return reason;
  return new PackError("INTERRUPTED", "Connecting was interrupted.", {
    details: undefined,
    hint: undefined,
    cause: reason,
  });
}

/** Goes on to the next port only if the caller named several. */
async function listenOnFirst(
  listenOn: (port: number) => Promise<Servers>,
  [port = 0, ...others]: readonly number[],
): Promise<Servers> {
  try {
    return await listenOn(port);
  } catch (error) {
    if (others.length === 0 || !isPackError(error, "PORT_IN_USE")) throw error;
    return await listenOnFirst(listenOn, others);
  }
}

type Servers = [LoopbackServer, ...LoopbackServer[]];

async function listen(
  app: Express,
  host: "127.0.0.1" | "localhost",
  port: number,
  tls: { key: string; cert: string } | undefined,
): Promise<Servers> {
  const first = await listenOnLoopback(app, port, "127.0.0.1", tls);
  if (host === "127.0.0.1") return [first];
  try {
    return [first, await listenOnLoopback(app, first.port, "::1", tls)];
  } catch (error) {
    // The machine has no IPv6.
    if (!isPackError(error)) return [first];
    await first.close();
    throw error;
  }
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

function cookieName(id: string): string {
  return `packsmith_${id}`;
}

function findByCookie(
  pending: Map<string, PendingAttempt>,
  header: string | undefined,
): [string, PendingAttempt][] {
  const cookies = readCookies(header);
  return [...pending].filter(([id, { cookie }]) =>
    sameSecret(cookies.get(cookieName(id)) ?? "", cookie),
  );
}

function settleOnce<Value>() {
  let settle: (value: Value) => void = () => {};
  const promise = new Promise<Value>((resolve) => {
    settle = resolve;
  });
  return { promise, settle };
}
