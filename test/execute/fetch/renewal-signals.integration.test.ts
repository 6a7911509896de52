import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createHostFetcher, type HostFetcherOptions } from "../../../src/execute/fetch/fetcher.ts";
import { asksForRenewal } from "../../../src/execute/fetch/renewal-signals.ts";
import type { RequestRecord } from "../../../src/execute/request-record.ts";
import { createTokenLifecycle } from "../../../src/oauth/run/token-lifecycle.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { makeTokenSet } from "../../support/accounts.ts";
import { json, startTestServer } from "../http-server.ts";

const answer = (status: number, body: unknown = {}, challenge?: string) => ({
  status,
  headers: challenge === undefined ? {} : { "www-authenticate": challenge },
  bytes: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
});
const definition = (refreshOn?: unknown) =>
  ({
    type: "OAuth2ClientCredentials",
    tokenUrl: "https://login.tasks.example/token",
    refreshOn,
  }) as never;

describe("asksForRenewal", () => {
  it("is a 401, and nothing else while the definition declares nothing", () => {
    expect(asksForRenewal(definition(), answer(401))).toBe(true);
    for (const status of [200, 302, 400, 403, 419, 500])
      expect(asksForRenewal(definition(), answer(status)), String(status)).toBe(false);
    expect(asksForRenewal({ type: "None" } as never, answer(403))).toBe(false);
  });

  it("is no 401 that demands another login: a new token would be of the same one (RFC 9470)", () => {
    expect(
      asksForRenewal(
        definition(),
        answer(401, "", 'Bearer error="insufficient_user_authentication"'),
      ),
    ).toBe(false);
    expect(asksForRenewal(definition(), answer(401, "", 'Bearer error="invalid_token"'))).toBe(
      true,
    );
  });

  it.each<[object, object, boolean]>([
    [{ status: 403 }, answer(403, "no JSON"), true],
    [{ status: 403 }, answer(400), false],
    [{ status: 200 }, answer(200), false],
    [{ status: 200, bodyPath: "error" }, answer(200, { error: "expired" }), true],
    [{ status: 200, bodyPath: "error" }, answer(200, { error: null }), false],
    [{ status: 200, bodyPath: "error" }, answer(200, { data: 1 }), false],
    [{ status: 200, bodyPath: "error.code", equals: 7 }, answer(200, { error: { code: 7 } }), true],
    [
      { status: 200, bodyPath: "error.code", equals: 7 },
      answer(200, { error: { code: "7" } }),
      false,
    ],
    [{ status: 200, bodyPath: "ok", equals: false }, answer(200, { ok: false }), true],
    [
      { status: 400, bodyPath: "errors.0.type", equals: "expired" },
      answer(400, { errors: [{ type: "expired" }] }),
      true,
    ],
    [{ status: 400, bodyPath: "__proto__.type" }, answer(400, {}), false],
    [
      { status: 200, bodyPath: "error" },
      answer(200, `{"error":1,"rest":"${"x".repeat(1_000_000)}"}`),
      false,
    ],
  ])("%j", (signal, given, expected) => {
    expect(asksForRenewal(definition([signal]), given as never)).toBe(expected);
  });

  it("never throws, whatever the server sends and the definition holds", () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.integer(),
        fc.uint8Array(),
        fc.string(),
        (signals, status, bytes, bodyPath) => {
          asksForRenewal(
            definition([
              { status, bodyPath },
              { status, bodyPath: "a.b" },
            ]),
            { status, headers: {}, bytes },
          );
          expect(
            asksForRenewal(
              definition(
                signals === null
                  ? undefined
                  : [
                      { status: 403 },
                      ...[signals]
                        .flat()
                        .filter((each) => typeof each === "object" && each !== null),
                    ],
              ),
              { status: 401, headers: {}, bytes },
            ),
          ).toBe(true);
        },
      ),
    );
  });
});

describe("a declared signal on the wire", () => {
  it("renews once and repeats the request, with its body", async () => {
    await using server = await startTestServer((request, response) =>
      json(
        response,
        200,
        request.headers.authorization === "Bearer token-2"
          ? { ok: true }
          : { error: { code: "expired" } },
      ),
    );
    const { fetcher, renewals, records } = startFetcher(server.origin, [
      { status: 200, bodyPath: "error.code", equals: "expired" },
    ]);
    expect(await fetcher.fetch({ ...GET, method: "POST", body: "text" })).toMatchObject({
      ok: true,
      response: { body: { ok: true } },
    });
    expect(server.requests.map(({ headers, body }) => [headers.authorization, body])).toEqual([
      ["Bearer token-1", "text"],
      ["Bearer token-2", "text"],
    ]);
    expect([renewals(), records.length]).toEqual([1, 2]);
  });

  // docs/rules.md: rule 28
  it("renews once for many requests at once, and compares first", async () => {
    await using server = await startTestServer((request, response) =>
      json(response, request.headers.authorization === "Bearer token-2" ? 200 : 403, {}),
    );
    const { fetcher, renewals } = startFetcher(server.origin, [{ status: 403 }]);
    const results = await Promise.all(Array.from({ length: 20 }, () => fetcher.fetch(GET)));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(renewals()).toBe(1);
  });

  it("is not followed by a second repetition when the new token is refused, too", async () => {
    await using server = await startTestServer((_, response) => json(response, 403, { why: "no" }));
    const { fetcher, renewals } = startFetcher(server.origin, [{ status: 403 }]);
    expect(await fetcher.fetch(GET)).toMatchObject({
      ok: false,
      failure: { members: { statusCode: 403 } },
    });
    expect([server.requests.length, renewals()]).toEqual([2, 1]);
  });
});

const GET = { method: "GET", url: "https://api.tasks.example/v1/items" };

/** A fetcher over a real token lifecycle: each renewal gives the next token. */
function startFetcher(origin: string, refreshOn: object[]) {
  let renewed = 0;
  let stored = makeTokenSet({ accessToken: "token-1", expiresAtMs: undefined });
  const lifecycle = createTokenLifecycle({
    clientId: "client",
    canRenew: () => true,
    exclusively: (work) => work(),
    load: async () => stored,
    async renew() {
      stored = makeTokenSet({ accessToken: `token-${++renewed + 1}`, expiresAtMs: undefined });
      return stored;
    },
  });
  const records: RequestRecord[] = [];
  const account = {
    endpoint: undefined,
    authentication: definition(refreshOn),
    ...lifecycle,
  } as NonNullable<HostFetcherOptions["account"]>;
  const fetcher = createHostFetcher({
    redactor: createRedactor(),
    definition: {
      networkDomains: ["api.tasks.example"],
      formulas: [],
      formats: [],
      syncTables: [],
      skills: [],
    } as never,
    onRequest: (record) => records.push(record),
    routes: { "https://api.tasks.example": origin },
    account,
  });
  return { fetcher, records, renewals: () => renewed };
}
