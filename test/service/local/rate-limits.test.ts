import { describe, expect, it } from "vitest";
import { startTestService } from "../support.ts";

describe("rate limits", () => {
  it("are off unless they are asked for", async () => {
    await using test = await startTestService();
    const statuses = await Promise.all(Array.from({ length: 8 }, async () => (await test.send("/docs")).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it("decisions 93, 94 and 101: a window slides with the service's clock, and refused requests do not count", async () => {
    await using test = await startTestService({ rateLimits: {}, now: () => 0 });
    const list = async () => (await test.send("/docs")).status;
    for (let request = 0; request < 4; request++) {
      expect(await list()).toBe(200);
      test.service.clock.advance(1_000);
    }
    expect(await test.send("/docs")).toMatchObject({
      status: 429,
      body: { statusCode: 429, statusMessage: "Too Many Requests", message: "Too Many Requests" },
    });
    for (let request = 0; request < 9; request++) expect(await list()).toBe(429);
    test.service.clock.advance(2_000);
    expect(await list()).toBe(200);
    expect(await list()).toBe(429);
  });

  it("decisions 95 and 99: writes of rows and listings of docs have windows of their own", async () => {
    await using test = await startTestService({ rateLimits: { retryAfter: true }, now: () => 0 });
    const { docId, url, token } = test.service;
    const insert = () =>
      fetch(`${url}/docs/${docId}/tables/Tasks/rows`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}` },
        body: '{"rows":[]}',
      });
    for (let request = 0; request < 5; request++) expect((await insert()).status).toBe(202);
    const refused = await insert();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "10"]);
    expect((await test.send("/docs")).status).toBe(200);
    expect((await test.send("/whoami")).status).toBe(200);
  });
});
