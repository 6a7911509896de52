import { describe, expect, it } from "vitest";
import { registerClient } from "../../../src/oauth/connect/registration.ts";
import { type Answer, startTokenServer } from "../../support/token-server.ts";

/** Registers a client at a server that accepts these methods and answers this. */
async function register(methods: string[], answer: Answer) {
  await using server = await startTokenServer(() => answer);
  const issuer = "https://login.tasks.example";
  return await registerClient({
    definition: { type: "OAuth2", issuer },
    issuer,
    methods,
    redirectUri: "http://127.0.0.1/callback",
    clientName: "Tasks",
    registrationUrl: `${issuer}/register`,
    routes: { [issuer]: server.url },
  });
}

describe("the answer to a registration (RFC 7591 §3.2.1)", () => {
  it.each([
    ["without a secret", ["none"], {}, "none", undefined],
    [
      "with another method than was asked for",
      ["none"],
      { client_secret: "s-1", token_endpoint_auth_method: "client_secret_post" },
      "client_secret_post",
      "s-1",
    ],
    [
      "with a secret that was not asked for, and without a method",
      ["none"],
      { client_secret: "s-1" },
      "client_secret_basic",
      "s-1",
    ],
    ["with an empty secret", ["none"], { client_secret: "" }, "none", undefined],
    [
      "with a secret for a public client",
      ["none"],
      { client_secret: "s-1", token_endpoint_auth_method: "none" },
      "none",
      undefined,
    ],
  ])(
    "%s decides how the client authenticates",
    async (_name, methods, members, method, clientSecret) => {
      const client = await register(methods, {
        status: 201,
        body: { client_id: "c-1", ...members },
      });
      expect(client).toMatchObject({ clientId: "c-1", clientSecret, registration: { method } });
    },
  );

  it.each([
    ["0", undefined],
    ["1e20", undefined],
    ["-1", undefined],
    ['"abc"', undefined],
    ["null", undefined],
    ["1900000000", 1_900_000_000_000],
  ])("reads the expiry of the secret, %s", async (expiry, expiresAtMs) => {
    const body = `{"client_id":"c-1","client_secret":"s-1","client_secret_expires_at":${expiry}}`;
    expect(
      (await register(["client_secret_basic"], { status: 201, body })).registration?.expiresAtMs,
    ).toBe(expiresAtMs);
  });

  it.each([
    [
      "registers the client for a method that needs a key",
      { client_id: "c-1", token_endpoint_auth_method: "private_key_jwt" },
      "private_key_jwt",
    ],
    [
      "has a secret of more than 64 kB",
      { client_id: "c-1", client_secret: "s".repeat(65_537) },
      "more than 64 kB",
    ],
    ["has a client ID of more than 64 kB", { client_id: "c".repeat(65_537) }, "more than 64 kB"],
    ["has no client ID", [{ client_id: "c-1" }], "no client ID"],
  ])("is refused when it %s", async (_name, body, reason) => {
    await expect(register(["none"], { status: 201, body })).rejects.toMatchObject({
      code: "OAUTH_REGISTRATION_FAILED",
      details: { reason: expect.stringContaining(reason) },
    });
  });
});
