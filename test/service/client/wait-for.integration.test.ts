import { describe, expect, it } from "vitest";
import { poll } from "../../../src/service/client/wait-for.ts";
import type { Transport } from "../../../src/service.ts";
import { startTestService } from "../support.ts";
import { createClient, createTimer, ok, refusal, scripted } from "./scripted.ts";

/** Answers out of the time that has passed since the start. */
function statusOverTime(answer: (elapsedMs: number) => ReturnType<typeof ok>) {
  const timer = createTimer();
  const startedAtMs = timer.nowMs;
  const transport: Transport = { timer, send: async () => answer(timer.nowMs - startedAtMs) };
  return { client: createClient(transport), timer };
}

describe("poll", () => {
  it("asks as often as it is allowed to when it cannot wait", async () => {
    let asked = 0;
    const ask = async () => void asked++;
    expect(await poll(undefined, ask, { polls: 2 })).toBeUndefined();
    expect(asked).toBe(2);
  });

  it("takes an unknown edit for a late one until exactly 30 seconds", async () => {
    let nowMs = 0;
    const timer = {
      now: () => nowMs,
      async sleep() {
        nowMs += 10_000;
      },
    };
    const ask = () =>
      createClient(scripted(refusal(404)))
        .whoami()
        .then(() => undefined);
    await expect(poll(timer, ask, {})).rejects.toMatchObject({ name: "NotFoundError" });
    expect(nowMs).toBe(30_000);
  });
});

describe("waiting for an edit", () => {
  it("asks first after a second, then less and less often", async () => {
    const { client, timer } = statusOverTime((elapsedMs) => ok({ completed: elapsedMs > 60_000 }));
    expect(await client.waitFor({ requestId: "r" })).toEqual({ requestId: "r", completed: true });
    expect(timer.slept.slice(0, 4)).toEqual([1_000, 1_500, 2_250, 3_375]);
    expect(Math.max(...timer.slept)).toBe(15_000);
  });

  it("ends after two minutes with an error that says the outcome is open, and names the edit", async () => {
    const { client, timer } = statusOverTime(() => ok({ completed: false }));
    await expect(client.waitFor("r")).rejects.toMatchObject({
      name: "MutationPendingError",
      requestId: "r",
      executed: "unknown",
    });
    expect(timer.slept.reduce((one, other) => one + other)).toBe(120_000);
  });

  // docs/rules.md: service 63
  it("takes an unknown edit for a late one during 30 seconds, and no longer", async () => {
    const { client } = statusOverTime((elapsedMs) =>
      elapsedMs < 29_000 ? refusal(404) : ok({ completed: true }),
    );
    expect(await client.waitFor("r")).toMatchObject({ completed: true });
    const gone = statusOverTime(() => refusal(404));
    await expect(gone.client.waitFor("r")).rejects.toMatchObject({ name: "NotFoundError" });
    expect(gone.timer.slept.reduce((one, other) => one + other)).toBeGreaterThanOrEqual(30_000);
    expect(gone.timer.slept.reduce((one, other) => one + other)).toBeLessThan(60_000);
  });

  // docs/rules.md: service 61
  it.each([
    ["absent", {}],
    ["null", { warning: null }],
    ["empty", { warning: "" }],
  ])("ignores a warning that is %s", async (_, extra) => {
    const { client } = statusOverTime(() => ok({ completed: true, ...extra }));
    expect(await client.waitFor("r", { onWarning: "throw" })).toEqual({
      requestId: "r",
      completed: true,
    });
  });

  it("a warning is a part of the outcome, or an error, as the caller says", async () => {
    const { client } = statusOverTime(() =>
      ok({ completed: true, warning: "Initial page HTML was invalid." }),
    );
    expect(await client.waitFor("r")).toEqual({
      requestId: "r",
      completed: true,
      warning: "Initial page HTML was invalid.",
    });
    await expect(client.waitFor("r", { onWarning: "throw" })).rejects.toMatchObject({
      name: "MutationWarningError",
      message: "Initial page HTML was invalid.",
      requestId: "r",
    });
  });
});

describe("fresh reads", () => {
  // docs/rules.md: service 67
  it("wait for the latest edit that this client made in the document, and for no other", async () => {
    const transport = scripted(
      ok({ requestId: "r1" }),
      ok({ requestId: "r2" }),
      ok({ completed: true }),
      ok({ id: "d" }),
      ok({ id: "d" }),
      ok({ id: "e" }),
    );
    transport.timer = createTimer();
    const client = createClient(transport);
    const { rows } = client.doc("d").table("t");
    await rows.insert({ rows: [] });
    await rows.delete("i-1");
    await client.doc("d").get({ fresh: "wait" });
    await client.doc("d").get({ fresh: "wait" });
    await client.doc("e").get({ fresh: "wait" });
    expect(transport.sent.slice(2).map(({ url }) => url.split("/v1/")[1])).toEqual([
      "mutationStatus/r2",
      "docs/d",
      "docs/d",
      "docs/e",
    ]);
    expect(transport.sent.every(({ headers }) => headers === undefined)).toBe(true);
  });

  // docs/rules.md: service 67
  it("see what was written, against a service that takes its time", async () => {
    await using test = await startTestService({ mutationDelayMs: 50 });
    const { rows } = test.client.doc(test.service.docId).table("Tasks");
    await rows.insert({ rows: [{ Title: "Fresh" }] });
    expect(await rows.resolve("Fresh", { fresh: "wait" })).toMatchObject({ name: "Fresh" });
  });

  // docs/rules.md: service 65
  it("fail while any user's edit is being applied, if the caller asks for the latest", async () => {
    await using test = await startTestService({ mutationDelayMs: 60_000 });
    const doc = test.client.doc(test.service.docId);
    expect(await doc.get({ fresh: "latest" })).toMatchObject({ id: test.service.docId });
    await doc.table("Tasks").rows.insert({ rows: [{ Title: "Pending" }] });
    await expect(doc.get({ fresh: "latest" })).rejects.toMatchObject({
      name: "StaleDocError",
      status: 400,
      executed: "no",
    });
    await test.service.settle();
    expect(await doc.get({ fresh: "latest" })).toMatchObject({ id: test.service.docId });
  });

  // docs/rules.md: V18
  it("send the consistency header under the specified name, or under another one", async () => {
    const { createServiceClient } = await import("../../../src/service.ts");
    const transport = scripted(ok({}), ok({}));
    await createClient(transport).whoami({ fresh: "latest" });
    await createServiceClient({
      baseUrl: "https://docs.example",
      transport,
      consistencyHeader: "X-Other",
    }).whoami({ fresh: "latest" });
    expect(transport.sent.map(({ headers }) => headers)).toEqual([
      { "X-Service-Doc-Version": "latest" },
      { "X-Other": "latest" },
    ]);
  });
});
