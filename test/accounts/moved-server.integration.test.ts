import { describe, expect, it } from "vitest";
import { openAccountSession } from "../../src/accounts/account-session.ts";
import { openVault } from "../../src/accounts/vault.ts";
import type { OAuth2Authentication } from "../../src/define/oauth.ts";
import { accountKey, makeAccount } from "../support/accounts.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";
import { type Answer, startTokenServer } from "../support/token-server.ts";

const NOTHING_LISTENS = "http://127.0.0.1:9";
const METADATA = "/.well-known/oauth-authorization-server";

interface Setup {
  /** What the token endpoint of the connection answers now. */
  old?: Answer;
  /** Members of the metadata as they are now, for the origin of the server. */
  metadata?: (origin: string) => Record<string, unknown>;
  /** The token endpoint of the connection. @default `/old` of the server */
  tokenUrl?: string;
  definition?: Partial<OAuth2Authentication>;
}

/** An account of a server whose token endpoint was `/old` when it was connected. */
async function setUp({ old = { status: 404 }, metadata, tokenUrl, definition }: Setup = {}) {
  const folder = makeTemporaryFolder();
  let origin = "";
  const server = await startTokenServer(({ url }) => {
    if (url === METADATA) {
      const members = metadata?.(origin) ?? { token_endpoint: `${origin}/new` };
      return { body: { issuer: origin, authorization_endpoint: `${origin}/a`, ...members } };
    }
    if (url === "/old") return old;
    if (url !== "/new") return { status: 404 };
    return {
      body: { access_token: "renewed", refresh_token: "r", token_type: "Bearer", expires_in: 3600 },
    };
  });
  origin = server.url;
  const vault = await openVault({ directory: folder.path });
  const before = {
    issuer: origin,
    authorizationUrl: `${origin}/a`,
    tokenUrl: tokenUrl ?? `${origin}/old`,
  };
  const tokenOrigins = [origin, NOTHING_LISTENS];
  const hosts = { credentialDomains: [], tokenOrigins };
  await vault.save(makeAccount({ server: before, hosts }));
  return {
    server,
    before,
    async getToken(): Promise<string> {
      const authentication = {
        type: "OAuth2",
        issuer: origin,
        ...definition,
      } as OAuth2Authentication;
      const key = accountKey;
      const session = await openAccountSession({ vault, key, definition: authentication });
      return await session.getAccessToken();
    },
    stored: async () => (await vault.get(accountKey))?.server,
    paths: () => server.requests.map(({ url }) => url),
    async [Symbol.asyncDispose]() {
      await vault[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

describe("an account whose server has moved its token endpoint", () => {
  it.each<[string, Answer]>([
    ["404", { status: 404 }],
    ["405", { status: 405 }],
    ["410", { status: 410 }],
    ["a redirect", { status: 308, headers: { location: "/elsewhere" } }],
    ["unsupported_grant_type", { status: 400, body: { error: "unsupported_grant_type" } }],
    ["invalid_client", { status: 401, body: { error: "invalid_client" } }],
  ])("reads the metadata again and renews at the new one after %s", async (_, old) => {
    await using run = await setUp({ old });
    expect(await run.getToken()).toBe("renewed");
    expect(run.paths().filter((path) => path === METADATA)).toHaveLength(1);
    expect(run.paths().at(-1)).toBe("/new");
    expect(run.server.requests.at(-1)?.params.get("refresh_token")).toBe("planted-refresh");
    expect(await run.stored()).toMatchObject({ tokenUrl: `${run.server.url}/new` });
  });

  it("does the same when nothing listens at the old address", async () => {
    await using run = await setUp({ tokenUrl: `${NOTHING_LISTENS}/old` });
    expect(await run.getToken()).toBe("renewed");
    expect(run.paths()).toEqual([METADATA, "/new"]);
  });

  it.each([
    ["client_secret_post", "body"],
    ["client_secret_basic", "header"],
  ])("authenticates there as the metadata says: %s", async (method, place) => {
    await using run = await setUp({
      metadata: (origin) => ({
        token_endpoint: `${origin}/new`,
        token_endpoint_auth_methods_supported: [method],
      }),
    });
    expect(await run.getToken()).toBe("renewed");
    const requests = run.server.requests.filter(({ url }) => url === "/new");
    expect(requests.map(({ params }) => (params.has("client_secret") ? "body" : "header"))).toEqual(
      [place],
    );
  });

  it("fails with ACCOUNT_HOSTS_CHANGED before the refresh token goes to another host", async () => {
    await using other = await startTokenServer(() => ({ body: { access_token: "stolen" } }));
    await using run = await setUp({ metadata: () => ({ token_endpoint: `${other.url}/new` }) });
    await expect(run.getToken()).rejects.toMatchObject({ code: "ACCOUNT_HOSTS_CHANGED" });
    expect(other.requests).toEqual([]);
    expect(await run.stored()).toEqual(run.before);
  });

  it.each<[string, Setup, paths: string[]]>([
    [
      "the metadata is the same",
      { metadata: (origin) => ({ token_endpoint: `${origin}/old` }) },
      ["/old", METADATA],
    ],
    ["the definition names the endpoint", { definition: { refreshUrl: "" } }, ["/old"]],
    ["the refusal is about the request", { old: { status: 400 } }, ["/old"]],
    ["the server is not available", { old: { status: 503 } }, ["/old"]],
  ])("keeps the failure when %s", async (_, setup, paths) => {
    await using run = await setUp(setup);
    const { definition } = setup;
    if (definition?.refreshUrl !== undefined) definition.refreshUrl = run.before.tokenUrl;
    await expect(run.getToken()).rejects.toMatchObject({
      code: expect.stringMatching(/^OAUTH_TOKEN_(?:REJECTED|UNAVAILABLE)$/),
    });
    expect(run.paths()).toEqual(paths);
    expect(await run.stored()).toEqual(run.before);
  });

  it("keeps the failure when the metadata is of another issuer", async () => {
    await using run = await setUp({
      metadata: (origin) => ({ issuer: "https://other.example", token_endpoint: `${origin}/new` }),
    });
    await expect(run.getToken()).rejects.toMatchObject({ details: { status: 404 } });
    expect(run.paths()).not.toContain("/new");
  });
});
