import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OAuth2ClientCredentialsAuthentication } from "../../src/define/oauth.ts";
import { isPackError, PackError } from "../../src/errors.ts";
import {
  authenticateInTurn,
  authenticateRequest,
  clientAuthenticationMethods,
} from "../../src/oauth/client-authentication.ts";
import { createAuthorizationAttempt } from "../../src/oauth/connect/authorization-attempt.ts";
import { requestClientCredentialsToken } from "../../src/oauth/run/client-credentials.ts";
import { ClientAuthenticationMethod } from "../../src/oauth/token-set.ts";
import { baseTokens, type ReceivedRequest, startTokenServer } from "../support/token-server.ts";

const client = { clientId: "client 1", clientSecret: "a+b/c=d:e f" };
const raw = `Basic ${btoa("client 1:a+b/c=d:e f")}`;
const strict = `Basic ${btoa("client+1:a%2Bb%2Fc%3Dd%3Ae+f")}`;
const refusal = { status: 401, body: { error: "invalid_client" } };

function definition(
  tokenUrl: string,
  location?: "Automatic" | "Body" | "AuthorizationHeader",
): OAuth2ClientCredentialsAuthentication {
  return { type: "OAuth2ClientCredentials", tokenUrl, credentialsLocation: location };
}
const usesBody = ({ params }: ReceivedRequest) =>
  params.get("client_secret") === client.clientSecret;
const usesHeader = (value: string) => (request: ReceivedRequest) =>
  request.headers.authorization === value && !request.params.has("client_id");

describe("client authentication", () => {
  it.each([
    ["body", usesBody, 1],
    ["basic", usesHeader(raw), 2],
    ["basic-strict", usesHeader(strict), 3],
  ] as const)(
    "Automatic finds %s, remembers it and starts with it the next time",
    async (method, accepts, attempts) => {
      await using server = await startTokenServer((request) =>
        accepts(request) ? { body: baseTokens } : refusal,
      );
      const options = { definition: definition(`${server.url}/t`), client };
      const first = await requestClientCredentialsToken(options);
      expect(first.clientAuthentication).toBe(method);
      expect(server.requests).toHaveLength(attempts);
      await requestClientCredentialsToken({
        ...options,
        clientAuthentication: first.clientAuthentication,
      });
      expect(server.requests).toHaveLength(attempts + 1);
    },
  );

  it("moves on for 401 and for invalid_client with any status, and for nothing else", async () => {
    for (const [status, error, expected] of [
      [400, "invalid_client", 3],
      [200, "invalid_client", 3],
      [401, "whatever", 3],
      [400, "invalid_scope", 1],
      [500, "invalid_client", 1],
      [403, "access_denied", 1],
    ] as const) {
      await using server = await startTokenServer(() => ({ status, body: { error } }));
      await expect(
        requestClientCredentialsToken({ definition: definition(`${server.url}/t`), client }),
      ).rejects.toSatisfy(isPackError);
      expect(server.requests.length, `${status} ${error}`).toBe(expected);
    }
  });

  it("names the client credentials when the last refusal is a 401 without an error", async () => {
    await using server = await startTokenServer(() => ({ status: 401 }));
    await expect(
      requestClientCredentialsToken({ definition: definition(`${server.url}/t`), client }),
    ).rejects.toMatchObject({
      code: "OAUTH_TOKEN_REJECTED",
      hint: "Check the client ID and the client secret. The provider rejected them in the body and in the Authorization header.",
    });
  });

  it.each([
    ["Body", [usesBody]],
    ["AuthorizationHeader", [usesHeader(raw), usesHeader(strict)]],
  ] as const)(
    "sends the credentials only where credentialsLocation %s says",
    async (location, uses) => {
      await using server = await startTokenServer(() => refusal);
      await expect(
        requestClientCredentialsToken({
          definition: definition(`${server.url}/t`, location),
          client,
        }),
      ).rejects.toMatchObject({
        code: "OAUTH_TOKEN_REJECTED",
        details: { error: "invalid_client" },
      });
      expect(server.requests.map((request, index) => uses[index]?.(request))).toEqual(
        uses.map(() => true),
      );
    },
  );

  it("says that the code may be used up when a later attempt answers invalid_grant", async () => {
    await using server = await startTokenServer((request) =>
      usesBody(request) ? refusal : { status: 400, body: { error: "invalid_grant" } },
    );
    const attempt = await createAuthorizationAttempt({
      definition: {
        type: "OAuth2",
        authorizationUrl: `${server.url}/a`,
        tokenUrl: `${server.url}/t`,
      },
      client,
      redirectUri: "http://127.0.0.1/callback",
    });
    await expect(
      attempt.complete(new URLSearchParams({ code: "c", state: attempt.state })),
    ).rejects.toMatchObject({
      details: { error: "invalid_grant" },
      message: expect.stringContaining("used the authorization code"),
      hint: expect.stringContaining('credentialsLocation: "AuthorizationHeader"'),
    });
    expect(server.requests).toHaveLength(2);
  });

  it("sends only the client ID of a public client", async () => {
    await using server = await startTokenServer(() => ({ body: baseTokens }));
    const attempt = await createAuthorizationAttempt({
      definition: {
        type: "OAuth2",
        authorizationUrl: `${server.url}/a`,
        tokenUrl: `${server.url}/t`,
      },
      client: { clientId: "public", clientSecret: undefined },
      redirectUri: "http://127.0.0.1/callback",
    });
    const tokenSet = await attempt.complete(
      new URLSearchParams({ code: "c", state: attempt.state }),
    );
    const [request] = server.requests;
    expect(request?.params.get("client_id")).toBe("public");
    expect(request?.params.has("client_secret")).toBe(false);
    expect(request?.headers.authorization).toBeUndefined();
    expect(tokenSet.clientAuthentication).toBe("none");
  });

  // docs/rules.md: rule 37
  it("never uses two methods in one request, whatever a library added", () => {
    const texts = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(
        texts,
        texts,
        fc.constantFrom(...Object.values(ClientAuthenticationMethod)),
        (clientId, clientSecret, method) => {
          const request = {
            params: new URLSearchParams({
              client_id: "x",
              client_secret: "y",
              client_assertion: "z",
              grant_type: "client_credentials",
            }),
            headers: new Headers({ authorization: "Basic eA==" }),
          };
          authenticateRequest({ clientId, clientSecret }, method, request, "signed");
          const isSigned = request.params.has("client_assertion");
          const inBody = request.params.has("client_secret");
          const inHeader = request.headers.has("authorization");
          expect(Number(inBody) + Number(inHeader) + Number(isSigned)).toBe(
            method === "none" || method === "tls_client_auth" ? 0 : 1,
          );
          expect(request.params.has("client_assertion_type")).toBe(isSigned);
          expect(request.params.has("client_id")).toBe(!inHeader);
        },
      ),
    );
  });

  it("tries one kind of Basic when raw and encoded credentials are the same", () => {
    expect(clientAuthenticationMethods({}, { clientId: "a", clientSecret: "b" })).toEqual([
      "body",
      "basic",
    ]);
    expect(clientAuthenticationMethods({}, { clientId: "a", clientSecret: "" })).toEqual(["none"]);
  });
});

describe("Automatic credentialsLocation", () => {
  const client = { clientId: "client-1", clientSecret: "secret" };
  const rejected = (status: number, error: string) =>
    new PackError("OAUTH_TOKEN_REJECTED", "refused", {
      details: { status, error, description: undefined },
      hint: "Allow this grant.",
    });

  it.each([
    [401, "unauthorized_client"],
    [403, "unauthorized_client"],
    [400, "invalid_client"],
  ])(
    "tries the next method after status %i with %s, and the hint is about the client",
    async (status, error) => {
      const tried: string[] = [];
      const methods = clientAuthenticationMethods({}, client);
      const attempt = async (method: string) => {
        tried.push(method);
        throw rejected(status, error);
      };
      await expect(authenticateInTurn(methods, attempt)).rejects.toMatchObject({
        code: "OAUTH_TOKEN_REJECTED",
        hint: "Check the client ID and the client secret. The provider rejected them in the body and in the Authorization header.",
      });
      expect(tried).toEqual(["body", "basic"]);
    },
  );

  it("gives up after status 400 with unauthorized_client, which is about the grant (RFC 6749 §5.2)", async () => {
    const tried: string[] = [];
    const attempt = async (method: string) => {
      tried.push(method);
      throw rejected(400, "unauthorized_client");
    };
    await expect(
      authenticateInTurn(clientAuthenticationMethods({}, client), attempt),
    ).rejects.toMatchObject({ hint: "Allow this grant." });
    expect(tried).toEqual(["body"]);
  });

  it("begins with the methods of the server's metadata, and with the one that worked before", () => {
    const inTurn = (known?: "body" | "basic", supported?: string[]) =>
      clientAuthenticationMethods({}, client, known, supported);
    expect(inTurn(undefined, ["client_secret_basic"])).toEqual(["basic", "body"]);
    expect(inTurn(undefined, ["client_secret_post"])).toEqual(["body", "basic"]);
    expect(inTurn(undefined, ["tls_client_auth"])).toEqual(["body", "basic"]);
    expect(inTurn("body", ["client_secret_basic"])).toEqual(["body", "basic"]);
    expect(
      clientAuthenticationMethods({ credentialsLocation: "Body" }, client, undefined, [
        "client_secret_basic",
      ]),
    ).toEqual(["body"]);
  });
});
