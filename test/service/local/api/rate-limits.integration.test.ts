import { describe, expect, it } from "vitest";
import { startTestService } from "../../support.ts";

describe("rate limits", () => {
  it("are off unless they are asked for", async () => {
    await using test = await startTestService();
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await test.send("/docs")).status),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  // docs/rules.md: service 93, 94, 101
  it("count in a window that slides with the service's clock, and leave refused requests out", async () => {
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

  // docs/rules.md: service 95, 99
  it("have windows of their own for writes of rows and listings of docs", async () => {
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

describe("rate groups", () => {
  // docs/rules.md: service 96, 97
  it("count a DELETE with its sibling writes, and an export start as a write", async () => {
    await using test = await startTestService({ rateLimits: {}, now: () => 0 });
    const { docId } = test.service;
    const rows = `/docs/${docId}/tables/Tasks/rows`;
    for (let request = 0; request < 3; request++)
      expect((await test.write("POST", rows, { rows: [] })).status).toBe(202);
    for (let request = 0; request < 2; request++)
      expect((await test.write("DELETE", rows, { rowIds: [] })).status).toBe(202);
    expect((await test.write("DELETE", rows, { rowIds: [] })).status).toBe(429);
    const begin = () =>
      test.write("POST", `/docs/${docId}/pages/Start/export`, { outputFormat: "html" });
    for (let request = 0; request < 10; request++) expect((await begin()).status).toBe(202);
    expect((await begin()).status).toBe(429);
    expect((await test.write("PATCH", `/docs/${docId}`, { title: "x" })).status).toBe(429);
  });

  // docs/rules.md: service 98
  it("count the state of an edit and of an export as reads", async () => {
    await using test = await startTestService({ rateLimits: {}, now: () => 0 });
    const { body } = await test.write("POST", `/docs/${test.service.docId}/pages/Start/export`, {
      outputFormat: "html",
    });
    const poll = (at: number) =>
      test.send(
        at % 2 === 0
          ? "/mutationStatus/none"
          : `/docs/${test.service.docId}/pages/Start/export/${body["id"]}`,
      );
    const statuses = [];
    for (let at = 0; at < 101; at++) statuses.push((await poll(at)).status);
    expect([statuses[0], statuses[1], statuses[99], statuses[100]]).toEqual([404, 200, 200, 429]);
  });

  // docs/rules.md: service 100
  it("send no Retry-After unless it is asked for", async () => {
    for (const retryAfter of [false, true]) {
      await using test = await startTestService({ rateLimits: { retryAfter }, now: () => 0 });
      for (let request = 0; request < 4; request++) await test.send("/docs");
      expect((await test.send("/docs")).headers.get("retry-after")).toBe(retryAfter ? "6" : null);
    }
  });
});
