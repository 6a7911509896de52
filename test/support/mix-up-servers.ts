import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectAccount } from "../../src/connect/connect-account.ts";
import type { ConnectAccountOptions } from "../../src/connect/connect-options.ts";
import { revokeAccount } from "../../src/connect/manage-accounts.ts";
import { isPackError } from "../../src/errors.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { type Answer, type Behaviour, startTokenServer } from "./token-server.ts";

export const honestUrl = "https://login.honest.example";
export const hostileUrl = "https://login.hostile.example";

export interface MixUpServers {
  /** Redirect paths that clients have registered. @default any, as a careless server has it */
  registered?: string[] | undefined;
  /** Whether the honest server names itself in its responses (RFC 9207). @default true */
  namesItself?: boolean | undefined;
  /** Issuers. Both may be at one origin. */
  honest?: string | undefined;
  hostile?: string | undefined;
  /** More members of the honest server's metadata. */
  honestMetadata?: Record<string, unknown> | undefined;
  /** Changes the address to which the hostile server sends its users. */
  forge?: ((search: URLSearchParams) => void) | undefined;
  /** What the hostile server answers to other requests than an authorization. @default usual */
  behave?: ((path: string) => Answer | undefined) | undefined;
}

export function createMetadata(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/a`,
    token_endpoint: `${issuer}/t`,
    response_types_supported: ["code"],
  };
}

function createDevice(issuer: string): object {
  return {
    device_code: "device-code",
    user_code: "ABCD",
    verification_uri: `${issuer}/device`,
    expires_in: 60,
    interval: 0.01,
  };
}

/** The path below an issuer, `resource`, or `metadata`. Undefined for a request to another issuer. */
function pathBelow(issuer: string, address: string): string | undefined {
  const { pathname } = new URL(address, issuer);
  const own = new URL(issuer).pathname.replace(/\/$/, "");
  if (pathname.startsWith("/.well-known/oauth-protected-resource")) return "resource";
  const [, wellKnown] = /^\/\.well-known\/[^/]+(.*)$/.exec(pathname) ?? [];
  if (wellKnown !== undefined) return wellKnown === own ? "metadata" : undefined;
  return own === "" || pathname.startsWith(`${own}/`) ? pathname.slice(own.length) : undefined;
}

/** An authorization server that issues a code to everyone who asks with a registered redirect URI. */
function createHonestServer({
  registered,
  namesItself = true,
  honest = honestUrl,
  honestMetadata,
}: MixUpServers): Behaviour {
  return ({ url, params }) => {
    const path = pathBelow(honest, url);
    if (path === undefined) return undefined;
    if (path === "metadata") return { body: { ...createMetadata(honest), ...honestMetadata } };
    if (path === "/d") return { body: createDevice(honest) };
    if (path === "/t")
      return { body: { access_token: `token-for-${params.get("code")}`, token_type: "Bearer" } };
    const { searchParams } = new URL(url, honest);
    const redirectUri = new URL(searchParams.get("redirect_uri") ?? "");
    if (registered !== undefined && !registered.includes(redirectUri.pathname))
      return { status: 400, body: "unknown redirect URI" };
    redirectUri.searchParams.append("code", "honest-code");
    redirectUri.searchParams.append("state", searchParams.get("state") ?? "");
    if (namesItself) redirectUri.searchParams.append("iss", honest);
    return { status: 302, headers: { location: redirectUri.href } };
  };
}

/** A server that sends its users on to the honest one, and keeps the codes that arrive. */
function createHostileServer(
  { honest = honestUrl, hostile = hostileUrl, forge, behave }: MixUpServers,
  stolen: string[],
): Behaviour {
  return ({ url, params }) => {
    const path = pathBelow(hostile, url);
    if (path === undefined) return { status: 404 };
    const answer = behave?.(path);
    if (answer !== undefined) return answer;
    if (path === "metadata") return { body: createMetadata(hostile) };
    if (path === "resource" || path === "/mcp") return { status: 404 };
    if (path === "/t") {
      stolen.push(params.get("code") ?? "");
      return { body: { access_token: "of-the-hostile-server", token_type: "Bearer" } };
    }
    const { searchParams } = new URL(url, hostile);
    forge?.(searchParams);
    return { status: 302, headers: { location: `${honest}/a?${searchParams}` } };
  };
}

/** An honest and a hostile server, and a user who follows their redirects. */
export async function startMixUpServers(options: MixUpServers = {}) {
  const { honest = honestUrl, hostile = hostileUrl, registered } = options;
  const folder = makeTemporaryFolder();
  const stolen: string[] = [];
  const [asHonest, asHostile] = [createHonestServer(options), createHostileServer(options, stolen)];
  const server = await startTokenServer(
    async (request, response) =>
      (await asHonest(request, response)) ?? (await asHostile(request, response)),
  );
  const other = await startTokenServer(asHostile);
  const routes = [...new Set([honest, hostile].map((url) => new URL(url).origin))].map(
    (origin, index) => `${origin}=${(index === 0 ? server : other).url}`,
  );
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
  const home = join(folder.path, "home");
  return {
    stolen,
    registered,
    follow,
    home,
    /**
     * Connects a Pack with this definition.
     * @param members of the authentication, and after a semicolon other calls of the builder
     * @returns the code of the error, or the redirect URI
     */
    async connect(
      name: string,
      members: string,
      options: Partial<ConnectAccountOptions> = {},
    ): Promise<string | undefined> {
      const [authentication = "", calls = ""] = members.split(";");
      mkdirSync(join(folder.path, name), { recursive: true });
      writeFileSync(
        join(folder.path, name, "pack.ts"),
        `import { newPack } from "packsmith";
        export const pack = newPack().addNetworkDomain("api.example")
          .setUserAuthentication({ type: "OAuth2", ${authentication} })${calls};`,
      );
      const connected = connectAccount({
        file: join(name, "pack.ts"),
        cwd: folder.path,
        home,
        client: { clientId: "public-client", clientSecret: undefined },
        routes,
        browser: follow,
        // An attack may end by waiting; the honest login must also succeed on a busy machine.
        timeoutMs: name === "honest" ? 60_000 : 4_000,
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
    async revoke(name: string): Promise<void> {
      const redactor = createRedactor();
      await revokeAccount({
        file: join(name, "pack.ts"),
        cwd: folder.path,
        home,
        routes,
        redactor,
      });
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

export function readPath(redirectUri: string | undefined): string {
  return new URL(redirectUri ?? "").pathname;
}
