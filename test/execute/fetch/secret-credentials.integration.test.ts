import { describe, expect, it } from "vitest";
import { createSecretSession } from "../../../src/accounts/entered-credentials.ts";
import type { SecretAuthentication } from "../../../src/define/authentication.ts";
import { createResponseCache } from "../../../src/execute/fetch/fetch-cache.ts";
import { createHostFetcher, type HostFetcherOptions } from "../../../src/execute/fetch/fetcher.ts";
import type { ExchangeDetail, RequestRecord } from "../../../src/execute/request-record.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { json, startTestServer } from "../http-server.ts";

const ORIGIN = "https://api.tasks.example";
const INVOCATION = "b4c1-2f";
const template = (name: string) => `{{${name}-${INVOCATION}}}`;

function createFetcher(options: Partial<HostFetcherOptions> & { networkDomains?: string[] } = {}) {
  const records: RequestRecord[] = [];
  const details: ExchangeDetail[] = [];
  const networkDomains = options.networkDomains ?? ["api.tasks.example"];
  const definition = { networkDomains, formulas: [], formats: [], syncTables: [], skills: [] };
  const fetcher = createHostFetcher({
    redactor: createRedactor(),
    definition: definition as never,
    invocationToken: INVOCATION,
    onRequest: (record) => records.push(record),
    onExchange: (detail) => details.push(detail),
    ...options,
  });
  return { fetcher, records, details };
}

const account = (authentication: SecretAuthentication, secrets: Record<string, string>) =>
  createSecretSession({ authentication, secrets });
const SECRET = `s3cr"et\\é&=`;

describe("a value of an account in the host of a URL", () => {
  const KEY = "ABCDEF0123456789";
  const keyed = account(
    { type: "Custom", params: [{ name: "key", description: "" }] },
    { key: KEY },
  );
  const request = { method: "GET", url: `https://${template("key")}.api.tasks.example/` };

  it("is masked for the Pack although hosts are in lower case: in the message of a failure", async () => {
    const { fetcher } = createFetcher({ account: keyed, lookup: async () => ["127.0.0.1"] });
    const answer = await fetcher.fetch(request);
    expect(answer).toMatchObject({ ok: false, error: { code: "FETCH_HOST_REFUSED" } });
    expect("failure" in answer && answer.failure.message).toContain(".api.tasks.example");
    expect(JSON.stringify("failure" in answer && answer.failure)).not.toMatch(new RegExp(KEY, "i"));
  });

  it("and in the response of a server that repeats its host", async () => {
    const hosts: string[] = [];
    const { fetcher } = createFetcher({
      account: keyed,
      lookup: async () => ["8.8.8.8"],
      fetch: async (input) => {
        hosts.push(new URL(String(input)).host);
        return Response.json({ host: hosts[0] }, { headers: { "x-host": hosts[0] ?? "" } });
      },
    });
    const answer = await fetcher.fetch(request);
    expect(hosts).toEqual([`${KEY.toLowerCase()}.api.tasks.example`]);
    expect(answer).toMatchObject({ ok: true, response: { status: 200 } });
    expect(JSON.stringify(answer)).not.toMatch(new RegExp(KEY, "i"));
  });
});

describe("each type of authentication sends its credentials as specified", () => {
  it.each<[string, SecretAuthentication, Record<string, string>, object]>([
    [
      "HeaderBearerToken",
      { type: "HeaderBearerToken" },
      { token: "tok-1" },
      { authorization: "Bearer tok-1" },
    ],
    [
      "CodaApiHeaderBearerToken",
      { type: "CodaApiHeaderBearerToken" },
      { token: "tok-1" },
      { authorization: "Bearer tok-1" },
    ],
    [
      "CustomHeaderToken",
      { type: "CustomHeaderToken", headerName: "X-Api-Key" },
      { token: "tok-1" },
      { "x-api-key": "tok-1" },
    ],
    [
      "CustomHeaderToken with a prefix",
      { type: "CustomHeaderToken", headerName: "Authorization", tokenPrefix: "Token" },
      { token: "tok-1" },
      { authorization: "Token tok-1" },
    ],
    [
      "MultiHeaderToken",
      {
        type: "MultiHeaderToken",
        headers: [
          { name: "X-Key", description: "" },
          { name: "X-App", description: "", tokenPrefix: "app" },
        ],
      },
      { "X-Key": "tok-1", "X-App": "tok-2" },
      { "x-key": "tok-1", "x-app": "app tok-2" },
    ],
    [
      "WebBasic",
      { type: "WebBasic" },
      { username: "ada", password: "pä:ss" },
      { authorization: `Basic ${Buffer.from("ada:pä:ss").toString("base64")}` },
    ],
    [
      "WebBasic with a user name only",
      { type: "WebBasic", uxConfig: { usernameOnly: true } },
      { username: "key-1" },
      { authorization: `Basic ${Buffer.from("key-1:").toString("base64")}` },
    ],
  ])("%s", async (_, authentication, secrets, expected) => {
    await using server = await startTestServer((_request, response) => json(response, 200, {}));
    const headers = { Accept: "text/plain" };
    const { fetcher, records } = createFetcher({
      routes: { [ORIGIN]: server.origin },
      account: account(authentication, secrets),
    });
    expect(
      await fetcher.fetch({ method: "GET", url: `${ORIGIN}/x?id=1&id=2`, headers }),
    ).toMatchObject({ ok: true });
    expect(server.requests[0]).toMatchObject({
      url: "/x?id=1&id=2",
      headers: { accept: "text/plain", ...expected },
    });
    // Weakness 14.
    expect(headers).toEqual({ Accept: "text/plain" });
    for (const secret of Object.values(secrets))
      if (secret !== "ada") expect(JSON.stringify(records)).not.toContain(secret);
  });

  it.each<[string, SecretAuthentication, Record<string, string>, string]>([
    [
      "QueryParamToken",
      { type: "QueryParamToken", paramName: "api key" },
      { token: "a/b c" },
      "/x?api%20key=a%2Fb%20c&id=1&id=2&q=a%20b+c",
    ],
    [
      "MultiQueryParamToken",
      {
        type: "MultiQueryParamToken",
        params: [
          { name: "key", description: "" },
          { name: "app", description: "" },
        ],
      },
      { key: "tok-1", app: "tok-2" },
      "/x?key=tok-1&app=tok-2&id=1&id=2&q=a%20b+c",
    ],
  ])(
    "%s, first and without touching the other parameters (weakness 13)",
    async (_, authentication, secrets, expected) => {
      await using server = await startTestServer((_request, response) => json(response, 200, {}));
      const { fetcher, records } = createFetcher({
        routes: { [ORIGIN]: server.origin },
        account: account(authentication, secrets),
      });
      await fetcher.fetch({ method: "GET", url: `${ORIGIN}/x?id=1&id=2&q=a%20b+c` });
      expect(server.requests[0]?.url).toBe(expected);
      expect(records[0]?.url).toBe(`${ORIGIN}/x?id=1&id=2&q=a%20b+c`);
    },
  );

  it("WebBasic fills its templates in a text body, too", async () => {
    await using server = await startTestServer((_request, response) => json(response, 200, {}));
    const { fetcher } = createFetcher({
      routes: { [ORIGIN]: server.origin },
      account: account({ type: "WebBasic" }, { username: "ada", password: SECRET }),
    });
    const body = JSON.stringify({
      user: template("username"),
      login: [template("password"), template("password")],
    });
    await fetcher.fetch({
      method: "POST",
      url: ORIGIN,
      body,
      headers: { "Content-Type": "application/json" },
    });
    expect(JSON.parse(server.requests[0]?.body ?? "")).toEqual({
      user: "ada",
      login: [SECRET, SECRET],
    });
  });

  it("Custom fills URL, headers, body and form, and shows the Pack none of it", async () => {
    await using server = await startTestServer((request, response) =>
      json(response, 200, { echo: request }),
    );
    const authentication: SecretAuthentication = {
      type: "Custom",
      params: [{ name: "key", description: "" }],
    };
    const { fetcher, records, details } = createFetcher({
      routes: { [ORIGIN]: server.origin },
      account: account(authentication, { key: SECRET }),
    });
    const results = [
      await fetcher.fetch({
        method: "GET",
        url: `${ORIGIN}/x?k=${template("key")}`,
        headers: { "X-Key": `Key ${template("key")}` },
      }),
      await fetcher.fetch({ method: "POST", url: ORIGIN, form: { key: template("key") } }),
    ];
    expect(server.requests[0]).toMatchObject({
      url: `/x?k=${encodeURIComponent(SECRET)}`,
      headers: { "x-key": `Key ${SECRET}` },
    });
    expect(new URLSearchParams(server.requests[1]?.body).get("key")).toBe(SECRET);
    const shown = JSON.stringify([results, records, details]);
    for (const form of [SECRET, JSON.stringify(SECRET).slice(1, -1), encodeURIComponent(SECRET)])
      expect(shown).not.toContain(form);
  });

  it("Custom values that only name something stay readable in responses", async () => {
    await using server = await startTestServer((_request, response) =>
      json(response, 200, { domain: "acme-corporation" }),
    );
    const authentication: SecretAuthentication = {
      type: "Custom",
      params: [{ name: "domain", description: "" }],
    };
    const { fetcher } = createFetcher({
      routes: { [ORIGIN]: server.origin },
      account: account(authentication, { domain: "acme-corporation" }),
    });
    expect(
      await fetcher.fetch({ method: "GET", url: `${ORIGIN}/?d=${template("domain")}` }),
    ).toMatchObject({
      response: { body: { domain: "acme-corporation" } },
    });
  });

  it.each<[string, SecretAuthentication, Record<string, string>, object]>([
    [
      "a header",
      { type: "HeaderBearerToken" },
      { token: "tok-1" },
      { headers: { authorization: "mine" } },
    ],
    [
      "a header in other letters",
      { type: "CustomHeaderToken", headerName: "X-Api-Key" },
      { token: "t" },
      { headers: { "x-api-KEY": "1" } },
    ],
    [
      "a parameter",
      { type: "QueryParamToken", paramName: "key" },
      { token: "tok-1" },
      { url: `${ORIGIN}/?a=1&key=mine` },
    ],
  ])(
    "a clash with %s of the Pack's own is an error",
    async (_, authentication, secrets, request) => {
      const { fetcher } = createFetcher({
        account: account(authentication, secrets),
        fetch: () => Promise.reject(new TypeError("a socket")),
      });
      expect(await fetcher.fetch({ method: "GET", url: ORIGIN, ...request })).toMatchObject({
        ok: false,
        error: { code: "FETCH_URL_INVALID" },
      });
    },
  );

  it("an empty value is an error before anything is sent", () => {
    const authentication: SecretAuthentication = {
      type: "MultiQueryParamToken",
      params: [{ name: "key", description: "" }],
    };
    expect(() => account(authentication, { key: "" })).toThrow(
      expect.objectContaining({ code: "CREDENTIAL_MISSING" }),
    );
    expect(() => account(authentication, { key: "1", other: "2" })).toThrow(
      expect.objectContaining({ code: "CREDENTIAL_INVALID" }),
    );
    expect(() => account(authentication, { key: "1\r\nX: y" })).toThrow(
      expect.objectContaining({ code: "CREDENTIAL_INVALID" }),
    );
  });

  it("credentials in a query do not follow a redirect that repeats them", async () => {
    await using other = await startTestServer((_, response) => json(response, 200, {}));
    await using server = await startTestServer((request, response) =>
      response.writeHead(302, { location: `https://files.example${request.url}` }).end(),
    );
    const { fetcher } = createFetcher({
      networkDomains: ["api.tasks.example", "files.example"],
      routes: { [ORIGIN]: server.origin, "https://files.example": other.origin },
      account: account(
        { type: "QueryParamToken", paramName: "key", networkDomain: "api.tasks.example" },
        { token: "tok-1" },
      ),
    });
    await fetcher.fetch({ method: "GET", url: `${ORIGIN}/x?a=1` });
    expect(other.requests[0]?.url).toBe("/x?a=1");
  });
});

describe("several accounts in one run", () => {
  it("each go to the hosts that they are for, the user's before the Pack's own", async () => {
    await using server = await startTestServer((_, response) => json(response, 200, {}));
    const origins = [
      "https://user.example",
      "https://system.example",
      "https://both.example",
      "https://none.example",
    ];
    const { fetcher } = createFetcher({
      networkDomains: origins.map((origin) => new URL(origin).host),
      routes: Object.fromEntries(origins.map((origin) => [origin, server.origin])),
      account: account(
        { type: "HeaderBearerToken", networkDomain: ["user.example", "both.example"] },
        { token: "user-token" },
      ),
      systemAccount: account(
        { type: "HeaderBearerToken", networkDomain: ["system.example", "both.example"] },
        { token: "system-token" },
      ),
    });
    for (const origin of origins) await fetcher.fetch({ method: "GET", url: origin });
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer user-token",
      "Bearer system-token",
      "Bearer user-token",
      undefined,
    ]);
  });
});

describe("responses that are reused", () => {
  it("come from the cache for five minutes, or as long as the request says", async () => {
    let now = 0;
    await using server = await startTestServer((_, response, count) =>
      json(response, 200, { count }),
    );
    const { fetcher, records } = createFetcher({
      routes: { [ORIGIN]: server.origin },
      now: () => now,
      cache: createResponseCache({ now: () => now }),
    });
    const get = async (more = {}) => {
      const result = await fetcher.fetch({ method: "GET", url: ORIGIN, ...more });
      return result.ok ? (result.response as { body: { count: number } }).body.count : undefined;
    };
    expect([await get(), await get()]).toEqual([1, 1]);
    now += 299_999;
    expect(await get()).toBe(1);
    now += 1;
    expect(await get()).toBe(2);
    expect(await get({ cacheTtlSecs: 0 })).toBe(3);
    expect(await get({ headers: { Accept: "text/plain" }, cacheTtlSecs: 1e9 })).toBe(4);
    now += 86_400_000;
    expect(await get({ headers: { Accept: "text/plain" } })).toBe(5);
    expect(await get({ method: "POST" })).toBe(6);
    expect(await get({ method: "POST" })).toBe(7);
    expect([
      await get({ method: "POST", forceCache: true }),
      await get({ method: "POST", forceCache: true }),
    ]).toEqual([8, 8]);
    expect(records.filter(({ fromCache }) => fromCache)).toHaveLength(3);
    expect(await fetcher.fetch({ method: "GET", url: ORIGIN, cacheTtlSecs: -1 })).toMatchObject({
      error: { code: "FETCH_URL_INVALID" },
    });
  });

  it("are never another account's, and never failures", async () => {
    await using server = await startTestServer((request, response, count) =>
      json(response, request.url === "/fails" ? 500 : 200, {
        who: request.headers.authorization === undefined ? "nobody" : count,
      }),
    );
    const cache = createResponseCache();
    const of = (token: string) =>
      createFetcher({
        routes: { [ORIGIN]: server.origin },
        cache,
        account: account({ type: "HeaderBearerToken" }, { token }),
      }).fetcher;
    const [ada, bob] = [of("token-ada"), of("token-bob")];
    const url = `${ORIGIN}/x`;
    expect(await ada.fetch({ method: "GET", url })).toMatchObject({
      response: { body: { who: 1 } },
    });
    expect(await bob.fetch({ method: "GET", url })).toMatchObject({
      response: { body: { who: 2 } },
    });
    expect(await ada.fetch({ method: "GET", url, disableAuthentication: true })).toMatchObject({
      response: { body: { who: "nobody" } },
    });
    expect(await ada.fetch({ method: "GET", url })).toMatchObject({
      response: { body: { who: 1 } },
    });
    for (const count of [4, 5]) {
      expect(await ada.fetch({ method: "GET", url: `${ORIGIN}/fails` })).toMatchObject({
        failure: { members: { body: { who: count } } },
      });
    }
  });
});

describe("a server that is asked too often", () => {
  it.each([
    ["seconds", "7", 7_000],
    ["a date", "Thu, 01 Jan 1970 00:00:09 GMT", 9_000],
    ["no time at all", "0", 0],
  ])("is asked again when it says so in %s", async (_, header, waited) => {
    let now = 0;
    await using server = await startTestServer((_request, response, count) =>
      count === 1
        ? json(response, 429, {}, { "retry-after": header })
        : json(response, 200, { fine: true }),
    );
    const { fetcher, records } = createFetcher({
      routes: { [ORIGIN]: server.origin },
      now: () => now,
      sleep: async (ms) => {
        now += ms;
      },
    });
    expect(await fetcher.fetch({ method: "POST", url: ORIGIN, body: "x" })).toMatchObject({
      ok: true,
      response: { body: { fine: true } },
    });
    expect(now).toBe(waited);
    expect(server.requests.map(({ body }) => body)).toEqual(["x", "x"]);
    expect(records.map(({ status, retriedAfter429 }) => [status, retriedAfter429])).toEqual([
      [429, undefined],
      [200, true],
    ]);
  });

  it.each([
    ["the run has no time left", { "retry-after": "60" }, 1],
    ["it does not say when", {}, 1],
    ["what it says cannot be read", { "retry-after": "soon" }, 1],
    ["it never stops", { "retry-after": "1" }, 6],
  ])("is given up when %s, as a StatusCodeError", async (_, headers, requests) => {
    await using server = await startTestServer((_request, response) =>
      json(response, 429, { slow: "down" }, headers as Record<string, string>),
    );
    const { fetcher } = createFetcher({
      routes: { [ORIGIN]: server.origin },
      now: () => 0,
      sleep: async () => {},
    });
    expect(await fetcher.fetch({ method: "GET", url: ORIGIN })).toMatchObject({
      ok: false,
      failure: { name: "StatusCodeError", members: { statusCode: 429, body: { slow: "down" } } },
    });
    expect(server.requests).toHaveLength(requests);
  });
});

describe("what a run tells of its requests", () => {
  it("is what was sent and what came back, without secrets", async () => {
    await using server = await startTestServer((_, response) =>
      json(
        response,
        201,
        { access_token: "made-by-the-api", name: "Ada", secret: "tok-12345" },
        { "x-request": "1" },
      ),
    );
    const { fetcher, details } = createFetcher({
      routes: { [ORIGIN]: server.origin },
      account: account({ type: "HeaderBearerToken" }, { token: "tok-12345" }),
    });
    await fetcher.fetch({
      method: "POST",
      url: ORIGIN,
      form: { password: "typed-in", name: "x" },
      headers: { Cookie: "a=b" },
    });
    expect(details).toMatchObject([
      {
        method: "POST",
        status: 201,
        authentication: "HeaderBearerToken",
        requestHeaders: { Cookie: "••••", "Content-Type": "application/x-www-form-urlencoded" },
        requestBody: "password=••••&name=x",
        responseHeaders: { "x-request": "1" },
        responseBody: '{"access_token":"••••","name":"Ada","secret":"*********"}',
      },
    ]);
  });
});

describe("bodies in other forms", () => {
  it.each([
    ["text/xml", "<a><b>1</b></a>", { b: ["1"] }],
    [
      "application/atom+xml; charset=utf-8",
      `<feed><title type="text">T</title></feed>`,
      { title: [{ $: { type: "text" }, _: "T" }] },
    ],
    ["application/xml", "<a><b></a>", "<a><b></a>"],
    ["image/svg+xml", "<svg/>", "<svg/>"],
  ])("of type %s are read as XML where it can be read", async (type, text, body) => {
    await using server = await startTestServer((_, response) =>
      response.writeHead(200, { "content-type": type }).end(text),
    );
    const { fetcher } = createFetcher({ routes: { [ORIGIN]: server.origin } });
    expect(await fetcher.fetch({ method: "GET", url: ORIGIN })).toMatchObject({
      ok: true,
      response: { body },
    });
  });

  it("are read in the character set that they name", async () => {
    await using server = await startTestServer((_, response) =>
      response
        .writeHead(200, { "content-type": "text/plain; charset=ISO-8859-1" })
        .end(Buffer.from("é", "latin1")),
    );
    const { fetcher } = createFetcher({ routes: { [ORIGIN]: server.origin } });
    expect(await fetcher.fetch({ method: "GET", url: ORIGIN })).toMatchObject({
      response: { body: "é" },
    });
  });
});
