import { request } from "node:https";
import { describe, expect, it } from "vitest";
import { type LocalProvider, startProvider } from "../../../src/provider/provider.ts";
import { computeThumbprint } from "../../../src/provider/request/client-certificate.ts";
import { decodeJwt } from "../../../src/provider/request/jwt.ts";
import { type CertificatePair, makeClientCertificate } from "../../support/client-certificates.ts";

const own = makeClientCertificate();
const other = makeClientCertificate();
const client = {
  clientId: "certificate-client",
  certificateThumbprint: computeThumbprint(own.certificate),
  grantTypes: ["client_credentials"],
} as const;
const GRANT = { grant_type: "client_credentials", client_id: "certificate-client" };

describe("tls_client_auth at the local provider (RFC 8705)", () => {
  it("is advertised with its endpoints, only where there is a port for certificates (RFC 8414, RFC 8705 §5)", async () => {
    await using without = await startProvider();
    expect(without.mutualTls).toBeUndefined();
    const plain = await readMetadata(without);
    expect(plain["token_endpoint_auth_methods_supported"]).not.toContain("tls_client_auth");
    expect(plain).not.toHaveProperty("mtls_endpoint_aliases");
    await using provider = await startProvider({ mutualTlsPort: 0 });
    const metadata = await readMetadata(provider);
    expect(metadata).toMatchObject({
      issuer: provider.origin,
      token_endpoint: provider.tokenUrl,
      mtls_endpoint_aliases: {
        token_endpoint: provider.mutualTls?.tokenUrl,
        revocation_endpoint: provider.mutualTls?.revocationUrl,
      },
      tls_client_certificate_bound_access_tokens: true,
    });
    expect(metadata["token_endpoint_auth_methods_supported"]).toContain("tls_client_auth");
    const there = await ask(provider, "/.well-known/oauth-authorization-server", undefined);
    expect(there.body).toEqual(metadata);
  });

  it("accepts the registered certificate, and shows its server certificate to those who want to check it", async () => {
    await using provider = await startProvider({ mutualTlsPort: 0, clients: [client] });
    const answer = await ask(provider, "/token", own, GRANT, provider.mutualTls?.certificate);
    expect(answer).toMatchObject({ status: 200, body: { token_type: "Bearer" } });
    expect(provider.requests.at(-1)).toMatchObject({
      clientAuthentication: "tls_client_auth",
      parameters: GRANT,
    });
  });

  it.each([
    ["no certificate", undefined, GRANT, "presented no TLS certificate"],
    ["another certificate", other, GRANT, "is not registered for the client"],
    ["a secret next to it", own, { ...GRANT, client_secret: "secret" }, "failed"],
    ["no client ID", own, { grant_type: "client_credentials" }, "missing"],
    ["the ID of another client", own, { ...GRANT, client_id: "packsmith-local-client" }, "failed"],
  ])("refuses %s", async (_, pair, parameters, description) => {
    await using provider = await startProvider({ mutualTlsPort: 0, clients: [client] });
    expect(await ask(provider, "/token", pair, parameters)).toMatchObject({
      status: 401,
      body: { error: "invalid_client", error_description: expect.stringContaining(description) },
    });
  });

  it("refuses a certificate that has expired by the provider's clock", async () => {
    await using provider = await startProvider({ mutualTlsPort: 0, clients: [client] });
    provider.clock.advance(72 * 3_600_000);
    expect(await ask(provider, "/token", own, GRANT)).toMatchObject({
      status: 401,
      body: { error_description: expect.stringContaining("expired") },
    });
  });

  it("refuses the client over http, where there is no certificate", async () => {
    await using provider = await startProvider({ mutualTlsPort: 0, clients: [client] });
    const answer = await fetch(provider.tokenUrl, {
      method: "POST",
      body: new URLSearchParams(GRANT),
    });
    expect([answer.status, await answer.json()]).toEqual([
      401,
      expect.objectContaining({ error: "invalid_client" }),
    ]);
  });

  it("binds tokens when the client asks for it: cnf in JWTs and introspection, and the resource checks it (RFC 8705 §3)", async () => {
    await using provider = await startProvider({
      mutualTlsPort: 0,
      jwtAccessTokens: {},
      clients: [{ ...client, certificateBoundTokens: true }],
    });
    const issued = (await ask(provider, "/token", own, GRANT)).body as { access_token: string };
    const cnf = { "x5t#S256": client.certificateThumbprint };
    expect(decodeJwt(issued.access_token)?.claims).toMatchObject({ cnf });
    const introspected = await ask(provider, "/introspect", own, {
      client_id: "certificate-client",
      token: issued.access_token,
    });
    expect(introspected.body).toMatchObject({ active: true, token_type: "Bearer", cnf });
    const headers = { authorization: `Bearer ${issued.access_token}` };
    expect(await ask(provider, "/me", own, undefined, undefined, headers)).toMatchObject({
      status: 200,
    });
    for (const pair of [other, undefined])
      expect(await ask(provider, "/me", pair, undefined, undefined, headers)).toMatchObject({
        status: 401,
        body: { error: "invalid_token" },
      });
    expect((await fetch(provider.meUrl, { headers })).status).toBe(401);
  });

  it("binds nothing for a client that does not ask", async () => {
    await using provider = await startProvider({
      mutualTlsPort: 0,
      jwtAccessTokens: {},
      clients: [client],
    });
    const issued = (await ask(provider, "/token", own, GRANT)).body as { access_token: string };
    expect(decodeJwt(issued.access_token)?.claims).not.toHaveProperty("cnf");
    expect(
      (await fetch(provider.meUrl, { headers: { authorization: `Bearer ${issued.access_token}` } }))
        .status,
    ).toBe(200);
  });

  it("frees both ports when the port for certificates is taken, and when it closes", async () => {
    const first = await startProvider({ mutualTlsPort: 0 });
    const port = Number(new URL(first.mutualTls?.origin ?? "").port);
    await expect(startProvider({ mutualTlsPort: port })).rejects.toMatchObject({
      code: "PORT_IN_USE",
      details: { port },
    });
    await first.close();
    await using again = await startProvider({ mutualTlsPort: port });
    expect(again.mutualTls?.origin).toBe(`https://127.0.0.1:${port}`);
  });
});

async function readMetadata(provider: LocalProvider) {
  return (await (
    await fetch(`${provider.origin}/.well-known/oauth-authorization-server`)
  ).json()) as Record<string, unknown>;
}

/** Sends a request to the port for certificates. */
function ask(
  { mutualTls }: LocalProvider,
  path: string,
  pair: CertificatePair | undefined,
  form?: Record<string, string> | undefined,
  ca?: string | undefined,
  headers: Record<string, string> = {},
): Promise<{ status: number | undefined; body: unknown }> {
  return new Promise((resolve, reject) => {
    const type = form === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
    const sent = request(
      `${mutualTls?.origin ?? ""}${path}`,
      {
        method: form === undefined ? "GET" : "POST",
        agent: false,
        headers: { ...headers, ...type },
        ...(ca === undefined ? { rejectUnauthorized: false } : { ca }),
        ...(pair === undefined ? {} : { cert: pair.certificate, key: pair.privateKey }),
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () =>
          resolve({
            status: answer.statusCode,
            body: JSON.parse(Buffer.concat(chunks).toString("utf8")),
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(form === undefined ? undefined : new URLSearchParams(form).toString());
  });
}
