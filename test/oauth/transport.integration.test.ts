import { createServer } from "node:net";
import nock from "nock";
import { afterEach, describe, expect, it } from "vitest";
import type { ExchangeRecord } from "../../src/oauth/exchange-record.ts";
import { createTokenTransport, throughTransport } from "../../src/oauth/transport.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { baseTokens, startTokenServer } from "../support/token-server.ts";

const definition = {
  type: "OAuth2",
  authorizationUrl: "https://as.example/a",
  tokenUrl: "https://as.example/t",
} as const;
const post = { method: "POST", body: "grant_type=x" };

afterEach(() => {
  nock.cleanAll();
  nock.restore();
});

describe("createTokenTransport", () => {
  // docs/rules.md: rule 24
  it("ends a request that is never answered with a typed error inside the limit", async () => {
    await using server = await startTokenServer(() => undefined);
    const transport = createTokenTransport(definition, { timeoutMs: 60 });
    await expect(transport(`${server.url}/t`, post)).rejects.toMatchObject({
      code: "OAUTH_TOKEN_TIMEOUT",
      details: { limitMs: 60 },
    });
  });

  it("does not report an error answer of a discovery request as a rejection", async () => {
    await using server = await startTokenServer(() => ({
      status: 404,
      body: { error: "not_found" },
    }));
    const discovery = throughTransport(definition, { step: "discovery" }, async (transport) => {
      const { status } = await transport(`${server.url}/metadata`, { method: "GET" });
      throw new TypeError(`There is no metadata: ${status}.`);
    });
    await expect(discovery).rejects.toMatchObject({ code: "OAUTH_TOKEN_RESPONSE_INVALID" });
  });

  // docs/rules.md: rule 24
  it("ends a body that never ends", async () => {
    await using server = await startTokenServer((_, response) => {
      response.write("{");
      return undefined;
    });
    const transport = createTokenTransport(definition, { timeoutMs: 80 });
    await expect(transport(`${server.url}/t`, post)).rejects.toMatchObject({
      code: "OAUTH_TOKEN_TIMEOUT",
    });
  });

  it("sends the definition's headers instead of the library's, but no other client authentication", async () => {
    await using server = await startTokenServer(() => ({ body: baseTokens }));
    const tokenHeaders = {
      "User-Agent": "tasks/1",
      "X-Version": "2",
      Authorization: "Bearer planted",
    };
    const authentication = {
      client: { clientId: "c", clientSecret: "s" },
      method: "basic",
    } as const;
    const transport = createTokenTransport({ ...definition, tokenHeaders }, { authentication });
    await transport(`${server.url}/t`, { ...post, headers: { "user-agent": "library" } });
    expect(server.requests[0]?.headers).toMatchObject({
      "user-agent": "tasks/1",
      "x-version": "2",
      authorization: `Basic ${btoa("c:s")}`,
    });
  });

  // docs/rules.md: rule 24
  it("stops reading a body at its limit", async () => {
    let closed: (bytes: number) => void = () => undefined;
    const sent = new Promise<number>((resolve) => {
      closed = resolve;
    });
    await using server = await startTokenServer((_, response) => {
      const chunk = Buffer.alloc(100_000, "x");
      let bytes = 0;
      const more = () => {
        if (bytes >= 50_000_000) return void response.end();
        bytes += chunk.length;
        response.write(chunk, more);
      };
      response.on("close", () => closed(bytes));
      more();
      return undefined;
    });
    const transport = createTokenTransport(definition);
    await expect(transport(`${server.url}/t`, post)).rejects.toMatchObject({
      code: "OAUTH_TOKEN_RESPONSE_INVALID",
    });
    expect(await sent).toBeLessThan(50_000_000);
  });

  it("reports a refused connection and a dropped socket as unavailable", async () => {
    const dropping = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => dropping.listen(0, "127.0.0.1", resolve));
    const { port } = dropping.address() as { port: number };
    const transport = createTokenTransport(definition);
    await expect(transport(`http://127.0.0.1:${port}/t`, post)).rejects.toMatchObject({
      code: "OAUTH_TOKEN_UNAVAILABLE",
    });
    await new Promise((resolve) => dropping.close(resolve));
    await expect(transport(`http://127.0.0.1:${port}/t`, post)).rejects.toMatchObject({
      code: "OAUTH_TOKEN_UNAVAILABLE",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });

  it("keeps the status and Retry-After of a server that is busy", async () => {
    await using server = await startTokenServer(() => ({
      status: 503,
      body: { message: "down" },
      headers: { "retry-after": "7" },
    }));
    const failures: unknown[] = [];
    const transport = createTokenTransport(definition, {
      onFailure: (error) => failures.push(error),
    });
    await transport(`${server.url}/t`, post);
    expect(failures).toMatchObject([
      { code: "OAUTH_TOKEN_UNAVAILABLE", details: { status: 503, retryAfterSeconds: 7 } },
    ]);
  });

  // docs/rules.md: rule 18
  it("sends nothing to a URL that is refused, also where a route would take it", async () => {
    await using server = await startTokenServer(() => ({ body: baseTokens }));
    const transport = createTokenTransport(definition, {
      routes: { "http://as.example": server.url },
    });
    await expect(transport("http://as.example/t", post)).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
    });
    expect(server.requests).toEqual([]);
  });

  // docs/rules.md: rule 28
  it("stores the tokens in the pending slot before the library gets them", async () => {
    await using server = await startTokenServer(() => ({ body: baseTokens }));
    const order: string[] = [];
    const transport = createTokenTransport(definition, {
      onPendingTokens: async ({ text }) => void order.push(text),
    });
    order.push(await (await transport(`${server.url}/t`, post)).text());
    expect(order).toHaveLength(2);
    expect(JSON.parse(order[0] ?? "")).toEqual(baseTokens);
  });

  it("hands the raw body to the pending slot before it validates it", async () => {
    await using server = await startTokenServer(() => ({ body: { odd: { token: "rotated" } } }));
    const pending: string[] = [];
    const transport = createTokenTransport(definition, {
      onPendingTokens: async ({ text }) => void pending.push(text),
    });
    const response = await transport(`${server.url}/t`, post);
    expect(await response.json()).toMatchObject({ error: "invalid_response" });
    expect(pending).toEqual(['{"odd":{"token":"rotated"}}']);
  });

  // docs/rules.md: rule 25
  it("records an exchange without a secret", async () => {
    await using server = await startTokenServer(() => ({
      status: 201,
      body: { ...baseTokens, access_token: "planted-1", token_type: "bot" },
    }));
    const records: ExchangeRecord[] = [];
    const redactor = createRedactor();
    let time = 1_000;
    const transport = createTokenTransport(definition, {
      now: () => time++,
      redactor,
      onExchange: (record) => records.push(record),
      authentication: { client: { clientId: "id", clientSecret: "planted-2" }, method: "body" },
    });
    await transport(`${server.url}/t?key=planted-3`, {
      method: "POST",
      body: "grant_type=refresh_token&refresh_token=planted-4&code=planted-5",
    });
    expect(JSON.stringify(records)).not.toContain("planted");
    expect(records).toMatchObject([
      {
        step: "token",
        method: "POST",
        url: `${server.url}/t`,
        status: 201,
        clientAuthentication: "body",
        request: { params: { grant_type: "refresh_token", client_id: "id" } },
        response: {
          deviations: ["The status is 201; RFC 6749 §5.1 says 200.", "token_type is not Bearer."],
        },
      },
    ]);
    expect(redactor.text("planted-1 planted-2 planted-4 planted-5")).not.toContain("planted");
  });

  // docs/rules.md: rule 25
  it("hides a secret that the server quotes in its error", async () => {
    await using server = await startTokenServer(({ params }) => ({
      status: 400,
      body: {
        error: "invalid_grant",
        error_description: `bad ${params.get("refresh_token")} for ${params.get("client_secret")}`,
      },
    }));
    const seen: unknown[] = [];
    const transport = createTokenTransport(definition, {
      authentication: { client: { clientId: "id", clientSecret: "planted-2" }, method: "body" },
      onFailure: ({ message, details }) => seen.push(message, details),
      onExchange: (record) => seen.push(record),
    });
    const response = await transport(`${server.url}/t`, {
      method: "POST",
      body: "refresh_token=planted-4",
    });
    expect(JSON.stringify([seen, await response.json()])).not.toContain("planted");
    expect(seen).toHaveLength(3);
  });

  it("is answered by nock where a test says so", async () => {
    const transport = createTokenTransport(definition, { lookup: async () => ["93.184.216.34"] });
    nock.activate();
    nock("https://as.example").post("/t").reply(200, baseTokens);
    expect(await (await transport("https://as.example/t", post)).json()).toMatchObject({
      access_token: "at",
    });
  });

  it("names no type of a body that a GET does not have", async () => {
    await using server = await startTokenServer(() => ({ body: {} }));
    const seen: ExchangeRecord[] = [];
    const transport = createTokenTransport(definition, {
      step: "discovery",
      onExchange: (record) => seen.push(record),
    });
    await transport(`${server.url}/.well-known/openid-configuration`);
    expect(server.requests[0]?.headers).not.toHaveProperty("content-type");
    expect(seen[0]?.request.headers).not.toHaveProperty("content-type");
  });

  // docs/rules.md: rule 23
  it("never follows a redirect to another host", async () => {
    nock.activate();
    nock("https://as.example").post("/t").reply(307, "", { location: "https://evil.example/t" });
    const target = nock("https://evil.example").post("/t").reply(200, baseTokens);
    const transport = createTokenTransport(definition, { lookup: async () => ["93.184.216.34"] });
    expect((await transport("https://as.example/t", post)).status).toBe(307);
    expect(target.isDone()).toBe(false);
  });

  it("does not need a body on a response without one", async () => {
    await using server = await startTokenServer(() => ({ status: 204 }));
    const response = await createTokenTransport(definition, { step: "revocation" })(
      `${server.url}/r`,
      post,
    );
    expect(response.status).toBe(204);
  });
});
