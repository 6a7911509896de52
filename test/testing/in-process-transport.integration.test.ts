import { expect, it } from "vitest";
import { createServiceClient, exportPage } from "../../src/service.ts";
import { inProcessTransport, startService } from "../../src/testing.ts";

async function startInProcess(options: Parameters<typeof startService>[0] = {}) {
  const service = await startService(options);
  const client = createServiceClient({
    baseUrl: service.url,
    transport: inProcessTransport({ service }),
  });
  return {
    service,
    client,
    doc: client.doc(service.docId),
    [Symbol.asyncDispose]: () => service.close(),
  };
}

it("a client in the same process reads and writes without a socket", async () => {
  await using test = await startInProcess();
  const edit = await test.doc.table("Tasks").rows.insert({ rows: [{ Title: "Ünïcode 😀" }] });
  expect(await test.client.waitFor(edit)).toEqual({ requestId: edit.requestId, completed: true });
  expect(await test.doc.table("Tasks").rows.resolve("Ünïcode 😀")).toMatchObject({
    name: "Ünïcode 😀",
  });
  await expect(test.client.doc("none").get()).rejects.toMatchObject({
    name: "NotFoundError",
    requestId: expect.any(String),
  });
  expect(test.service.requests.map(({ path }) => path.split("?")[0]).at(-1)).toBe(
    "/apis/v1/docs/none",
  );
});

it("waiting moves the clock of the service: slow edits and rate limits take no time", async () => {
  await using test = await startInProcess({ mutationDelayMs: 20_000, rateLimits: {} });
  const startedAtMs = test.service.clock.now();
  for (let each = 0; each < 12; each++)
    await test.doc.table("Tasks").rows.insert({ rows: [{ Title: `Row ${each}` }] });
  const last = await test.doc.table("Tasks").rows.insert({ rows: [{ Title: "Last" }] });
  expect(await test.client.waitFor(last)).toMatchObject({ completed: true });
  expect(test.service.clock.now() - startedAtMs).toBeGreaterThanOrEqual(30_000);
  expect(test.service.requests.some(({ status }) => status === 429)).toBe(true);
});

it("a request that the service drops is a lost connection, and a read is repeated", async () => {
  await using test = await startInProcess({
    faults: [
      { operation: "whoami", drop: "before", count: 1 },
      { operation: "upsertRows", drop: "after", count: 1 },
    ],
  });
  expect(await test.client.whoami()).toMatchObject({ type: "user" });
  await expect(
    test.doc.table("Tasks").rows.insert({ rows: [{ Title: "x" }] }),
  ).rejects.toMatchObject({
    name: "ConnectionError",
    executed: "unknown",
  });
});

it("pages are exported", async () => {
  await using test = await startInProcess();
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
    }),
  ).toContain("Hello.");
});
