import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import type { ConnectAccountOptions } from "../../src/connect/connect-options.ts";
import { isPackError } from "../../src/errors.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { startTokenServer } from "../support/token-server.ts";

const honestUrl = "https://login.honest.example";
const hostileUrl = "https://login.hostile.example";

interface HonestServer {
  /** Redirect paths that clients have registered. @default any, as a careless server has it */
  registered?: string[] | undefined;
  /** Whether it names itself in its responses (RFC 9207). @default true */
  namesItself?: boolean | undefined;
}

/** An authorization server that issues a code to everyone who asks with a registered redirect URI. */
async function startHonestServer({ registered, namesItself = true }: HonestServer) {
  return await startTokenServer(({ url, params }) => {
    const { pathname, searchParams } = new URL(url, honestUrl);
    if (pathname.startsWith("/.well-known/"))
      return {
        body: {
          issuer: honestUrl,
          authorization_endpoint: `${honestUrl}/a`,
          token_endpoint: `${honestUrl}/t`,
          response_types_supported: ["code"],
        },
      };
    if (pathname === "/t")
      return { body: { access_token: `token-for-${params.get("code")}`, token_type: "Bearer" } };
    const redirectUri = new URL(searchParams.get("redirect_uri") ?? "");
    if (registered !== undefined && !registered.includes(redirectUri.pathname))
      return { status: 400, body: "unknown redirect URI" };
    redirectUri.searchParams.set("code", "honest-code");
    redirectUri.searchParams.set("state", searchParams.get("state") ?? "");
    if (namesItself) redirectUri.searchParams.set("iss", honestUrl);
    return { status: 302, headers: { location: redirectUri.href } };
  });
}

/** A server that sends its users on to the honest one, and keeps the codes that arrive. */
async function startHostileServer(stolen: string[]) {
  return await startTokenServer(({ url, params }) => {
    const { pathname, search } = new URL(url, hostileUrl);
    if (pathname === "/t") {
      stolen.push(params.get("code") ?? "");
      return { body: { access_token: "of-the-hostile-server", token_type: "Bearer" } };
    }
    if (pathname.startsWith("/.well-known/"))
      return {
        body: {
          issuer: hostileUrl,
          authorization_endpoint: `${hostileUrl}/a`,
          token_endpoint: `${hostileUrl}/t`,
          response_types_supported: ["code"],
        },
      };
    return { status: 302, headers: { location: `${honestUrl}/a${search}` } };
  });
}

const HONEST_URLS = `authorizationUrl: "${honestUrl}/a", tokenUrl: "${honestUrl}/t"`;
const HONEST = `issuer: "${honestUrl}", ${HONEST_URLS}`;
const HOSTILE = `authorizationUrl: "${hostileUrl}/a", tokenUrl: "${hostileUrl}/t"`;

async function setUp(behave: HonestServer = {}) {
  const folder = makeTemporaryFolder();
  const stolen: string[] = [];
  const registered: string[] | undefined = behave.registered;
  const honest = await startHonestServer({ ...behave, registered });
  const hostile = await startHostileServer(stolen);
  const routes = [`${honestUrl}=${honest.url}`, `${hostileUrl}=${hostile.url}`];
  const follow = async (startUrl: string): Promise<void> => {
    let cookie = "";
    for (
      let next: string | undefined = startUrl, hops = 0;
      next !== undefined && hops < 6;
      hops++
    ) {
      const routed = routes
        .map((route) => route.split("="))
        .reduce((url, [from = "", to = ""]) => url.replace(from, to), next);
      const response = await fetch(routed, { redirect: "manual", headers: { cookie } });
      cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
      const location = response.headers.get("location");
      next = location === null ? undefined : new URL(location, next).href;
    }
  };
  return {
    stolen,
    registered,
    follow,
    home: join(folder.path, "home"),
    /** Connects a Pack with this definition. @returns the code of the error, or the redirect URI */
    async connect(
      name: string,
      authentication: string,
      options: Partial<ConnectAccountOptions> = {},
    ): Promise<string | undefined> {
      mkdirSync(join(folder.path, name), { recursive: true });
      writeFileSync(
        join(folder.path, name, "pack.ts"),
        `import { newPack } from "packsmith";
        export const pack = newPack().addNetworkDomain("api.example")
          .setUserAuthentication({ type: "OAuth2", ${authentication} });`,
      );
      const connected = connectAccount({
        file: join(name, "pack.ts"),
        cwd: folder.path,
        home: join(folder.path, "home"),
        client: { clientId: "public-client", clientSecret: undefined },
        routes,
        browser: follow,
        timeoutMs: 4_000,
        redactor: createRedactor(),
        ...options,
      });
      return await connected.then(
        ({ redirectUri }) => redirectUri,
        (error: unknown) => {
          if (isPackError(error)) return error.code;
          throw error;
        },
      );
    },
    async [Symbol.asyncDispose]() {
      await honest[Symbol.asyncDispose]();
      await hostile[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

const pathOf = (redirectUri: string | undefined) => new URL(redirectUri ?? "").pathname;

// RFC 9700 §4.4: the hostile server sends the user to an honest one, whose code then goes to it.
describe("a code of an honest server goes to no other one", () => {
  it.each([
    ["names the honest issuer next to its own URLs", `issuer: "${honestUrl}", ${HOSTILE}`],
    ["has no issuer", HOSTILE],
    ["has an issuer of its own", `issuer: "${hostileUrl}", ${HOSTILE}`],
    ["has only an issuer of its own", `issuer: "${hostileUrl}"`],
  ])("when a Pack of another name %s, and the honest server checks nothing", async (_, members) => {
    await using run = await setUp();
    expect(await run.connect("hostile", members)).toBe("OAUTH_ISSUER_MISMATCH");
    expect(run.stolen).toEqual([]);
  });

  it.each([
    ["names the honest issuer next to its own URLs", `issuer: "${honestUrl}", ${HOSTILE}`],
    ["has no issuer", HOSTILE],
    ["has only an issuer of its own", `issuer: "${hostileUrl}"`],
    ["has the honest authorization URL", HOSTILE.replace(`${hostileUrl}/a`, `${honestUrl}/a`)],
  ])(
    "when a Pack has the name of the honest one and %s, and no server names itself",
    async (_, members) => {
      const registered: string[] = ["/oauth/callback"];
      await using run = await setUp({ registered, namesItself: false });
      await run.connect("one/tasks", HONEST, {
        timeoutMs: 60_000,
        browser: async (url, { redirectUri }) => {
          registered.push(pathOf(redirectUri));
          await run.follow(url);
        },
      });
      const outcome = await run.connect("two/tasks", members, { timeoutMs: 300 });
      expect(outcome).toBe("OAUTH_CONNECT_TIMEOUT");
      expect(run.stolen).toEqual([]);
    },
  );

  it("when both are connected with a registered path, because responses must then name their server", async () => {
    await using run = await setUp({ namesItself: false });
    const shared = { redirectPath: "/registered" };
    expect(pathOf(await run.connect("honest", HONEST, shared))).toBe("/registered");
    const only = `issuer: "${hostileUrl}"`;
    expect(await run.connect("hostile", only, shared)).toBe("OAUTH_ISSUER_MISMATCH");
    expect(await run.connect("hostile", HOSTILE, shared)).toBe("OAUTH_ISSUER_MISMATCH");
    const borrowed = `issuer: "${honestUrl}", ${HOSTILE}`;
    expect(await run.connect("hostile", borrowed, shared)).toBe("OAUTH_ISSUER_MISMATCH");
    expect(run.stolen).toEqual([]);
  });

  it.each([
    ["names itself", true, HONEST, "/oauth/callback"],
    [
      "names itself, also without an issuer in the definition",
      true,
      HONEST_URLS,
      "/oauth/callback",
    ],
    ["does not", false, HONEST, "OAUTH_ISSUER_MISMATCH"],
    ["does not, and the definition has no issuer", false, HONEST_URLS, "OAUTH_ISSUER_MISMATCH"],
  ])(
    "when the path is the one that all servers had, which works if the server %s",
    async (_, namesItself, members, expected) => {
      await using run = await setUp({ namesItself });
      const outcome = await run.connect("honest", members, { redirectPath: "/oauth/callback" });
      expect(outcome?.startsWith("http") ? pathOf(outcome) : outcome).toBe(expected);
    },
  );

  it("when an account is connected again by a definition that has moved to another server", async () => {
    await using run = await setUp({ namesItself: false });
    const path = pathOf(await run.connect("tasks", HONEST));
    expect(pathOf(await run.connect("tasks", HONEST))).toBe(path);
    expect(await run.connect("tasks", HOSTILE)).toBe("OAUTH_ISSUER_MISMATCH");
    expect(run.stolen).toEqual([]);
  });

  it("when the address of another connection is pasted", async () => {
    await using run = await setUp();
    const pasted: string[] = [];
    const paste = async (url: string): Promise<string> => {
      const state = new URL(url).searchParams.get("state") ?? "";
      pasted.push(state);
      return pasted.length > 1 ? "" : `http://127.0.0.1/oauth/callback/other?code=c&state=${state}`;
    };
    expect(await run.connect("hostile", HOSTILE, { paste })).toBe("OAUTH_CALLBACK_INVALID");
    expect(run.stolen).toEqual([]);
  });
});
