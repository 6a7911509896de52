import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import { listAccounts, refreshAccount, revokeAccount } from "../../src/connect/manage-accounts.ts";
import { testAuthentication } from "../../src/connect/simulation/test-authentication.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { startRecordingProxy } from "../support/recording-proxy.ts";
import { makeSigningKeys, readAssertion } from "../support/signing-keys.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const keys = makeSigningKeys();
const CODE = {
  type: "OAuth2",
  authorizationUrl: "https://pages.keys.example/authorize",
  tokenUrl: "https://login.keys.example/token",
  scopes: ["profile"],
  useProofKeyForCodeExchange: true,
  clientAuthentication: "private_key_jwt",
};
const MACHINE = {
  type: "OAuth2ClientCredentials",
  tokenUrl: "https://login.keys.example/token",
  clientAuthentication: "private_key_jwt",
};
const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

describe("private_key_jwt, from the author's file to the wire", () => {
  // docs/rules.md: rule 37
  it("signs the exchange, each refresh and the revocation again, and sends nothing else that authenticates", async () => {
    await using setup = await startSetup(CODE);
    await setup.connect();
    await refreshAccount(setup.options);
    await refreshAccount(setup.options);
    const revoked = await revokeAccount({
      ...setup.options,
      revocationUrl: "https://login.keys.example/revoke",
    });
    expect(revoked).toEqual({ revoked: true, warning: undefined });
    const requests = setup.proxy.requests.filter(({ method }) => method === "POST");
    expect(requests.map(({ path, form }) => `${path} ${form["grant_type"] ?? ""}`)).toEqual([
      "/token authorization_code",
      "/token refresh_token",
      "/token refresh_token",
      "/revoke ",
    ]);
    for (const { authorization, form } of requests) {
      expect(authorization).toBeUndefined();
      expect(form).not.toHaveProperty("client_secret");
      expect(form).toMatchObject({
        client_id: "key-client",
        client_assertion_type: ASSERTION_TYPE,
      });
    }
    const assertions = requests.map(({ form }) => readAssertion(form["client_assertion"] ?? ""));
    for (const { header, claims } of assertions) {
      expect(header).toEqual({ alg: "ES256", kid: "key-1" });
      expect(claims).toMatchObject({
        iss: "key-client",
        sub: "key-client",
        aud: "https://login.keys.example/token",
      });
      const { iat, exp } = claims as { iat: number; exp: number };
      expect(exp - iat).toBeLessThanOrEqual(60);
    }
    expect(new Set(assertions.map(({ claims }) => claims["jti"])).size).toBe(4);
  });

  it("signs for the issuer when the definition declares one, and with the algorithm that it names", async () => {
    const rsa = makeSigningKeys("rsa");
    await using setup = await startSetup(
      { ...CODE, issuer: "https://login.keys.example", signingAlgorithm: "PS256" },
      rsa,
    );
    await setup.connect();
    const form = setup.proxy.requests.at(-1)?.form;
    expect(readAssertion(form?.["client_assertion"] ?? "")).toMatchObject({
      header: { alg: "PS256" },
      claims: { aud: "https://login.keys.example" },
    });
  });

  it("signs for the token URL after a server has refused its issuer, and begins with it at the next refresh", async () => {
    const lines: string[] = [];
    await using setup = await startSetup({ ...CODE, issuer: "https://login.keys.example" }, keys, {
      profiles: ["assertion-audience"],
    });
    await setup.connect({ onProgress: (line) => lines.push(line) });
    await refreshAccount(setup.options);
    const audiences = setup.proxy.requests
      .filter(({ path }) => path === "/token")
      .map(({ form }) => readAssertion(form["client_assertion"] ?? "").claims["aud"]);
    expect(audiences).toEqual([
      "https://login.keys.example",
      "https://login.keys.example/token",
      "https://login.keys.example/token",
    ]);
    expect(lines).toContain(
      "note: the server refused a client assertion with the issuer as its audience. Set assertionAudience to the token URL.",
    );
  });

  it("signs with the audience and the issuer that the definition names, in each request", async () => {
    const definition = {
      ...CODE,
      connectionVariables: [{ name: "domain", label: "Domain", kind: "text" }],
      assertionAudience: "https://bank.example",
      assertionIssuer: "{domain}",
    };
    const assertion = { audience: "https://bank.example", issuer: "app.example" };
    await using setup = await startSetup(definition, keys, {
      profiles: [{ name: "bank", summary: "", client: { assertion } }],
    });
    await setup.connect({ variables: { domain: "app.example" } });
    await refreshAccount(setup.options);
    const claims = setup.proxy.requests
      .filter(({ path }) => path === "/token")
      .map(({ form }) => readAssertion(form["client_assertion"] ?? "").claims);
    expect(claims).toEqual(
      [1, 2].map(() =>
        expect.objectContaining({
          iss: "app.example",
          sub: "key-client",
          aud: "https://bank.example",
        }),
      ),
    );
  });

  it("asks for client credentials with it, in a JSON request too", async () => {
    await using setup = await startSetup({ ...MACHINE, tokenRequestFormat: "json" }, keys, {
      profiles: ["json-request"],
    });
    expect(await setup.connect()).toMatchObject({
      status: "connected",
      type: "OAuth2ClientCredentials",
    });
    await refreshAccount(setup.options);
    const bodies = setup.proxy.requests.map(
      ({ body }) => JSON.parse(body) as Record<string, string>,
    );
    expect(bodies).toHaveLength(2);
    for (const body of bodies) {
      expect(body).toMatchObject({
        grant_type: "client_credentials",
        client_id: "key-client",
        client_assertion_type: ASSERTION_TYPE,
      });
      expect(body).not.toHaveProperty("client_secret");
    }
    expect(bodies[0]?.["client_assertion"]).not.toBe(bodies[1]?.["client_assertion"]);
  });

  it("needs no browser to find out that the key is missing or cannot sign", async () => {
    await using setup = await startSetup(CODE);
    const without = setup.connect({ client: { clientId: "key-client", clientSecret: undefined } });
    await expect(without).rejects.toMatchObject({
      code: "OAUTH_CLIENT_MISSING",
      hint: expect.stringContaining("--client-key-file"),
    });
    const wrong = setup.connect({
      client: { clientId: "key-client", clientSecret: "a client secret" },
    });
    await expect(wrong).rejects.toMatchObject({ code: "OAUTH_KEY_INVALID" });
    expect(setup.proxy.requests).toEqual([]);
  });

  it("a key that the server does not know is refused, and no other method is tried", async () => {
    await using setup = await startSetup(CODE);
    const stranger = setup.connect({
      client: { clientId: "key-client", clientSecret: makeSigningKeys().privateKey },
    });
    await expect(stranger).rejects.toMatchObject({
      code: "OAUTH_TOKEN_REJECTED",
      details: { error: "invalid_client" },
      hint: expect.stringContaining("public key that belongs to this private key"),
    });
    expect(setup.proxy.requests.filter(({ path }) => path === "/token")).toHaveLength(1);
  });

  it("keeps the key encrypted, and shows it nowhere", async () => {
    const lines: string[] = [];
    await using setup = await startSetup(CODE);
    const account = await setup.connect({ onProgress: (line) => lines.push(line) });
    const shown = [
      lines,
      account,
      await listAccounts(setup.options),
      await readFile(join(setup.options.home, "last-connection.json"), "utf8"),
    ];
    const stored = await readFile(join(setup.options.home, "vault.db"), "latin1");
    const { d } = JSON.parse(keys.privateJwk) as { d: string };
    for (const text of [JSON.stringify(shown), stored]) {
      expect(text).not.toContain(d);
      // A JWT. Three letters of one are in some random bytes of the database.
      expect(text).not.toMatch(/eyJ[\w-]{8}/);
    }
    expect(lines.join("\n")).toContain("client authentication: private_key_jwt");
  });

  it("auth test signs too: a definition with a key copes with what it copes with otherwise", async () => {
    await using setup = await startSetup(CODE);
    const { ok, results } = await testAuthentication({
      ...setup.options,
      profiles: ["pkce-required", "json-request", "basic-only"],
    });
    expect(results.map(({ profile, outcome, edit }) => [profile, outcome, edit])).toEqual([
      ["pkce-required", "passed", undefined],
      ["json-request", "failed", 'add tokenRequestFormat: "json"'],
      ["basic-only", "skipped", undefined],
    ]);
    expect([ok, results.map(({ remaining }) => remaining)]).toEqual([
      false,
      [undefined, undefined, undefined],
    ]);
  });
});

async function startSetup(
  definition: object,
  pair = keys,
  provided: Parameters<typeof startProvider>[0] = {},
) {
  const provider = await startProvider({
    issuer: "https://login.keys.example",
    clients: [
      {
        clientId: "key-client",
        publicKey: pair.publicKey,
        redirectUris: ["http://127.0.0.1/oauth/callback"],
        anyPathBelow: true,
        grantTypes: ["authorization_code", "refresh_token", "client_credentials"],
      },
    ],
    ...provided,
  });
  const proxy = await startRecordingProxy(provider.origin);
  const folder = makeTemporaryFolder();
  await writeFile(
    join(folder.path, "pack.ts"),
    `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("keys.example").setUserAuthentication(${JSON.stringify(definition)});
`,
  );
  const home = join(folder.path, "home");
  await mkdir(home, { mode: 0o700 });
  const routes = [
    `https://login.keys.example=${proxy.origin}`,
    `https://pages.keys.example=${provider.origin}`,
  ];
  const options = { file: "pack.ts", cwd: folder.path, home, routes, redactor: createRedactor() };
  const client = { clientId: "key-client", clientSecret: pair.privateJwk };
  return {
    proxy,
    options,
    connect: (more: Partial<Parameters<typeof connectAccount>[0]> = {}) =>
      connectAccount({ ...options, client, browser: "headless", ...more }),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await provider.close();
      folder[Symbol.dispose]();
    },
  };
}
