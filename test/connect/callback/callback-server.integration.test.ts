import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, it } from "vitest";
import {
  type CallbackServerOptions,
  startCallbackServer,
} from "../../../src/connect/callback/callback-server.ts";
import { PackError } from "../../../src/errors.ts";
import type { AuthorizationAttempt } from "../../../src/oauth/connect/authorization-attempt.ts";
import type { TokenSet } from "../../../src/oauth/token-set.ts";
import { createTestBrowser } from "../../support/browser.ts";
import { shownCertificate, trustingFetch } from "../../support/trusting-fetch.ts";

const tokens = { accessToken: "at-canary-1", refreshToken: "rt-canary-1" } as TokenSet;

describe("callback server", () => {
  it("takes a browser from /start over the provider to the page that says what was connected", async () => {
    const flow = await startFlow();
    const page = await createTestBrowser().open(flow.server.startUrl);
    expect(page.status).toBe(200);
    expect(page.html).toContain("Connected");
    expect(page.html).toContain("First Account");
    expect(await flow.server.outcome).toEqual({ ok: true, account: "First Account" });
    expect(flow.exchanges).toEqual(["code=c1"]);
  });

  it("lets the tab go when the person has to go on elsewhere, and ends the flow when they have", async () => {
    let go = () => {};
    let answer = (_account: string) => {};
    const elsewhere = new Promise<void>((resolve) => {
      go = resolve;
    });
    const account = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const flow = await startFlow({
      elsewhere,
      complete: () => {
        go();
        return account;
      },
    });
    const page = await createTestBrowser().open(flow.server.startUrl);
    expect([page.status, page.url.pathname, page.url.search]).toEqual([200, "/done", ""]);
    expect(page.html).toContain("One more step");
    answer("Chosen Account");
    expect(await flow.server.outcome).toEqual({ ok: true, account: "Chosen Account" });
  });

  // docs/rules.md: rule 1
  it("listens only on loopback", async () => {
    await using flow = await startFlow();
    const port = Number(new URL(flow.server.startUrl).port);
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === "IPv4" && !address.internal);
    expect(await reachable("127.0.0.1", port)).toBe(true);
    if (outside !== undefined) expect(await reachable(outside.address, port)).toBe(false);
  });

  // docs/rules.md: rule 1
  it("answers on both loopback stacks with a localhost redirect", async () => {
    await using flow = await startFlow({ redirectHost: "localhost" });
    const port = Number(new URL(flow.server.redirectUri).port);
    expect(flow.server.redirectUri).toBe(`http://localhost:${port}/oauth/callback`);
    expect(await reachable("127.0.0.1", port)).toBe(true);
    if (await hasIpv6()) expect(await reachable("::1", port)).toBe(true);
  });

  // docs/rules.md: rule 1
  it("shows the certificate whose fingerprint it names on both loopback stacks, with https and a localhost redirect", async () => {
    await using flow = await startFlow({ redirectHost: "localhost", https: true });
    const { port, protocol, hostname } = new URL(flow.server.redirectUri);
    expect([protocol, hostname]).toEqual(["https:", "localhost"]);
    for (const host of ["127.0.0.1", ...((await hasIpv6()) ? ["::1"] : [])]) {
      expect((await shownCertificate(Number(port), host)).fingerprint).toBe(
        flow.server.fingerprint,
      );
    }
  });

  it("takes a browser through the flow over https, with a cookie for https alone", async () => {
    const flow = await startFlow({ https: true });
    const { certificate } = await shownCertificate(Number(new URL(flow.server.startUrl).port));
    const start = await trustingFetch(certificate)(flow.server.startUrl);
    expect(start.headers.getSetCookie()).toEqual([
      expect.stringMatching(/; HttpOnly; Secure; SameSite=Lax$/),
      expect.stringMatching(/; Path=\/start; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    const page = await createTestBrowser({ fetch: trustingFetch(certificate) }).open(
      // The user may look at the browser's warning for as long as they like.
      flow.server.createLink({ lifetimeMs: 0 }),
    );
    expect([page.url.href, page.status]).toEqual([
      `${new URL(flow.server.startUrl).origin}/done`,
      200,
    ]);
  });

  // docs/rules.md: rule 2
  it("takes another port that was named when the first one is busy, with https too", async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
    const { port } = blocker.address() as AddressInfo;
    await using flow = await startFlow({ ports: [port, 0], https: true });
    expect(flow.server.redirectUri).toMatch(/^https:/);
    expect(flow.server.redirectUri).not.toContain(String(port));
    blocker.close();
  });

  // docs/rules.md: rule 2
  it("names a busy fixed port in its error, and an ephemeral one in the redirect URI", async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
    const { port } = blocker.address() as AddressInfo;
    await expect(startFlow({ port })).rejects.toMatchObject({
      code: "PORT_IN_USE",
      details: { port },
      message: expect.stringContaining(String(port)),
    });
    blocker.close();
    await using flow = await startFlow();
    expect(flow.server.redirectUri).toBe(
      `http://127.0.0.1:${new URL(flow.server.startUrl).port}/oauth/callback`,
    );
    expect(flow.redirectUris).toEqual([]);
  });

  // docs/rules.md: rule 2
  it("takes another port only if it was named", async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
    const { port } = blocker.address() as AddressInfo;
    await using flow = await startFlow({ ports: [port, 0] });
    expect(flow.server.redirectUri).not.toContain(String(port));
    await expect(startFlow({ ports: [port, port] })).rejects.toMatchObject({ code: "PORT_IN_USE" });
    blocker.close();
  });

  // docs/rules.md: rule 3
  it("uses the registered redirect URI behind a tunnel, and lets in only its host in addition to its own", async () => {
    await using flow = await startFlow({
      redirectUri: "https://tunnel.tasks.example/packs/callback",
    });
    expect(flow.server.redirectUri).toBe("https://tunnel.tasks.example/packs/callback");
    expect(flow.server.startUrl).toMatch(/^https:\/\/tunnel\.tasks\.example\/start\?launch=/);
    for (const redirectUri of [
      "http://tunnel.tasks.example/callback",
      "https://tunnel.tasks.example/start",
      "nonsense",
    ]) {
      await expect(startFlow({ redirectUri })).rejects.toMatchObject({ code: "USAGE_INVALID" });
    }
  });

  // docs/rules.md: rule 3, 4
  it("refuses a request with another Host, which uses nothing up", async () => {
    await using flow = await startFlow();
    const { hostname, port, pathname, search } = new URL(flow.server.startUrl);
    const answer = await rawRequest(
      hostname,
      Number(port),
      `GET ${pathname}${search} HTTP/1.1\r\nHost: attacker.example:${port}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 421 /);
    expect(flow.redirectUris).toEqual([]);
    const page = await createTestBrowser().open(flow.server.startUrl);
    expect(page.html).toContain("Connected");
  });

  // docs/rules.md: rule 5
  it("closes after the result page was shown, and refuses a new connection", async () => {
    const flow = await startFlow();
    await createTestBrowser().open(flow.server.startUrl);
    await flow.server.outcome;
    await flow.server.closed;
    await expect(fetch(flow.server.startUrl)).rejects.toThrow();
  });

  // docs/rules.md: rule 5
  it("closes when the browser never asks for the result page", async () => {
    const flow = await startFlow();
    const start = await fetch(flow.server.startUrl, { redirect: "manual" });
    const cookie = start.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    await fetch(start.headers.get("location") ?? "", { headers: { cookie }, redirect: "manual" });
    expect(await flow.server.outcome).toMatchObject({ ok: true });
    await flow.server.closed;
    await expect(fetch(flow.server.startUrl)).rejects.toThrow();
  });

  // docs/rules.md: rule 5
  it("closes when the deadline passes, with an error that says so", async () => {
    const deadline = new AbortController();
    const flow = await startFlow({ signal: deadline.signal });
    deadline.abort(
      new PackError("OAUTH_CONNECT_TIMEOUT", "Nobody came back in time.", {
        details: { limitMs: 1 },
      }),
    );
    expect(await flow.server.outcome).toMatchObject({
      ok: false,
      error: { code: "OAUTH_CONNECT_TIMEOUT" },
    });
    await flow.server.closed;
    await expect(fetch(flow.server.startUrl)).rejects.toThrow();
  });

  // docs/rules.md: rule 6
  it.each([
    "state=wrong&code=c1",
    "code=c1",
    "state=wrong&error=access_denied",
    "state=S&state=S&code=c1",
  ])(
    "refuses a callback with a wrong, missing or doubled state before it uses anything of it: %s",
    async (query) => {
      await using flow = await startFlow({ callbackQuery: query });
      const page = await createTestBrowser().open(flow.server.startUrl);
      expect([page.status, page.html]).toEqual([
        400,
        expect.stringContaining("packsmith ignored this response"),
      ]);
      expect(flow.exchanges).toEqual([]);
    },
  );

  it("after a callback with a wrong state, the attempt goes on and the right callback finishes it", async () => {
    await using flow = await startFlow({ callbackQuery: "state=wrong&error=access_denied" });
    const browser = createTestBrowser();
    expect((await browser.open(flow.server.startUrl)).status).toBe(400);
    expect((await browser.open(`${flow.server.redirectUri}?state=S&code=c1`)).status).toBe(200);
    expect(await flow.server.outcome).toEqual({ ok: true, account: "First Account" });
    expect(flow.exchanges).toEqual(["code=c1"]);
  });

  // docs/rules.md: rule 7
  it("refuses the callback URL in another browser", async () => {
    await using flow = await startFlow();
    const { url } = await createTestBrowser().open(
      flow.server.startUrl,
      (next) => next.pathname === "/oauth/callback",
    );
    const stranger = await createTestBrowser().open(url.href);
    expect(stranger.status).toBe(403);
    expect(flow.exchanges).toEqual([]);
  });

  // docs/rules.md: rule 7
  it.each([
    ["another value", (cookie: string) => `${cookie.split("=")[0]}=${"A".repeat(22)}`],
    ["an empty value", (cookie: string) => `${cookie.split("=")[0]}=`],
    [
      "the value under another name",
      (cookie: string) => `packsmith_000000000000=${cookie.split("=")[1]}`,
    ],
  ])("does not take a cookie with %s for the cookie of the attempt", async (_, forge) => {
    await using flow = await startFlow();
    const start = await fetch(flow.server.startUrl, { redirect: "manual" });
    const cookie = start.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    const callback = await fetch(start.headers.get("location") ?? "", {
      headers: { cookie: forge(cookie) },
      redirect: "manual",
    });
    expect(callback.status).toBe(403);
    expect(flow.exchanges).toEqual([]);
  });

  // docs/rules.md: rule 8
  it("makes one exchange for two callbacks at once", async () => {
    const flow = await startFlow();
    const browser = createTestBrowser();
    const { url } = await browser.open(
      flow.server.startUrl,
      (next) => next.pathname === "/oauth/callback",
    );
    const pages = await Promise.all([browser.open(url.href), browser.open(url.href)]);
    expect(flow.exchanges).toEqual(["code=c1"]);
    expect(pages.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  // docs/rules.md: rule 11
  it("answers the callback with 303 to a page without a query", async () => {
    const flow = await startFlow();
    const start = await fetch(flow.server.startUrl, { redirect: "manual" });
    const cookie = start.headers
      .getSetCookie()
      .map((text) => text.split(";")[0])
      .join("; ");
    const callback = await fetch(start.headers.get("location") ?? "", {
      headers: { cookie },
      redirect: "manual",
    });
    expect([callback.status, callback.headers.get("location")]).toEqual([303, "/done"]);
    expect(flow.exchanges).toEqual(["code=c1"]);
  });

  // docs/rules.md: rule 10, 11
  it("removes the code from the address bar, and puts no token on a page or into a URL", async () => {
    const flow = await startFlow();
    const page = await createTestBrowser().open(flow.server.startUrl);
    expect(page.url.pathname + page.url.search).toBe("/done");
    expect([page.html, ...page.trail.map(String)].join("\n")).not.toMatch(/canary/);
  });

  // docs/rules.md: rule 12
  it("sends the security headers with every answer", async () => {
    await using flow = await startFlow();
    const origin = new URL(flow.server.startUrl).origin;
    for (const path of ["/", "/start", "/oauth/callback?code=x", "/done", "/nothing"]) {
      const { headers } = await fetch(origin + path, { redirect: "manual" });
      expect(Object.fromEntries(headers)).toMatchObject({
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
        "cross-origin-opener-policy": "same-origin",
        "content-security-policy": expect.stringMatching(
          /^default-src 'none'; style-src 'nonce-[\w-]{16}'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'$/,
        ),
      });
    }
  });

  // docs/rules.md: rule 13
  it("shows text of the provider as inert text", async () => {
    const flow = await startFlow({
      complete: () => {
        throw new PackError(
          "OAUTH_DENIED",
          `The provider said: <script>alert(1)</script>\u001b]0;x\u0007`,
          {
            details: { error: "access_denied", description: undefined },
          },
        );
      },
    });
    const page = await createTestBrowser().open(flow.server.startUrl);
    expect(page.html).toContain("Access was not granted");
    expect(page.html).toContain("&#60;script&#62;");
    expect(page.html).not.toMatch(/<script|\u001b|\u0007/);
  });

  it("does not start, and leaves no server behind, when it was interrupted before", async () => {
    const interrupt = new AbortController();
    interrupt.abort(new PackError("INTERRUPTED", "Interrupted.", { details: undefined }));
    await expect(startFlow({ signal: interrupt.signal })).rejects.toMatchObject({
      code: "INTERRUPTED",
    });
  });

  // docs/rules.md: rule 16
  it.each(["start", "callback"])("uses nothing up for a HEAD request to the %s", async (path) => {
    await using flow = await startFlow();
    const { hostname, port, pathname, search } = new URL(flow.server.startUrl);
    const target =
      path === "start" ? `${pathname}${search}` : new URL(flow.server.redirectUri).pathname;
    const answer = await rawRequest(
      hostname,
      Number(port),
      `HEAD ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(flow.redirectUris).toEqual([]);
  });

  // docs/rules.md: rule 16
  it("refuses other methods and paths, without CORS headers", async () => {
    await using flow = await startFlow();
    const callback = flow.server.redirectUri;
    const options = await fetch(callback, {
      method: "OPTIONS",
      headers: { origin: "https://page.example" },
    });
    expect([
      options.status,
      [...options.headers.keys()].filter((name) => name.startsWith("access-control")),
    ]).toEqual([405, []]);
    const posted = await fetch(callback, { method: "POST" });
    expect([posted.status, await posted.text()]).toEqual([
      405,
      expect.stringContaining("Remove response_mode from additionalParams"),
    ]);
    for (const path of ["/other", "/oauth/Callback", "/oauth/callback/", "/Start", "/done/"])
      expect((await fetch(new URL(path, callback))).status).toBe(404);
  });

  // docs/rules.md: rule 17
  it("starts no flow for a web page, which does not know the launch key", async () => {
    await using flow = await startFlow();
    const start = new URL(flow.server.startUrl);
    expect((await fetch(`${start.origin}/start`)).status).toBe(403);
    expect((await fetch(`${start.origin}/start?launch=guess`)).status).toBe(403);
    expect(
      (
        await fetch(flow.server.startUrl, {
          headers: { "sec-fetch-site": "cross-site" },
          redirect: "manual",
        })
      ).status,
    ).toBe(403);
    expect(
      (
        await fetch(`${start.origin}/start`, {
          method: "POST",
          headers: { origin: "https://page.example" },
        })
      ).status,
    ).toBe(405);
    expect(flow.redirectUris).toEqual([]);
  });

  it("opens a link once, and again in the browser that used it", async () => {
    await using flow = await startFlow();
    const visit = async (link: string, cookie = "") => {
      const headers = { cookie, "sec-fetch-site": "none", "sec-fetch-mode": "navigate" };
      const response = await fetch(link, { headers, redirect: "manual" });
      const given = response.headers.getSetCookie().map((text) => text.split(";")[0]);
      return { status: response.status, cookie: given.at(-1), page: await response.text() };
    };
    const first = await visit(flow.server.startUrl);
    expect([first.status, first.cookie]).toEqual([303, expect.stringMatching(/^packsmith_start_/)]);
    const other = await visit(flow.server.startUrl);
    expect([other.status, other.cookie]).toEqual([403, undefined]);
    expect(other.page).toContain("This link was already used");
    expect((await visit(flow.server.startUrl, `${first.cookie}x`)).status).toBe(403);
    expect((await visit(flow.server.startUrl, first.cookie)).status).toBe(303);
    const { origin } = new URL(flow.server.startUrl);
    expect((await visit(`${origin}/start?launch=guess`, first.cookie)).status).toBe(403);
    expect((await visit(flow.server.createLink())).status).toBe(303);
    expect((await visit(flow.server.createLink({ lifetimeMs: 0 }))).status).toBe(403);
    expect(flow.redirectUris).toHaveLength(3);
  });

  // docs/rules.md: rule 40
  it("limits the rate of callbacks", async () => {
    await using flow = await startFlow();
    const start = await fetch(flow.server.startUrl, { redirect: "manual" });
    const cookie = start.headers.get("set-cookie")?.split(";")[0] ?? "";
    const visit = async () =>
      (await fetch(`${flow.server.redirectUri}?state=x`, { headers: { cookie } })).status;
    const statuses = await Promise.all(Array.from({ length: 35 }, visit));
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  });

  // docs/rules.md: rule 40
  it("does not count the visits of a web page against those of the real callback", async () => {
    const flow = await startFlow();
    const visit = async () => (await fetch(`${flow.server.redirectUri}?state=x`)).status;
    expect(new Set(await Promise.all(Array.from({ length: 40 }, visit)))).toEqual(new Set([403]));
    expect((await createTestBrowser().open(flow.server.startUrl)).html).toContain("Connected");
    expect(await flow.server.outcome).toEqual({ ok: true, account: "First Account" });
  });

  // docs/rules.md: rule 40
  it("limits the rate at which attempts start", async () => {
    await using flow = await startFlow();
    const start = async () =>
      (await fetch(flow.server.createLink(), { redirect: "manual" })).status;
    const statuses = await Promise.all(Array.from({ length: 12 }, start));
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
  });

  it("shows the failure in the page and in the outcome when the authorization request cannot be built", async () => {
    const flow = await startFlow({
      begin: () =>
        Promise.reject(
          new PackError("ENDPOINT_INVALID", "The endpoint is not a valid URL.", {
            details: { reason: "no URL" },
            hint: "Give an https URL.",
          }),
        ),
    });
    const page = await createTestBrowser().open(flow.server.startUrl);
    expect(page.html).toContain("Give an https URL.");
    expect(await flow.server.outcome).toMatchObject({
      ok: false,
      error: { code: "ENDPOINT_INVALID" },
    });
  });
});

interface FlowOptions extends Partial<Omit<CallbackServerOptions<string>, "complete">> {
  complete?: () => Promise<string> | never;
  callbackQuery?: string;
}

/** A server whose "provider" is a redirect straight back to the callback. */
async function startFlow({ callbackQuery, ...options }: FlowOptions = {}) {
  const redirectUris: string[] = [];
  const exchanges: string[] = [];
  const server = await startCallbackServer<string>({
    packName: "tasks",
    describe: (account) => [["Account", account]],
    begin: async (redirectUri): Promise<AuthorizationAttempt> => {
      redirectUris.push(redirectUri);
      return {
        authorizationUrl: `${redirectUri}?${callbackQuery ?? "state=S&code=c1"}`,
        redirectUri,
        state: "S",
        requestedScopes: [],
        callbackParams: {},
        namedIssuer: false,
        complete: async (query) => {
          exchanges.push(`code=${query.get("code")}`);
          return tokens;
        },
      };
    },
    ...options,
    complete: options.complete ?? (async () => "First Account"),
  });
  return { server, redirectUris, exchanges, [Symbol.asyncDispose]: () => server.close() };
}

function reachable(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1_000 });
    const end = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.on("connect", () => end(true));
    socket.on("error", () => end(false));
    socket.on("timeout", () => end(false));
  });
}

async function hasIpv6(): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(0, "::1", () => server.close(() => resolve(true)));
  });
}

function rawRequest(host: string, port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect({ host, port }, () => socket.write(text));
    socket.on("data", (chunk) => {
      answer += String(chunk);
    });
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
  });
}
