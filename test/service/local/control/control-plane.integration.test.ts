import { expect, it } from "vitest";
import { onEachDatabase, type ServiceUnderTest } from "../../support.ts";
import { SHARED } from "../seeds.ts";

const ROWS = "/docs/shared/tables/grid-one/rows";

async function insert(test: ServiceUnderTest, value = "new") {
  const { body } = await test.write("POST", ROWS, {
    rows: [{ cells: [{ column: "Name", value }] }],
  });
  return String(body["requestId"]);
}

async function readStatus(test: ServiceUnderTest, requestId: string) {
  return (await test.send(`/mutationStatus/${requestId}`)).body;
}

async function readCount(test: ServiceUnderTest) {
  return ((await test.send(ROWS)).body["items"] as unknown[]).length;
}

onEachDatabase("the control plane", (start) => {
  it("goes back to a snapshot by its name, and to the seed", async () => {
    await using test = await start({ seed: SHARED });
    const seeded = (await test.control("/state")).body;
    await insert(test);
    await test.service.ingest([{ pack: { id: 5, name: "P" }, formula: "F", latencyMs: 1 }]);
    const changed = (await test.control("/state")).body;
    expect((await test.control("/snapshot", { name: "one more" })).status).toBe(200);
    await test.send("/docs/shared", { method: "DELETE" });
    expect((await test.control("/restore", { name: "one more" })).status).toBe(200);
    expect((await test.control("/state")).body).toEqual(changed);
    expect((await test.send("/analytics/packs?packIds=5")).body["items"]).toHaveLength(1);
    await test.service.reset();
    expect((await test.control("/state")).body).toEqual(seeded);
    expect((await test.send("/analytics/packs?packIds=5")).body["items"]).toEqual([]);
    expect(await insert(test)).toMatch(/^mutate:/);
    expect(await readCount(test)).toBe(4);
    expect((await test.control("/restore", { name: "none" })).status).toBe(404);
    expect((await test.control("/restore", { name: "seed" })).status).toBe(404);
  });

  it("holds edits, completes them one by one, and fails one with a warning", async () => {
    await using test = await start({ seed: SHARED });
    await test.control("/mutations/hold", { hold: true });
    const [first, second, third] = [await insert(test), await insert(test), await insert(test)];
    expect(await readStatus(test, first)).toEqual({ completed: false });
    expect((await test.control("/mutations/complete", { requestId: second })).status).toBe(200);
    expect([await readStatus(test, first), await readStatus(test, second)]).toEqual([
      { completed: true },
      { completed: true },
    ]);
    expect(
      (await test.control("/mutations/warn", { requestId: third, warning: "Too late." })).status,
    ).toBe(200);
    expect(await readStatus(test, third)).toEqual({ completed: true, warning: "Too late." });
    expect(await readCount(test)).toBe(5);
    expect((await test.control("/mutations/complete", { requestId: third })).status).toBe(404);
    expect(
      (await test.control("/mutations/warn", { requestId: "none", warning: "x" })).status,
    ).toBe(404);
    expect((await test.control("/mutations")).body["items"]).toMatchObject([
      { state: "done" },
      { state: "done" },
      { warning: "Too late." },
    ]);
  });

  it("applies what was held when it is released, and what came behind it", async () => {
    await using test = await start({ seed: SHARED });
    const before = await readCount(test);
    await test.control("/mutations/hold", { hold: true });
    const held = await insert(test);
    await test.control("/mutations/hold", { hold: false });
    const later = await insert(test);
    expect([await readStatus(test, held), await readStatus(test, later)]).toEqual([
      { completed: true },
      { completed: true },
    ]);
    expect(await readCount(test)).toBe(before + 2);
  });

  it("applies what came behind an edit that waited for polls", async () => {
    await using test = await start({ seed: SHARED });
    await test.control("/latency", { latency: { polls: 2 } });
    const polled = await insert(test);
    await test.control("/latency", { latency: "immediate" });
    const behind = await insert(test);
    expect(await readStatus(test, behind)).toEqual({ completed: false });
    expect(await readStatus(test, polled)).toEqual({ completed: false });
    expect(await readStatus(test, polled)).toEqual({ completed: true });
    expect(await readStatus(test, behind)).toEqual({ completed: true });
  });

  it("an edit can wait for so many polls, for milliseconds, or as long as in the public service", async () => {
    await using test = await start({ seed: SHARED, now: () => 1_000_000, random: () => 0.5 });
    await test.control("/latency", { latency: { polls: 3 } });
    const polled = await insert(test);
    const polls: unknown[] = [];
    for (let poll = 0; poll < 3; poll++) polls.push((await readStatus(test, polled))["completed"]);
    expect(polls).toEqual([false, false, true]);
    await test.control("/latency", { latency: "realistic" });
    const slow = await insert(test);
    test.service.clock.advance(14_999);
    expect(await readStatus(test, slow)).toEqual({ completed: false });
    test.service.clock.advance(1);
    expect(await readStatus(test, slow)).toEqual({ completed: true });
    await test.control("/latency", { latency: "immediate" });
    expect(await readStatus(test, await insert(test))).toEqual({ completed: true });
    expect((await test.control("/latency")).body).toEqual({
      latency: "immediate",
      snapshotLagMs: 0,
      failedMutation: "warning",
    });
    expect((await test.control("/latency", { latency: "later" })).status).toBe(400);
  });

  it("makes requests fail by operation, document, limit and count", async () => {
    await using test = await start({ seed: SHARED });
    const faults = [
      { operation: "listRows", aboveLimit: 100, status: 504 },
      { operation: "getDoc", docId: "private", status: 503, retryAfter: 7, count: 1 },
      { operation: "listTables", aboveLimit: 0, status: 502 },
    ];
    expect((await test.control("/faults", { faults })).status).toBe(200);
    const status = async (path: string) => (await test.send(path)).status;
    expect([
      await status(`${ROWS}?limit=101`),
      await status(`${ROWS}?limit=100`),
      await status("/docs/shared/tables?limit=1"),
      await status("/docs/shared/tables"),
      await status("/docs/shared"),
    ]).toEqual([504, 200, 502, 200, 200]);
    const failed = await test.send("/docs/private");
    expect([
      failed.status,
      failed.headers.get("retry-after"),
      failed.body["statusMessage"],
    ]).toEqual([503, "7", "Service Unavailable"]);
    expect(await status("/docs/private")).toBe(200);
    expect((await test.control("/faults")).body["faults"]).toHaveLength(2);
    for (const wrong of [
      { operation: "none" },
      { status: 200 },
      { probability: 2 },
      { unknown: 1 },
    ])
      expect((await test.control("/faults", { faults: [wrong] })).status).toBe(400);
  });

  it("drops, truncates and fills answers; a header asks for one fault", async () => {
    await using test = await start({ seed: SHARED });
    const send = (fault: string, init: RequestInit = {}) =>
      fetch(`${test.service.url}${init.method === undefined ? "/docs/shared" : ROWS}`, {
        ...init,
        headers: { Authorization: `Bearer ${test.service.token}`, "X-Emulator-Fault": fault },
      });
    const added = { method: "POST", body: JSON.stringify({ rows: [{ cells: [] }] }) };
    await expect(send("drop=before", added)).rejects.toThrow();
    expect(await readCount(test)).toBe(3);
    await expect(send("drop=after", added)).rejects.toThrow();
    expect(await readCount(test)).toBe(4);
    await expect(send("truncate").then((response) => response.text())).rejects.toThrow();
    const huge = await (await send("huge=300000")).text();
    expect([huge.length, JSON.parse(huge).id]).toEqual([300_000, "shared"]);
    expect((await send("status=500,delay=1")).status).toBe(500);
    expect((await send("nonsense=1")).status).toBe(200);
  });

  it("changes, switches off and shows the rate limits", async () => {
    await using test = await start({ seed: SHARED, now: () => 0 });
    await test.control("/rate-limits", {
      limits: { read: { requests: 1, windowMs: 1_000 } },
      retryAfter: true,
    });
    const read = async () => (await test.send("/docs/shared")).status;
    expect([await read(), await read()]).toEqual([200, 429]);
    expect((await test.control("/rate-limits")).body["windows"]).toMatchObject([
      { group: "read", recent: 1 },
    ]);
    await test.control("/rate-limits", { off: true });
    expect([await read(), await read()]).toEqual([200, 200]);
    expect((await test.control("/rate-limits", { limits: { none: {} } })).status).toBe(400);
  });

  it("keeps a journal with operations, without credentials", async () => {
    await using test = await start({ seed: SHARED });
    await insert(test);
    const { items } = (await test.control("/requests")).body as {
      items: Record<string, unknown>[];
    };
    expect(items).toMatchObject([
      { operation: "upsertRows", method: "POST", status: 202, requestId: expect.any(String) },
    ]);
    expect(JSON.stringify(items)).not.toContain(test.service.token);
  });

  it("a quiet request meets no fault, counts against no limit, and is not in the journal", async () => {
    await using test = await start({ seed: SHARED, rateLimits: {}, faults: [{ status: 503 }] });
    const headers = { Authorization: `Bearer ${test.service.token}`, "X-Emulator-Quiet": "1" };
    for (const path of ["/docs/shared", ROWS])
      expect((await fetch(test.service.url + path, { headers })).status).toBe(200);
    expect((await test.control("/rate-limits")).body["windows"]).toEqual([]);
    expect((await test.send("/docs/shared")).status).toBe(503);
    expect(
      ((await test.control("/requests")).body["items"] as { path: string }[]).filter(({ path }) =>
        path.startsWith("/apis"),
      ),
    ).toHaveLength(1);
  });

  it("sets the clock to any time from 1970 to the end of 9999", async () => {
    await using test = await start({ seed: SHARED });
    const last = Date.UTC(9999, 11, 31);
    for (const nowMs of [0, last])
      expect((await test.control("/clock", { nowMs })).status).toBe(200);
    for (const nowMs of [-1, last + 1])
      expect((await test.control("/clock", { nowMs })).status).toBe(400);
  });

  it("stops the clock and lets it run on; tells what an edit that waits will do", async () => {
    let nowMs = 1_000;
    await using test = await start({ seed: SHARED, now: () => nowMs });
    expect((await test.control("/clock", { freeze: true })).body).toEqual({
      nowMs: 1_000,
      isFrozen: true,
    });
    nowMs = 5_000;
    expect((await test.control("/clock")).body).toEqual({ nowMs: 1_000, isFrozen: true });
    expect((await test.control("/clock", { freeze: false })).body).toEqual({
      nowMs: 1_000,
      isFrozen: false,
    });
    nowMs = 6_000;
    expect((await test.control("/clock")).body).toEqual({ nowMs: 2_000, isFrozen: false });
    await test.control("/mutations/hold", { hold: true });
    await insert(test);
    expect((await test.control("/mutations")).body).toMatchObject({
      hold: true,
      items: [{ state: "pending", kind: "insert", tableId: "grid-one", rows: 1 }],
    });
    await test.control("/mutations/complete", {});
    expect((await test.control("/mutations")).body["items"]).toEqual([
      expect.not.objectContaining({ kind: expect.anything() }),
    ]);
  });

  it.each(["fast", "faithful", "hostile"] as const)("serves the %s profile", async (profile) => {
    await using test = await start({ seed: SHARED, profile, now: () => 0, random: () => 0.999 });
    const requestId = await insert(test);
    expect(await readStatus(test, requestId)).toEqual({ completed: false });
    test.service.clock.advance(profile === "fast" ? 100 : 20_500);
    expect(await readStatus(test, requestId)).toEqual({ completed: true });
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => (await test.send("/docs")).status),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(profile === "fast" ? 0 : 1);
  });

  it("counts real runs of Packs: invocations, errors, median latency and response size", async () => {
    await using test = await start({ seed: SHARED, now: () => Date.parse("2026-03-02T05:00:00Z") });
    const pack = { id: 77, name: "Tasks" };
    const runs = [10, 30, 20].map((latencyMs, at) => ({
      pack,
      formula: "List",
      latencyMs,
      responseSizeBytes: 100 * at,
      isError: at === 1,
    }));
    expect(
      (
        await test.control("/analytics", [
          ...runs,
          { pack, formula: "Save", type: "action", latencyMs: 5 },
        ])
      ).status,
    ).toBe(200);
    await test.service.ingest([{ pack, formula: "List", latencyMs: 40, responseSizeBytes: 300 }]);
    expect(
      (await test.send("/analytics/packs/77/formulas?packFormulaNames=List")).body["items"],
    ).toMatchObject([
      {
        formula: { name: "List", type: "formula" },
        metrics: [
          {
            date: "2026-03-01",
            formulaInvocations: 4,
            errors: 1,
            medianLatencyMs: 25,
            medianResponseSizeBytes: 150,
          },
        ],
      },
    ]);
    expect((await test.send("/analytics/packs?packIds=77")).body["items"]).toMatchObject([
      { metrics: [{ numFormulaInvocations: 4, numActionInvocations: 1 }] },
    ]);
    expect((await test.control("/analytics", [{ pack, formula: "List" }])).status).toBe(400);
  });
});
