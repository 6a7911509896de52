import { expect, it } from "vitest";
import { createServiceClient, exportPage, packTransport } from "../../src/service.ts";
import { emulatorFetcher, type ServiceOptions, startService } from "../../src/testing.ts";

const BASE = "https://docs.service.example/apis/v1";

async function insidePack(options: ServiceOptions = {}) {
  const service = await startService({ mutationDelayMs: 0, ...options });
  const fetcher = emulatorFetcher({ service, hosts: ["docs.service.example"] });
  const client = createServiceClient({ baseUrl: BASE, transport: packTransport(fetcher) });
  return {
    service,
    fetcher,
    client,
    doc: client.doc(service.docId),
    [Symbol.asyncDispose]: () => service.close(),
  };
}

// docs/rules.md: Pack rule 7
it("a Pack's requests to the canonical host reach the local service, with the credentials of the account", async () => {
  await using test = await insidePack();
  expect(await test.client.whoami()).toMatchObject({ type: "user" });
  await expect(test.client.doc("none").get()).rejects.toMatchObject({
    name: "NotFoundError",
    status: 404,
    requestId: undefined,
  });
  await expect(
    test.fetcher.fetch({ method: "GET", url: "https://other.example/" }),
  ).rejects.toThrow("does not handle requests for other.example");
  await expect(
    test.fetcher.fetch({
      method: "GET",
      url: `${BASE}/whoami`,
      headers: { Authorization: "Bearer x" },
    }),
  ).rejects.toThrow(TypeError);
});

// docs/rules.md: Pack rule 2
it("a read is cached for five minutes of the service's clock, but not after a write of the client", async () => {
  await using test = await insidePack();
  const count = () => test.service.requests.length;
  await test.client.whoami();
  await test.client.whoami();
  expect(count()).toBe(1);
  test.service.clock.advance(300_001);
  await test.client.whoami();
  expect(count()).toBe(2);
  await test.doc.table("Tasks").rows.insert({ rows: [{ Title: "x" }] });
  await test.client.whoami();
  expect(count()).toBe(4);
});

// docs/rules.md: Pack rule 3
it("a rate limit is waited out within a minute, and is an error after it", async () => {
  await using test = await insidePack({
    rateLimits: { limits: { content: { requests: 1, windowMs: 20_000 } } },
  });
  const { rows } = test.doc.table("Tasks");
  await rows.insert({ rows: [{ Title: "one" }] });
  await rows.insert({ rows: [{ Title: "two" }] });
  expect(test.service.requests.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  await using strict = await insidePack({
    rateLimits: { retryAfter: true, limits: { content: { requests: 1, windowMs: 900_000 } } },
  });
  const strictRows = strict.doc.table("Tasks").rows;
  await strictRows.insert({ rows: [{ Title: "one" }] });
  await expect(strictRows.insert({ rows: [{ Title: "two" }] })).rejects.toMatchObject({
    name: "RateLimitError",
  });
});

// docs/rules.md: Pack rule 6
it("an edit that takes its time is followed by the next execution", async () => {
  await using test = await insidePack({ mutationDelayMs: 20_000 });
  const pending = await test.client.waitFor(
    await test.doc.table("Tasks").rows.insert({ rows: [{ Title: "Later" }] }),
  );
  expect(pending).toMatchObject({ completed: false });
  test.service.clock.advance(20_000);
  expect(await test.client.waitFor(pending)).toMatchObject({ completed: true });
});

// docs/rules.md: Pack rule 5
it("a page is exported through the fetcher", async () => {
  await using test = await insidePack({ publicUrl: "https://docs.service.example" });
  const { id } = await test.doc.pages.create({
    name: "P",
    pageContent: { type: "canvas", canvasContent: { format: "markdown", content: "Hello." } },
  });
  await test.service.settle();
  expect(
    await exportPage(test.client, {
      docId: test.service.docId,
      pageIdOrName: id,
      format: "markdown",
      polls: 5,
    }),
  ).toContain("Hello.");
});
