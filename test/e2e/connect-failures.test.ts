import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PackErrorCode } from "../../src/errors.ts";
import type { Fault } from "../../src/provider/faults.ts";
import type { ProviderOptions } from "../../src/provider/options.ts";
import { startProvider } from "../../src/provider/provider.ts";
import { createTestBrowser, type TestPage } from "../support/browser.ts";
import { startCli } from "../support/cli-in-process.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

/** One way in which connecting an account fails, and what the person is told. */
interface Scenario {
  /** Members of the authentication as an author writes them, each on a line of its own. */
  members?: Record<string, string>;
  type?: "OAuth2" | "OAuth2ClientCredentials";
  /** Statements after the authentication. */
  more?: string;
  provider?: Omit<ProviderOptions, "faults">;
  /** What goes wrong with the token endpoint's answers, or another endpoint's. */
  faults?: Fault[];
  /** Where the requests for the provider's origin go instead. */
  route?: "nowhere";
  secret?: string | undefined;
  args?: string[];
  env?: Record<string, string>;
  /** What the person presses. */
  decision?: "approve" | "deny";
  /** Changes the address to which the provider sends the browser. */
  callback?: (url: URL) => void;
  /** What the browser does instead of coming back once. */
  instead?: (callback: URL) => Promise<TestPage>;

  code: PackErrorCode;
  exit: number;
  /**
   * The member whose line is named; "" for the authentication as a whole; undefined when the
   * definition has no part in it.
   */
  member?: string;
  rule?: string;
  hint: RegExp;
  /** What else the terminal and the page say. */
  says?: RegExp;
  /** The failure comes before or without a page. */
  pageless?: boolean;
}

const LOGIN = "https://login.tasks.example";
const RFC = {
  authorize: "RFC 6749 §4.1.2.1",
  token: "RFC 6749 §5.2",
  response: "RFC 6749 §5.1",
  callback: "RFC 6749 §4.1.2",
};

const answers = (
  status: number,
  body: string | Record<string, unknown>,
  headers?: Record<string, string>,
): Fault[] => [{ kind: "response", status, body, headers, times: 9 }];
const refusal = (error: string, description?: string, status = 400): Fault[] =>
  answers(status, {
    error,
    ...(description === undefined ? {} : { error_description: description }),
  });
const told = (error: string, description?: string) => (url: URL) => {
  url.searchParams.delete("code");
  url.searchParams.set("error", error);
  if (description !== undefined) url.searchParams.set("error_description", description);
};

const SCENARIOS: Record<string, Scenario> = {
  // The authorization endpoint's answers
  "the person refuses": {
    decision: "deny",
    code: "OAUTH_DENIED",
    exit: 12,
    member: "",
    rule: RFC.authorize,
    hint: /^Connect again and approve/,
  },
  "the provider refuses without a description": {
    callback: told("access_denied"),
    code: "OAUTH_DENIED",
    exit: 12,
    member: "",
    rule: RFC.authorize,
    hint: /approve the request/,
    says: /\(access_denied\)/,
  },
  "a scope does not exist": {
    members: { scopes: '["profile", "reports"]' },
    provider: { scopes: ["profile"] },
    code: "OAUTH_DENIED",
    exit: 12,
    member: "scopes",
    rule: "RFC 6749 §3.3",
    hint: /^Compare scopes and scopeDelimiter/,
    says: /invalid_scope/,
  },
  "the client may not use the flow": {
    callback: told("unauthorized_client", "This client may not ask for codes."),
    code: "OAUTH_DENIED",
    exit: 12,
    member: "",
    rule: RFC.authorize,
    hint: /authorization request/,
    says: /unauthorized_client: This client may not ask for codes\./,
  },
  "the response type is not supported": {
    callback: told("unsupported_response_type"),
    code: "OAUTH_DENIED",
    exit: 12,
    member: "",
    rule: RFC.authorize,
    hint: /authorization request/,
  },
  "the provider is busy while it authorizes": {
    callback: told("temporarily_unavailable", "Come back in an hour."),
    code: "OAUTH_DENIED",
    exit: 12,
    member: "",
    rule: RFC.authorize,
    hint: /Connect again later/,
    says: /Come back in an hour/,
  },
  "a code challenge is demanded and missing": {
    members: { useProofKeyForCodeExchange: "false" },
    provider: { pkce: "required" },
    code: "OAUTH_DENIED",
    exit: 12,
    member: "useProofKeyForCodeExchange",
    rule: "RFC 7636 §4.4.1",
    hint: /change useProofKeyForCodeExchange to true/,
  },
  "a code challenge is refused": {
    callback: told("invalid_request", "PKCE is not supported for this client."),
    code: "OAUTH_DENIED",
    exit: 12,
    member: "useProofKeyForCodeExchange",
    rule: "RFC 7636 §4.4.1",
    hint: /change useProofKeyForCodeExchange to false/,
  },
  "the description is hostile": {
    callback: told("access_denied", '<img src=x onerror=alert(1)>\u001b]0;owned\u0007"'),
    code: "OAUTH_DENIED",
    exit: 12,
    member: "",
    rule: RFC.authorize,
    hint: /approve/,
  },
  "the error code is not one of the protocol": {
    callback: told("consent_required_by_policy_77"),
    code: "OAUTH_DENIED",
    exit: 12,
    member: "",
    rule: RFC.authorize,
    hint: /documentation/,
    says: /consent_required_by_policy_77/,
  },

  // The redirect
  "the code is missing": {
    callback: (url) => url.searchParams.delete("code"),
    code: "OAUTH_CALLBACK_INVALID",
    exit: 12,
    member: "authorizationUrl",
    rule: RFC.callback,
    hint: /Connect again/,
    says: /neither a code nor an error/,
  },
  "the code comes twice": {
    callback: (url) => url.searchParams.append("code", "second"),
    code: "OAUTH_CALLBACK_INVALID",
    exit: 12,
    member: "authorizationUrl",
    rule: "RFC 6749 §3.1",
    hint: /Connect again/,
    says: /"code" appears twice/,
  },
  "the code has another name": {
    provider: { profiles: ["renamed-code"] },
    code: "OAUTH_CALLBACK_INVALID",
    exit: 12,
    member: "authorizationUrl",
    rule: RFC.callback,
    hint: /add codeParamName: "auth_code"/,
  },
  "the redirect names another issuer": {
    members: { issuer: `"${LOGIN}"` },
    provider: { issuer: LOGIN },
    callback: (url) => url.searchParams.set("iss", "https://mixed-up.example"),
    code: "OAUTH_ISSUER_MISMATCH",
    exit: 12,
    member: "issuer",
    rule: "RFC 9207 §2.4",
    hint: /only the page that the command opens/,
    says: /mixed-up\.example/,
  },
  "a promised issuer is missing in the redirect": {
    members: { issuer: `"${LOGIN}"`, authorizationUrl: "undefined", tokenUrl: "undefined" },
    provider: { issuer: LOGIN },
    callback: (url) => url.searchParams.delete("iss"),
    code: "OAUTH_ISSUER_MISMATCH",
    exit: 12,
    member: "issuer",
    rule: "RFC 9207 §2.4",
    hint: /only the page that the command opens/,
  },
  "a declared parameter of the redirect is missing": {
    members: { callbackParams: '[{ name: "realm", kind: "segment" }]' },
    code: "OAUTH_CALLBACK_INVALID",
    exit: 12,
    member: "callbackParams",
    rule: RFC.callback,
    hint: /Ask the provider to send realm/,
  },
  "a declared parameter of the redirect is hostile": {
    members: { callbackParams: '[{ name: "realm", kind: "segment" }]' },
    callback: (url) => url.searchParams.set("realm", "../../admin"),
    code: "OAUTH_CALLBACK_INVALID",
    exit: 12,
    member: "callbackParams",
    rule: RFC.callback,
    hint: /Compare the parameter's kind/,
  },
  "nobody comes back": {
    args: ["--timeout", "0.3"],
    instead: async () => nothing,
    pageless: true,
    code: "OAUTH_CONNECT_TIMEOUT",
    exit: 12,
    member: "authorizationUrl",
    rule: "RFC 6749 §3.1.2",
    hint: /To allow more time, pass --timeout/,
  },
  "another browser brings the code": {
    args: ["--timeout", "3"],
    instead: (callback) => createTestBrowser().open(callback.href),
    pageless: true,
    code: "OAUTH_CONNECT_TIMEOUT",
    exit: 12,
    member: "authorizationUrl",
    rule: "RFC 6749 §3.1.2",
    hint: /finish the login in the browser/,
  },

  // The token endpoint's refusals
  "the secret is wrong": {
    secret: "wrong-secret",
    code: "OAUTH_TOKEN_REJECTED",
    exit: 12,
    member: "",
    rule: RFC.token,
    hint: /rejected them in the body and in the Authorization header/,
    says: /invalid_client/,
  },
  "the credentials belong in the header": {
    members: { credentialsLocation: '"Body"' },
    provider: { profiles: ["basic-only"] },
    code: "OAUTH_TOKEN_REJECTED",
    exit: 12,
    member: "credentialsLocation",
    rule: RFC.token,
    hint: /set credentialsLocation: "AuthorizationHeader"/,
  },
  "the credentials belong in the body": {
    members: { credentialsLocation: '"AuthorizationHeader"' },
    provider: { profiles: ["body-only"] },
    code: "OAUTH_TOKEN_REJECTED",
    exit: 12,
    member: "credentialsLocation",
    rule: RFC.token,
    hint: /set credentialsLocation: "Body"/,
  },
  "the secret is missing": {
    secret: undefined,
    code: "OAUTH_TOKEN_REJECTED",
    exit: 12,
    member: "",
    rule: RFC.token,
    hint: /If the provider issued a client secret, set PACKSMITH_CLIENT_SECRET to the secret/,
  },
  "the first attempt burns the code": {
    provider: { profiles: ["basic-only", "basic-burns-code"] },
    code: "OAUTH_TOKEN_REJECTED",
    exit: 12,
    member: "",
    rule: RFC.token,
    hint: /add credentialsLocation: "AuthorizationHeader"/,
  },
  "the code is refused": {
    faults: refusal("invalid_grant", "The code has expired."),
    code: "OAUTH_TOKEN_REJECTED",
    exit: 12,
    member: "",
    rule: RFC.token,
    hint: /compare the registered redirect URI/,
    says: /invalid_grant: The code has expired\./,
  },
  "the code verifier is refused": {
    faults: refusal("invalid_grant", "code_verifier does not match"),
    code: "OAUTH_TOKEN_REJECTED",
    exit: 12,
    member: "useProofKeyForCodeExchange",
    rule: "RFC 7636 §4.6",
    hint: /To change the method, set pkceChallengeMethod/,
  },
  "a scope is refused late": {
    faults: refusal("invalid_scope"),
    code: "OAUTH_TOKEN_REJECTED",
    exit: 12,
    member: "scopes",
    rule: "RFC 6749 §3.3",
    hint: /^Compare scopes/,
  },
  "the grant is not supported": {
    faults: refusal("unsupported_grant_type"),
    code: "OAUTH_TOKEN_REJECTED",
    exit: 12,
    member: "",
    rule: RFC.token,
    hint: /Allow this grant/,
  },
  "the client may not use the grant": {
    faults: refusal("unauthorized_client"),
    code: "OAUTH_TOKEN_REJECTED",
    exit: 12,
    member: "",
    rule: RFC.token,
    hint: /Allow this grant/,
  },
  "a parameter is wrong": {
    faults: refusal("invalid_request", "realm is required"),
    code: "OAUTH_TOKEN_REJECTED",
    exit: 12,
    member: "",
    rule: RFC.token,
    hint: /add tokenParams: \{ realm: /,
    says: /realm is required/,
  },
  "the resource is unknown": {
    members: { resource: '"https://api.tasks.example"' },
    faults: refusal("invalid_target"),
    code: "OAUTH_TOKEN_REJECTED",
    exit: 12,
    member: "resource",
    rule: "RFC 8707 §2",
    hint: /Set resource/,
  },
  "an error comes with status 200": {
    faults: refusal("invalid_grant", undefined, 200),
    code: "OAUTH_TOKEN_REJECTED",
    exit: 12,
    member: "",
    rule: RFC.token,
    hint: /Connect again/,
  },
  "an error comes as a form": {
    faults: answers(400, "error=invalid_grant&error_description=Too+late", {
      "content-type": "application/x-www-form-urlencoded",
    }),
    code: "OAUTH_TOKEN_REJECTED",
    exit: 12,
    member: "",
    rule: RFC.token,
    hint: /Connect again/,
    says: /Too late/,
  },
  "an error comes as an object": {
    faults: answers(400, { error: { code: "invalid_grant", message: "Not any more." } }),
    code: "OAUTH_TOKEN_REJECTED",
    exit: 12,
    member: "",
    rule: RFC.token,
    hint: /./,
    says: /Not any more/,
  },
  "an error comes as ok: false": {
    faults: answers(200, { ok: false, error: "invalid_code" }),
    code: "OAUTH_TOKEN_REJECTED",
    exit: 12,
    member: "",
    rule: RFC.token,
    hint: /documentation/,
    says: /invalid_code/,
  },

  // Answers without tokens
  "the answer is an empty object": {
    faults: answers(200, {}),
    code: "OAUTH_TOKEN_RESPONSE_INVALID",
    exit: 12,
    member: "",
    rule: RFC.response,
    hint: /Check tokenUrl/,
  },
  "the tokens are nested": {
    provider: { profiles: ["nested-data"] },
    code: "OAUTH_TOKEN_RESPONSE_INVALID",
    exit: 12,
    member: "",
    rule: RFC.response,
    hint: /nestedResponseKey/,
  },
  "the tokens are nested elsewhere": {
    members: { nestedResponseKey: '"result"' },
    provider: { profiles: ["nested-data"] },
    code: "OAUTH_TOKEN_RESPONSE_INVALID",
    exit: 12,
    member: "nestedResponseKey",
    rule: RFC.response,
    hint: /nestedResponseKey/,
    says: /result/,
  },
  "the answer is a page": {
    faults: [{ kind: "html", status: 200, times: 9 }],
    code: "OAUTH_TOKEN_RESPONSE_INVALID",
    exit: 12,
    member: "",
    rule: RFC.response,
    hint: /Check tokenUrl/,
  },
  "the answer is empty": {
    faults: answers(200, ""),
    code: "OAUTH_TOKEN_RESPONSE_INVALID",
    exit: 12,
    member: "",
    rule: RFC.response,
    hint: /Check tokenUrl/,
  },
  "the endpoint moved": {
    faults: [
      { kind: "redirect", location: "https://elsewhere.example/token", status: 302, times: 9 },
    ],
    code: "OAUTH_TOKEN_RESPONSE_INVALID",
    exit: 12,
    member: "tokenUrl",
    rule: "RFC 9700 §4.12",
    hint: /^Set tokenUrl to the address/,
  },
  "the endpoint moved and wants the request again": {
    faults: [
      { kind: "redirect", location: "https://elsewhere.example/token", status: 307, times: 9 },
    ],
    code: "OAUTH_TOKEN_RESPONSE_INVALID",
    exit: 12,
    member: "tokenUrl",
    rule: "RFC 9700 §4.12",
    hint: /^Set tokenUrl to the address/,
  },

  // No answer
  "a proxy says 502": {
    faults: [{ kind: "html", status: 502, times: 9 }],
    code: "OAUTH_TOKEN_UNAVAILABLE",
    exit: 11,
    member: "tokenUrl",
    rule: "RFC 9110 §15.6",
    hint: /Try again later/,
  },
  "the server breaks": {
    faults: answers(500, { error: "server_error" }),
    code: "OAUTH_TOKEN_UNAVAILABLE",
    exit: 11,
    member: "tokenUrl",
    rule: "RFC 9110 §15.6",
    hint: /Try again later/,
  },
  "the server says when to come back": {
    faults: answers(503, "", { "retry-after": "17" }),
    code: "OAUTH_TOKEN_UNAVAILABLE",
    exit: 11,
    member: "tokenUrl",
    rule: "RFC 9110 §15.6",
    hint: /Try again in 17 seconds/,
  },
  "there were too many requests": {
    faults: answers(429, { error: "slow_down" }, { "retry-after": "5" }),
    code: "OAUTH_TOKEN_UNAVAILABLE",
    exit: 11,
    member: "tokenUrl",
    rule: "RFC 6585 §4",
    hint: /in 5 seconds/,
  },
  "the answer is cut off": {
    faults: [{ kind: "truncate", times: 9 }],
    code: "OAUTH_TOKEN_UNAVAILABLE",
    exit: 11,
    member: "tokenUrl",
    hint: /Check the network connection/,
  },
  "the connection breaks": {
    faults: [{ kind: "drop", times: 9 }],
    code: "OAUTH_TOKEN_UNAVAILABLE",
    exit: 11,
    member: "tokenUrl",
    hint: /Check the network connection/,
  },
  "the server never answers": {
    args: ["--request-timeout", "0.2"],
    faults: [{ kind: "delay", delayMs: 3_000, times: 9 }],
    code: "OAUTH_TOKEN_TIMEOUT",
    exit: 11,
    member: "tokenUrl",
    hint: /The stored account is unchanged/,
  },
  "the answer never ends": {
    faults: [{ kind: "huge", bytes: 3_000_000, times: 9 }],
    code: "OAUTH_TOKEN_RESPONSE_INVALID",
    exit: 12,
    member: "",
    rule: RFC.response,
    hint: /^Check tokenUrl: the server returned a page or a download/,
  },

  // Endpoints
  "the answer names no endpoint": {
    members: { endpointKey: '"service_url"' },
    code: "ENDPOINT_MISSING",
    exit: 12,
    member: "endpointKey",
    hint: /endpointKey/,
  },
  "the answer names an endpoint of somebody else": {
    members: { endpointKey: '"service_url"' },
    provider: { tokenResponse: { service_url: "https://attacker.example" } },
    code: "ENDPOINT_OUTSIDE_DOMAIN",
    exit: 1,
    member: "",
    hint: /declare its domain with addNetworkDomain/,
    says: /attacker\.example/,
  },
  "no endpoint was entered": {
    members: {
      requiresEndpointUrl: "true",
      endpointDomain: '"tasks.example"',
      authorizationUrl: '"/authorize"',
      tokenUrl: '"/token"',
    },
    pageless: true,
    code: "ENDPOINT_MISSING",
    exit: 12,
    member: "requiresEndpointUrl",
    hint: /--endpoint/,
  },
  "the entered endpoint is somebody else's": {
    members: {
      requiresEndpointUrl: "true",
      endpointDomain: '"tasks.example"',
      authorizationUrl: '"/authorize"',
      tokenUrl: '"/token"',
    },
    args: ["--endpoint", "https://attacker.example"],
    pageless: true,
    code: "ENDPOINT_OUTSIDE_DOMAIN",
    exit: 1,
    member: "endpointDomain",
    hint: /Enter an endpoint in an allowed domain/,
    says: /outside tasks\.example/,
  },

  // Client credentials
  "the client is refused without a browser": {
    type: "OAuth2ClientCredentials",
    secret: "wrong-secret",
    pageless: true,
    code: "OAUTH_TOKEN_REJECTED",
    exit: 12,
    member: "",
    rule: RFC.token,
    hint: /rejected them in the body and in the Authorization header/,
  },
  "the server cannot be reached": {
    type: "OAuth2ClientCredentials",
    route: "nowhere",
    pageless: true,
    code: "OAUTH_TOKEN_UNAVAILABLE",
    exit: 11,
    member: "tokenUrl",
    hint: /Check the network connection and the URL/,
    says: /the connection was refused/,
  },

  // Before anything is sent
  "a variable has no answer": {
    members: {
      connectionVariables: '[{ name: "tenant", label: "Tenant", kind: "segment" }]',
      tokenUrl: `"${LOGIN}/{tenant}/token"`,
    },
    pageless: true,
    code: "CONNECTION_VARIABLE_MISSING",
    exit: 2,
    member: "connectionVariables",
    hint: /--var name=value/,
  },
  "a variable's answer leaves its place": {
    members: {
      connectionVariables: '[{ name: "tenant", label: "Tenant", kind: "segment" }]',
      tokenUrl: `"${LOGIN}/{tenant}/token"`,
    },
    args: ["--var", "tenant=../admin"],
    pageless: true,
    code: "CONNECTION_VARIABLE_INVALID",
    exit: 2,
    member: "connectionVariables",
    hint: /another value/,
  },
  "the issuer has no metadata": {
    members: { issuer: `"${LOGIN}"`, authorizationUrl: "undefined", tokenUrl: "undefined" },
    provider: { issuer: LOGIN },
    faults: [{ kind: "response", status: 404, body: {}, endpoint: "metadata", times: 9 }],
    pageless: true,
    code: "OAUTH_DISCOVERY_FAILED",
    exit: 11,
    member: "issuer",
    rule: "RFC 8414 §3.3",
    hint: /issuer/,
  },
  "the metadata is another issuer's": {
    members: { issuer: `"${LOGIN}"`, authorizationUrl: "undefined", tokenUrl: "undefined" },
    provider: { issuer: "https://other.example" },
    pageless: true,
    code: "OAUTH_DISCOVERY_FAILED",
    exit: 11,
    member: "issuer",
    rule: "RFC 8414 §3.3",
    hint: /issuer/,
  },
  "registration is refused": {
    members: {
      issuer: `"${LOGIN}"`,
      authorizationUrl: "undefined",
      tokenUrl: "undefined",
      useDynamicClientRegistration: "true",
    },
    provider: { issuer: LOGIN },
    faults: [
      {
        kind: "response",
        status: 403,
        body: { error: "access_denied" },
        endpoint: "register",
        times: 9,
      },
    ],
    env: { PACKSMITH_CLIENT_ID: "" },
    secret: undefined,
    code: "OAUTH_REGISTRATION_FAILED",
    exit: 12,
    member: "useDynamicClientRegistration",
    rule: "RFC 7591 §3.2.2",
    hint: /--client-id/,
  },
  "there is no client": {
    env: { PACKSMITH_CLIENT_ID: "" },
    secret: undefined,
    pageless: true,
    code: "OAUTH_CLIENT_MISSING",
    exit: 12,
    member: "",
    rule: "RFC 6749 §2.2",
    hint: /--client-id/,
  },
  "the Pack has no OAuth": {
    more: 'pack.setUserAuthentication({ type: "None" });',
    pageless: true,
    code: "OAUTH_NOT_CONFIGURED",
    exit: 2,
    hint: /setUserAuthentication/,
  },
  "the endpoint's choice is not offered": {
    members: {
      postSetup:
        '[{ type: "SetEndPoint", name: "Site", description: "Which site.", getOptions: async () => [{ display: "A", value: "https://a.tasks.example" }, { display: "B", value: "https://b.tasks.example" }] }]',
    },
    args: ["--choose", "Site=https://c.tasks.example"],
    code: "POST_SETUP_CHOICE",
    exit: 2,
    member: "postSetup",
    hint: /--choose/,
  },
};

const nothing: TestPage = {
  url: new URL("about:blank"),
  status: 0,
  html: "",
  headers: new Headers(),
  trail: [],
};

describe("a connection that fails", () => {
  it.each(Object.entries(SCENARIOS))("%s", async (_name, scenario) => {
    await using setup = await startSetup(scenario);
    const run = setup.run();
    const page = await setup.browse(run);
    const failed = performance.eventLoopUtilization();
    const exit = await run.ended;
    const { idle } = performance.eventLoopUtilization(failed);

    const terminal = run.stderr();
    const [, code, message] = /^error (\w+) {2}(.*)$/m.exec(terminal) ?? [];
    const [, hint = ""] = /^ {2}→ (.*)$/m.exec(terminal) ?? [];
    expect({ code, exit, terminal }).toMatchObject({ code: scenario.code, exit: scenario.exit });
    expect(hint).toMatch(scenario.hint);
    expect(terminal.trimEnd().split("\n").at(-1)).toBe(
      [...setup.place(), scenario.rule ?? []]
        .flat()
        .join("  ")
        .replace(/^(?=.)/, "  ") || `  → ${hint}`,
    );
    expect(message).toMatch(scenario.says ?? /^.*[.)]$/);
    // Control characters move the cursor or change the title of a window.
    expect(terminal).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    expect(terminal).not.toMatch(/^\s+at /m);

    if (scenario.pageless !== true) {
      const text =
        page?.html.replaceAll(/&#(\d+);/g, (_, point) => String.fromCharCode(Number(point))) ?? "";
      for (const part of [scenario.code, message, hint, scenario.rule, ...setup.place()])
        if (part !== undefined) expect(text).toContain(part);
      expect(page?.html).not.toMatch(/<(?:img|script)/);
      expect(page?.status).toBe(400);
      // Nobody waits for a failure that is known: whatever time passes now, this process had
      // nothing to do in it. An idle connection would keep the command for 5 s.
      expect(idle).toBeLessThan(4_000);
    }
    expect(await setup.stored()).toEqual([]);
    expect(await setup.explained()).toContain(
      scenario.code === "OAUTH_NOT_CONFIGURED" ? "FLOW_RECORD_MISSING" : scenario.code,
    );
  });

  it("names the port that is taken and what to do, before anything is opened", async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, "127.0.0.1", resolve));
    const { port } = blocker.address() as AddressInfo;
    await using setup = await startSetup({
      args: ["--port", String(port)],
      code: "PORT_IN_USE",
      exit: 11,
      hint: /./,
    });
    const run = setup.run();
    expect(await run.ended).toBe(11);
    expect(run.stderr()).toMatch(new RegExp(`error PORT_IN_USE {2}.*${port}`));
    expect(run.stderr()).not.toContain("open this link");
    blocker.close();
  });

  it("tells after a success that had a refused attempt in it how to spare the provider that", async () => {
    await using setup = await startSetup({
      provider: { profiles: ["basic-only"] },
      code: "INTERNAL",
      exit: 0,
      hint: /./,
    });
    const run = setup.run();
    await setup.browse(run);
    expect(await run.ended).toBe(0);
    expect(run.stderr()).toContain('Set credentialsLocation: "AuthorizationHeader"');
  });
});

async function startSetup(scenario: Scenario) {
  const provider = await startProvider({
    ...scenario.provider,
    ...(scenario.faults === undefined ? {} : { faults: scenario.faults }),
  });
  const folder = makeTemporaryFolder();
  const home = join(folder.path, "home");
  const source = writePack(scenario);
  await writeFile(join(folder.path, "pack.ts"), source);
  const env: Record<string, string> = {
    PACKSMITH_HOME: home,
    PACKSMITH_CLIENT_ID: provider.clientId,
    ...("secret" in scenario ? createSecret(scenario.secret) : createSecret(provider.clientSecret)),
    ...scenario.env,
  };
  const route = `${LOGIN}=${scenario.route === "nowhere" ? await unusedOrigin() : readOrigin(provider.authorizationUrl)}`;
  const cli = (...args: string[]) => startCli(args, { cwd: folder.path, env });
  return {
    run: () =>
      cli("auth", "connect", "pack.ts", "--no-browser", "--route", route, ...(scenario.args ?? [])),
    async browse(run: ReturnType<typeof startCli>): Promise<TestPage | undefined> {
      const link = await run.seen(/open this link to continue: (\S+)\n/);
      if (link === undefined) return undefined;
      const isCallback = (url: URL) => url.pathname.startsWith("/oauth/callback");
      const browser = createTestBrowser();
      let page = await browser.open(link[1] ?? "", isCallback);
      while (page.html.includes("data-packsmith=")) {
        page = await browser.submit(page, { decision: scenario.decision ?? "approve" }, isCallback);
      }
      if (!isCallback(page.url)) return page;
      if (scenario.instead !== undefined) return await scenario.instead(page.url);
      scenario.callback?.(page.url);
      return await browser.open(page.url.href);
    },
    /** `file:line:column` of what the scenario is about. */
    place(): string[] {
      const { member } = scenario;
      if (member === undefined) return [];
      const lines = source.split("\n");
      const line = lines.findIndex((text) =>
        text.startsWith(member === "" ? "pack.setUserAuthentication" : `  ${member}:`),
      );
      return [`pack.ts:${line + 1}:${member === "" ? 6 : 3}`];
    },
    async stored() {
      const run = cli("auth", "list", "--json");
      await run.ended;
      return (JSON.parse(run.stdout()) as { accounts: unknown[] }).accounts;
    },
    async explained() {
      const run = cli("auth", "explain");
      await run.ended;
      return run.stdout() + run.stderr();
    },
    async [Symbol.asyncDispose]() {
      await provider.close();
      folder[Symbol.dispose]();
    },
  };
}

/** An address where nobody listens any more. */
async function unusedOrigin(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const readOrigin = (url: string) => new URL(url).origin;
const createSecret = (secret: string | undefined): Record<string, string> =>
  secret === undefined ? {} : { PACKSMITH_CLIENT_SECRET: secret };

function writePack({ type = "OAuth2", members = {}, more = "" }: Scenario): string {
  const usual: Record<string, string> =
    type === "OAuth2"
      ? {
          authorizationUrl: `"${LOGIN}/authorize"`,
          tokenUrl: `"${LOGIN}/token"`,
          scopes: '["profile"]',
          useProofKeyForCodeExchange: "true",
        }
      : { tokenUrl: `"${LOGIN}/token"` };
  const lines = Object.entries({ ...usual, ...members }).filter(
    ([, value]) => value !== "undefined",
  );
  return `import { newPack } from "packsmith";
export const pack = newPack({ networkDomains: ["tasks.example"] });
pack.setUserAuthentication({
  type: "${type}",
${lines.map(([name, value]) => `  ${name}: ${value},`).join("\n")}
});
${more}
`;
}
