import { describe, expect, it } from "vitest";
import { discoverServer } from "../../../src/oauth/connect/discovery.ts";
import { startTokenServer } from "../../support/token-server.ts";

const issuer = "https://login.tasks.example";
const definition = {
  type: "OAuth2",
  authorizationUrl: `${issuer}/a`,
  tokenUrl: `${issuer}/t`,
} as const;
const metadata = {
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  authorization_response_iss_parameter_supported: true,
};

describe("discoverServer", () => {
  it.each(["/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"])(
    "reads the metadata at %s",
    async (path) => {
      await using server = await startTokenServer(({ url }) =>
        url === path ? { body: metadata } : { status: 404, body: {} },
      );
      const found = await discoverServer({ definition, issuer, routes: { [issuer]: server.url } });
      expect(found).toMatchObject({
        issuer,
        issuerPromised: true,
        authorizationUrl: `${issuer}/authorize`,
        tokenUrl: `${issuer}/token`,
      });
    },
  );

  it.each([
    "/.well-known/oauth-authorization-server/tenant",
    "/.well-known/openid-configuration/tenant",
    "/tenant/.well-known/openid-configuration",
  ])("reads the metadata of an issuer with a path at %s", async (path) => {
    const tenant = `${issuer}/tenant`;
    await using server = await startTokenServer(({ url }) =>
      url === path ? { body: { ...metadata, issuer: tenant } } : { status: 404, body: {} },
    );
    const found = await discoverServer({
      definition,
      issuer: tenant,
      routes: { [issuer]: server.url },
    });
    expect(found).toMatchObject({ issuer: tenant, tokenUrl: `${issuer}/token` });
  });

  // docs/rules.md: rule 14, 23, 24
  it("refuses metadata of another issuer, redirects, pages and silence", async () => {
    const answers = [
      { body: { ...metadata, issuer: "https://evil.example" } },
      { status: 302, headers: { location: "https://evil.example" } },
      { body: "<html>" },
      { status: 500 },
      undefined,
    ];
    for (const answer of answers) {
      await using server = await startTokenServer(() => answer);
      const options = { definition, issuer, routes: { [issuer]: server.url }, timeoutMs: 100 };
      await expect(discoverServer(options)).rejects.toMatchObject({
        code: "OAUTH_DISCOVERY_FAILED",
      });
    }
  });

  it.each<[string, Parameters<typeof startTokenServer>[0], RegExp, RegExp]>([
    [
      "404",
      () => ({ status: 404, body: "gone" }),
      /oauth-authorization-server answered with status 404; \S+openid-configuration answered with status 404/,
      /publishes no metadata/,
    ],
    [
      "the metadata of another issuer",
      () => ({ body: { ...metadata, issuer: `${issuer}/tenant` } }),
      /is the metadata of another issuer, https:\/\/login\.tasks\.example\/tenant/,
      /must be exactly the same/,
    ],
    [
      "the metadata of a server on this machine",
      () => ({ body: { ...metadata, issuer: "http://127.0.0.1:4001" } }),
      /is the metadata of another issuer, http:\/\/127\.0\.0\.1:4001/,
      /packsmith provider behind --route, start it with --issuer https:\/\/login\.tasks\.example\.$/,
    ],
    [
      "a page",
      () => ({ body: "<html>" }),
      /is not a JSON object/,
      /Check the issuer\. If the server publishes no metadata/,
    ],
  ])("says that the server answered with %s", async (_, behave, message, hint) => {
    await using server = await startTokenServer(behave);
    await expect(
      discoverServer({ definition, issuer, routes: { [issuer]: server.url } }),
    ).rejects.toMatchObject({
      code: "OAUTH_DISCOVERY_FAILED",
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });

  it("says that the connection was refused", async () => {
    const server = await startTokenServer(() => undefined);
    await server[Symbol.asyncDispose]();
    await expect(
      discoverServer({ definition, issuer, routes: { [issuer]: server.url } }),
    ).rejects.toMatchObject({
      message: expect.stringMatching(
        /: login\.tasks\.example cannot be reached: the connection was refused\.$/,
      ),
      hint: expect.stringMatching(/this machine can reach the server/),
    });
  });

  // docs/rules.md: rule 18
  it("refuses an issuer that is not https", async () => {
    await expect(
      discoverServer({ definition, issuer: "http://login.tasks.example" }),
    ).rejects.toMatchObject({ code: "URL_NOT_ALLOWED" });
  });
});
