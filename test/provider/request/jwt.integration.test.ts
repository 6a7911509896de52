import { createRemoteJWKSet, jwtVerify } from "jose";
import { describe, expect, it } from "vitest";
import { connectAccount } from "../../../src/connect/connect-account.ts";
import { testAuthentication } from "../../../src/connect/simulation/test-authentication.ts";
import { type LocalProvider, startProvider } from "../../../src/provider/provider.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { makeProject } from "../../support/project.ts";
import { exchange, getCode, PKCE } from "../flow.ts";

describe("ID Tokens of the local provider", () => {
  it("come with the scope openid, signed by a key of its metadata, and repeat the nonce", async () => {
    await using provider = await startProvider();
    const code = await getCode(provider, { ...PKCE, scope: "openid read", nonce: "n-1" });
    const { body } = await exchange(provider, code);
    const metadata = await readMetadata(provider);
    const { payload } = await jwtVerify(
      String(body["id_token"]),
      createRemoteJWKSet(new URL(String(metadata["jwks_uri"]))),
      {
        issuer: provider.issuer,
        audience: provider.clientId,
        algorithms: metadata["id_token_signing_alg_values_supported"] as string[],
      },
    );
    expect(payload).toMatchObject({ sub: "user-1", nonce: "n-1" });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3_600);
  });

  it("do not come without the scope, and never with a refresh", async () => {
    await using provider = await startProvider();
    const { body } = await exchange(provider, await getCode(provider));
    expect(body).not.toHaveProperty("id_token");
    expect(JSON.stringify(await fetchKeySet(provider))).not.toContain('"d"');
  });

  it("let a Pack that speaks OpenID Connect connect, and survive auth test", async () => {
    const issuer = "https://login.tasks.example";
    await using provider = await startProvider({ issuer });
    using project = makeProject({
      "pack.ts": `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example").setUserAuthentication({
  type: "OAuth2", issuer: "${issuer}", authorizationUrl: "${issuer}/authorize", tokenUrl: "${issuer}/token",
  scopes: ["openid"], useProofKeyForCodeExchange: true,
});
`,
    });
    const options = {
      file: "pack.ts",
      cwd: project.path,
      home: `${project.path}/home`,
      redactor: createRedactor(),
    };
    const client = { clientId: provider.clientId, clientSecret: provider.clientSecret };
    const account = await connectAccount({
      ...options,
      client,
      browser: "headless",
      routes: [`${issuer}=${provider.origin}`],
    });
    expect(account).toMatchObject({ status: "connected", scopes: ["openid"] });
    const { results } = await testAuthentication({
      ...options,
      profiles: ["pkce-required", "expiry-text", "basic-only"],
    });
    expect(results.map(({ outcome, failure }) => outcome + (failure?.code ?? ""))).toEqual([
      "passed",
      "passed",
      "passed",
    ]);
  });
});

async function readMetadata(provider: LocalProvider): Promise<Record<string, unknown>> {
  return (await (
    await fetch(`${provider.issuer}/.well-known/openid-configuration`)
  ).json()) as Record<string, unknown>;
}

async function fetchKeySet(provider: LocalProvider): Promise<unknown> {
  return await (await fetch(String((await readMetadata(provider))["jwks_uri"]))).json();
}
