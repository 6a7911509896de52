import { describe, expect, it } from "vitest";
import { bundlePack } from "../../src/bundle/bundle-pack.ts";
import { executeFormula } from "../../src/execute/execute-target.ts";
import { getConnectionName } from "../../src/execute/metadata/execute-metadata.ts";
import { createIsolate, type Isolate } from "../../src/sandbox/host/isolate.ts";
import { createProject } from "../bundle/project.ts";
import { json, startTestServer } from "./http-server.ts";

const PACK = `
class Refusal extends Error { readonly isUserVisible = true; }
const param = (name: string, type: string, optional = false) => ({ name, type, optional, description: name });
const get = (context: any, path: string, more = {}) => context.fetcher.fetch({ method: "GET", url: "https://api.tasks.example" + path, ...more });
const formula = (name: string, parameters: object[], resultType: string, execute: (args: any[], context: any) => unknown, more = {}) =>
  ({ name, description: name, parameters, resultType, execute, ...more });
export const pack = {
  networkDomains: ["api.tasks.example"],
  defaultAuthentication: {
    type: "OAuth2", authorizationUrl: "https://login.tasks.example/a", tokenUrl: "https://login.tasks.example/t",
    getConnectionName: async (context: any) => (await get(context, "/me")).body.name,
  },
  formulas: [
    formula("Greet", [param("name", "string"), param("day", "date", true)], "string", ([name, day]) => {
      console.log("greeting", name);
      return "Hello " + name + (day ? " on " + day.toISOString().slice(0, 10) : "");
    }),
    formula("Items", [], "array", async (_, context) => (await get(context, "/items")).body.items, {
      items: { type: "object", properties: { name: { type: "string", required: true } } },
    }),
    formula("Where", [], "string", async (_, context) => [context.timezone, context.endpoint, context.invocationLocation.protocolAndHost, typeof context.invocationToken].join()),
    formula("Refuse", [], "string", () => { throw new Refusal("Pick another list."); }),
    formula("Crash", [], "string", () => {
      const item: any = undefined;
      return item.name;
    }),
    formula("Missing", [], "string", async (_, context) => (await get(context, "/missing")).body),
    formula("Caught", [], "string", async (_, context) => {
      try { await get(context, "/missing"); } catch (error: any) {
        return [error.name, error.statusCode, error.body.why, error.error.why, error.options.url, error.response.headers["content-type"], error.response.body, error instanceof Error].join(" ");
      }
      return "";
    }),
    formula("Texts", [], "array", () => ["a"], { items: { type: "object", properties: { name: { type: "string" } } } }),
    formula("Elsewhere", [], "string", async (_, context) => (await context.fetcher.fetch({ method: "GET", url: "https://undeclared.example/" })).body),
    formula("Bytes", [], "number", async (_, context) => (await get(context, "/bytes", { isBinaryResponse: true })).body.reduce((a: number, b: number) => a + b, 0)),
    formula("Leak", [], "string", async (_, context) => { console.log("access-token-of-this-test"); throw new Error("access-token-of-this-test"); }),
  ],
};
`;

async function openPack(): Promise<Isolate> {
  await using project = await createProject({ "pack.ts": PACK });
  const bundle = await bundlePack({ entry: project.path("pack.ts") });
  return await createIsolate({
    code: bundle.code,
    sourceMap: bundle.sourceMap,
    fileName: "bundle.js",
  });
}

const account = {
  endpoint: undefined,
  authentication: { type: "OAuth2", authorizationUrl: "", tokenUrl: "" } as never,
  getAccessToken: async () => "access-token-of-this-test",
  renewAfterUnauthorized: async () => undefined,
};

const startApi = () =>
  startTestServer((request, response) => {
    if (request.headers.authorization !== "Bearer access-token-of-this-test")
      return json(response, 401, {});
    if (request.url === "/items")
      return json(response, 200, { items: [{ name: "One" }, { name: "Two", more: 1 }] });
    if (request.url === "/me") return json(response, 200, { name: "Ada" });
    if (request.url === "/bytes") return void response.end(Buffer.from([1, 2, 250]));
    return json(response, 404, { why: "gone" });
  });

describe("executeFormula", () => {
  it("gives the result, the console lines and the time", async () => {
    await using isolate = await openPack();
    let time = 100;
    const run = await executeFormula({
      isolate,
      formula: "Greet",
      args: { text: ["Ada", "2026-02-03"] },
      now: () => (time += 5),
    });
    expect(run).toEqual({
      result: "Hello Ada on 2026-02-03",
      logs: [{ level: "log", message: "greeting Ada" }],
      requests: [],
      durationMs: 5,
    });
  });

  it("sends requests with the account's credentials and records them", async () => {
    await using api = await startApi();
    await using isolate = await openPack();
    const run = await executeFormula({
      isolate,
      formula: "Items",
      args: [],
      account,
      routes: { "https://api.tasks.example": api.origin },
    });
    expect(run.result).toEqual([{ name: "One" }, { name: "Two", more: 1 }]);
    expect(run.requests).toMatchObject([
      { method: "GET", url: "https://api.tasks.example/items", status: 200, fromCache: false },
    ]);
  });

  it("gives the formula its context, without a credential", async () => {
    await using isolate = await openPack();
    const where = {
      timezone: "Europe/Berlin",
      protocolAndHost: "https://docs.example",
      account: { ...account, endpoint: "https://acme.example/x" },
    };
    const run = await executeFormula({ isolate, formula: "Where", args: [], ...where });
    expect(run.result).toBe("Europe/Berlin,https://acme.example/x,https://docs.example,string");
  });

  it("reads bytes", async () => {
    await using api = await startApi();
    await using isolate = await openPack();
    const routes = { "https://api.tasks.example": api.origin };
    expect(
      await executeFormula({ isolate, formula: "Bytes", args: [], account, routes }),
    ).toMatchObject({ result: 253 });
  });

  it("makes an empty object of text in a list of objects, and warns about it in the log", async () => {
    await using isolate = await openPack();
    const run = await executeFormula({ isolate, formula: "Texts", args: [] });
    expect(run).toMatchObject({
      result: [{}],
      logs: [
        {
          level: "warn",
          message:
            "result[0] must be an object, not a string. packsmith replaces the value with an empty object.",
        },
      ],
    });
  });

  it("gives the Pack a complete StatusCodeError", async () => {
    await using api = await startApi();
    await using isolate = await openPack();
    const run = await executeFormula({
      isolate,
      formula: "Caught",
      args: [],
      account,
      routes: { "https://api.tasks.example": api.origin },
    });
    expect(run.result).toBe(
      `StatusCodeError 404 gone gone https://api.tasks.example/missing application/json {"why":"gone"} true`,
    );
  });

  it.each([
    [
      "Refuse",
      {
        code: "FORMULA_USER_ERROR",
        message: "Pick another list.",
        details: { thrown: "Refusal" },
      },
    ],
    ["Missing", { code: "FETCH_STATUS", details: { status: 404, thrown: "StatusCodeError" } }],
    ["Elsewhere", { code: "FETCH_HOST_REFUSED", details: { host: "undeclared.example" } }],
    ["Unknown", { code: "FORMULA_UNKNOWN" }],
  ])("fails as a PackError for %s", async (formula, expected) => {
    await using api = await startApi();
    await using isolate = await openPack();
    await expect(
      executeFormula({
        isolate,
        formula,
        args: [],
        account,
        routes: { "https://api.tasks.example": api.origin },
      }),
    ).rejects.toMatchObject({
      name: "PackError",
      logs: [],
      hint: expect.stringMatching(/\.$/),
      ...expected,
    });
  });

  it("points into the author's source", async () => {
    await using isolate = await openPack();
    await expect(executeFormula({ isolate, formula: "Crash", args: [] })).rejects.toMatchObject({
      code: "FORMULA_FAILED",
      message: "Crash failed: TypeError: Cannot read properties of undefined (reading 'name')",
      details: {
        name: "Crash",
        thrown: "TypeError",
        stack: expect.stringMatching(/^at .*\(?pack\.ts:25:19\)?/),
      },
      hint: "Look at pack.ts:25:19.",
    });
  });

  it("checks the arguments before anything runs", async () => {
    await using isolate = await openPack();
    await expect(executeFormula({ isolate, formula: "Greet", args: [1] })).rejects.toMatchObject({
      code: "ARGUMENT_TYPE",
      logs: [],
      requests: [],
    });
    await expect(executeFormula({ isolate, formula: "Greet", args: [] })).rejects.toMatchObject({
      code: "ARGUMENT_COUNT",
    });
  });

  it("redacts the access token in console lines and messages", async () => {
    await using api = await startApi();
    await using isolate = await openPack();
    const routes = { "https://api.tasks.example": api.origin };
    const { createRedactor } = await import("../../src/shared/redact.ts");
    const redactor = createRedactor();
    await executeFormula({ isolate, formula: "Items", args: [], account, routes, redactor });
    const failure = await executeFormula({
      isolate,
      formula: "Leak",
      args: [],
      account,
      routes,
      redactor,
    }).catch((error: unknown) => error);
    const { message, logs, hint, details } = failure as {
      message: string;
      logs: unknown;
      hint: string;
      details: unknown;
    };
    expect(JSON.stringify([message, logs, hint, details])).not.toContain(
      "access-token-of-this-test",
    );
  });
});

describe("getConnectionName", () => {
  it("asks the Pack with the account's credentials", async () => {
    await using api = await startApi();
    await using isolate = await openPack();
    expect(
      await getConnectionName({
        isolate,
        account,
        routes: { "https://api.tasks.example": api.origin },
      }),
    ).toBe("Ada");
  });

  it("gives nothing when the Pack has no such function", async () => {
    await using isolate = await openPack();
    expect(await getConnectionName({ isolate, slot: "system" })).toBeUndefined();
  });
});
