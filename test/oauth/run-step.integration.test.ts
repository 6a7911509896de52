import { createServer } from "node:net";
import nock from "nock";
import { afterEach, describe, expect, it } from "vitest";
import type { PackError } from "../../src/errors.ts";
import { callLibrary } from "../../src/oauth/call-library.ts";
import type { ExchangeRecord } from "../../src/oauth/exchange-record.ts";
import { type GrantParams, runStepForTokens, type StepRun } from "../../src/oauth/run-step.ts";
import { createServerFetch } from "../../src/oauth/server-fetch.ts";
import { obtainStep } from "../../src/oauth/step.ts";
import type { IssuedTokens } from "../../src/oauth/token-response.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { baseTokens, startTokenServer } from "../support/token-server.ts";

const definition = {
  type: "OAuth2",
  authorizationUrl: "https://as.example/a",
  tokenUrl: "https://as.example/t",
} as const;
const post = { method: "POST", body: "grant_type=x" };
const grant: GrantParams = { params: new URLSearchParams({ grant_type: "x" }) };

/** The first token request of the definition, at this URL. */
function ask(url: string, more: Partial<StepRun> = {}, own = grant): Promise<IssuedTokens> {
  const step = obtainStep(more.definition ?? definition, url);
  const client = { clientId: "c", clientSecret: undefined };
  const run = { definition, step, authentication: { client, method: "none" } as const, ...more };
  return runStepForTokens(run, own);
}

afterEach(() => {
  nock.cleanAll();
  nock.restore();
});

describe("a request to an authorization server", () => {
  // docs/rules.md: rule 24
  it("ends a request that is never answered with a typed error inside the limit", async () => {
    await using server = await startTokenServer(() => undefined);
    await expect(ask(`${server.url}/t`, { timeoutMs: 60 })).rejects.toMatchObject({
      code: "OAUTH_TOKEN_TIMEOUT",
      details: { limitMs: 60 },
    });
  });

  it("does not report an error answer of a discovery request as a rejection", async () => {
    await using server = await startTokenServer(() => ({
      status: 404,
      body: { error: "not_found" },
    }));
    const metadata = createServerFetch({ definition, purpose: "discovery" });
    const discovery = callLibrary(metadata, async (send) => {
      const { status } = await send(`${server.url}/metadata`, { method: "GET" });
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
    await expect(ask(`${server.url}/t`, { timeoutMs: 80 })).rejects.toMatchObject({
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
    const own = { ...grant, headers: { "user-agent": "library" } };
    const declared = { ...definition, tokenHeaders };
    await ask(`${server.url}/t`, { definition: declared, authentication }, own);
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
    await expect(ask(`${server.url}/t`)).rejects.toMatchObject({
      code: "OAUTH_TOKEN_RESPONSE_INVALID",
    });
    expect(await sent).toBeLessThan(50_000_000);
  });

  it("reports a refused connection and a dropped socket as unavailable", async () => {
    const dropping = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => dropping.listen(0, "127.0.0.1", resolve));
    const { port } = dropping.address() as { port: number };
    await expect(ask(`http://127.0.0.1:${port}/t`)).rejects.toMatchObject({
      code: "OAUTH_TOKEN_UNAVAILABLE",
    });
    await new Promise((resolve) => dropping.close(resolve));
    await expect(ask(`http://127.0.0.1:${port}/t`)).rejects.toMatchObject({
      code: "OAUTH_TOKEN_UNAVAILABLE",
      message: expect.stringContaining("the connection was refused"),
    });
  });

  it("keeps the status and Retry-After of a server that is busy", async () => {
    await using server = await startTokenServer(() => ({
      status: 503,
      body: { message: "down" },
      headers: { "retry-after": "7" },
    }));
    await expect(ask(`${server.url}/t`)).rejects.toMatchObject({
      code: "OAUTH_TOKEN_UNAVAILABLE",
      details: { status: 503, retryAfterSeconds: 7 },
    });
  });

  // docs/rules.md: rule 18
  it("sends nothing to a URL that is refused, also where a route would take it", async () => {
    await using server = await startTokenServer(() => ({ body: baseTokens }));
    const routes = { "http://as.example": server.url };
    await expect(ask("http://as.example/t", { routes })).rejects.toMatchObject({
      code: "URL_NOT_ALLOWED",
    });
    expect(server.requests).toEqual([]);
  });

  // docs/rules.md: rule 28
  it("stores the tokens in the pending slot before anyone gets them", async () => {
    await using server = await startTokenServer(() => ({ body: baseTokens }));
    const order: string[] = [];
    const tokens = await ask(`${server.url}/t`, {
      onPendingTokens: async ({ text }) => void order.push(text),
    });
    order.push(tokens.accessToken);
    expect(order).toEqual([JSON.stringify(baseTokens), "at"]);
  });

  it("hands the raw body to the pending slot before it validates it", async () => {
    await using server = await startTokenServer(() => ({ body: { odd: { token: "rotated" } } }));
    const pending: string[] = [];
    const request = ask(`${server.url}/t`, {
      onPendingTokens: async ({ text }) => void pending.push(text),
    });
    await expect(request).rejects.toMatchObject({ code: "OAUTH_TOKEN_RESPONSE_INVALID" });
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
    const body = "grant_type=refresh_token&refresh_token=planted-4&code=planted-5";
    await ask(
      `${server.url}/t?key=planted-3`,
      {
        now: () => time++,
        redactor,
        onExchange: (record) => records.push(record),
        authentication: { client: { clientId: "id", clientSecret: "planted-2" }, method: "body" },
      },
      { params: new URLSearchParams(body) },
    );
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
          deviations: [
            "The status is 201; RFC 6749 §5.1 requires 200.",
            "token_type is not Bearer.",
          ],
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
    const request = ask(
      `${server.url}/t`,
      {
        authentication: { client: { clientId: "id", clientSecret: "planted-2" }, method: "body" },
        onExchange: (record) => seen.push(record),
      },
      { params: new URLSearchParams("refresh_token=planted-4") },
    );
    await request.catch(({ message, details }: PackError) => seen.push(message, details));
    expect(JSON.stringify(seen)).not.toContain("planted");
    expect(seen).toHaveLength(3);
  });

  it("is answered by nock where a test says so", async () => {
    nock.activate();
    nock("https://as.example").post("/t").reply(200, baseTokens);
    const lookup = async () => ["93.184.216.34"];
    expect(await ask("https://as.example/t", { lookup })).toMatchObject({ accessToken: "at" });
  });

  it("names no type of a body that a GET does not have", async () => {
    await using server = await startTokenServer(() => ({ body: {} }));
    const seen: ExchangeRecord[] = [];
    const transport = createServerFetch({
      definition,
      purpose: "discovery",
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
    const lookup = async () => ["93.184.216.34"];
    await expect(ask("https://as.example/t", { lookup })).rejects.toMatchObject({
      details: { status: 307 },
    });
    expect(target.isDone()).toBe(false);
  });

  it("does not need a body on a response without one", async () => {
    await using server = await startTokenServer(() => ({ status: 204 }));
    const response = await createServerFetch({ definition, purpose: "revocation" })(
      `${server.url}/r`,
      post,
    );
    expect(response.status).toBe(204);
  });
});
