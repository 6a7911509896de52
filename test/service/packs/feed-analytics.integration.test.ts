import { statSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Pack } from "../../../src/execute/open-pack.ts";
import type { RunResult } from "../../../src/execute/run-target.ts";
import { parseRoutes } from "../../../src/oauth/routes.ts";
import { findControlUrl, keepControlUrl } from "../../../src/service/local/control/control-file.ts";
import { feedAnalytics } from "../../../src/service/packs/feed-analytics.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { startTestService } from "../support.ts";

const definition = {
  formulas: [{ name: "List" }, { name: "Save", isAction: true }],
  syncTables: [{ name: "Tasks" }],
};
const pack = { bundle: { name: "tasks" }, definition } as unknown as Pack;

function runThat(...urls: string[]): RunResult {
  const request = {
    method: "GET",
    status: 200,
    durationMs: 1,
    requestBytes: 0,
    responseBytes: 1,
    fromCache: false,
  };
  return {
    ok: true,
    kind: "value",
    result: "é",
    logs: [],
    requests: urls.map((url) => ({ ...request, url })),
    durationMs: 12.4,
  };
}

async function listen(listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin, [Symbol.asyncDispose]: close };
}

it("counts a run once, under its kind, in the service that its requests went to", async () => {
  const other = { id: 7, name: "other", metrics: [] };
  const users = [{ name: "First", email: "first@service.example" }];
  await using test = await startTestService({
    seed: { users, docs: [], analytics: { packs: [other] } },
  });
  const { origin } = new URL(test.service.url);
  using folder = makeTemporaryFolder();
  const forget = await keepControlUrl(folder.path, test.service.controlUrl);
  expect(statSync(join(folder.path, "services", new URL(origin).port)).mode & 0o777).toBe(0o600);
  const routes = parseRoutes([`https://docs.tasks.example=${origin}`]);
  const run = runThat(
    "https://docs.tasks.example/apis/v1/whoami",
    "https://docs.tasks.example/apis/v1/docs",
    "https://other.example/apis/v1/",
  );
  for (const target of [
    "List",
    "Any::List",
    "Save",
    "Tasks",
    "Tasks>incremental",
    "Tasks:update",
    "Auth:getConnectionName",
  ]) {
    await feedAnalytics(pack, target, run, { routes, home: folder.path, timeoutMs: 60_000 });
  }
  await feedAnalytics(pack, "List", runThat(`${origin}/apis/v1/whoami`), {
    routes: {},
    home: folder.path,
    timeoutMs: 60_000,
  });
  const { items } = await test.client.analytics.packFormulas(8);
  const counts = items.map(({ formula, metrics }) => [
    `${formula.type} ${formula.name}`,
    metrics[0]?.["formulaInvocations" as never],
  ]);
  expect(Object.fromEntries(counts)).toEqual({
    "formula List": 3,
    "action Save": 1,
    "sync Tasks": 3,
    "metadata Auth:getConnectionName": 1,
  });
  for (const { metrics } of items)
    expect(metrics).toMatchObject([{ errors: 0, medianLatencyMs: 12, medianResponseSizeBytes: 4 }]);
  forget();
  expect(findControlUrl(folder.path, origin)).toBeUndefined();
});

it("asks no server that the Pack did not use as a document service", async () => {
  let asked = 0;
  await using server = await listen((_request, response) => {
    asked += 1;
    response.end();
  });
  const routes = parseRoutes([`https://api.tasks.example=${server.origin}`]);
  using folder = makeTemporaryFolder();
  await keepControlUrl(folder.path, `${server.origin}/__emulator/key`);
  await feedAnalytics(
    pack,
    "List",
    runThat("https://api.tasks.example/tasks", "https://elsewhere.example/apis/v1/docs"),
    {
      routes,
      home: folder.path,
    },
  );
  expect(asked).toBe(0);
});

it("a server that refuses, redirects, or never answers changes nothing", async () => {
  let answer: RequestListener = (_request, response) => void response.writeHead(404).end("{}");
  await using server = await listen((request, response) => answer(request, response));
  const run = runThat(`${server.origin}/apis/v1/docs`);
  using folder = makeTemporaryFolder();
  await keepControlUrl(folder.path, `${server.origin}/__emulator/key`);
  const options = { routes: {}, home: folder.path };
  await feedAnalytics(pack, "List", run, options);
  answer = (_request, response) =>
    void response.writeHead(302, { location: "https://elsewhere.example" }).end();
  await feedAnalytics(pack, "List", run, options);
  answer = () => {};
  await feedAnalytics(pack, "List", run, options);
});
