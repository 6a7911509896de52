import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as oidc from "openid-client";
import { describe, expect, it } from "vitest";
import { openVault } from "../../src/accounts/vault.ts";
import { connectAccount } from "../../src/connect/connect-account.ts";
import type { ConnectAccountOptions } from "../../src/connect/connect-options.ts";
import { refreshAccount, revokeAccount } from "../../src/connect/manage-accounts.ts";
import type { OAuth2Authentication } from "../../src/define/oauth.ts";
import { createAuthorizationAttempt } from "../../src/oauth/connect/authorization-attempt.ts";
import { requestClientCredentialsToken } from "../../src/oauth/run/client-credentials.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { summaryKey } from "../support/accounts.ts";
import { createTestBrowser, type TestBrowser, type TestPage } from "../support/browser.ts";
import {
  type OidcAuthority,
  type OidcAuthorityOptions,
  startOidcAuthority,
} from "../support/oidc-provider.ts";
import { makeSigningKeys } from "../support/signing-keys.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

describe("with node-oidc-provider as the authorization server", () => {
  it("its discovery document names the URLs of the definition, and S256 alone", async () => {
    await using authority = await startOidcAuthority();
    const configuration = await oidc.discovery(
      new URL(authority.issuer),
      authority.clientId,
      authority.clientSecret,
      undefined,
      {
        execute: [oidc.allowInsecureRequests],
      },
    );
    const metadata = configuration.serverMetadata();
    const definition = definitionFor(authority);
    expect(metadata.authorization_endpoint).toBe(definition.authorizationUrl);
    expect(metadata.token_endpoint).toBe(definition.tokenUrl);
    expect(metadata.code_challenge_methods_supported).toEqual(["S256"]);
    expect(metadata.authorization_response_iss_parameter_supported).toBe(true);
  });

  it("connects with PKCE S256 through login and consent pages, and takes the iss of its callback", async () => {
    await using setup = await startSetup();
    const { account, trail } = await setup.connect();
    expect(account).toMatchObject({ status: "connected", renewable: true });
    const authorize = trail.find(({ pathname }) => pathname === "/auth");
    expect(authorize?.searchParams.get("code_challenge_method")).toBe("S256");
    const callback = trail.find(({ pathname }) => pathname === "/oauth/callback");
    expect(callback?.searchParams.get("iss")).toBe(setup.authority.issuer);
    expect(setup.authority.tokenRequests.at(-1)).toEqual({
      grantType: "authorization_code",
      ok: true,
    });
  });

  it("a definition without PKCE is refused by the server, and the reason is reported", async () => {
    await using setup = await startSetup({ useProofKeyForCodeExchange: false });
    await expect(setup.connect()).rejects.toMatchObject({
      code: "OAUTH_DENIED",
      details: { error: "invalid_request", description: expect.stringContaining("PKCE") },
    });
    expect(setup.authority.tokenRequests).toEqual([]);
  });

  it("refreshes with rotation: the second refresh uses the second token", async () => {
    await using setup = await startSetup();
    await setup.connect();
    const tokens: (string | undefined)[] = [await setup.refreshToken()];
    for (let round = 0; round < 2; round++) {
      await refreshAccount(setup.options);
      tokens.push(await setup.refreshToken());
    }
    expect(new Set(tokens).size).toBe(3);
    expect(setup.authority.tokenRequests.map(({ grantType, ok }) => `${grantType} ${ok}`)).toEqual([
      "authorization_code true",
      "refresh_token true",
      "refresh_token true",
    ]);
  });

  it("reports denied consent, and stores nothing", async () => {
    await using setup = await startSetup();
    await expect(setup.connect({ deny: true })).rejects.toMatchObject({
      code: "OAUTH_DENIED",
      details: { error: "access_denied" },
    });
    expect(await setup.refreshToken()).toBeUndefined();
    expect(setup.authority.tokenRequests).toEqual([]);
  });

  it("refuses a callback with a wrong state before any token request", async () => {
    await using setup = await startSetup();
    const attempt = await createAuthorizationAttempt(setup.attemptOptions);
    const query = await setup.callbackOf(attempt.authorizationUrl, attempt.redirectUri);
    const forged = new URLSearchParams(query);
    forged.set("state", "forged");
    await expect(attempt.complete(forged)).rejects.toMatchObject({ code: "OAUTH_STATE_MISMATCH" });
    expect(setup.authority.tokenRequests).toEqual([]);
    expect((await attempt.complete(query)).accessToken).toMatch(/\S/);
  });

  it("takes the iss of the callback while no issuer is known, and refuses another one once it is", async () => {
    await using setup = await startSetup();
    const unknown = await createAuthorizationAttempt(setup.attemptOptions);
    const query = await setup.callbackOf(unknown.authorizationUrl, unknown.redirectUri);
    expect(query.get("iss")).toBe(setup.authority.issuer);
    expect((await unknown.complete(query)).accessToken).toMatch(/\S/);
    const known = await createAuthorizationAttempt({
      ...setup.attemptOptions,
      issuer: setup.authority.issuer,
    });
    const mixedUp = await setup.callbackOf(known.authorizationUrl, known.redirectUri);
    mixedUp.set("iss", "https://other.example");
    const before = setup.authority.tokenRequests.length;
    await expect(known.complete(mixedUp)).rejects.toMatchObject({ code: "OAUTH_ISSUER_MISMATCH" });
    expect(setup.authority.tokenRequests).toHaveLength(before);
  });

  it("reports a code that was used before as refused by the token endpoint", async () => {
    await using setup = await startSetup();
    const first = await createAuthorizationAttempt(setup.attemptOptions);
    const query = await setup.callbackOf(first.authorizationUrl, first.redirectUri);
    await first.complete(query);
    const second = await createAuthorizationAttempt(setup.attemptOptions);
    const replay = new URLSearchParams(query);
    replay.set("state", second.state);
    await expect(second.complete(replay)).rejects.toMatchObject({
      code: "OAUTH_TOKEN_REJECTED",
      details: { error: "invalid_grant" },
    });
  });

  it.each(["ec", "rsa"] as const)(
    "private_key_jwt with an %s key: exchange, rotating refresh and revocation are accepted",
    async (kind) => {
      const keys = makeSigningKeys(kind);
      await using setup = await startSetup(
        { clientAuthentication: "private_key_jwt" },
        {
          keyClient: { clientId: "key-pack", publicJwk: keys.publicJwk },
          client: { clientId: "key-pack", clientSecret: keys.privateJwk },
        },
      );
      await setup.connect();
      await refreshAccount(setup.options);
      const revoked = await revokeAccount({
        ...setup.options,
        revocationUrl: `${setup.authority.issuer}/token/revocation`,
      });
      expect(revoked).toEqual({ revoked: true, warning: undefined });
      expect(setup.authority.tokenRequests).toEqual([
        { grantType: "authorization_code", ok: true },
        { grantType: "refresh_token", ok: true },
      ]);
    },
  );

  it("private_key_jwt: it takes the issuer as audience too, and refuses the key of somebody else", async () => {
    const keys = makeSigningKeys();
    await using authority = await startOidcAuthority({
      keyClient: { clientId: "key-pack", publicJwk: keys.publicJwk },
    });
    const definition = {
      type: "OAuth2ClientCredentials",
      tokenUrl: `${authority.issuer}/token`,
      clientAuthentication: "private_key_jwt",
      issuer: authority.issuer,
    } as const;
    const request = { definition, client: { clientId: "key-pack", clientSecret: keys.privateKey } };
    expect((await requestClientCredentialsToken(request)).accessToken).toMatch(/\S/);
    const stranger = {
      definition,
      client: { clientId: "key-pack", clientSecret: makeSigningKeys().privateKey },
    };
    await expect(requestClientCredentialsToken(stranger)).rejects.toMatchObject({
      code: "OAUTH_TOKEN_REJECTED",
      details: { error: "invalid_client" },
    });
  });

  it("revokes the tokens when the account is forgotten", async () => {
    await using setup = await startSetup();
    await setup.connect();
    const refreshToken = (await setup.refreshToken()) ?? "";
    const result = await revokeAccount({
      ...setup.options,
      revocationUrl: `${setup.authority.issuer}/token/revocation`,
    });
    expect(result).toEqual({ revoked: true, warning: undefined });
    expect(await setup.refreshToken()).toBeUndefined();
    const basic = Buffer.from(
      [setup.authority.clientId, setup.authority.clientSecret].map(encodeURIComponent).join(":"),
    ).toString("base64");
    const reused = await fetch(`${setup.authority.issuer}/token`, {
      method: "POST",
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: refreshToken }),
    });
    expect([reused.status, ((await reused.json()) as { error: string }).error]).toEqual([
      400,
      "invalid_grant",
    ]);
  });
});

function definitionFor(
  authority: OidcAuthority,
  members: Partial<OAuth2Authentication> = {},
): OAuth2Authentication {
  return {
    type: "OAuth2",
    authorizationUrl: `${authority.issuer}/auth`,
    tokenUrl: `${authority.issuer}/token`,
    scopes: ["docs:read", "offline_access"],
    additionalParams: { prompt: "consent" },
    useProofKeyForCodeExchange: true,
    ...members,
  } as OAuth2Authentication;
}

interface ConnectChoice {
  deny?: boolean;
}

interface SetupOptions extends OidcAuthorityOptions {
  client?: { clientId: string; clientSecret: string };
}

async function startSetup(members: Partial<OAuth2Authentication> = {}, own: SetupOptions = {}) {
  const authority = await startOidcAuthority(own);
  const folder = makeTemporaryFolder();
  const definition = definitionFor(authority, members);
  await writeFile(
    join(folder.path, "pack.ts"),
    `import { newPack } from "packsmith";
export const pack = newPack();
pack.addNetworkDomain("127.0.0.1");
pack.setUserAuthentication(${JSON.stringify(definition)});
`,
  );
  const home = join(folder.path, "home");
  await mkdir(home, { mode: 0o700 });
  const client = own.client ?? {
    clientId: authority.clientId,
    clientSecret: authority.clientSecret,
  };
  const options = {
    file: "pack.ts",
    cwd: folder.path,
    home,
    redirectPath: "/oauth/callback",
    redactor: createRedactor(),
  };

  return {
    authority,
    options,
    attemptOptions: {
      definition,
      client,
      networkDomains: ["127.0.0.1"],
      redirectUri: "http://127.0.0.1:9/oauth/callback",
    },
    async connect({ deny = false }: ConnectChoice = {}) {
      const trail: URL[] = [];
      const browser: ConnectAccountOptions["browser"] = async (startUrl) => {
        const page = await walk(createTestBrowser(), startUrl, deny);
        trail.push(...page.trail);
      };
      const account = await connectAccount({ ...options, client, browser });
      return { account, trail };
    },
    async refreshToken() {
      await using vault = await openVault({ directory: home });
      const [summary] = await vault.list();
      return summary === undefined
        ? undefined
        : (await vault.get(summaryKey(summary)))?.tokenSet?.refreshToken;
    },
    async callbackOf(authorizationUrl: string, redirectUri: string) {
      const page = await throughPages(createTestBrowser(), authorizationUrl, false, (url) =>
        url.href.startsWith(redirectUri),
      );
      return page.url.searchParams;
    },
    async [Symbol.asyncDispose]() {
      await authority[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** Walks from the callback server over the pages and back to it. */
async function walk(browser: TestBrowser, startUrl: string, deny: boolean): Promise<TestPage> {
  const atCallback = (url: URL) => url.pathname === "/oauth/callback";
  const stopped = await throughPages(browser, startUrl, deny, atCallback);
  const callback = new URL(stopped.url);
  const last = await browser.open(callback.href);
  return { ...last, trail: [...stopped.trail, ...last.trail] };
}

async function throughPages(
  browser: TestBrowser,
  url: string,
  deny: boolean,
  stopAt: (url: URL) => boolean,
): Promise<TestPage> {
  let page = await browser.open(url, stopAt);
  const trail = [...page.trail];
  for (let pages = 0; pages < 4 && page.html.includes("<form"); pages++) {
    const login = page.html.includes('name="login"');
    const cancel = /href="([^"]*\/abort)"/.exec(page.html)?.[1];
    page =
      deny && !login && cancel !== undefined
        ? await browser.open(new URL(cancel, page.url).href, stopAt)
        : await browser.submit(page, login ? { login: "editor", password: "any" } : {}, stopAt);
    trail.push(...page.trail);
  }
  return { ...page, trail };
}
