import { describe, expect, it } from "vitest";
import type { OAuth2Authentication } from "../../../src/define/oauth.ts";
import {
  type DeviceInstructions,
  requestDeviceToken,
} from "../../../src/oauth/connect/device-authorization.ts";
import type { ExchangeRecord } from "../../../src/oauth/exchange-record.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import {
  type Answer,
  baseTokens,
  type ReceivedRequest,
  startTokenServer,
} from "../../support/token-server.ts";

const codes = {
  device_code: "planted-device-code",
  user_code: "AB-CD",
  verification_uri: "https://login.example/device",
  expires_in: 60,
  interval: 0.001,
};

interface Server {
  /** Members of the device response that differ from `codes`. */
  device?: Record<string, unknown>;
  answerDevice?: Answer;
  /** Answers of the token endpoint, in their order. The last one is repeated. @default tokens */
  tokens?: readonly Answer[];
}

/** Connects at a server that answers so. @returns what it saw and what the person was shown */
async function connect(
  { device, answerDevice, tokens = [{ body: baseTokens }] }: Server = {},
  members: Partial<OAuth2Authentication> = {},
  options: Partial<Parameters<typeof requestDeviceToken>[0]> = {},
) {
  const waiting = [...tokens];
  await using server = await startTokenServer(({ url }) =>
    url === "/d"
      ? (answerDevice ?? { body: { ...codes, ...device } })
      : waiting.length > 1
        ? waiting.shift()
        : waiting[0],
  );
  const instructions: DeviceInstructions[] = [];
  const redactor = createRedactor();
  const outcome = await requestDeviceToken({
    definition: {
      type: "OAuth2",
      authorizationUrl: `${server.url}/a`,
      tokenUrl: `${server.url}/t`,
      ...members,
    } as OAuth2Authentication,
    client: { clientId: "client", clientSecret: undefined },
    tokenUrl: `${server.url}/t`,
    deviceAuthorizationUrl: `${server.url}/d`,
    networkDomains: [],
    instruct: (shown) => void instructions.push(shown),
    redactor,
    ...options,
  }).catch((error: unknown) => error);
  const requestsTo = (path: string): ReceivedRequest[] =>
    server.requests.filter(({ url }) => url === path);
  return { outcome, instructions, redactor, requestsTo };
}

const rejection = (error: string): Answer => ({
  status: 400,
  body: { error, error_description: "The server says why." },
});

describe("requestDeviceToken", () => {
  it("shows the code and its addresses, and returns the tokens", async () => {
    const complete = "https://login.example/device?code=AB-CD";
    const { outcome, instructions } = await connect({
      device: { verification_uri_complete: complete },
    });
    expect(instructions).toEqual([
      {
        verificationUri: "https://login.example/device",
        userCode: "AB-CD",
        verificationUriComplete: complete,
        expiresInSeconds: 60,
      },
    ]);
    expect(outcome).toMatchObject({ accessToken: "at", scopes: ["a", "b"] });
  });

  it("shows no complete address when the server sends none", async () => {
    const { instructions } = await connect();
    expect(instructions[0]?.verificationUriComplete).toBeUndefined();
  });

  it("asks for the scopes and the resource of the definition", async () => {
    const { requestsTo } = await connect(
      {},
      { scopes: ["read"], resource: "https://api.example/" },
      { extraScopes: ["write"] },
    );
    const params = requestsTo("/d")[0]?.params;
    expect(params?.get("scope")).toBe("read write");
    expect(params?.get("resource")).toBe("https://api.example/");
  });

  it("asks for scopes under the name that the definition has for them", async () => {
    const { requestsTo } = await connect({}, { scopes: ["read"], scopeParamName: "user_scope" });
    expect(requestsTo("/d")[0]?.params.get("user_scope")).toBe("read");
    expect(requestsTo("/d")[0]?.params.has("scope")).toBe(false);
  });

  it("sends neither a scope nor a resource when the definition has none", async () => {
    const { requestsTo } = await connect();
    expect([...(requestsTo("/d")[0]?.params.keys() ?? [])]).toEqual(["client_id"]);
  });

  it("sends the parameters of a token request with the token request only", async () => {
    const { requestsTo } = await connect({}, { tokenParams: { audience: "tasks" } });
    expect(requestsTo("/d")[0]?.params.has("audience")).toBe(false);
    expect(requestsTo("/t")[0]?.params.get("audience")).toBe("tasks");
    expect(requestsTo("/t")[0]?.params.get("device_code")).toBe("planted-device-code");
  });

  it("sends the client ID as a parameter also when the header has the credentials", async () => {
    const { requestsTo } = await connect(
      {},
      { credentialsLocation: "AuthorizationHeader" },
      { client: { clientId: "client", clientSecret: "planted-secret" } },
    );
    for (const path of ["/d", "/t"]) {
      const [request] = requestsTo(path);
      expect(request?.headers.authorization).toMatch(/^Basic /);
      expect(request?.params.get("client_id")).toBe("client");
      expect(request?.params.has("client_secret")).toBe(false);
    }
  });

  it("records waiting for the user as waiting, not as an error", async () => {
    const records: ExchangeRecord[] = [];
    await connect(
      { tokens: [rejection("authorization_pending"), { body: baseTokens }] },
      {},
      { onExchange: (record) => records.push(record) },
    );
    expect(records.map(({ step, isWaiting, error }) => [step, isWaiting, error])).toEqual([
      ["device", undefined, undefined],
      ["token", true, undefined],
      ["token", undefined, undefined],
    ]);
  });

  it("splits the granted scopes at the delimiter of the definition", async () => {
    const { outcome } = await connect(
      { tokens: [{ body: { ...baseTokens, scope: "a;b" } }] },
      { scopeDelimiter: ";" },
    );
    expect(outcome).toMatchObject({ scopes: ["a", "b"] });
  });

  it("masks the device code from then on", async () => {
    const { redactor } = await connect();
    expect(redactor.text("code planted-device-code")).not.toContain("planted");
  });

  it("waits while the person has not decided", async () => {
    const { outcome, requestsTo } = await connect({
      tokens: [rejection("authorization_pending"), { body: baseTokens }],
    });
    expect(outcome).toMatchObject({ accessToken: "at" });
    expect(requestsTo("/t")).toHaveLength(2);
  });

  it("fails with OAUTH_DENIED when the person denies", async () => {
    const { outcome } = await connect({ tokens: [rejection("access_denied")] });
    expect(outcome).toMatchObject({
      code: "OAUTH_DENIED",
      details: { error: "access_denied", description: "The server says why." },
    });
  });

  it("fails with OAUTH_CONNECT_TIMEOUT when the code has expired", async () => {
    const { outcome } = await connect({ tokens: [rejection("expired_token")] });
    expect(outcome).toMatchObject({
      code: "OAUTH_CONNECT_TIMEOUT",
      details: { limitMs: 60_000 },
    });
  });

  it("passes on any other rejection of the token request", async () => {
    const { outcome } = await connect({ tokens: [rejection("invalid_grant")] });
    expect(outcome).toMatchObject({ code: "OAUTH_TOKEN_REJECTED" });
  });

  it("fails with the reason of its signal when it is aborted", async () => {
    const reason = new Error("The person left.");
    const { outcome } = await connect(
      { tokens: [rejection("authorization_pending")], device: { interval: 30 } },
      {},
      { signal: AbortSignal.abort(reason) },
    );
    expect(outcome).toBe(reason);
  });

  it("passes on a rejection of the device request", async () => {
    const { outcome, instructions } = await connect({ answerDevice: rejection("invalid_scope") });
    expect(outcome).toMatchObject({ code: "OAUTH_TOKEN_REJECTED" });
    expect(instructions).toEqual([]);
  });

  it.each(["device_code", "user_code", "verification_uri", "expires_in"])(
    "names %s when it is missing from the device response",
    async (name) => {
      const { outcome } = await connect({ device: { [name]: undefined } });
      expect(outcome).toMatchObject({
        code: "OAUTH_TOKEN_RESPONSE_INVALID",
        details: { status: 200, reason: `there is no usable ${name}` },
      });
    },
  );

  it("fails with OAUTH_TOKEN_RESPONSE_INVALID when the device response is a page", async () => {
    const { outcome } = await connect({
      answerDevice: { body: "<p>Welcome</p>", headers: { "content-type": "text/html" } },
    });
    expect(outcome).toMatchObject({ code: "OAUTH_TOKEN_RESPONSE_INVALID" });
  });

  it("reads the names that drafts of the standard had for the addresses", async () => {
    const { instructions } = await connect({
      device: {
        verification_uri: undefined,
        verification_url: "https://login.example/draft",
        verification_url_complete: "https://login.example/draft?code=AB-CD",
      },
    });
    expect(instructions).toMatchObject([
      {
        verificationUri: "https://login.example/draft",
        verificationUriComplete: "https://login.example/draft?code=AB-CD",
      },
    ]);
  });

  it("prefers the names of the standard for the addresses", async () => {
    const { instructions } = await connect({
      device: { verification_url: "https://login.example/draft" },
    });
    expect(instructions[0]?.verificationUri).toBe("https://login.example/device");
  });

  it("reads times that the server wrote as texts", async () => {
    const { instructions, outcome } = await connect({
      device: { expires_in: "90", interval: "0.001" },
    });
    expect(instructions[0]?.expiresInSeconds).toBe(90);
    expect(outcome).toMatchObject({ accessToken: "at" });
  });

  it("ends a code after a day at the latest, so that no timer overflows", async () => {
    const { instructions } = await connect({ device: { expires_in: 1e12 } });
    expect(instructions[0]?.expiresInSeconds).toBe(86_400);
  });

  it("binds the tokens to a new key when the definition asks for it", async () => {
    const { requestsTo } = await connect({}, { dpop: true });
    expect(requestsTo("/t")[0]?.headers).toHaveProperty("dpop");
  });

  it("sends no proof of a key when the caller turns it off, or no one asks for it", async () => {
    const off = await connect({}, { dpop: true }, { dpop: false });
    expect(off.requestsTo("/t")[0]?.headers).not.toHaveProperty("dpop");
    const unasked = await connect();
    expect(unasked.requestsTo("/t")[0]?.headers).not.toHaveProperty("dpop");
  });
});
