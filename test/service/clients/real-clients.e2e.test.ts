import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../../../src/service/contract/operations.ts";
import { startTestService } from "../support.ts";

/** A folder in which the clients are installed. They are no dependencies of this project. */
const folder = process.env["PACKSMITH_CLIENTS"];

function load(name: string): unknown {
  return createRequire(join(folder ?? "/", "package.json"))(name);
}

type Named = { id: string; name: string; values: Record<string, unknown> };
type Item = { json: Record<string, unknown> };
interface N8nNode {
  execute(): Promise<Item[][]>;
  methods: { loadOptions: Record<string, () => Promise<{ name: string; value: string }[]>> };
}
interface CodaJs {
  API: { _axiosInstance: { defaults: { baseURL: string } } };
  [method: string]: unknown;
}

interface N8nRequest {
  uri: string;
  method: string;
  headers: Record<string, string>;
  qs: object;
  body?: object;
}

describe.skipIf(folder === undefined)("clients that others wrote work with the service", () => {
  it("coda-js: users, documents, pages, tables, columns, rows, controls and edits", async () => {
    await using test = await startTestService();
    const { Coda } = load("coda-js") as { Coda: new (token: string) => CodaJs };
    const coda = new Coda(test.service.token);
    // It has no option for it.
    coda.API._axiosInstance.defaults.baseURL = test.service.url;
    const call = async <Result>(method: string, ...args: unknown[]) =>
      (await (coda[method] as (...all: unknown[]) => Promise<unknown>).apply(coda, args)) as Result;
    const { docId } = test.service;
    expect(await call("whoAmI")).toMatchObject({ type: "user" });
    expect((await call<Named[]>("listDocs", { isOwner: true })).map(({ id }) => id)).toContain(
      docId,
    );
    expect(await call("getDoc", docId)).toMatchObject({ id: docId });
    expect((await call<Named[]>("listPages", docId, {})).map(({ name }) => name)).toContain(
      "Start",
    );
    expect(await call("getPage", docId, "Start")).toMatchObject({ name: "Start" });
    expect((await call<Named[]>("listTables", docId)).map(({ name }) => name)).toContain("Tasks");
    expect(await call("getTable", docId, "Tasks")).toMatchObject({ name: "Tasks" });
    expect(
      (await call<Named[]>("listColumns", docId, "Tasks", {})).map(({ name }) => name),
    ).toContain("Title");
    expect(await call("getColumn", docId, "Tasks", "Title")).toMatchObject({ name: "Title" });
    const rows = await call<Named[]>("listRows", docId, "Tasks", {
      useColumnNames: true,
      limit: 3,
    });
    expect(rows[0]?.values["Title"]).toBe(rows[0]?.name);
    const id = rows[0]?.id ?? "";
    expect(await call("getRow", docId, "Tasks", id, {})).toMatchObject({ id });
    const cells = [{ column: "Title", value: "From outside" }];
    const { requestId } = await call<{ requestId: string }>("insertRows", docId, "Tasks", [cells]);
    await test.service.settle();
    expect(await call("mutationStatus", requestId)).toMatchObject(expect.anything());
    await call("updateRow", docId, "Tasks", id, cells);
    await test.service.settle();
    const named = await call<Named[]>("listRows", docId, "Tasks", {
      query: 'Title:"From outside"',
    });
    expect(named).toHaveLength(2);
    await call("deleteRow", docId, "Tasks", id);
    await call("deleteRows", docId, "Tasks", [named[1]?.id]);
    await test.service.settle();
    expect(
      await call<Named[]>("listRows", docId, "Tasks", { query: 'Title:"From outside"' }),
    ).toHaveLength(0);
    expect((await call<Named[]>("listControls", docId, {})).length).toBeGreaterThan(0);
    expect(await call("getControl", docId, "Only mine")).toMatchObject({ name: "Only mine" });
  });

  it("the Coda node of n8n: each operation on rows, columns, views, formulas and controls, and every list of choices", async () => {
    await using test = await startTestService();
    const { Coda } = load("n8n-nodes-base/dist/nodes/Coda/Coda.node.js") as {
      Coda: new () => N8nNode;
    };
    const node = new Coda();
    const { service } = test;
    const docId = service.docId;
    // What n8n gives its nodes: their parameters, credentials and a way to send requests. The node
    // has no option for the address.
    const createContext = (parameters: Record<string, unknown>, input: Item["json"]) => ({
      getNode: () => ({ typeVersion: 1.1 }),
      getInputData: () => [{ json: input }],
      getNodeParameter: (name: string) => parameters[name],
      getCurrentNodeParameter: (name: string) => parameters[name],
      getCredentials: async () => ({ accessToken: service.token }),
      continueOnFail: () => false,
      helpers: {
        // As in n8n, what is an item already stays one.
        returnJsonArray: (data: object | object[]) =>
          [data].flat().map((each) => ("json" in each ? each : { json: each })),
        constructExecutionMetaData: (items: Item[]) => items,
        async request({ uri, method, headers, qs, body }: N8nRequest) {
          const url = new URL(uri.replace("https://coda.io/apis/v1", service.url));
          for (const [name, value] of Object.entries(qs)) url.searchParams.set(name, String(value));
          const sent =
            body === undefined
              ? {}
              : {
                  body: JSON.stringify(body),
                  headers: { ...headers, "Content-Type": "application/json" },
                };
          const response = await fetch(url, { method, headers, ...sent });
          if (!response.ok)
            throw new Error(
              `${method} ${url} answered ${response.status}: ${await response.text()}`,
            );
          return await response.json();
        },
      },
    });
    const run = async (
      resource: string,
      operation: string,
      parameters: object = {},
      input: Item["json"] = {},
    ) => {
      const all = {
        resource,
        operation,
        docId,
        options: {},
        returnAll: true,
        limit: 5,
        ...parameters,
      };
      const [items = []] = await node.execute.call(createContext(all, input) as never);
      await service.settle();
      return items.map(({ json }) => json);
    };
    const table = { tableId: "grid-demoTasks1" };
    const rows = await run("table", "getAllRows", table);
    expect(rows).toHaveLength(24);
    expect(await run("table", "getAllRows", { ...table, returnAll: false })).toHaveLength(5);
    const [one, two] = rows.map(({ id }) => String(id));
    expect(await run("table", "getRow", { ...table, rowId: one })).toMatchObject([
      { id: one, Title: rows[0]?.["Title"] },
    ]);
    await run("table", "createRow", table, { Title: "From n8n" });
    await run(
      "table",
      "createRow",
      { ...table, options: { keyColumns: "Title" } },
      { Title: "From n8n", Estimate: 7 },
    );
    const named = { ...table, options: { query: 'Title:"From n8n"' } };
    expect(await run("table", "getAllRows", named)).toMatchObject([
      { Title: "From n8n", Estimate: 7 },
    ]);
    await run("table", "deleteRow", { ...table, rowId: one });
    expect(await run("table", "getAllRows", table)).toHaveLength(24);
    expect(await run("table", "getAllColumns", table)).toContainEqual(
      expect.objectContaining({ name: "Title" }),
    );
    expect(await run("table", "getColumn", { ...table, columnId: "Title" })).toMatchObject([
      { name: "Title" },
    ]);
    const push = { ...table, rowId: two, columnId: "Close" };
    expect(await run("table", "pushButton", push)).toMatchObject([
      { requestId: expect.any(String), rowId: two },
    ]);
    expect(await run("formula", "getAll")).toContainEqual(
      expect.objectContaining({ name: "Open tasks" }),
    );
    expect(await run("formula", "get", { formulaId: "Open tasks" })).toMatchObject([
      { name: "Open tasks" },
    ]);
    expect(await run("control", "getAll")).toContainEqual(
      expect.objectContaining({ name: "Only mine" }),
    );
    expect(await run("control", "get", { controlId: "Only mine" })).toMatchObject([
      { name: "Only mine" },
    ]);
    expect(await run("view", "getAll")).toContainEqual(
      expect.objectContaining({ name: "Tasks to do" }),
    );
    const view = { viewId: "Tasks to do" };
    expect(await run("view", "get", view)).toMatchObject([{ tableType: "view" }]);
    const shown = await run("view", "getAllViewRows", view);
    const rowId = String(shown[0]?.["id"]);
    expect(await run("view", "getAllViewColumns", view)).toContainEqual(
      expect.objectContaining({ name: "Title" }),
    );
    await run(
      "view",
      "updateViewRow",
      { ...view, rowId, keyName: "cells" },
      { cells: { Title: "Changed" } },
    );
    expect(await run("view", "getAllViewRows", view)).toContainEqual(
      expect.objectContaining({ id: rowId, Title: "Changed" }),
    );
    expect(
      await run("view", "pushViewButton", { ...view, rowId, columnId: "Close" }),
    ).toMatchObject([{ requestId: expect.any(String) }]);
    await run("view", "deleteViewRow", { ...view, rowId: shown[1]?.["id"] });
    expect((await run("view", "getAllViewRows", view)).map(({ id }) => id)).not.toContain(
      shown[1]?.["id"],
    );
    const context = createContext({ docId, ...table, ...view }, {});
    for (const [name, choices] of Object.entries(node.methods.loadOptions)) {
      const found = await choices.call(context as never);
      expect(found.length, name).toBeGreaterThan(0);
      expect(found[0], name).toEqual({ name: expect.any(String), value: expect.any(String) });
    }
  });

  it("openapi-client-axios, made from /openapi.json: has a method for each of the 50 operations, which reaches it", async () => {
    await using test = await startTestService();
    const { default: OpenApiClient } = load("openapi-client-axios") as {
      default: new (
        options: object,
      ) => { init(): Promise<Record<string, (...args: unknown[]) => Promise<{ status: number }>>> };
    };
    const client = await new OpenApiClient({
      definition: new URL("/openapi.json", test.service.url).href,
      withServer: { url: test.service.url },
      axiosConfigDefaults: {
        headers: { Authorization: `Bearer ${test.service.token}` },
        validateStatus: () => true,
      },
    }).init();
    const values: Record<string, string> = {
      docId: test.service.docId,
      pageIdOrName: "Start",
      tableIdOrName: "Tasks",
      columnIdOrName: "Title",
      rowIdOrName: "Draft the welcome guide",
      formulaIdOrName: "Open tasks",
      controlIdOrName: "Only mine",
      packId: "1001",
      ruleId: test.service.automationRuleId,
      requestId: "none",
      permissionId: "none",
      url: `${new URL(test.service.url).origin}/d/_d${test.service.docId}`,
    };
    const createParameters = (path: string) =>
      Object.fromEntries(
        [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, values[name]]),
      );
    for (const [id, { path, method }] of Object.entries(OPERATIONS)) {
      const url = id === "resolveBrowserLink" ? { url: values["url"] } : {};
      await client[id]?.({ ...createParameters(path), ...url }, method === "GET" ? undefined : {});
    }
    const reached = new Set(test.service.requests.map(({ operation }) => operation));
    expect(Object.keys(OPERATIONS).filter((id) => !reached.has(id as never))).toEqual([]);
    const reads = test.service.requests.filter(
      ({ method, path }) => method === "GET" && !path.includes("none") && !path.includes("openapi"),
    );
    expect(
      reads.filter(({ status }) => status !== 200 && status !== 404 && status !== 410),
    ).toEqual([]);
  });
});
