import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { createFakeClock } from "../../src/testing/fake-clock.ts";
import { mockFetcher } from "../../src/testing/mock-fetcher.ts";
import {
  executeFormula,
  executeMetadata,
  executeSyncTable,
  executeUpdate,
} from "../../src/testing/test-formula.ts";
import { startTestServer } from "../execute/http-server.ts";
import { makeProject } from "../support/project.ts";

const API = "https://api.tasks.example";
const PACK = `import { makeObjectSchema, makeParameter, newPack, ParameterType, ValueType } from "packsmith";
export const pack = newPack().addNetworkDomain("api.tasks.example");
pack.setUserAuthentication({
  type: "Custom", params: [{ name: "key", description: "Key." }],
  getConnectionName: async (context) => (await context.fetcher.fetch({ method: "GET", url: "${API}/me" })).body.name,
});
const schema = makeObjectSchema({ idProperty: "id", displayProperty: "id", properties: { id: { type: ValueType.String }, done: { type: ValueType.Boolean, mutable: true } } });
const get = async (context: any, path: string) => (await context.fetcher.fetch({ method: "GET", url: "${API}" + path, headers: { "X-Key": "{{key-" + context.invocationToken + "}}" } })).body;
pack.addFormula({ name: "Title", description: "Title.", resultType: ValueType.String,
  parameters: [makeParameter({ type: ParameterType.String, name: "id", description: "Id.", autocomplete: async (context, search) => (await get(context, "/ids?q=" + search)) })],
  execute: async ([id], context) => (await get(context, "/items/" + id)).title });
pack.addFormula({ name: "Today", description: "Today.", parameters: [], resultType: ValueType.String, connectionRequirement: "none",
  execute: async (_, context) => [new Date().toISOString(), Date.now(), new Date() instanceof Date, new Date(2020, 0, 1).getFullYear(), typeof Date(), context.timezone].join(" ") });
pack.addFormula({ name: "Picture", description: "Picture.", parameters: [], resultType: ValueType.String, connectionRequirement: "none",
  execute: async (_, context) => await context.temporaryBlobStorage.storeBlob(new Uint8Array([1, 2]), "image/png") });
pack.addSyncTable({ name: "Items", identityName: "Item", schema, formula: { name: "Items", description: "Items.", parameters: [],
  execute: async (_, context) => {
    const page = Number(context.sync.continuation?.page ?? 1);
    const { items, more } = await get(context, "/items?page=" + page);
    return { result: items, continuation: more ? { page: page + 1 } : undefined };
  },
  executeUpdate: async (_, updates) => ({ result: updates.map(({ newValue }) => newValue) }),
} });
`;

const project = makeProject({ "pack.ts": PACK });
afterAll(() => project[Symbol.dispose]());
const cwd = project.path;

it("a formula that needs an account says so when the test gives none, and makes no vault in the shared temporary folder", async () => {
  const examples = fileURLToPath(new URL("../../examples", import.meta.url));
  const run = executeFormula("tasks/pack.ts", "ListTasks", ["doc"], { cwd: examples });
  await expect(run).rejects.toMatchObject({ code: "ACCOUNT_MISSING" });
  expect(existsSync(join(tmpdir(), "vault.key"))).toBe(false);
});

describe("a test with a mock", () => {
  it("runs a formula with credentials that are given or made up", async () => {
    const fetcher = mockFetcher({
      [`GET ${API}/items/:id`]: ({ params, headers }) => ({
        body: { title: `${params["id"]} ${headers["x-key"]?.length}` },
      }),
    });
    expect(await executeFormula("pack.ts", "Title", ["7"], { cwd, fetcher })).toBe("7 8");
    expect(
      await executeFormula("pack.ts", "Title", ["7"], {
        cwd,
        fetcher,
        credentials: { key: "a-given-key" },
      }),
    ).toBe("7 11");
    expect(fetcher.requests.map(({ headers }) => headers["x-key"])).toEqual([
      "test-key",
      "a-given-key",
    ]);
    await expect(
      executeFormula("pack.ts", "Title", ["7"], { cwd, fetcher, credentials: { other: "1" } }),
    ).rejects.toMatchObject({
      code: "CREDENTIAL_INVALID",
    });
  });

  it.each([
    'type: "OAuth2", authorizationUrl: "https://api.tasks.example/a", tokenUrl: "https://api.tasks.example/t"',
    'type: "OAuth2ClientCredentials", tokenUrl: "https://api.tasks.example/t"',
  ])("makes up an access token: %s", async (authentication) => {
    using oauth = makeProject({
      "pack.ts": PACK.replace(/type: "Custom"[\s\S]*?\n\}\);/, `${authentication} });`),
    });
    const fetcher = mockFetcher({ [`GET ${API}/items/:id`]: { body: { title: "it" } } });
    await executeFormula("pack.ts", "Title", ["7"], { cwd: oauth.path, fetcher });
    expect(fetcher.requests.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer test-access-token",
    ]);
  });

  it("names the request that it has no answer for", async () => {
    const run = executeFormula("pack.ts", "Title", ["7"], { cwd, fetcher: mockFetcher() });
    await expect(run).rejects.toMatchObject({
      code: "FETCH_UNMOCKED",
      message: `The mock has no response for GET ${API}/items/7.`,
    });
  });

  it("syncs a table, all its pages", async () => {
    const fetcher = mockFetcher({
      [`GET ${API}/items?page=1`]: { body: { items: [{ id: "a", done: false }], more: true } },
      [`GET ${API}/items?page=2`]: { body: { items: [{ id: "b", done: true }] } },
    });
    expect(await executeSyncTable("pack.ts", "Items", [], { cwd, fetcher })).toMatchObject({
      rows: [
        { id: "a", done: false },
        { id: "b", done: true },
      ],
      pages: 2,
      end: "complete",
    });
    expect((await executeSyncTable("pack.ts", "Items", [], { cwd, fetcher, maxRows: 1 })).end).toBe(
      "maxRows",
    );
    await expect(executeSyncTable("pack.ts", "Today", [], { cwd })).rejects.toMatchObject({
      code: "TABLE_UNKNOWN",
    });
  });

  it("writes rows and runs metadata formulas", async () => {
    const update = {
      previousValue: { id: "a", done: false },
      newValue: { id: "a", done: true },
      updatedFields: ["done"],
    };
    expect(
      await executeUpdate("pack.ts", "Items", [], [update], { cwd, fetcher: mockFetcher() }),
    ).toEqual([{ outcome: "success", finalValue: { id: "a", done: true } }]);
    const fetcher = mockFetcher({
      [`GET ${API}/ids?q=se`]: { body: ["seven"] },
      [`GET ${API}/me`]: { body: { name: "Ada" } },
    });
    expect(
      await executeMetadata("pack.ts", "Title:autocomplete:id", ["se"], { cwd, fetcher }),
    ).toEqual([{ display: "seven", value: "seven" }]);
    expect(await executeMetadata("pack.ts", "Auth:getConnectionName", [], { cwd, fetcher })).toBe(
      "Ada",
    );
  });
});

describe("a test with a clock and a time zone", () => {
  it("shows the Pack its own present", async () => {
    const clock = createFakeClock("2031-02-03T04:05:06Z");
    const run = () =>
      executeFormula("pack.ts", "Today", [], { cwd, clock, timezone: "Europe/Berlin" });
    expect(await run()).toBe(
      "2031-02-03T04:05:06.000Z 1927857906000 true 2020 string Europe/Berlin",
    );
    clock.advance(60_000);
    expect(await run()).toMatch(/^2031-02-03T04:06:06/);
    clock.set(0);
    expect(await run()).toMatch(/^1970-01-01T00:00:00/);
    expect(() => createFakeClock("yesterday")).toThrow(TypeError);
  });

  it("waits for a busy server in no time, and moves on meanwhile", async () => {
    const clock = createFakeClock(0);
    const fetcher = mockFetcher({
      [`GET ${API}/items/:id`]: [
        { status: 429, headers: { "retry-after": "30" } },
        { body: { title: "One" } },
      ],
    });
    expect(await executeFormula("pack.ts", "Title", ["1"], { cwd, fetcher, clock })).toBe("One");
    expect(clock.now()).toBe(30_000);
  });
});

it("a test records a cassette and replays it", async () => {
  await using server = await startTestServer((request, response) =>
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ title: request.url })),
  );
  const options = { cwd, credentials: { key: "s3cret-key" } };
  const recorded = await executeFormula("pack.ts", "Title", ["9"], {
    ...options,
    routes: [`${API}=${server.origin}`],
    record: "tapes",
  });
  expect(recorded).toBe("/items/9");
  expect(
    await executeFormula("pack.ts", "Title", ["9"], { cwd, replay: "tapes", strict: true }),
  ).toBe("/items/9");
  expect(project.read("tapes/Title.json")).not.toContain("s3cret-key");
});
