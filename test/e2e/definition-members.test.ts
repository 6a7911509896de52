import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectAccount } from "../../src/connect/connect-account.ts";
import type { ConnectAccountOptions } from "../../src/connect/connect-options.ts";
import type { ProviderOptions } from "../../src/provider/options.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { executeFormula } from "../../src/testing/test-formula.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const CODE = {
  type: "OAuth2",
  authorizationUrl: "https://login.api.example/authorize",
  tokenUrl: "https://login.api.example/token",
  scopes: ["profile", "email"],
  useProofKeyForCodeExchange: true,
};
const CREDENTIALS = {
  type: "OAuth2ClientCredentials",
  tokenUrl: "https://login.api.example/token",
  scopes: ["profile"],
};

/**
 * A Pack that an author might write: another file, the older import name as a namespace, and one
 * formula that calls the API.
 */
const PACK = `import * as sdk from "@codahq/packs-sdk";
import { authentication, domains, formula, slot } from "./authentication.js";
export const pack = sdk.newPack();
for (const domain of domains) pack.addNetworkDomain(domain);
if (slot === "system") pack.setSystemAuthentication(authentication);
pack.setUserAuthentication(authentication);
pack.addFormula({
  ...formula,
  name: "Call", description: "Calls the API.", resultType: sdk.ValueType.String,
  parameters: [sdk.makeParameter({ type: sdk.ParameterType.String, name: "url", description: "Where." })],
  execute: async function ([url], context) {
    return JSON.stringify((await context.fetcher.fetch({ method: "GET", url })).body);
  },
});
`;

describe("members of a definition, from the author's file to the wire", () => {
  it("joins scopes with the delimiter and splits the granted ones by it", async () => {
    await using setup = await startSetup({ ...CODE, scopeDelimiter: "," });
    const account = await setup.connect();
    expect(setup.sent("/authorize")).toMatchObject({ scope: "profile,email" });
    expect(account.scopes).toEqual(["profile", "email"]);
  });

  it("sends additional parameters, the resource and the challenge of PKCE plain", async () => {
    await using setup = await startSetup({
      ...CODE,
      additionalParams: { prompt: "consent", login_hint: "first@users.example" },
      resource: "https://docs.api.example/v1",
      pkceChallengeMethod: "plain",
    });
    await setup.connect();
    expect(setup.sent("/authorize")).toMatchObject({
      prompt: "consent",
      login_hint: "first@users.example",
      resource: "https://docs.api.example/v1",
      code_challenge_method: "plain",
    });
    expect(setup.sent("/token")).toMatchObject({
      grant_type: "authorization_code",
      resource: "https://docs.api.example/v1",
    });
  });

  it("joins relative URLs to the endpoint that the account was given, and formulas use it too", async () => {
    await using setup = await startSetup({
      ...CODE,
      authorizationUrl: "/authorize",
      tokenUrl: "/token",
      requiresEndpointUrl: true,
      endpointDomain: "api.example",
    });
    const account = await setup.connect({ endpoint: "https://login.api.example/" });
    expect(account.endpoint).toBe("https://login.api.example");
    expect(JSON.parse(String(await setup.call("/me")))).toMatchObject({ name: "Local user" });
    await expect(setup.connect({ endpoint: "https://login.other.example" })).rejects.toMatchObject({
      code: "ENDPOINT_OUTSIDE_DOMAIN",
    });
  });

  it("sends the client credentials where the definition says", async () => {
    await using header = await startSetup({
      ...CREDENTIALS,
      credentialsLocation: "AuthorizationHeader",
    });
    await header.connect();
    expect(header.clientAuthentication()).toEqual(["client_secret_basic"]);
    await using body = await startSetup({ ...CREDENTIALS, credentialsLocation: "Body" });
    await body.connect();
    expect(body.clientAuthentication()).toEqual(["client_secret_post"]);
  });

  it("reads tokens from the object that nestedResponseKey names", async () => {
    await using setup = await startSetup(
      { ...CREDENTIALS, nestedResponseKey: "data.auth" },
      {
        provider: {
          faults: [
            {
              kind: "response",
              status: 200,
              body: {
                ok: true,
                data: { auth: { access_token: "nested-token", expires_in: 3_600 } },
              },
            },
          ],
        },
      },
    );
    await setup.connect();
    expect(JSON.parse(String(await setup.call("https://docs.api.example/echo")))).toEqual({
      authorization: "Bearer",
      tokenLength: "nested-token".length,
      query: "",
      path: "/echo",
    });
  });

  it.each([
    { members: { tokenPrefix: "" }, seen: { authorization: "", query: "" } },
    { members: { tokenPrefix: "Token" }, seen: { authorization: "Token", query: "" } },
    { members: { tokenQueryParam: "access" }, seen: { authorization: "none", query: "access" } },
  ])("sends the access token as $members says", async ({ members, seen }) => {
    await using setup = await startSetup({ ...CREDENTIALS, ...members });
    await setup.connect();
    expect(JSON.parse(String(await setup.call("https://docs.api.example/echo?a=1&a=2")))).toEqual({
      ...seen,
      tokenLength: 43,
      path: "/echo",
    });
  });

  it("calls the scope parameter what the definition calls it", async () => {
    await using setup = await startSetup(
      { ...CODE, scopeParamName: "user_scope" },
      { provider: { profiles: ["scope-parameter"] } },
    );
    await setup.connect();
    expect(setup.sent("/authorize")).toMatchObject({ user_scope: "profile email" });
    expect(setup.sent("/authorize")).not.toHaveProperty("scope");
  });

  it.each([
    ["a host", "docs.api.example", "https://docs.api.example"],
    ["a URL with a path", "https://docs.api.example/eu/", "https://docs.api.example/eu"],
  ])(
    "takes the account's endpoint from the token response, at a dotted path, as %s",
    async (_what, base, endpoint) => {
      await using setup = await startSetup(
        { ...CODE, endpointKey: "account.base" },
        { provider: { tokenResponse: { account: { base } } } },
      );
      expect(await setup.connect()).toMatchObject({ endpoint });
      expect(JSON.parse(String(await setup.call("/echo?x=1")))).toMatchObject({
        path: `${new URL(endpoint).pathname}/echo`.replace("//", "/"),
      });
    },
  );

  it.each([["docs.api.example"], [["docs.api.example", "files.api.example"]]])(
    "sends the access token to the networkDomain %j alone",
    async (networkDomain) => {
      await using setup = await startSetup(
        { ...CREDENTIALS, networkDomain },
        { domains: ["docs.api.example", "files.api.example", "other.api.example"] },
      );
      await setup.connect();
      expect(JSON.parse(String(await setup.call("https://docs.api.example/echo")))).toMatchObject({
        authorization: "Bearer",
      });
      expect(JSON.parse(String(await setup.call("https://other.api.example/echo")))).toMatchObject({
        authorization: "none",
      });
    },
  );

  it("labels the account with what getConnectionName reads from the API, authenticated", async () => {
    const functions = `{ getConnectionName: async (context) => {
      const { body } = await context.fetcher.fetch({ method: "GET", url: "https://login.api.example/me" });
      return body.name + " (" + body.email + ")";
    } }`;
    await using setup = await startSetup(CODE, { functions });
    expect(await setup.connect()).toMatchObject({
      connectionName: "Local user (local-user@users.example)",
    });
  });

  it("shows where a person learns how to set the account up, before anything is asked", async () => {
    await using setup = await startSetup({
      ...CODE,
      instructionsUrl: "https://help.api.example/connect",
    });
    const lines: string[] = [];
    await setup.connect({ onProgress: (line) => lines.push(line) });
    expect(lines[0]).toBe("how to set the account up: https://help.api.example/connect");
  });

  it("asks for the extra scopes of a formula once somebody wants it, beside those that the account has", async () => {
    await using setup = await startSetup(CODE, { formula: '{ extraOAuthScopes: ["write"] }' });
    await setup.connect();
    await expect(setup.call("https://docs.api.example/echo")).rejects.toMatchObject({
      code: "ACCOUNT_SCOPES",
      details: { missing: ["write"] },
      hint: 'Run packsmith auth connect pack.js --scopes "write".',
    });
    await setup.connect({ extraScopes: ["write"] });
    expect(JSON.parse(String(await setup.call("https://docs.api.example/echo")))).toMatchObject({
      authorization: "Bearer",
    });
  });

  it("connects the Pack's own account beside the user's", async () => {
    await using setup = await startSetup(CREDENTIALS, { slot: "system" });
    expect(await setup.connect({ slot: "system" })).toMatchObject({
      slot: "system",
      status: "connected",
    });
    expect(await setup.connect({ slot: "user" })).toMatchObject({
      slot: "user",
      status: "connected",
    });
  });
});

async function startSetup(
  authentication: object,
  more: {
    provider?: ProviderOptions;
    slot?: string;
    functions?: string;
    formula?: string;
    domains?: string[];
  } = {},
) {
  const { slot = "user", functions = "{}", formula = "{}", domains = ["api.example"] } = more;
  const provider = await startProvider(more.provider);
  const api = createServer((request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? "", "http://127.0.0.1");
    const header = request.headers.authorization;
    const [prefix, token] =
      header === undefined
        ? ["none", searchParams.get("access") ?? ""]
        : header.includes(" ")
          ? header.split(" ")
          : ["", header];
    // The token itself would be hidden from the Pack.
    response.setHeader("content-type", "application/json").end(
      JSON.stringify({
        authorization: prefix,
        tokenLength: token?.length,
        query: searchParams.has("access") ? "access" : "",
        path: pathname,
      }),
    );
  });
  await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
  const folder = makeTemporaryFolder();
  await writeFile(join(folder.path, "pack.js"), PACK);
  await writeFile(
    join(folder.path, "authentication.js"),
    `export const authentication = { ...${JSON.stringify(authentication)}, ...${functions} };\nexport const slot = ${JSON.stringify(slot)};\nexport const formula = ${formula};\nexport const domains = ${JSON.stringify(domains)};\n`,
  );
  const common = {
    cwd: folder.path,
    home: join(folder.path, "home"),
    redactor: createRedactor(),
    routes: [
      `https://login.api.example=${provider.issuer}`,
      ...["docs", "other"].map(
        (name) =>
          `https://${name}.api.example=http://127.0.0.1:${(api.address() as AddressInfo).port}`,
      ),
    ],
  };
  const requestsTo = (path: string) => provider.requests.filter((request) => request.path === path);
  return {
    connect: (options: Partial<ConnectAccountOptions> = {}) =>
      connectAccount({
        ...common,
        file: "pack.js",
        client: { clientId: provider.clientId, clientSecret: provider.clientSecret },
        browser: "headless",
        ...options,
      }),
    call: (url: string) => executeFormula("pack.js", "Call", [url], common),
    sent: (path: string) => requestsTo(path)[0]?.parameters,
    clientAuthentication: () => requestsTo("/token").map((request) => request.clientAuthentication),
    async [Symbol.asyncDispose]() {
      await provider.close();
      await new Promise<void>((resolve) => {
        api.close(() => resolve());
        api.closeAllConnections();
      });
      folder[Symbol.dispose]();
    },
  };
}
