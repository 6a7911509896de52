import { describe, expect, it } from "vitest";
import { startDevSession } from "../../../src/dev/session/dev-session.ts";
import { createRedactor } from "../../../src/shared/redact.ts";
import { oneFormula } from "../../support/dev-pack.ts";
import { makeProject } from "../../support/project.ts";

const start = (cwd: string) =>
  startDevSession({ file: "pack.ts", cwd, redactor: createRedactor() });
const call = { kind: "formula", name: "Hello", args: [] } as const;
const host = { context: {} as never, fetch: () => Promise.reject(new Error("no network")) };

describe("the session of packsmith dev", () => {
  it("keeps a version until nothing uses it any more", async () => {
    using project = makeProject({ "pack.ts": oneFormula('return "old";') });
    await using session = await start(project.path);
    const old = await session.openPack();
    project.write("pack.ts", oneFormula('return "new";'));
    await using current = await session.openPack();
    expect(current.revision).toBeGreaterThan(old.revision);
    expect(await old.isolate.invoke(call, host)).toMatchObject({ value: "old" });
    expect(await current.isolate.invoke(call, host)).toMatchObject({ value: "new" });
    await old[Symbol.asyncDispose]();
    expect(await current.isolate.invoke(call, host)).toMatchObject({ value: "new" });
  });

  it("lends the last good version while the Pack is broken, and its own error when there was none", async () => {
    using project = makeProject({
      "pack.ts": oneFormula('return "good";', { name: "No good name" }),
    });
    await using session = await start(project.path);
    expect([session.state().status, session.canRun()]).toEqual(["invalid", false]);
    await expect(session.openPack()).rejects.toMatchObject({ code: "PACK_INVALID" });
    project.write("pack.ts", oneFormula('return "good";'));
    await (await session.openPack())[Symbol.asyncDispose]();
    project.write("pack.ts", "throw new Error('broken');");
    await using pack = await session.openPack();
    expect(session.state()).toMatchObject({
      status: "broken",
      isStale: true,
      definition: { formulas: [{ name: "Hello" }] },
    });
    expect(await pack.isolate.invoke(call, host)).toMatchObject({ value: "good" });
  });

  it("takes a route only to a server on this machine", async () => {
    using project = makeProject({ "pack.ts": oneFormula('return "";') });
    await using session = await start(project.path);
    session.setRoute("https://api.example", "http://127.0.0.1:4711");
    expect(session.routes()).toEqual(["https://api.example=http://127.0.0.1:4711"]);
    expect(() => session.setRoute("https://api.example", "http://elsewhere.example")).toThrow(
      expect.objectContaining({ code: "ROUTE_INVALID" }),
    );
    session.setRoute("https://api.example", undefined);
    expect(session.routes()).toEqual([]);
  });
});
