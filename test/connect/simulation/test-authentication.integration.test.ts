import { describe, expect, it } from "vitest";
import { testAuthentication } from "../../../src/connect/simulation/test-authentication.ts";
import { isLong } from "../../support/breadth.ts";
import { makeProject } from "../../support/project.ts";

const writePack = (authentication: string) => `import { newPack } from "packsmith";
export const pack = newPack().addNetworkDomain("tasks.example").setUserAuthentication({ ${authentication} });
`;
const CODE = `type: "OAuth2", authorizationUrl: "https://login.tasks.example/oauth/authorize",
  tokenUrl: "https://login.tasks.example/oauth/token", scopes: ["read", "write"]`;
const CREDENTIALS = `type: "OAuth2ClientCredentials", tokenUrl: "https://login.tasks.example/oauth/token?v=2", scopes: ["read", "write"]`;

async function run(authentication: string, profiles?: readonly string[]) {
  using project = makeProject({ "pack.ts": writePack(authentication) });
  return await testAuthentication({ file: "pack.ts", cwd: project.path, profiles });
}

describe("testAuthentication", () => {
  it.runIf(isLong)(
    "names, for each provider that a plain code flow does not survive, the edit that mends it",
    async () => {
      const { ok, results } = await run(CODE);
      expect(ok).toBe(false);
      const failed = results.filter(({ outcome }) => outcome === "failed");
      expect(
        Object.fromEntries(failed.map(({ profile, edit }) => [profile, edit])),
      ).toMatchInlineSnapshot(`
      {
        "api-host": "add endpointKey: "api_host"",
        "authorize-parameter": "add additionalParams: { audience: "https://api.example" }",
        "basic-burns-code": "add credentialsLocation: "AuthorizationHeader"",
        "callback-parameter": "add callbackParams: ["companyId"], add tokenParams: { companyId: "{callback.companyId}" }",
        "comma-scopes": "add scopeDelimiter: ","",
        "expiry-milliseconds": "add tokenResponse: { expiresInUnit: "milliseconds" }",
        "fragment-parameters": "change authorizationUrl to "https://login.tasks.example/#/authorize"",
        "json-request": "add tokenRequestFormat: "json"",
        "nested-data": "add nestedResponseKey: "data"",
        "nested-deep": "add nestedResponseKey: "result.credentials"",
        "nested-user": "add nestedResponseKey: "authed_user"",
        "pkce-plain": "add useProofKeyForCodeExchange: true, add pkceChallengeMethod: "plain"",
        "pkce-required": "add useProofKeyForCodeExchange: true",
        "pushed-required": "add pushedAuthorizationUrl: "https://login.tasks.example/par"",
        "query-request": "add tokenRequestFormat: "query", add credentialsLocation: "AuthorizationHeader"",
        "refresh-parameter": "add refreshParams: { type: "refresh" }",
        "refresh-token-none": undefined,
        "refresh-token-offline": "add additionalParams: { access_type: "offline" }",
        "refresh-url": "add refreshUrl: "https://login.tasks.example/refresh"",
        "refresh-with-access-token": "add tokenRenewal: { url: "https://login.tasks.example/renew_token", method: "GET", grantType: "renew_token", params: { access_token: "{token}" }, withClient: false }",
        "refresh-without-token": "add tokenResponse: { refreshKeepsToken: true }",
        "renamed-client-id": "add additionalParams: { client_key: "<your client ID>" }",
        "renamed-code": "add codeParamName: "auth_code"",
        "renamed-parameters": "add parameterNames: { client_id: "app_id", client_secret: "app_key" }, add credentialsLocation: "Body"",
        "renamed-token-parameters": "add parameterNames: { client_id: "client_key" }, add tokenParameterNames: { code: "auth_code" }",
        "scope-parameter": "add scopeParamName: "user_scope"",
        "secret-as-user": "add clientAuthentication: "secret_as_user"",
        "state-in-token-request": "add tokenParams: { state: "{state}" }",
        "step-up-login": "add additionalParams: { acr_values: "urn:packsmith:strong" }",
        "tenant-endpoint": "add requiresEndpointUrl: true, change authorizationUrl to "/oauth/authorize", change tokenUrl to "/oauth/token"",
        "token-bare": "add tokenPrefix: """,
        "token-exchange": "add tokenExchange: { url: "https://login.tasks.example/oauth/token", grantType: "urn:ietf:params:oauth:grant-type:token-exchange", params: { subject_token: "{token}", subject_token_type: "urn:ietf:params:oauth:token-type:access_token" } }",
        "token-header": "add tokenHeaderName: "X-Access-Token"",
        "token-parameter": "add tokenParams: { audience: "https://api.example" }",
        "token-prefix": "add tokenPrefix: "Token"",
        "token-query": "add tokenQueryParam: "access_token"",
        "token-renamed": "add tokenResponse: { accessToken: "api_key" }",
        "token-request-header": "add tokenHeaders: { "X-Api-Version": "2" }",
      }
    `);
      expect(failed.filter(({ remaining }) => remaining !== undefined)).toMatchObject([]);
      expect(
        results.filter(({ outcome }) => outcome === "skipped").map(({ profile }) => profile),
      ).toEqual(["own-grant-type"]);
    },
  );

  it.runIf(isLong)(
    "does the same for client credentials, and leaves out what concerns people",
    async () => {
      const { results } = await run(CREDENTIALS);
      const failed = results.filter(({ outcome }) => outcome === "failed");
      expect(
        Object.fromEntries(failed.map(({ profile, edit }) => [profile, edit])),
      ).toMatchInlineSnapshot(`
      {
        "comma-scopes": "add scopeDelimiter: ","",
        "expiry-milliseconds": "add tokenResponse: { expiresInUnit: "milliseconds" }",
        "json-request": "add tokenRequestFormat: "json"",
        "nested-data": "add nestedResponseKey: "data"",
        "nested-deep": "add nestedResponseKey: "result.credentials"",
        "nested-user": "add nestedResponseKey: "authed_user"",
        "own-grant-type": "add grantType: "account_credentials"",
        "query-request": "add tokenRequestFormat: "query", add credentialsLocation: "AuthorizationHeader"",
        "renamed-parameters": "add parameterNames: { client_id: "app_id", client_secret: "app_key" }, add credentialsLocation: "Body"",
        "scope-parameter": "add scopeParamName: "user_scope"",
        "secret-as-user": "add clientAuthentication: "secret_as_user"",
        "token-bare": "add tokenPrefix: """,
        "token-exchange": "add tokenExchange: { url: "https://login.tasks.example/oauth/token?v=2", grantType: "urn:ietf:params:oauth:grant-type:token-exchange", params: { subject_token: "{token}", subject_token_type: "urn:ietf:params:oauth:token-type:access_token" } }",
        "token-header": "add tokenHeaderName: "X-Access-Token"",
        "token-parameter": "add tokenParams: { audience: "https://api.example" }",
        "token-prefix": "add tokenPrefix: "Token"",
        "token-query": "add tokenQueryParam: "access_token"",
        "token-renamed": "add tokenResponse: { accessToken: "api_key" }",
        "token-request-header": "add tokenHeaders: { "X-Api-Version": "2" }",
      }
    `);
      expect(failed.filter(({ remaining }) => remaining !== undefined)).toMatchObject([]);
      expect(results.find(({ profile }) => profile === "pkce-refused")?.outcome).toBe("skipped");
    },
  );

  it.each([
    [
      "a JSON request, nested answers and a header for the token",
      `tokenRequestFormat: "json", nestedResponseKey: "data.auth", tokenHeaderName: "X-Token"`,
    ],
    ["a token in the URL", `tokenQueryParam: "key"`],
    ["comma scopes under another name", `scopeDelimiter: ",", scopeParamName: "user_scope"`],
    ["Basic alone", `credentialsLocation: "AuthorizationHeader"`],
    ["plain proof keys", `useProofKeyForCodeExchange: true, pkceChallengeMethod: "plain"`],
    ["an endpoint in the answer", `endpointKey: "site.host"`],
    [
      "another refresh URL and parameters",
      `refreshUrl: "https://login.tasks.example/oauth/token?refresh", refreshParams: { type: "refresh" }`,
    ],
    [
      "parameters of its own",
      `additionalParams: { prompt: "consent" }, tokenParams: { audience: "x" }, resource: "https://api.tasks.example"`,
    ],
    [
      "data in the callback",
      `callbackParams: ["realm", { name: "company-id", as: "company", kind: "segment" }], tokenParams: { company: "{callback.company}" }`,
    ],
    [
      "an origin in the callback",
      `tokenUrl: "https://{callback.server}/oauth/token", callbackParams: [{ name: "accounts-server", as: "server", kind: "origin", domains: ["accounts.tasks.example"] }]`,
    ],
  ])("meets a provider that demands what the definition says: %s", async (_, members) => {
    expect(await run(`${CODE}, ${members}`, ["strict", "type-missing"])).toMatchObject({
      ok: true,
    });
  });

  it("answers the questions of variables and endpoints itself", async () => {
    const variables = `type: "OAuth2", authorizationUrl: "https://{region.auth}/authorize", tokenUrl: "https://{region.auth}/{tenant}/token",
      connectionVariables: [
        { name: "tenant", label: "Tenant", kind: "segment" },
        { name: "region", label: "Region", kind: "choice", options: [{ value: "eu", label: "Europe", parts: { auth: "eu.tasks.example" } }] },
      ]`;
    const endpoint = `type: "OAuth2", authorizationUrl: "/oauth/authorize", tokenUrl: "/oauth/token", requiresEndpointUrl: true, endpointDomain: "tasks.example"`;
    for (const authentication of [variables, endpoint])
      expect(
        await run(authentication, ["strict", "refresh-token-kept"]),
        authentication,
      ).toMatchObject({ ok: true });
    expect(await run(endpoint, ["tenant-endpoint"])).toMatchObject({ ok: true });
  });

  it("discovers endpoints and registers a client as a real connection does", async () => {
    const issuer = `type: "OAuth2", issuer: "https://login.tasks.example/realm", scopes: ["read"]`;
    expect(await run(issuer, ["strict", "iss-missing"])).toMatchObject({ ok: true });
    expect((await run(issuer, ["iss-other"])).results[0]).toMatchObject({
      failure: { code: "OAUTH_ISSUER_MISMATCH" },
      edit: `change issuer to "https://other-issuer.example"`,
      remaining: undefined,
    });
    const dynamic = `${issuer}, useDynamicClientRegistration: true, useProofKeyForCodeExchange: true`;
    expect(await run(dynamic, ["strict", "basic-only", "body-only", "nested-data"])).toMatchObject({
      results: [
        { outcome: "passed" },
        { outcome: "passed" },
        { outcome: "passed" },
        { edit: `add nestedResponseKey: "data"`, remaining: undefined },
      ],
    });
  });

  it.runIf(isLong)("tells what is left when one edit is not enough", async () => {
    const { results } = await run(`${CODE}, useProofKeyForCodeExchange: true`, [
      "renamed-code",
      "pkce-plain",
    ]);
    expect(results.map(({ failure, edit }) => [failure?.step, failure?.code, edit])).toEqual([
      ["connect", "OAUTH_CALLBACK_INVALID", `add codeParamName: "auth_code"`],
      ["connect", "OAUTH_DENIED", `add pkceChallengeMethod: "plain"`],
    ]);
  });

  it.runIf(isLong)("keeps the members that an edit adds to", async () => {
    const { results } = await run(`${CODE}, additionalParams: { prompt: "consent" }`, [
      "authorize-parameter",
    ]);
    expect(results[0]?.edit).toBe(
      `change additionalParams to { prompt: "consent", audience: "https://api.example" }`,
    );
    expect(results[0]?.remaining).toBeUndefined();
  });

  it("fails with PROFILE_UNKNOWN and OAUTH_NOT_CONFIGURED before it starts anything", async () => {
    await expect(run(CODE, ["nonsense"])).rejects.toMatchObject({ code: "PROFILE_UNKNOWN" });
    await expect(run(`type: "None"`)).rejects.toMatchObject({ code: "OAUTH_NOT_CONFIGURED" });
  });
});
