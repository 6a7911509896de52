import { expect, it } from "vitest";
import { createServiceClient, fetchTransport, writeRows } from "../../../src/service.ts";
import { type LocalService, type ServiceOptions, startService } from "../../../src/testing.ts";
import { isLong } from "../../support/breadth.ts";

/** A client over real sockets for which time is that of the service: waiting takes none. */
async function start(
  options: ServiceOptions,
  transport: { limits?: false | object } = { limits: false },
) {
  const service: LocalService = await startService({ mutationDelayMs: 0, ...options });
  const timer = {
    now: () => service.clock.now(),
    sleep: async (ms: number) => service.clock.advance(ms),
  };
  const client = createServiceClient({
    baseUrl: service.url,
    transport: fetchTransport({ token: service.token, timer, ...transport }),
  });
  return {
    service,
    client,
    doc: client.doc(service.docId),
    [Symbol.asyncDispose]: () => service.close(),
  };
}

// docs/rules.md: V16
it.runIf(isLong)("at its own pace the client never meets the documented limits", async () => {
  await using test = await start({ rateLimits: {} }, { limits: {} });
  test.service.clock.freeze();
  const { rows } = test.doc.table("Tasks");
  const times = async (count: number, send: () => PromiseLike<unknown>) => {
    for (let each = 0; each < count; each++) await send();
  };
  await times(220, () => test.client.whoami());
  await times(25, () => rows.insert({ rows: [{ Title: "Row" }] }));
  await times(25, () => test.doc.sharing.updateSettings({ allowCopying: true }));
  await times(10, () => test.client.docs.list());
  await times(120, () => test.client.analytics.lastUpdated());
  expect(test.service.requests.filter(({ status }) => status === 429)).toEqual([]);
  expect(test.service.requests).toHaveLength(400);
});

it("without a pace it meets them, waits as long as the service asks, and loses nothing", async () => {
  await using test = await start({ rateLimits: { retryAfter: true } });
  const report = await writeRows(test.client, {
    docId: test.service.docId,
    tableIdOrName: "Tasks",
    rows: Array.from({ length: 40 }, (_, at) => ({ Title: `Paced ${at}` })),
    maxRows: 1,
  });
  expect(report.counts).toMatchObject({ applied: 40 });
  expect(test.service.requests.some(({ status }) => status === 429)).toBe(true);
  const found = await test.doc.table("Tasks").rows.list({ limit: 500 }).all({ max: 500 });
  expect(found.filter(({ name }) => name.startsWith("Paced"))).toHaveLength(40);
});

it("a listing whose pages time out above a limit is read to its end", async () => {
  await using test = await start({
    faults: [{ operation: "listRows", aboveLimit: 100, status: 504 }],
  });
  const { rows } = test.doc.table("Tasks");
  await writeRows(test.client, {
    docId: test.service.docId,
    tableIdOrName: "Tasks",
    rows: Array.from({ length: 300 }, (_, at) => ({ Title: `Row ${at}` })),
  });
  const { rowCount } = await test.doc.table("Tasks").get();
  const ids = new Set<string>();
  for await (const { id } of rows.list({ limit: 400 })) ids.add(id);
  expect(ids.size).toBe(rowCount);
});

// docs/rules.md: service 63
it("the client waits for an edit that the service does not know yet", async () => {
  await using test = await start({
    faults: [{ operation: "getMutationStatus", status: 404, count: 3 }],
  });
  const edit = await test.doc.table("Tasks").rows.insert({ rows: [{ Title: "Late" }] });
  expect(await test.client.waitFor(edit)).toMatchObject({ completed: true });
});

// docs/rules.md: service 58
it("a response that is lost is fetched again by a read and a keyed upsert, and reported by an insert", async () => {
  await using test = await start({
    faults: [
      { operation: "upsertRows", drop: "after", count: 2 },
      { operation: "getRow", truncate: true, count: 1 },
    ],
  });
  const { rows } = test.doc.table("Tasks");
  await rows.upsert({ key: ["Title"], rows: [{ Title: "Keyed" }] });
  await test.service.settle();
  const found = await rows.resolve("Keyed");
  expect(await rows.get(found.id)).toMatchObject({ name: "Keyed" });
  await using other = await start({
    faults: [{ operation: "upsertRows", drop: "after", count: 1 }],
  });
  const insert = other.doc.table("Tasks").rows.insert({ rows: [{ Title: "Plain" }] });
  await expect(insert).rejects.toMatchObject({ name: "ConnectionError", executed: "unknown" });
});
