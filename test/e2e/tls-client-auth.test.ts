import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { openAccountSession } from "../../src/accounts/account-session.ts";
import { openVault } from "../../src/accounts/vault.ts";
import { connectAccount } from "../../src/connect/connect-account.ts";
import { listAccounts, refreshAccount, revokeAccount } from "../../src/connect/manage-accounts.ts";
import { testAuthentication } from "../../src/connect/simulation/test-authentication.ts";
import { runFormula } from "../../src/execute/run-target.ts";
import { requestClientCredentialsToken } from "../../src/oauth/run/client-credentials.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { computeThumbprint } from "../../src/provider/request/client-certificate.ts";
import { createSelfSignedCertificate } from "../../src/shared/certificate/self-signed-certificate.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { storedAccount } from "../support/accounts.ts";
import { makeClientCertificate } from "../support/client-certificates.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const own = makeClientCertificate();
const other = makeClientCertificate();
const CODE = {
  type: "OAuth2",
  authorizationUrl: "https://pages.certs.example/authorize",
  tokenUrl: "https://login.certs.example/token",
  scopes: ["profile"],
  useProofKeyForCodeExchange: true,
  clientAuthentication: "tls_client_auth",
};
const MACHINE = {
  type: "OAuth2ClientCredentials",
  tokenUrl: "https://login.certs.example/token",
  clientAuthentication: "tls_client_auth",
};
const DISCOVERED = {
  type: "OAuth2",
  issuer: "https://login.certs.example",
  scopes: ["profile"],
  useProofKeyForCodeExchange: true,
  clientAuthentication: "tls_client_auth",
};
const client = (clientSecret: string | undefined) => ({
  clientId: "certificate-client",
  clientSecret,
});

describe("tls_client_auth (RFC 8705), from the author's file to the TLS handshake", () => {
  it("shows the certificate for the exchange, each refresh and the revocation, and sends nothing else that authenticates", async () => {
    await using setup = await startSetup(CODE);
    expect(await setup.connect()).toMatchObject({ status: "connected" });
    await refreshAccount(setup.options);
    await refreshAccount(setup.options);
    const revoked = await revokeAccount({
      ...setup.options,
      revocationUrl: "https://login.certs.example/revoke",
    });
    expect(revoked).toEqual({ revoked: true, warning: undefined });
    const requests = setup.provider.requests.filter(
      ({ path }) => path === "/token" || path === "/revoke",
    );
    expect(
      requests.map(({ path, parameters }) => `${path} ${String(parameters["grant_type"] ?? "")}`),
    ).toEqual([
      "/token authorization_code",
      "/token refresh_token",
      "/token refresh_token",
      "/revoke ",
    ]);
    for (const { parameters, clientAuthentication, status } of requests) {
      expect([clientAuthentication, status]).toEqual(["tls_client_auth", 200]);
      expect(parameters).toMatchObject({ client_id: "certificate-client" });
      expect(Object.keys(parameters).filter((name) => /secret|assertion/.test(name))).toEqual([]);
    }
  });

  it("asks for client credentials with it, and again when the token has expired", async () => {
    await using setup = await startSetup(MACHINE);
    expect(await setup.connect()).toMatchObject({
      status: "connected",
      type: "OAuth2ClientCredentials",
    });
    await refreshAccount(setup.options);
    expect(setup.provider.requests.map(({ clientAuthentication }) => clientAuthentication)).toEqual(
      ["tls_client_auth", "tls_client_auth"],
    );
  });

  it("uses the endpoints that the metadata has for certificates (RFC 8705 §5), and the others in the browser", async () => {
    await using setup = await startSetup(DISCOVERED, { loginAt: "http" });
    await setup.connect();
    await refreshAccount(setup.options);
    expect(await revokeAccount(setup.options)).toEqual({ revoked: true, warning: undefined });
    const authenticated = setup.provider.requests.filter(
      ({ clientAuthentication }) => clientAuthentication !== undefined,
    );
    expect(
      authenticated.map(({ path, clientAuthentication, status }) => [
        path,
        clientAuthentication,
        status,
      ]),
    ).toEqual([
      ["/par", "tls_client_auth", 201],
      ["/token", "tls_client_auth", 200],
      ["/token", "tls_client_auth", 200],
      ["/revoke", "tls_client_auth", 200],
    ]);
  });

  it("shows it for API requests of the account, so that tokens that are bound to it work (RFC 8705 §3)", async () => {
    await using setup = await startSetup(CODE, { bound: true });
    await setup.connect();
    expect(await setup.call("Who")).toMatchObject({ ok: true, result: "user-1" });
    await refreshAccount(setup.options);
    expect(await setup.call("Who")).toMatchObject({ ok: true, result: "user-1" });
    const headers = {
      authorization: `Bearer ${(await setup.stored()).tokenSet?.accessToken ?? ""}`,
    };
    const stolen = await fetch(setup.provider.meUrl, { headers });
    expect([stolen.status, stolen.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringContaining("bound to a TLS certificate"),
    ]);
  });

  it("shows it to no host that does not get the account's credentials", async () => {
    const shown: boolean[] = [];
    const { certificate: cert, privateKey: key } = createSelfSignedCertificate();
    const stranger = createServer(
      { cert, key, requestCert: true, rejectUnauthorized: false },
      (request, response) => {
        shown.push((request.socket as TLSSocket).getPeerCertificate().raw !== undefined);
        response.setHeader("content-type", "application/json").end('{"sub":"stranger"}');
      },
    );
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    try {
      await using setup = await startSetup(
        { ...CODE, networkDomain: "api.certs.example" },
        { bound: true },
      );
      await setup.connect();
      setup.options.routes.push(
        `https://open.stranger.example=https://127.0.0.1:${(stranger.address() as AddressInfo).port}`,
      );
      expect(await setup.call("Who")).toMatchObject({ ok: true, result: "user-1" });
      expect(await setup.call("Other")).toMatchObject({ ok: true, result: "stranger" });
      expect(shown).toEqual([false]);
    } finally {
      stranger.close();
      stranger.closeAllConnections();
    }
  });

  it("needs no browser to find out that the certificate is missing, damaged, expired, or of another key", async () => {
    await using setup = await startSetup(CODE);
    const expired = makeClientCertificate(() => Date.now() - 30 * 86_400_000);
    for (const [secret, code, text] of [
      [undefined, "OAUTH_CLIENT_MISSING", "no client certificate"],
      ["a client secret", "OAUTH_CERTIFICATE_INVALID", "no certificate"],
      [own.certificate, "OAUTH_CERTIFICATE_INVALID", "no private key"],
      [`${own.certificate}${other.privateKey}`, "OAUTH_CERTIFICATE_INVALID", "does not belong"],
      [expired.both, "OAUTH_CERTIFICATE_INVALID", "expired on"],
    ] as const) {
      await expect(setup.connect({ client: client(secret) })).rejects.toMatchObject({
        code,
        message: expect.stringContaining(text),
      });
    }
    expect(setup.provider.requests).toEqual([]);
  });

  it("a certificate that expires later stops the refresh with its own error, and the account stays", async () => {
    await using setup = await startSetup(CODE);
    await setup.connect();
    const later = { ...setup.options, now: () => Date.now() + 60 * 3_600_000 };
    await expect(refreshAccount(later)).rejects.toMatchObject({
      code: "OAUTH_CERTIFICATE_INVALID",
      message: expect.stringContaining("expired on"),
    });
    expect(await setup.stored()).toMatchObject({ status: "connected" });
    expect(await refreshAccount(setup.options)).toMatchObject({ status: "connected" });
  });

  it("a certificate that the server does not know is refused, and no other method is tried", async () => {
    await using setup = await startSetup(CODE);
    await expect(setup.connect({ client: client(other.both) })).rejects.toMatchObject({
      code: "OAUTH_TOKEN_REJECTED",
      details: { error: "invalid_client" },
      hint: expect.stringContaining("registered this certificate"),
    });
    expect(setup.provider.requests.filter(({ path }) => path === "/token")).toHaveLength(1);
  });

  it("a server that closes the connection instead of answering is reported with that possibility", async () => {
    const { certificate: cert, privateKey: key } = createSelfSignedCertificate();
    await using server = await startStrict(
      createServer({ cert, key, requestCert: true, rejectUnauthorized: true }),
    );
    await expect(askAt(server.url)).rejects.toMatchObject({
      code: "OAUTH_TOKEN_UNAVAILABLE",
      hint: expect.stringContaining("client certificate"),
    });
  });

  it.skipIf(spawnSync("openssl", ["version"]).status !== 0)(
    "a server that ends the handshake with an alert about the certificate: the error names the alert, with OpenSSL as the server",
    async () => {
      using folder = makeTemporaryFolder();
      const server = createSelfSignedCertificate();
      await writeFile(join(folder.path, "server.pem"), server.certificate + server.privateKey);
      const serving = [
        "s_server",
        "-accept",
        "127.0.0.1:0",
        "-cert",
        "server.pem",
        "-Verify",
        "1",
        "-verify_return_error",
        "-www",
      ];
      const child = spawn("openssl", serving, {
        cwd: folder.path,
        stdio: ["ignore", "pipe", "pipe"],
      });
      try {
        await expect(
          askAt(`https://127.0.0.1:${await acceptedPort(child)}/token`),
        ).rejects.toMatchObject({
          code: "OAUTH_CERTIFICATE_INVALID",
          message: expect.stringMatching(
            /login\.certs\.example refused it \(.*(?:ca|certificate).*\)/i,
          ),
        });
      } finally {
        child.kill();
        await once(child, "exit");
      }
    },
  );

  it("keeps certificate and key encrypted, and shows them nowhere", async () => {
    const lines: string[] = [];
    await using setup = await startSetup(CODE);
    const account = await setup.connect({ onProgress: (line) => lines.push(line) });
    const run = await setup.call("Who", { record: "cassettes" });
    expect(run).toMatchObject({ ok: true, cassette: { requests: 1 } });
    const shown = [
      JSON.stringify([
        lines,
        account,
        run,
        await listAccounts(setup.options),
        setup.provider.requests,
      ]),
      inspect(await setup.stored(), { depth: 9 }),
      await readFile(join(setup.options.home, "last-connection.json"), "utf8"),
      await readFile(join(setup.options.cwd, "cassettes", "Who.json"), "utf8"),
      await readFile(join(setup.options.home, "vault.db"), "latin1"),
    ];
    for (const text of shown) for (const line of own.lines) expect(text).not.toContain(line);
    expect(
      setup.options.redactor.text(`key: ${own.privateKey.replaceAll("\n", "")}`),
    ).not.toContain(own.lines.at(-2));
    expect(lines.join("\n")).toContain("client authentication: tls_client_auth");
  });

  // docs/rules.md: rule 43
  it("shows the certificate in the requests of formulas, which get no private key", async () => {
    await using setup = await startSetup(CODE);
    await setup.connect();
    const { key } = await setup.stored();
    await using vault = await openVault({ directory: setup.options.home });
    const session = await openAccountSession({ vault, key, definition: CODE as never });
    const context = await session.clientContext?.();
    expect(context).toBeDefined();
    expect(await session.clientContext?.(), "the same one, so that connections are shared").toBe(
      context,
    );
    const shown = inspect([session, context], { depth: 9, showHidden: true });
    for (const line of own.lines) expect(shown).not.toContain(line);
  });

  it("a recorded run with a token request is replayed without a certificate and without a server", async () => {
    await using setup = await startSetup(MACHINE);
    await setup.connect();
    setup.provider.clock.advance(7_200_000);
    const now = () => Date.now() + 7_200_000;
    expect(await setup.call("Who", { record: "cassettes", now })).toMatchObject({
      ok: true,
      cassette: { requests: 2 },
    });
    const sent = setup.provider.requests.length;
    expect(
      await setup.call("Who", { replay: "cassettes", strict: true, now, home: undefined }),
    ).toMatchObject({
      ok: true,
      result: "certificate-client",
    });
    expect(setup.provider.requests).toHaveLength(sent);
  });

  it.each([
    ["code", CODE, "pkce-required"],
    ["client credentials", MACHINE, "expiry-text"],
  ])("auth test shows a certificate too (%s)", async (_, definition, works) => {
    await using setup = await startSetup(definition);
    const { results } = await testAuthentication({
      ...setup.options,
      profiles: [works, "json-request"],
    });
    expect(results.map(({ outcome, edit }) => [outcome, edit])).toEqual([
      ["passed", undefined],
      ["failed", 'add tokenRequestFormat: "json"'],
    ]);
  });
});

const PACK = (definition: object) => `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("api.certs.example").addNetworkDomain("stranger.example");
pack.setUserAuthentication(${JSON.stringify({ networkDomain: ["api.certs.example"], ...definition })});
for (const [name, url] of [["Who", "https://api.certs.example/me"], ["Other", "https://open.stranger.example/me"]]) {
  pack.addFormula({
    name, description: "Says who.", resultType: "string", parameters: [],
    execute: async (_, context) => (await context.fetcher.fetch({ method: "GET", url })).body.sub,
  });
}
`;

async function startSetup(
  definition: object,
  { bound = false, loginAt = "https" }: { bound?: boolean; loginAt?: "http" | "https" } = {},
) {
  const provider = await startProvider({
    issuer: "https://login.certs.example",
    mutualTlsPort: 0,
    clients: [
      {
        clientId: "certificate-client",
        certificateThumbprint: computeThumbprint(own.certificate),
        certificateBoundTokens: bound,
        redirectUris: ["http://127.0.0.1/oauth/callback"],
        anyPathBelow: true,
        grantTypes: ["authorization_code", "refresh_token", "client_credentials"],
      },
    ],
  });
  const secure = provider.mutualTls?.origin ?? "";
  const folder = makeTemporaryFolder();
  await writeFile(join(folder.path, "pack.ts"), PACK(definition));
  const home = join(folder.path, "home");
  await mkdir(home, { mode: 0o700 });
  const routes = [
    `https://login.certs.example=${loginAt === "https" ? secure : provider.origin}`,
    `https://pages.certs.example=${provider.origin}`,
    `https://api.certs.example=${secure}`,
    secure,
  ];
  const options = { file: "pack.ts", cwd: folder.path, home, routes, redactor: createRedactor() };
  return {
    provider,
    options,
    connect: (more: Partial<Parameters<typeof connectAccount>[0]> = {}) =>
      connectAccount({ ...options, client: client(own.both), browser: "headless", ...more }),
    call: (formula: string, more: object = {}) =>
      runFormula({ ...options, formula, args: [], ...more }),
    stored: () => storedAccount(home),
    async [Symbol.asyncDispose]() {
      await provider.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Asks a server for a token with a certificate. */
function askAt(url: string) {
  const routes = { "https://login.certs.example": new URL(url).origin };
  return requestClientCredentialsToken({
    definition: { ...MACHINE, tokenUrl: "https://login.certs.example/token" } as never,
    client: client(own.both),
    routes,
  });
}

async function startStrict(server: ReturnType<typeof createServer>) {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function acceptedPort(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += String(chunk);
      const port = /ACCEPT 127\.0\.0\.1:(\d+)/.exec(text)?.[1];
      if (port !== undefined) resolve(port);
    });
    child.once("exit", () => reject(new Error("openssl ended")));
  });
}
