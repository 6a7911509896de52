import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { OPERATIONS } from "../../../src/service/contract/operations.ts";
import { startTestService } from "../support.ts";

/** A folder in which the clients are installed. They are no dependencies of this project. */
const folder = process.env["PACKSMITH_CLIENTS"];
if (folder === undefined) process.stderr.write("Tests with other clients are skipped: PACKSMITH_CLIENTS is not set.\n");

function load(name: string): unknown {
  return createRequire(join(folder ?? "/", "package.json"))(name);
}

type Named = { id: string; name: string; values: Record<string, unknown> };
interface CodaJs {
  API: { _axiosInstance: { defaults: { baseURL: string } } };
  [method: string]: unknown;
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
    expect((await call<Named[]>("listDocs", { isOwner: true })).map(({ id }) => id)).toContain(docId);
    expect(await call("getDoc", docId)).toMatchObject({ id: docId });
    expect((await call<Named[]>("listPages", docId, {})).map(({ name }) => name)).toContain("Start");
    expect(await call("getPage", docId, "Start")).toMatchObject({ name: "Start" });
    expect((await call<Named[]>("listTables", docId)).map(({ name }) => name)).toContain("Tasks");
    expect(await call("getTable", docId, "Tasks")).toMatchObject({ name: "Tasks" });
    expect((await call<Named[]>("listColumns", docId, "Tasks", {})).map(({ name }) => name)).toContain("Title");
    expect(await call("getColumn", docId, "Tasks", "Title")).toMatchObject({ name: "Title" });
    const rows = await call<Named[]>("listRows", docId, "Tasks", { useColumnNames: true, limit: 3 });
    expect(rows[0]?.values["Title"]).toBe(rows[0]?.name);
    const id = rows[0]?.id ?? "";
    expect(await call("getRow", docId, "Tasks", id, {})).toMatchObject({ id });
    const cells = [{ column: "Title", value: "From outside" }];
    const { requestId } = await call<{ requestId: string }>("insertRows", docId, "Tasks", [cells]);
    await test.service.settle();
    expect(await call("mutationStatus", requestId)).toMatchObject(expect.anything());
    await call("updateRow", docId, "Tasks", id, cells);
    await test.service.settle();
    const named = await call<Named[]>("listRows", docId, "Tasks", { query: 'Title:"From outside"' });
    expect(named).toHaveLength(2);
    await call("deleteRow", docId, "Tasks", id);
    await call("deleteRows", docId, "Tasks", [named[1]?.id]);
    await test.service.settle();
    expect(await call<Named[]>("listRows", docId, "Tasks", { query: 'Title:"From outside"' })).toHaveLength(0);
    expect((await call<Named[]>("listControls", docId, {})).length).toBeGreaterThan(0);
    expect(await call("getControl", docId, "Only mine")).toMatchObject({ name: "Only mine" });
  });

  it("openapi-client-axios, made from /openapi.json: has a method for each of the 50 operations, which reaches it", async () => {
    await using test = await startTestService();
    const { default: OpenApiClient } = load("openapi-client-axios") as {
      default: new (options: object) => { init(): Promise<Record<string, (...args: unknown[]) => Promise<{ status: number }>>> };
    };
    const client = await new OpenApiClient({
      definition: new URL("/openapi.json", test.service.url).href,
      withServer: { url: test.service.url },
      axiosConfigDefaults: { headers: { Authorization: `Bearer ${test.service.token}` }, validateStatus: () => true },
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
    const parametersOf = (path: string) =>
      Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => [name, values[name]]));
    for (const [id, { path, method }] of Object.entries(OPERATIONS)) {
      const url = id === "resolveBrowserLink" ? { url: values["url"] } : {};
      await client[id]?.({ ...parametersOf(path), ...url }, method === "GET" ? undefined : {});
    }
    const reached = new Set(test.service.requests.map(({ operation }) => operation));
    expect(Object.keys(OPERATIONS).filter((id) => !reached.has(id as never))).toEqual([]);
    const reads = test.service.requests.filter(
      ({ method, path }) => method === "GET" && !path.includes("none") && !path.includes("openapi"),
    );
    expect(reads.filter(({ status }) => status !== 200 && status !== 404 && status !== 410)).toEqual([]);
  });
});
