import { generateKeyPairSync } from "node:crypto";
import { SignJWT } from "jose";
import * as oauth from "oauth4webapi";
import { describe, expect, it } from "vitest";
import { testAuthentication } from "../../../src/connect/simulation/test-authentication.ts";
import { createDpopKey, createDpopProof } from "../../../src/oauth/dpop.ts";
import { type LocalProvider, startProvider } from "../../../src/provider/provider.ts";
import { makeProject } from "../../support/project.ts";
import { clientFields, post, type TokenResult } from "../flow.ts";

// docs/rules.md: rule 42
describe("DPoP at the local provider", () => {
  it("binds the token of an independent client, and its protected resource takes it with a proof alone", async () => {
    await using provider = await startProvider({ dpop: true });
    const server = await oauth.processDiscoveryResponse(
      new URL(provider.issuer),
      await oauth.discoveryRequest(new URL(provider.issuer), { algorithm: "oauth2", ...insecure }),
    );
    expect(server.dpop_signing_alg_values_supported).toEqual(["ES256"]);
    const client = { client_id: provider.clientId };
    const DPoP = oauth.DPoP({}, await oauth.generateKeyPair("ES256"));
    const authentication = oauth.ClientSecretPost(provider.clientSecret);
    const request = oauth.clientCredentialsGrantRequest(
      server,
      client,
      authentication,
      new URLSearchParams(),
      { DPoP, ...insecure },
    );
    const token = await oauth.processClientCredentialsResponse(server, client, await request);
    expect(token.token_type).toBe("dpop");
    const me = await oauth.protectedResourceRequest(
      token.access_token,
      "GET",
      new URL(provider.meUrl),
      undefined,
      undefined,
      {
        DPoP,
        ...insecure,
      },
    );
    expect(await me.json()).toMatchObject({ client_id: provider.clientId });
    for (const scheme of ["Bearer", "DPoP"]) {
      const stolen = await fetch(provider.meUrl, {
        headers: { authorization: `${scheme} ${token.access_token}` },
      });
      expect(stolen.status, scheme).toBe(401);
    }
    const { resourceServer, introspectionUrl } = provider;
    const fields = {
      client_id: resourceServer.clientId,
      client_secret: resourceServer.clientSecret,
      token: token.access_token,
    };
    expect((await post(introspectionUrl, fields)).body).toMatchObject({
      active: true,
      token_type: "DPoP",
      cnf: { jkt: expect.stringMatching(/^[\w-]{43}$/) },
    });
  });

  it("takes no proof of another request, key, time or form, and none twice", async () => {
    await using provider = await startProvider({ dpop: true });
    const key = createDpopKey();
    const claims = { method: "POST", url: provider.tokenUrl, nowMs: provider.clock.now() };
    const good = await createDpopProof(key, claims);
    expect((await ask(provider, good)).body).toMatchObject({ token_type: "DPoP" });
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { d: _, ...publicJwk } = JSON.parse(key) as Record<string, string>;
    const forged = await new SignJWT({ htm: "POST", htu: provider.tokenUrl, jti: "forged" })
      .setProtectedHeader({ typ: "dpop+jwt", alg: "ES256", jwk: publicJwk as never })
      .setIssuedAt()
      .sign(privateKey);
    const refused = [
      good,
      forged,
      "a.b.c",
      good.replace(/\.[^.]*$/, "."),
      await createDpopProof(key, { ...claims, method: "GET" }),
      await createDpopProof(key, { ...claims, url: `${provider.tokenUrl}/other` }),
      await createDpopProof(key, { ...claims, url: "https://login.example/token" }),
      await createDpopProof(key, { ...claims, nowMs: claims.nowMs - 600_000 }),
    ];
    for (const proof of refused)
      expect(await ask(provider, proof)).toMatchObject({
        status: 400,
        body: { error: "invalid_dpop_proof" },
      });
  });

  it("gives plain tokens to those that prove nothing, and advertises nothing by itself", async () => {
    await using provider = await startProvider();
    const metadata = (await (
      await fetch(`${provider.issuer}/.well-known/oauth-authorization-server`)
    ).json()) as object;
    expect(metadata).not.toHaveProperty("dpop_signing_alg_values_supported");
    const proof = await createDpopProof(createDpopKey(), {
      method: "POST",
      url: provider.tokenUrl,
      nowMs: Date.now(),
    });
    expect((await ask(provider, proof)).body).toMatchObject({ token_type: "Bearer" });
  });

  it.each(["OAuth2", "OAuth2ClientCredentials"])(
    "auth test: a definition of type %s that demands bound tokens passes",
    async (type) => {
      const authorizationUrl =
        type === "OAuth2"
          ? 'authorizationUrl: "https://login.tasks.example/authorize", useProofKeyForCodeExchange: true,'
          : "";
      using project = makeProject({
        "pack.ts": `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example").setUserAuthentication({
  type: "${type}", tokenUrl: "https://login.tasks.example/token", ${authorizationUrl} dpop: true,
});
`,
      });
      const { results } = await testAuthentication({
        file: "pack.ts",
        cwd: project.path,
        profiles: ["expiry-text", "basic-only"],
      });
      expect(results.map(({ outcome, failure }) => outcome + (failure?.message ?? ""))).toEqual([
        "passed",
        "passed",
      ]);
    },
  );
});

const insecure = { [oauth.allowInsecureRequests]: true };

function ask(provider: LocalProvider, proof: string): Promise<TokenResult> {
  return post(
    provider.tokenUrl,
    { grant_type: "client_credentials", ...clientFields(provider) },
    { dpop: proof },
  );
}
