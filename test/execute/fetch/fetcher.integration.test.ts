import { describe, expect, it } from "vitest";
import { createHostFetcher, type HostFetcherOptions } from "../../../src/execute/fetch/fetcher.ts";
import type { RequestRecord } from "../../../src/execute/request-record.ts";
import { parseRoutes } from "../../../src/oauth/routes.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { json, startTestServer } from "../http-server.ts";

const TOKEN = "access-token-number-1";
const RENEWED = "access-token-number-2";

function createFetcher(options: Partial<HostFetcherOptions> & { networkDomains?: string[] }) {
  const records: RequestRecord[] = [];
  const definition = {
    networkDomains: options.networkDomains ?? ["api.tasks.example"],
    formulas: [],
    formats: [],
    syncTables: [],
    skills: [],
  };
  const redactor = createRedactor();
  const fetcher = createHostFetcher({
    redactor,
    definition: definition as never,
    onRequest: (record) => records.push(record),
    ...options,
  });
  return { fetcher, records };
}

function createAccount(
  authentication: Record<string, unknown> = {},
  endpoint?: string,
): NonNullable<HostFetcherOptions["account"]> {
  return {
    endpoint,
    authentication: {
      type: "OAuth2",
      authorizationUrl: "",
      tokenUrl: "",
      ...authentication,
    } as never,
    getAccessToken: async () => TOKEN,
    renewAfterUnauthorized: async (rejected) => (rejected === TOKEN ? RENEWED : undefined),
  };
}

const GET = { method: "GET", url: "https://api.tasks.example/v1/items" };

// docs/rules.md: rule 21
describe("where requests may go", () => {
  it.each([
    ["another host", "https://other.example/", "FETCH_HOST_REFUSED"],
    [
      "a host that ends like a declared one",
      "https://evil-api.tasks.example.org/",
      "FETCH_HOST_REFUSED",
    ],
    ["a suffix without a label boundary", "https://xapi.tasks.example/", "FETCH_HOST_REFUSED"],
    ["another port", "https://api.tasks.example:8443/", "FETCH_HOST_REFUSED"],
    ["loopback that nobody declared", "http://127.0.0.1:1/", "FETCH_HOST_REFUSED"],
    ["a decimal loopback address", "https://2130706433/", "FETCH_HOST_REFUSED"],
    ["plain http", "http://api.tasks.example/", "FETCH_URL_INVALID"],
    ["a file", "file:///etc/passwd", "FETCH_URL_INVALID"],
    ["user info", "https://user:pass@api.tasks.example/", "FETCH_URL_INVALID"],
    ["no URL", "nonsense", "FETCH_URL_INVALID"],
    ["a relative URL without an endpoint", "/v1/items", "ENDPOINT_MISSING"],
    [
      "a declared host as the user name",
      "https://api.tasks.example@other.example/",
      "FETCH_URL_INVALID",
    ],
    [
      "a declared host as the user name, with a backslash",
      "https://other.example\\@api.tasks.example/",
      "FETCH_HOST_REFUSED",
    ],
    ["an encoded @", "https://api.tasks.example%40other.example/", "FETCH_URL_INVALID"],
    ["backslashes for slashes", "https:\\\\other.example\\v1", "FETCH_HOST_REFUSED"],
    ["no slashes", "https:other.example", "FETCH_HOST_REFUSED"],
    ["a tab in the host", "https://other.\texample/", "FETCH_HOST_REFUSED"],
    ["spaces before the URL", "  https://other.example/", "FETCH_HOST_REFUSED"],
    [
      "a declared host before a NUL",
      "https://api.tasks.example\0.other.example/",
      "FETCH_URL_INVALID",
    ],
    [
      "a declared host as a subdomain of another",
      "https://api.tasks.example.other.example/",
      "FETCH_HOST_REFUSED",
    ],
    [
      "letters that only look like a declared host",
      "https://аpi.tasks.example/",
      "FETCH_HOST_REFUSED",
    ],
    ["their punycode", "https://xn--pi-7ka.tasks.example/", "FETCH_HOST_REFUSED"],
    ["an ideographic full stop", "https://api.tasks。example.other.example/", "FETCH_HOST_REFUSED"],
    ["an octal loopback address", "https://0177.0.0.1/", "FETCH_HOST_REFUSED"],
    ["a short loopback address", "https://127.1/", "FETCH_HOST_REFUSED"],
    ["an unspecified address", "https://0.0.0.0/", "FETCH_HOST_REFUSED"],
    ["a loopback address in IPv6", "https://[::ffff:127.0.0.1]/", "FETCH_HOST_REFUSED"],
    ["the name of this machine with a dot", "http://localhost./", "FETCH_HOST_REFUSED"],
    ["a name below the name of this machine", "http://api.localhost/", "FETCH_URL_INVALID"],
    ["data", "data:text/plain,x", "FETCH_URL_INVALID"],
    ["a blob", "blob:https://api.tasks.example/x", "FETCH_URL_INVALID"],
    ["a protocol-relative URL without an endpoint", "//other.example/", "ENDPOINT_MISSING"],
  ])("refuses %s before a socket opens", async (_, url, code) => {
    const { fetcher, records } = createFetcher({
      fetch: () => {
        throw new TypeError("a socket was opened");
      },
    });
    expect(await fetcher.fetch({ method: "GET", url })).toMatchObject({
      ok: false,
      error: { code },
    });
    expect(records).toEqual([]);
  });

  it.each([
    ["127.0.0.1", "http://127.1/"],
    ["127.0.0.1", "http://2130706433/"],
    ["127.0.0.1", "http://0x7f.0.0.1/"],
    ["localhost", "http://LOCALHOST./"],
    ["[::1]", "http://[0:0:0:0:0:0:0:1]/"],
    ["[::ffff:7f00:1]", "https://[::ffff:127.0.0.1]/"],
    ["0.0.0.0", "https://0.0.0.0/"],
    ["api.localhost", "https://api.localhost/"],
    ["169.254.169.254", "https://169.254.169.254/"],
    ["[fd00::1]", "https://[fd00::1]/"],
    ["[64:ff9b::7f00:1]", "https://[64:ff9b::7f00:1]/"],
  ])("does not reach this machine or its network by declaring %s for %s", async (domain, url) => {
    const { fetcher } = createFetcher({
      networkDomains: [domain],
      lookup: async () => ["127.0.0.1"],
    });
    expect(await fetcher.fetch({ method: "GET", url })).toMatchObject({
      ok: false,
      error: { code: "FETCH_HOST_REFUSED" },
    });
  });

  it.each([
    "//other.example/",
    "/\\other.example/",
    "/%2e%2e/admin",
    "/a/../../admin",
    "/ok\n//other.example",
  ])("does not leave the account's endpoint with %j", async (url) => {
    const sent: string[] = [];
    const fetch = async (target: string | URL | Request) => {
      sent.push(String(target));
      return new Response("{}");
    };
    const { fetcher } = createFetcher({
      account: createAccount({}, "https://acme.tasks.example/base"),
      fetch,
    });
    expect(await fetcher.fetch({ method: "GET", url })).toMatchObject({ ok: false });
    expect(sent).toEqual([]);
  });

  it("reaches the subdomains of a declared domain, also when the account's endpoint is that very domain", async () => {
    const account = createAccount({}, "https://tasks.example");
    await using server = await startTestServer((_, response) => json(response, 200, {}));
    const { fetcher } = createFetcher({
      networkDomains: ["tasks.example"],
      account,
      routes: { "https://api.tasks.example": server.origin },
    });
    expect(await fetcher.fetch(GET)).toMatchObject({ ok: true });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
    const { fetcher: narrow } = createFetcher({ networkDomains: ["other.example"], account });
    expect(await narrow.fetch(GET)).toMatchObject({
      ok: false,
      error: { code: "FETCH_HOST_REFUSED" },
    });
  });

  it.each([
    ["127.0.0.1"],
    ["10.1.2.3"],
    ["169.254.169.254"],
    ["::1"],
    ["fd00::1"],
    ["::ffff:192.168.0.1"],
  ])("refuses a declared host whose name leads to %s", async (address) => {
    const { fetcher } = createFetcher({
      lookup: async () => ["93.184.216.34", address],
      fetch: () => {
        throw new TypeError("a socket was opened");
      },
    });
    expect(await fetcher.fetch(GET)).toMatchObject({
      ok: false,
      error: { code: "FETCH_HOST_REFUSED" },
    });
  });

  it("joins a relative URL to the account's endpoint, whose host counts as declared", async () => {
    await using server = await startTestServer((_, response) => json(response, 200, {}));
    const routes = { [server.origin]: server.origin };
    const { fetcher } = createFetcher({
      networkDomains: [],
      routes,
      account: createAccount({}, `${server.origin}/tenant-1`),
    });
    expect(await fetcher.fetch({ method: "GET", url: "/items?a=1&a=2" })).toMatchObject({
      ok: true,
    });
    expect(server.requests[0]).toMatchObject({
      url: "/tenant-1/items?a=1&a=2",
      headers: { authorization: `Bearer ${TOKEN}` },
    });
  });
});

describe("a program on this machine", () => {
  it.each(["127.0.0.1", "localhost", "127.9.9.9"])(
    "at %s gets no request because the Pack declares the host",
    async (host) => {
      await using server = await startTestServer((_, response) => json(response, 200, {}));
      const url = server.origin.replace("127.0.0.1", host);
      const { fetcher } = createFetcher({ networkDomains: [host] });
      expect(await fetcher.fetch({ method: "GET", url })).toMatchObject({
        ok: false,
        error: {
          code: "FETCH_HOST_REFUSED",
          hint: `If the Pack is allowed to use this server, pass --route ${url}.`,
        },
      });
      expect(server.requests).toEqual([]);
    },
  );

  it("gets requests at the port that the user allows, and at no other", async () => {
    await using allowed = await startTestServer((_, response) => json(response, 200, {}));
    await using other = await startTestServer((_, response) => json(response, 200, {}));
    const { fetcher } = createFetcher({
      networkDomains: ["127.0.0.1"],
      routes: parseRoutes([allowed.origin]),
    });
    expect(await fetcher.fetch({ method: "GET", url: `${allowed.origin}/` })).toMatchObject({
      ok: true,
    });
    expect(await fetcher.fetch({ method: "GET", url: `${other.origin}/` })).toMatchObject({
      ok: false,
    });
    expect([allowed.requests.length, other.requests.length]).toEqual([1, 0]);
  });

  it("is not reached by a redirect of a server that the user allows", async () => {
    await using other = await startTestServer((_, response) => json(response, 200, {}));
    await using allowed = await startTestServer(
      (_, response) => void response.writeHead(307, { location: other.origin }).end(),
    );
    const { fetcher } = createFetcher({
      networkDomains: ["127.0.0.1"],
      routes: parseRoutes([allowed.origin]),
    });
    expect(await fetcher.fetch({ method: "GET", url: `${allowed.origin}/` })).toMatchObject({
      ok: false,
    });
    expect(other.requests).toEqual([]);
  });
});

describe("credentials", () => {
  it.each([
    ["Bearer by default", {}, `Bearer ${TOKEN}`],
    ["the declared prefix", { tokenPrefix: "token" }, `token ${TOKEN}`],
    ["no prefix when it is empty", { tokenPrefix: "" }, TOKEN],
  ])("are sent with %s", async (_, authentication, expected) => {
    await using server = await startTestServer((_request, response) => json(response, 200, {}));
    const { fetcher } = createFetcher({
      routes: { "https://api.tasks.example": server.origin },
      account: createAccount(authentication),
    });
    await fetcher.fetch(GET);
    expect(server.requests[0]?.headers.authorization).toBe(expected);
  });

  it("are appended to the query without touching its other parameters", async () => {
    await using server = await startTestServer((_, response) => json(response, 200, {}));
    const { fetcher, records } = createFetcher({
      routes: { "https://api.tasks.example": server.origin },
      account: createAccount({ tokenQueryParam: "key" }),
    });
    await fetcher.fetch({ method: "GET", url: "https://api.tasks.example/x?id=1&id=2&q=a%20b+c" });
    expect(server.requests[0]?.url).toBe(`/x?id=1&id=2&q=a%20b+c&key=${TOKEN}`);
    expect(JSON.stringify(records)).not.toContain(TOKEN);
    expect(
      await fetcher.fetch({ method: "GET", url: "https://api.tasks.example/x?key=mine" }),
    ).toMatchObject({
      ok: false,
      error: { code: "FETCH_URL_INVALID" },
    });
  });

  it("stay at home when the request disables them, or its domain is not theirs", async () => {
    await using server = await startTestServer((_, response) => json(response, 200, {}));
    const routes = {
      "https://api.tasks.example": server.origin,
      "https://files.example": server.origin,
    };
    const networkDomains = ["api.tasks.example", "files.example"];
    const { fetcher } = createFetcher({
      routes,
      networkDomains,
      account: createAccount({ networkDomain: "api.tasks.example" }),
    });
    await fetcher.fetch({ ...GET, disableAuthentication: true });
    await fetcher.fetch({ method: "GET", url: "https://files.example/x" });
    await fetcher.fetch(GET);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      undefined,
      `Bearer ${TOKEN}`,
    ]);
  });

  it("and an Authorization header of the Pack's own are refused together", async () => {
    const { fetcher } = createFetcher({ account: createAccount() });
    expect(await fetcher.fetch({ ...GET, headers: { authorization: "mine" } })).toMatchObject({
      ok: false,
      error: { code: "FETCH_URL_INVALID" },
    });
  });

  it("never come back to the Pack, whatever the server echoes", async () => {
    await using server = await startTestServer((request, response) =>
      json(
        response,
        200,
        { echo: request.headers, url: request.url },
        {
          "x-echo": String(request.headers.authorization),
          authorization: "a",
          "set-cookie": "s=1",
        },
      ),
    );
    const { fetcher } = createFetcher({
      routes: { "https://api.tasks.example": server.origin },
      account: createAccount(),
    });
    for (const isBinaryResponse of [false, true]) {
      const result = await fetcher.fetch({ ...GET, isBinaryResponse });
      const response = result.ok
        ? (result.response as { headers: Record<string, string>; body: unknown })
        : undefined;
      const text =
        JSON.stringify(result) +
        Buffer.from(response?.body instanceof Uint8Array ? response.body : []).toString("latin1");
      expect(text).not.toContain(TOKEN);
      expect(response?.headers).not.toHaveProperty("set-cookie");
      expect(response?.headers).not.toHaveProperty("authorization");
    }
  });

  it("are renewed once after a 401", async () => {
    await using server = await startTestServer((request, response) =>
      json(response, request.headers.authorization === `Bearer ${RENEWED}` ? 200 : 401, { ok: 1 }),
    );
    const { fetcher, records } = createFetcher({
      routes: { "https://api.tasks.example": server.origin },
      account: createAccount(),
    });
    expect(await fetcher.fetch({ ...GET, method: "POST", body: "text" })).toMatchObject({
      ok: true,
      response: { status: 200 },
    });
    expect(server.requests.map(({ body }) => body)).toEqual(["text", "text"]);
    expect(records.map(({ status, retriedAfter401 }) => [status, retriedAfter401])).toEqual([
      [401, undefined],
      [200, true],
    ]);
  });

  it("are not renewed twice", async () => {
    await using server = await startTestServer((_, response) => json(response, 401, { why: "no" }));
    const { fetcher } = createFetcher({
      routes: { "https://api.tasks.example": server.origin },
      account: createAccount(),
    });
    expect(await fetcher.fetch(GET)).toMatchObject({
      ok: false,
      failure: { members: { statusCode: 401, body: { why: "no" } } },
    });
    expect(server.requests).toHaveLength(2);
  });
});

// docs/rules.md: rule 22
describe("redirects", () => {
  it.each([301, 302, 303, 307, 308])(
    "with %i to another origin carry no secret and no body",
    async (status) => {
      await using other = await startTestServer((_, response) =>
        json(response, 200, { there: true }),
      );
      await using server = await startTestServer((_, response) =>
        response.writeHead(status, { location: "https://files.example/x" }).end(),
      );
      const { fetcher } = createFetcher({
        networkDomains: ["api.tasks.example", "files.example"],
        routes: {
          "https://api.tasks.example": server.origin,
          "https://files.example": other.origin,
        },
        account: createAccount({ networkDomain: ["api.tasks.example", "files.example"] }),
      });
      const request = {
        ...GET,
        method: "POST",
        body: "secret body",
        headers: { "X-Api-Key": "custom secret", Cookie: "a=b", "Content-Type": "text/plain" },
      };
      expect(await fetcher.fetch(request)).toMatchObject({
        ok: true,
        response: { body: { there: true } },
      });
      const [received] = other.requests;
      expect(received?.body).toBe("");
      expect(JSON.stringify(received)).not.toMatch(/secret|a=b|access-token/);
      expect(request.headers).toEqual({
        "X-Api-Key": "custom secret",
        Cookie: "a=b",
        "Content-Type": "text/plain",
      });
    },
  );

  it.each(["files.example", "api.tasks.example"])(
    "that go on to %s after another origin carry no secret again",
    async (last) => {
      const targets = ["https://files.example/one", `https://${last}/two`];
      await using there = await startTestServer((_, response, count) =>
        count === 1
          ? response.writeHead(307, { location: targets[1] }).end()
          : json(response, 200, { there: true }),
      );
      await using server = await startTestServer((request, response) =>
        request.url === "/two"
          ? json(response, 200, { there: true })
          : response.writeHead(307, { location: targets[0] }).end(),
      );
      const { fetcher } = createFetcher({
        networkDomains: ["api.tasks.example", "files.example"],
        routes: {
          "https://api.tasks.example": server.origin,
          "https://files.example": there.origin,
        },
        account: createAccount({ networkDomain: ["api.tasks.example", "files.example"] }),
      });
      expect(await fetcher.fetch(GET)).toMatchObject({
        ok: true,
        response: { body: { there: true } },
      });
      const [first, ...later] = [
        ...server.requests.slice(0, 1),
        ...there.requests,
        ...server.requests.slice(1),
      ];
      expect(first?.headers.authorization).toBe(`Bearer ${TOKEN}`);
      expect(later.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
    },
  );

  it("keep credentials, and the body of a 307, within one origin", async () => {
    await using server = await startTestServer((request, response) =>
      request.url === "/v1/items"
        ? response.writeHead(307, { location: "/v2/items" }).end()
        : json(response, 200, {}),
    );
    const { fetcher, records } = createFetcher({
      routes: { "https://api.tasks.example": server.origin },
      account: createAccount(),
    });
    await fetcher.fetch({ ...GET, method: "PUT", body: "kept" });
    expect(server.requests[1]).toMatchObject({
      method: "PUT",
      url: "/v2/items",
      body: "kept",
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect(records.map(({ url }) => url)).toEqual([
      "https://api.tasks.example/v1/items",
      "https://api.tasks.example/v2/items",
    ]);
  });

  it("to an undeclared host, or to http, are refused", async () => {
    for (const [location, code] of [
      ["https://undeclared.example/", "FETCH_HOST_REFUSED"],
      ["http://api.tasks.example/", "FETCH_URL_INVALID"],
    ] as const) {
      await using server = await startTestServer((_, response) =>
        response.writeHead(302, { location }).end(),
      );
      const { fetcher } = createFetcher({ routes: { "https://api.tasks.example": server.origin } });
      expect(await fetcher.fetch(GET)).toMatchObject({ ok: false, error: { code } });
    }
  });

  it("do not take a token in the query along", async () => {
    await using other = await startTestServer((_, response) => json(response, 200, {}));
    await using server = await startTestServer((request, response) =>
      response.writeHead(302, { location: `https://files.example${request.url}` }).end(),
    );
    const { fetcher } = createFetcher({
      networkDomains: ["api.tasks.example", "files.example"],
      routes: { "https://api.tasks.example": server.origin, "https://files.example": other.origin },
      account: createAccount({ tokenQueryParam: "key", networkDomain: "api.tasks.example" }),
    });
    await fetcher.fetch({ method: "GET", url: "https://api.tasks.example/x?a=1" });
    expect(other.requests[0]?.url).toBe("/x?a=1");
  });

  it("end after five, and are returned when the Pack asks for that", async () => {
    await using server = await startTestServer((_, response) =>
      response.writeHead(302, { location: "/again" }).end(),
    );
    const { fetcher } = createFetcher({ routes: { "https://api.tasks.example": server.origin } });
    expect(await fetcher.fetch(GET)).toMatchObject({
      ok: false,
      error: { code: "FETCH_TOO_MANY_REDIRECTS" },
    });
    expect(server.requests).toHaveLength(6);
    expect(await fetcher.fetch({ ...GET, ignoreRedirects: true })).toMatchObject({
      ok: true,
      response: { status: 302, headers: { location: "/again" } },
    });
  });
});

describe("bodies", () => {
  it("are sent as a form, which wins over `body`, or as text", async () => {
    await using server = await startTestServer((_, response) => json(response, 200, {}));
    const { fetcher, records } = createFetcher({
      routes: { "https://api.tasks.example": server.origin },
    });
    await fetcher.fetch({ ...GET, method: "POST", body: "lost", form: { a: "1 &", b: "ü" } });
    await fetcher.fetch({
      ...GET,
      method: "PATCH",
      body: "{}",
      headers: { "Content-Type": "application/json" },
    });
    expect(server.requests.map(({ body, headers }) => [body, headers["content-type"]])).toEqual([
      ["a=1+%26&b=%C3%BC", "application/x-www-form-urlencoded"],
      ["{}", "application/json"],
    ]);
    expect(records[0]?.requestBytes).toBe(16);
  });

  it.each([
    ["application/json", `{"a":1}`, { a: 1 }],
    ["application/problem+json; charset=utf-8", "[1]", [1]],
    ["text/plain", `{"a":1}`, { a: 1 }],
    ["text/plain", "17", "17"],
    ["application/json", "17", 17],
    ["application/json", "{broken", "{broken"],
    ["text/html", "<p>", "<p>"],
  ])("of type %s come as %s → %j", async (type, text, body) => {
    await using server = await startTestServer((_, response) =>
      response.writeHead(200, { "content-type": type }).end(text),
    );
    const { fetcher } = createFetcher({ routes: { "https://api.tasks.example": server.origin } });
    expect(await fetcher.fetch(GET)).toMatchObject({ ok: true, response: { body } });
  });

  it("beyond the limit are cut off while they arrive", async () => {
    await using server = await startTestServer((_, response) => {
      response.writeHead(200);
      const pump = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        response.once("drain", pump);
      };
      pump();
    });
    const { fetcher, records } = createFetcher({
      routes: { "https://api.tasks.example": server.origin },
      maxResponseBytes: 1_000_000,
    });
    expect(await fetcher.fetch(GET)).toMatchObject({
      ok: false,
      failure: { name: "ResponseSizeTooLargeError" },
      error: { code: "FETCH_TOO_LARGE" },
    });
    expect(records[0]?.responseBytes).toBeLessThan(2_000_000);
  });

  it("that never come end with FETCH_TIMEOUT, and a closed port with FETCH_FAILED", async () => {
    await using server = await startTestServer(() => undefined);
    const hanging = createFetcher({
      routes: { "https://api.tasks.example": server.origin },
      requestTimeoutMs: 100,
    });
    expect(await hanging.fetcher.fetch(GET)).toMatchObject({
      ok: false,
      error: { code: "FETCH_TIMEOUT" },
    });
    expect(hanging.records).toMatchObject([{ error: "FETCH_TIMEOUT" }]);
    const closed = createFetcher({ routes: { "https://api.tasks.example": "http://127.0.0.1:1" } });
    expect(await closed.fetcher.fetch(GET)).toMatchObject({
      ok: false,
      error: { code: "FETCH_FAILED" },
    });
  });

  it.each([
    ["what its JSON says", '{"error":{"message":"No such task."}}', ": No such task."],
    ["JSON that says it in its own way", '{"code":7}', ': {"code":7}'],
    ["a text", "Slow\ndown.", ": Slow down."],
    ["nothing of a page of HTML", "<html><p>Not found</p></html>", ""],
  ])("of a refused request say with the path, and without the query, %s", async (_, body, said) => {
    await using server = await startTestServer(
      (_request, response) => void response.writeHead(404).end(body),
    );
    const { fetcher } = createFetcher({ routes: { "https://api.tasks.example": server.origin } });
    const url = "https://api.tasks.example/tasks/1?key=planted";
    expect(await fetcher.fetch({ method: "GET", url })).toMatchObject({
      error: { message: `GET to api.tasks.example/tasks/1 returned status 404${said}` },
    });
  });

  it("without a body say only the status", async () => {
    await using server = await startTestServer((_, response) => void response.writeHead(503).end());
    const { fetcher } = createFetcher({ routes: { "https://api.tasks.example": server.origin } });
    expect(await fetcher.fetch(GET)).toMatchObject({
      error: { message: "GET to api.tasks.example/v1/items returned status 503" },
    });
  });
});

describe("many requests at once", () => {
  it("are sent ten at a time", async () => {
    const held: (() => void)[] = [];
    let most = 0;
    await using server = await startTestServer((_, response) => {
      held.push(() => json(response, 200, {}));
      most = Math.max(most, held.length);
      // Only a full house is let go; the last five come when everybody else has left.
      if (held.length === 10 || server.requests.length === 25)
        for (const release of held.splice(0)) release();
    });
    const { fetcher } = createFetcher({ routes: { "https://api.tasks.example": server.origin } });
    const results = await Promise.all(Array.from({ length: 25 }, () => fetcher.fetch(GET)));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(most).toBe(10);
  });
});

describe("the shape of a request", () => {
  it.each([
    ["nothing", undefined],
    ["a verb that is none", { method: "TRACE", url: "https://api.tasks.example/" }],
    ["a body with GET", { ...GET, body: "x" }],
    ["an object as the body", { ...GET, method: "POST", body: {} }],
    ["a header with a line break", { ...GET, headers: { "X-A": "a\r\nB: c" } }],
    ["a Host header", { ...GET, headers: { Host: "evil.example" } }],
  ])("is refused with %s", async (_, request) => {
    const { fetcher } = createFetcher({});
    expect(await fetcher.fetch(request)).toMatchObject({
      ok: false,
      error: { code: "FETCH_URL_INVALID" },
    });
  });
});

it("a blocked run asks no account for a token, looks up no host and sends nothing", async () => {
  const refuse = () => Promise.reject(new Error("This must not be called."));
  const { fetcher, records } = createFetcher({
    isBlocked: true,
    account: { ...createAccount(), getAccessToken: refuse },
    fetch: refuse,
    lookup: refuse,
  });
  expect(await fetcher.fetch(GET)).toMatchObject({
    ok: false,
    error: { code: "FETCH_FAILED", message: "The requests of this run are blocked." },
  });
  expect(records).toMatchObject([{ method: "GET", url: GET.url, error: "FETCH_FAILED" }]);
});
