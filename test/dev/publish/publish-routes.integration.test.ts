import { describe, expect, it } from "vitest";
import type { PublishView } from "../../../src/dev/wire/publish.ts";
import type { LiveDifference } from "../../../src/publish/difference.ts";
import { hello, packSource } from "../../publish/registry/registry.ts";
import { isLong } from "../../support/breadth.ts";
import { startPublishDev } from "../../support/publish-dev.ts";

describe("the routes of the view Publish", () => {
  it("say how to log in and how to link the folder, before they show the Pack", async () => {
    await using publish = await startPublishDev();
    const { dev, registry, login } = publish;
    const view = async () => (await (await dev.get("/api/publish")).json()) as PublishView;
    const { origin, host } = registry.client.registry;
    expect(await view()).toMatchObject({
      host,
      failure: { code: "REGISTRY_TOKEN_MISSING" },
      commands: [`packsmith login --registry ${origin}`],
    });
    await login("wrong-token-0123456789");
    expect(await view()).toMatchObject({
      failure: { code: "PACK_ID_MISSING" },
      commands: [`packsmith create pack.ts --registry ${origin}`],
    });
    await publish.link();
    expect(await view()).toMatchObject({
      failure: { code: "REGISTRY_TOKEN_REFUSED" },
      commands: [`packsmith login --registry ${origin}`],
    });
    await login();
    const { failure, pack } = await view();
    expect([failure, pack]).toMatchObject([
      undefined,
      { id: publish.packId(), versions: [], user: "first.owner@service.example" },
    ]);
    expect(JSON.stringify(await view())).not.toContain(registry.test.service.token);
  });

  it("upload and release with the functions of the commands, and repeating changes nothing", async () => {
    await using publish = await startPublishDev({ isReady: true });
    const first = await publish.run("upload", { notes: "first" });
    expect(first).toMatchObject({ state: "done", result: "Version 1 is uploaded." });
    expect(first.failure).toBe(undefined);
    expect(first.sent?.bytes).toBe(first.sent?.totalBytes);
    expect(await publish.run("upload")).toMatchObject({
      state: "done",
      result: "The registry already has this source as version 1. Nothing was sent.",
    });
    expect(await publish.run("release", { version: "1", notes: "For all" })).toMatchObject({
      state: "done",
    });
    expect(await publish.run("release", { version: "1", released: "1" })).toMatchObject({
      result: "Users already have 1.",
    });
    expect((await publish.view()).pack).toMatchObject({
      released: "1",
      versions: [{ packVersion: "1", buildNotes: "first", releaseId: 1 }],
    });
    await publish.save(packSource(`${hello()}\n${hello("Says goodbye.", "Bye")}`));
    const difference = (await (
      await publish.dev.get("/api/publish/difference")
    ).json()) as LiveDifference;
    expect(difference).toMatchObject({
      released: "1",
      nextVersion: "2",
      source: ["formula Bye: added"],
    });
    await publish.run("upload");
    const changes = await (await publish.dev.get("/api/publish/changes?from=1&to=2")).json();
    expect(changes).toEqual({ findings: ["formula Bye: added"] });
  });

  it.runIf(isLong)(
    "a release that was confirmed for another version is refused, and so is one that does not exist",
    async () => {
      await using publish = await startPublishDev({ isReady: true });
      await publish.run("upload");
      await publish.run("release", { version: "1" });
      await publish.save(packSource(hello("Greets you.")));
      await publish.run("upload");
      expect(await publish.run("release", { version: "2", released: "0.9.0" })).toMatchObject({
        state: "failed",
        failure: { message: "Someone released version 1 after this page was loaded." },
      });
      expect(await publish.run("release", { version: "3.0.0", released: "1" })).toMatchObject({
        failure: { code: "VERSION_UNKNOWN" },
      });
      expect((await publish.view()).pack?.released).toBe("1");
    },
  );

  it("show every failure with its next step, the problems at their lines, and the next upload completes it", async () => {
    await using publish = await startPublishDev({ isReady: true });
    await publish.registry.fail({ operation: "completePackVersion", status: 400 });
    expect(await publish.run("upload")).toMatchObject({
      state: "failed",
      failure: { code: "REGISTRY_FAILED", hint: expect.stringMatching(/\w/) },
    });
    await publish.registry.fail();
    expect(await publish.run("upload")).toMatchObject({
      state: "done",
      result: "Version 1 is uploaded.",
    });
    await publish.save(packSource(hello("Greets.", "Not a name")));
    expect(await publish.run("upload")).toMatchObject({
      failure: { code: "PACK_INVALID" },
      issues: expect.arrayContaining([
        expect.objectContaining({ severity: "error", file: "pack.ts", line: 5 }),
      ]),
    });
  });

  it.runIf(isLong)(
    "run one job at a time, which can be stopped, and is completed by the next one",
    async () => {
      await using publish = await startPublishDev({ isReady: true });
      await publish.registry.fail({ operation: "putUpload", delayMs: 60_000, count: 1 });
      const ended = publish.run("upload");
      await expect
        .poll(async () => (await publish.job())?.sent?.bytes ?? 0, { timeout: 60_000 })
        .toBeGreaterThan(0);
      const second = await publish.dev.post("/api/publish/release", { version: "1" });
      expect([second.status, await second.json()]).toMatchObject([
        400,
        { failure: { message: expect.stringContaining("still running") } },
      ]);
      await publish.dev.post("/api/publish/stop");
      expect(await ended).toMatchObject({ state: "failed", failure: { code: "INTERRUPTED" } });
      expect(await publish.run("upload")).toMatchObject({ state: "done" });
      expect((await publish.view()).pack?.versions).toHaveLength(1);
    },
  );

  it.each(["upload", "release", "stop"])(
    "refuse %s without the token of the page, from another origin, and as a GET",
    async (name) => {
      await using publish = await startPublishDev({ isReady: true });
      const { origin } = publish.dev.server;
      const cookie = publish.cookie;
      const headers = { cookie, origin, "content-type": "application/json" };
      const send = (init: RequestInit) => fetch(`${origin}/api/publish/${name}`, init);
      expect((await send({ method: "POST", headers, body: "{}" })).status).toBe(403);
      expect(
        (
          await send({
            method: "POST",
            headers: { ...headers, origin: "http://elsewhere.example" },
            body: "{}",
          })
        ).status,
      ).toBe(403);
      expect((await publish.dev.get(`/api/publish/${name}`)).status).toBe(405);
      expect((await publish.view()).pack?.versions).toEqual([]);
    },
  );

  it.each([
    ["a version that is a number", { version: 1 }],
    ["no version", {}],
    ["notes that are a number", { version: "1.0.0", notes: 7 }],
    ["notes that are too long", { version: "1.0.0", notes: "x".repeat(10_001) }],
  ])("refuse a release with %s", async (_name, body) => {
    await using publish = await startPublishDev({ isReady: true });
    expect((await publish.dev.post("/api/publish/release", body)).status).toBe(400);
    expect(await publish.job()).toBe(null);
  });
});
