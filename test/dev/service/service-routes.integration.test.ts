import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import type { RunView } from "../../../src/dev/wire/run.ts";
import type {
  DocView,
  ServicePageView,
  ServiceRowsView,
  ServiceTableView,
  ServiceView,
} from "../../../src/dev/wire/service.ts";
import { startService } from "../../../src/service/local/service.ts";
import { isLong } from "../../support/breadth.ts";
import { type DevProject, startDevProject } from "../../support/dev.ts";
import { SERVICE_PACK } from "../../support/service-pack.ts";

const TASKS = "/api/service/docs/demoDoc001/tables/grid-demoTasks1";
const TITLE = "c-demoTitle1";

async function startWithService(profile = "fast"): Promise<DevProject> {
  const dev = await startDevProject({ "pack.ts": SERVICE_PACK });
  expect((await dev.post("/api/service/start", { profile })).status).toBe(200);
  return dev;
}

async function read<Answer>(dev: DevProject, path: string): Promise<Answer> {
  const response = await dev.get(path);
  expect(response.status).toBe(200);
  return (await response.json()) as Answer;
}

async function readRunning(dev: DevProject) {
  const { running } = await read<ServiceView>(dev, "/api/service");
  if (running === undefined) throw new Error("No service is running.");
  return running;
}

function readRows(dev: DevProject, table = TASKS): Promise<ServiceRowsView> {
  return read(dev, `${table}/rows?column=${TITLE}:text`);
}

async function firstRowId(dev: DevProject): Promise<string> {
  return (await readRows(dev)).rows[0]?.id ?? "";
}

async function readFailure(response: Response): Promise<{ code: string; message: string }> {
  expect(response.status).toBe(400);
  return ((await response.json()) as { failure: { code: string; message: string } }).failure;
}

async function countTasks(dev: DevProject): Promise<RunView> {
  const started = (await (
    await dev.post("/api/runs", { target: "CountTasks", args: [] })
  ).json()) as RunView;
  return await waitForRun(dev, started.id);
}

async function waitForRun(dev: DevProject, id: string): Promise<RunView> {
  for (;;) {
    const run = await read<RunView>(dev, `/api/runs/${id}`);
    if (run.state === "ended") return run;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("the routes of the view Service", () => {
  it("say what there is to do while no service runs", async () => {
    await using dev = await startDevProject({ "pack.ts": SERVICE_PACK });
    expect(await read(dev, "/api/service")).toEqual({ access: { routes: [] } });
    expect(await readFailure(await dev.get("/api/service/docs"))).toMatchObject({
      code: "SERVICE_FAILED",
    });
    expect(
      await readFailure(await dev.post("/api/service/start", { profile: "none" })),
    ).toMatchObject({ code: "USAGE_INVALID" });
  });

  it.runIf(isLong)("start one service at a time, and stop it", async () => {
    await using dev = await startDevProject({ "pack.ts": SERVICE_PACK });
    const answers = await Promise.all(
      ["fast", "faithful"].map((profile) => dev.post("/api/service/start", { profile })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const running = await readRunning(dev);
    expect(running).toMatchObject({
      isOwn: true,
      pending: [],
      faults: [],
      latency: "realistic",
      isLimited: true,
    });
    expect((await dev.post("/api/service/stop")).status).toBe(200);
    await expect(fetch(`${running.origin}/__emulator/clock`)).rejects.toThrow();
    expect((await read<ServiceView>(dev, "/api/service")).running).toBeUndefined();
  });

  it("show documents, tables, rows and pages", async () => {
    await using dev = await startWithService();
    const [doc] = await read<DocView[]>(dev, "/api/service/docs");
    expect(doc).toMatchObject({ id: "demoDoc001", ownerName: "First Owner" });
    expect(doc?.pages.map(({ name, level, isHidden }) => [name, level, isHidden])).toEqual([
      ["Start", 0, false],
      ["Plans", 1, false],
      ["Attic", 0, true],
    ]);
    expect(doc?.tables.map(({ name, tableType }) => [name, tableType])).toEqual([
      ["Tasks", "table"],
      ["Projects", "table"],
      ["Tasks to do", "view"],
      ["All tasks", "view"],
      ["Task details", "view"],
    ]);
    const table = await read<ServiceTableView>(dev, TASKS);
    expect([table.name, table.rowCount, table.columns[0]]).toMatchObject([
      "Tasks",
      24,
      { id: TITLE, isDisplay: true, isEditable: true },
    ]);
    expect(table.columns.find(({ type }) => type === "button")).toMatchObject({
      label: "Close",
      isEditable: false,
    });
    expect(table.columns.find(({ name }) => name === "Status")?.options).toEqual([
      "To do",
      "In progress",
      "In review",
      "Done",
    ]);
    const { rows, next } = await read<ServiceRowsView>(
      dev,
      `${TASKS}/rows?column=${TITLE}:text&column=c-demoDue001:date`,
    );
    expect([rows.length, next, rows[0]?.cells]).toEqual([
      24,
      undefined,
      ["Draft the welcome guide", "2026-03-02"],
    ]);
    const page = await read<ServicePageView>(
      dev,
      "/api/service/docs/demoDoc001/pages/canvas-demoStart1",
    );
    expect(page.lines[0]).toMatchObject({ style: "h1", text: "Welcome" });
  });

  it("send edits through the public API: they wait as mutations, and are completed or failed by hand", async () => {
    await using dev = await startWithService();
    await dev.post("/api/service/mutations/hold", { hold: true });
    const row = await firstRowId(dev);
    const edited = (await (
      await dev.post(`${TASKS}/rows/edit`, { row, column: TITLE, value: "Renamed" })
    ).json()) as { requestId: string };
    await dev.post(`${TASKS}/rows/add`);
    await dev.post(`${TASKS}/rows/delete`, { rows: [row] });
    await dev.post(`${TASKS}/rows/push`, { row, column: "c-demoClose1" });
    const { pending, isHeld } = await readRunning(dev);
    expect([isHeld, pending.map(({ kind }) => kind)]).toEqual([
      true,
      ["update", "insert", "delete", "push"],
    ]);
    expect((await readRows(dev)).rows[0]?.cells).toEqual(["Draft the welcome guide"]);
    await dev.post("/api/service/mutations/complete", { requestId: edited.requestId });
    expect((await readRows(dev)).rows[0]?.cells).toEqual(["Renamed"]);
    const deletion = pending.find(({ kind }) => kind === "delete")?.requestId;
    await dev.post("/api/service/mutations/warn", { requestId: deletion, warning: "Not today." });
    await dev.post("/api/service/mutations/complete");
    const after = await readRunning(dev);
    expect([after.pending, after.done.map(({ warning }) => warning)]).toEqual([
      [],
      [null, "Not today.", null, null],
    ]);
    expect((await readRows(dev)).rows).toHaveLength(25);
  });

  it("read without being noticed: no fault meets them, no limit counts them, no journal has them", async () => {
    await using dev = await startWithService();
    await dev.post("/api/service/rate-limits", {});
    await dev.post("/api/service/faults/add", { status: 503 });
    await readRows(dev);
    expect(await readRunning(dev)).toMatchObject({
      requests: [],
      windows: [],
      faults: [{ on: "every request", what: "returns 503" }],
    });
    const edit = await dev.post(`${TASKS}/rows/add`);
    expect(await readFailure(edit)).toMatchObject({
      code: "SERVICE_FAILED",
      message: expect.stringContaining("503"),
    });
    expect(await readRunning(dev)).toMatchObject({
      requests: [{ operation: "upsertRows", status: 503 }],
      windows: [{ group: "content" }],
    });
  });

  it("inject faults and remove them, also when one before was used up since, and refuse invalid ones", async () => {
    await using dev = await startWithService();
    await dev.post("/api/service/faults/add", {
      operation: "listRows",
      status: 429,
      retryAfter: 2,
      count: 3,
      probability: 0.5,
    });
    await dev.post("/api/service/faults/add", { drop: "after" });
    const { faults } = await readRunning(dev);
    expect(faults).toEqual([
      {
        key: expect.any(String),
        on: "listRows",
        what: "returns 429, with Retry-After 2",
        often: "3 times, 50 % of the time",
      },
      {
        key: expect.any(String),
        on: "every request",
        what: "processes the request, then closes the connection",
        often: "until you remove the fault",
      },
    ]);
    await dev.post("/api/service/faults/remove", { key: faults[0]?.key });
    // The page may not know yet that it is gone.
    await dev.post("/api/service/faults/remove", { key: faults[0]?.key });
    expect((await readRunning(dev)).faults.map(({ on }) => on)).toEqual(["every request"]);
    expect(
      await readFailure(await dev.post("/api/service/faults/add", { status: 200 })),
    ).toMatchObject({ code: "SERVICE_FAILED" });
  });

  it.runIf(isLong)("advance, freeze and resume the clock; what waits becomes due", async () => {
    let nowMs = Date.UTC(2026, 2, 2);
    await using dev = await startDevProject({ "pack.ts": SERVICE_PACK }, { now: () => nowMs });
    await dev.post("/api/service/start", { profile: "faithful" });
    await dev.post(`${TASKS}/rows/add`);
    expect((await readRunning(dev)).pending).toHaveLength(1);
    await dev.post("/api/service/clock", { advanceMs: 60_000 });
    expect(await readRunning(dev)).toMatchObject({
      nowMs: nowMs + 60_000,
      isFrozen: false,
      pending: [],
    });
    await dev.post("/api/service/clock", { freeze: true });
    nowMs += 5_000;
    expect(await readRunning(dev)).toMatchObject({ nowMs: nowMs + 55_000, isFrozen: true });
    expect(
      await readFailure(await dev.post("/api/service/clock", { advanceMs: 1e20 })),
    ).toMatchObject({ code: "SERVICE_FAILED" });
  });

  it("lead the Pack's domain to the service, with an account of its token, so that runs reach it and meet its faults", async () => {
    await using dev = await startWithService();
    const { access } = await read<ServiceView>(dev, "/api/service");
    expect(access).toEqual({
      routes: [{ origin: "https://docs.service.example", isOn: true, isFixed: false }],
      account: { type: "HeaderBearerToken" },
    });
    await dev.post("/api/service/account");
    expect((await read<ServiceView>(dev, "/api/service")).access.account?.made).toBe("default");
    const counted = await countTasks(dev);
    expect([counted.failure, counted.value]).toEqual([undefined, 24]);
    await dev.post("/api/service/faults/add", { operation: "listRows", status: 503, count: 1 });
    expect((await countTasks(dev)).failure?.message).toContain("503");
    expect(await countTasks(dev)).toMatchObject({ value: 24 });
    await dev.post("/api/service/route", { origin: "https://docs.service.example", isOn: false });
    expect(dev.server.session.routes()).toEqual([]);
    // The same token serves after a new start.
    await dev.post("/api/service/start", { profile: "fast" });
    expect(await countTasks(dev)).toMatchObject({ value: 24 });
  });

  it.runIf(isLong)(
    "never replace an account that the user connected, or a route of the command line",
    async () => {
      await using dev = await startDevProject(
        { "pack.ts": SERVICE_PACK },
        { routes: ["https://docs.service.example=http://127.0.0.1:9"] },
      );
      await dev.post("/api/service/start", { profile: "fast" });
      await dev.post("/api/service/account");
      await dev.post("/api/service/stop");
      await dev.post("/api/service/start", { profile: "fast" });
      expect(dev.server.session.routes()).toEqual([
        "https://docs.service.example=http://127.0.0.1:9",
      ]);
      expect((await read<ServiceView>(dev, "/api/service")).access.routes).toEqual([
        { origin: "https://docs.service.example", isOn: false, isFixed: true },
      ]);
      await dev.post("/api/service/account");
      expect((await read<ServiceView>(dev, "/api/service")).access.account?.made).toBe("default");
    },
  );

  it.runIf(isLong)(
    "work with a service that runs elsewhere on this machine, and with no other",
    async () => {
      await using service = await startService();
      await using dev = await startDevProject({ "pack.ts": SERVICE_PACK });
      const connect = (url: string, token: string) =>
        dev.post("/api/service/connect", { url, token });
      expect(
        await readFailure(await connect("https://docs.service.example/apis/v1", service.token)),
      ).toMatchObject({ code: "USAGE_INVALID" });
      expect(await readFailure(await connect("http://127.0.0.1:9", service.token))).toMatchObject({
        code: "SERVICE_FAILED",
      });
      expect(await readFailure(await connect(service.url, "wrong-token"))).toMatchObject({
        code: "SERVICE_FAILED",
      });
      // Without the key of the control plane, the page could only read documents.
      expect(await readFailure(await connect(service.url, service.token))).toMatchObject({
        code: "SERVICE_FAILED",
      });
      expect((await connect(service.controlUrl, service.token)).status).toBe(200);
      expect(await readRunning(dev)).toMatchObject({
        isOwn: false,
        origin: new URL(service.url).origin,
      });
      expect((await readRows(dev)).rows).toHaveLength(24);
      await service.close();
      expect((await readRunning(dev)).failure).toMatchObject({ code: "SERVICE_FAILED" });
      await dev.post("/api/service/stop");
      expect((await read<ServiceView>(dev, "/api/service")).running).toBeUndefined();
    },
  );

  it("take the tokens of a local provider, as long as it runs", async () => {
    const pack = readFileSync(
      new URL("../../../examples/reports/pack.ts", import.meta.url),
      "utf8",
    );
    await using dev = await startDevProject({ "pack.ts": pack });
    await dev.post("/api/service/start", { profile: "fast" });
    expect((await read<ServiceView>(dev, "/api/service")).access).toMatchObject({
      routes: [{ origin: "https://docs.reports.example", isOn: true }, {}],
    });
    const local = { profile: "strict", tokenSeconds: 3_600 };
    expect(
      (await dev.post("/api/accounts/connect", { slot: "user", account: "default", local })).status,
    ).toBe(200);
    const report = async () => {
      const run = (await (
        await dev.post("/api/runs", { target: "HoursByStatus", args: ["demoDoc001"] })
      ).json()) as RunView;
      return await waitForRun(dev, run.id);
    };
    await vi.waitFor(async () => expect((await report()).rowCount).toBe(4), {
      timeout: 60_000,
      interval: 50,
    });
    await dev.post("/api/service/start", { profile: "fast" });
    expect((await report()).rowCount).toBe(4);
    await dev.post("/api/local-provider/stop", { slot: "user" });
    expect((await report()).failure).toBeDefined();
  });

  it("answer nothing with the token of the service", async () => {
    await using service = await startService();
    await using dev = await startDevProject({ "pack.ts": SERVICE_PACK });
    await dev.post("/api/service/connect", { url: service.url, token: service.token });
    await dev.post("/api/service/account");
    await countTasks(dev);
    const paths = [
      "",
      "/docs",
      "/docs/demoDoc001/tables/grid-demoTasks1",
      "/docs/demoDoc001/pages/canvas-demoStart1",
    ];
    for (const path of [
      ...paths.map((each) => `/api/service${each}`),
      `${TASKS}/rows?column=${TITLE}:text`,
    ])
      expect(await (await dev.get(path)).text()).not.toContain(service.token);
  });
});
