import { createHmac, randomUUID } from "node:crypto";
import { type JWTPayload, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { readClientKey } from "../../../src/oauth/client-key.ts";
import { type LocalProvider, startProvider } from "../../../src/provider/provider.ts";
import { makeSigningKeys } from "../../support/signing-keys.ts";
import { post } from "../flow.ts";

const own = makeSigningKeys();
const other = makeSigningKeys();
const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const client = {
  clientId: "key-client",
  publicKey: own.publicKey,
  grantTypes: ["client_credentials"],
} as const;

describe("private_key_jwt at the local provider", () => {
  it("is advertised with its algorithms (RFC 8414)", async () => {
    await using provider = await startProvider();
    const metadata = (await (
      await fetch(`${provider.issuer}/.well-known/oauth-authorization-server`)
    ).json()) as Record<string, string[]>;
    expect(metadata["token_endpoint_auth_methods_supported"]).toContain("private_key_jwt");
    expect(metadata["token_endpoint_auth_signing_alg_values_supported"]).toEqual(
      expect.arrayContaining(["RS256", "PS256", "ES256", "EdDSA"]),
    );
  });

  it.each(["ec", "rsa", "ed25519"] as const)(
    "accepts an assertion that an %s key signed, registered as PEM or as JWK",
    async (kind) => {
      const keys = makeSigningKeys(kind);
      await using provider = await startProvider({
        clients: [
          { ...client, publicKey: keys.publicKey },
          { ...client, clientId: "jwk-client", publicKey: keys.publicJwk },
        ],
      });
      for (const clientId of ["key-client", "jwk-client"]) {
        const assertion = await sign(provider, { iss: clientId, sub: clientId }, keys.privateKey);
        expect(await ask(provider, { client_assertion: assertion }), clientId).toMatchObject({
          status: 200,
        });
      }
      expect(provider.requests.at(-1)).toMatchObject({ clientAuthentication: "private_key_jwt" });
      expect(JSON.stringify(provider.requests)).not.toContain("eyJ");
    },
  );

  it("accepts PSS signatures, the issuer as audience, and a list of audiences", async () => {
    const keys = makeSigningKeys("rsa");
    await using provider = await startProvider({
      clients: [{ ...client, publicKey: keys.publicKey }],
    });
    for (const [algorithm, aud] of [
      ["PS256", provider.issuer],
      ["PS512", ["https://other.example", provider.tokenUrl]],
    ] as const) {
      const assertion = await sign(provider, { aud }, keys.privateKey, algorithm);
      expect(await ask(provider, { client_assertion: assertion })).toMatchObject({ status: 200 });
    }
  });

  it.each<[string, (provider: LocalProvider) => Promise<Record<string, string>>]>([
    [
      "a signature of another key",
      async (provider) => ({ client_assertion: await sign(provider, {}, other.privateKey) }),
    ],
    [
      "another audience",
      async (provider) => ({
        client_assertion: await sign(provider, { aud: "https://login.example/token" }),
      }),
    ],
    [
      "an expired assertion",
      async (provider) => ({
        client_assertion: await sign(provider, { exp: seconds(provider) - 61 }),
      }),
    ],
    [
      "an expiry in an hour",
      async (provider) => ({
        client_assertion: await sign(provider, { exp: seconds(provider) + 3_600 }),
      }),
    ],
    [
      "an assertion without an expiry",
      async (provider) => ({ client_assertion: await sign(provider, { exp: undefined }) }),
    ],
    [
      "an assertion from the future",
      async (provider) => ({
        client_assertion: await sign(provider, { iat: seconds(provider) + 120 }),
      }),
    ],
    [
      "an assertion without jti",
      async (provider) => ({ client_assertion: await sign(provider, { jti: undefined }) }),
    ],
    [
      "another issuer than the subject",
      async (provider) => ({ client_assertion: await sign(provider, { iss: "somebody" }) }),
    ],
    [
      "an unknown client",
      async (provider) => ({
        client_assertion: await sign(provider, { iss: "nobody", sub: "nobody" }),
      }),
    ],
    [
      "a client_id of another client",
      async (provider) => ({
        client_assertion: await sign(provider),
        client_id: provider.clientId,
      }),
    ],
    ["the algorithm none", async (provider) => ({ client_assertion: unsigned(provider, "none") })],
    [
      "an HMAC with the public key as secret",
      async (provider) => ({ client_assertion: unsigned(provider, "HS256") }),
    ],
    [
      "another assertion type",
      async (provider) => ({
        client_assertion: await sign(provider),
        client_assertion_type: "urn:other",
      }),
    ],
    ["text that is no JWT", async () => ({ client_assertion: "a.b.c.d" })],
  ])("refuses %s", async (_, fields) => {
    await using provider = await startProvider({ clients: [client] });
    expect(await ask(provider, await fields(provider))).toMatchObject({
      status: 401,
      body: { error: "invalid_client" },
    });
  });

  it("refuses an assertion that was used before, until it is reset", async () => {
    await using provider = await startProvider({ clients: [client] });
    const client_assertion = await sign(provider);
    expect((await ask(provider, { client_assertion })).status).toBe(200);
    expect(await ask(provider, { client_assertion })).toMatchObject({
      status: 401,
      body: { error_description: "The client assertion was used before." },
    });
    provider.reset();
    expect((await ask(provider, { client_assertion })).status).toBe(200);
  });

  // docs/rules.md: rule 37
  it("refuses two methods at once, and a secret where a key is registered", async () => {
    await using provider = await startProvider({ clients: [client] });
    const both = {
      client_assertion: await sign(provider),
      client_secret: "s3cret",
      client_id: "key-client",
    };
    expect(await ask(provider, both)).toMatchObject({
      status: 400,
      body: { error: "invalid_request" },
    });
    const basic = { authorization: `Basic ${Buffer.from("key-client:s3cret").toString("base64")}` };
    expect(await ask(provider, { client_assertion: await sign(provider) }, basic)).toMatchObject({
      status: 400,
    });
    const secret = await post(provider.tokenUrl, {
      grant_type: "client_credentials",
      client_id: "key-client",
      client_secret: "s3cret",
    });
    expect(secret).toMatchObject({ status: 401 });
    expect(
      await post(provider.tokenUrl, { grant_type: "client_credentials", client_id: "key-client" }),
    ).toMatchObject({ status: 401 });
  });
});

/** Claims that replace the right ones; undefined leaves one out. */
type Claims = Partial<Record<"iss" | "sub" | "aud" | "iat" | "exp" | "jti", unknown>>;

function ask(
  provider: LocalProvider,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  return post(
    provider.tokenUrl,
    { grant_type: "client_credentials", client_assertion_type: ASSERTION_TYPE, ...fields },
    headers,
  );
}

function claimsFor(provider: LocalProvider, claims: Claims): JWTPayload {
  const iat = seconds(provider);
  return {
    iss: "key-client",
    sub: "key-client",
    aud: provider.tokenUrl,
    iat,
    exp: iat + 60,
    jti: randomUUID(),
    ...claims,
  } as JWTPayload;
}

async function sign(
  provider: LocalProvider,
  claims: Claims = {},
  privateKey = own.privateKey,
  alg?: string,
): Promise<string> {
  const { key, algorithm } = readClientKey(privateKey);
  return await new SignJWT(claimsFor(provider, claims))
    .setProtectedHeader({ alg: alg ?? algorithm })
    .sign(key);
}

function unsigned(provider: LocalProvider, alg: string): string {
  const [header, body] = [{ alg }, claimsFor(provider, {})].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  const signature =
    alg === "none"
      ? ""
      : createHmac("sha256", own.publicKey).update(`${header}.${body}`).digest("base64url");
  return `${header}.${body}.${signature}`;
}

function seconds(provider: LocalProvider): number {
  return Math.floor(provider.clock.now() / 1_000);
}
