import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TimelineDetail, TimelineView } from "../../../src/dev/wire/timeline.ts";
import { startProvider } from "../../../src/provider/provider.ts";
import { type DevProject, startDevProject } from "../../support/dev.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

const PACK = `import * as sdk from "packsmith";
export const pack = sdk.newPack();
pack.addNetworkDomain("api.example");
const parameters = [sdk.makeParameter({ type: "string", name: "path", description: "What to read." })];
const execute = async ([path], context) => (await context.fetcher.fetch({ method: "GET", url: "https://api.example/" + path })).status;
pack.addFormula({ name: "Read", description: "Reads.", parameters, resultType: "number", execute });
pack.addFormula({ name: "Write", description: "Writes.", parameters, resultType: "number", isAction: true, execute });
`;

async function startRun(target = "Read", path = ".well-known/openid-configuration") {
  const provider = await startProvider();
  const dev = await startDevProject(
    { "pack.ts": PACK },
    { routes: [`https://api.example=${provider.origin}`] },
  );
  await dev.post("/api/runs", { target, args: [path] });
  const { rows } = (await (await dev.get("/api/timeline")).json()) as TimelineView;
  return {
    dev,
    provider,
    rows,
    save: (body: object) => save(dev, rows[0]?.id ?? 0, body),
    async [Symbol.asyncDispose]() {
      await dev[Symbol.asyncDispose]();
      await provider.close();
    },
  };
}

async function save(dev: DevProject, id: number, body: object) {
  const response = await dev.post(`/api/timeline/${id}/save`, body);
  return {
    status: response.status,
    ...((await response.json()) as {
      written?: boolean;
      files?: string[];
      exists?: string[];
      failure?: { code: string };
    }),
  };
}

describe("the routes of the timeline", () => {
  it("return every request of a run, and the details of one", async () => {
    await using run = await startRun();
    expect(run.rows).toMatchObject([
      {
        method: "GET",
        url: "https://api.example/.well-known/openid-configuration",
        status: 200,
        source: "run",
        target: "Read",
        canSave: true,
      },
    ]);
    const detail = (await (
      await run.dev.get(`/api/timeline/${run.rows[0]?.id}`)
    ).json()) as TimelineDetail;
    expect(detail.responseBody).toContain(run.provider.issuer);
    expect(detail.suggested).toEqual({
      test: "test/read.test.ts",
      cassette: "test/cassettes/read.json",
    });
    expect(detail.isAction).toBe(false);
    expect((await run.dev.get("/api/timeline/999")).status).toBe(400);
    await run.dev.post("/api/timeline/clear");
    expect(await (await run.dev.get("/api/timeline")).json()).toEqual({ rows: [] });
  });

  it("say that saving an action has its effects again", async () => {
    await using run = await startRun("Write");
    expect(await (await run.dev.get(`/api/timeline/${run.rows[0]?.id}`)).json()).toMatchObject({
      isAction: true,
    });
  });

  it("save a cassette, and replace one only when that is asked for", async () => {
    await using run = await startRun();
    const file = "kept/read.json";
    expect(await run.save({ kind: "cassette", file })).toMatchObject({
      status: 200,
      written: true,
      files: [file],
      requests: 1,
    });
    const first = run.dev.project.read(file);
    expect(JSON.parse(first)).toMatchObject({ exchanges: [{}] });
    writeFileSync(join(run.dev.project.path, file), "mine");
    expect(await run.save({ kind: "cassette", file })).toMatchObject({
      status: 200,
      written: false,
      exists: [file],
    });
    expect(run.dev.project.read(file)).toBe("mine");
    expect(await run.save({ kind: "cassette", file, overwrites: true })).toMatchObject({
      written: true,
    });
    expect(run.dev.project.read(file)).toContain("exchanges");
  });

  it("ask about the cassette of a test, too", async () => {
    await using run = await startRun();
    mkdirSync(join(run.dev.project.path, "test/cassettes"), { recursive: true });
    writeFileSync(join(run.dev.project.path, "test/cassettes/read.json"), "mine");
    expect(await run.save({ kind: "test", file: "test/read.test.ts" })).toMatchObject({
      written: false,
      exists: ["test/cassettes/read.json"],
    });
    expect(existsSync(join(run.dev.project.path, "test/read.test.ts"))).toBe(false);
  });

  it.each([
    ["test", "../away.test.ts"],
    ["test", "/tmp/away.test.ts"],
    ["test", "node_modules/a.test.ts"],
    ["test", ".git/hooks/a.test.ts"],
    ["test", "pack.ts"],
    ["test", "linked/away.test.ts"],
    ["cassette", "package.json/../../away.json"],
    ["cassette", "a.txt"],
    ["cassette", "a\n.json"],
    ["bundle", "a.json"],
  ])("write a %s nowhere but below the project's folder: not to %j", async (kind, file) => {
    using outside = makeTemporaryFolder();
    await using run = await startRun();
    symlinkSync(outside.path, join(run.dev.project.path, "linked"));
    expect(await run.save({ kind, file })).toMatchObject({
      status: 400,
      failure: { code: "USAGE_INVALID" },
    });
  });
});
