import { describe, expect, it } from "vitest";
import {
  collectSyncTable,
  executeSyncTable,
} from "../../../src/execute/tables/execute-sync-table.ts";
import { loadTable } from "../support.ts";

describe("executeSyncTable", () => {
  it("gives page after page until there is no continuation", async () => {
    await using isolate = await loadTable(`
      const page = ctx.sync.continuation?.page ?? 0;
      return { result: [{ id: "r" + page }], continuation: page < 2 ? { page: page + 1 } : undefined };`);
    const pages = [];
    for await (const { page, rows, end } of executeSyncTable({
      isolate,
      table: "Things",
      args: [],
    }))
      pages.push([page, rows, end]);
    expect(pages).toEqual([
      [1, [{ id: "r0" }], undefined],
      [2, [{ id: "r1" }], undefined],
      [3, [{ id: "r2" }], "complete"],
    ]);
  });

  it.each(["null", "undefined"])("ends with a continuation that is %s", async (end) => {
    await using isolate = await loadTable(
      `return { result: [{ id: "a" }], continuation: ${end} };`,
    );
    expect((await collectSyncTable({ isolate, table: "Things", args: [] })).result).toMatchObject({
      rows: [{ id: "a" }],
      pages: 1,
      end: "complete",
    });
  });

  it("takes nothing as no rows", async () => {
    await using isolate = await loadTable("return undefined;");
    expect((await collectSyncTable({ isolate, table: "Things", args: [] })).result).toMatchObject({
      rows: [],
      end: "complete",
    });
  });

  it("ends at maxRows and leaves the rows beyond out", async () => {
    await using isolate = await loadTable(`
      const from = ctx.sync.continuation?.from ?? 0;
      return { result: [0, 1, 2].map((n) => ({ id: String(from + n) })), continuation: { from: from + 3 } };`);
    const { result } = await collectSyncTable({ isolate, table: "Things", args: [], maxRows: 4 });
    expect(result).toMatchObject({
      rows: [{ id: "0" }, { id: "1" }, { id: "2" }, { id: "3" }],
      pages: 2,
      end: "maxRows",
      continuation: { from: 6 },
    });
  });

  it("ends after 100 pages when a table never stops", async () => {
    await using isolate = await loadTable(
      `return { result: [], continuation: { page: (ctx.sync.continuation?.page ?? 0) + 1 } };`,
    );
    expect((await collectSyncTable({ isolate, table: "Things", args: [] })).result).toMatchObject({
      pages: 100,
      end: "maxPages",
    });
  });

  it("tells that the same page comes again and again", async () => {
    await using isolate = await loadTable(
      `return { result: [{ id: "a" }], continuation: { page: 2 } };`,
    );
    await expect(collectSyncTable({ isolate, table: "Things", args: [] })).rejects.toMatchObject({
      code: "SYNC_REPEATS",
      details: { page: 2 },
    });
  });

  it("lets a continuation stay the same while the rows change", async () => {
    await using isolate = await loadTable(`
      globalThis.count = (globalThis.count ?? 0) + 1;
      return { result: [{ id: String(globalThis.count) }], continuation: globalThis.count < 3 ? { cursor: "x" } : null };`);
    expect((await collectSyncTable({ isolate, table: "Things", args: [] })).result.rows).toEqual([
      { id: "1" },
      { id: "2" },
      { id: "3" },
    ]);
  });

  it("keeps a null row and checks the others against the schema", async () => {
    await using isolate = await loadTable(
      `return { result: [null, { id: "a", due: new Date(0), owner: null }] };`,
      "",
      `schema: { type: "object", properties: { id: { type: "string" }, due: { type: "string", codaType: "date" },
        owner: { type: "object", properties: { name: { type: "string" } } } } },`,
    );
    expect((await collectSyncTable({ isolate, table: "Things", args: [] })).result.rows).toEqual([
      null,
      { id: "a", due: "1970-01-01T00:00:00.000Z", owner: null },
    ]);
  });

  it("makes an empty row of text, and warns about it in the log", async () => {
    await using isolate = await loadTable(
      `console.log("rows"); return { result: [{ id: "a" }, "b", "c"] };`,
      "",
      `schema: { type: "object", properties: { id: { type: "string" } } },`,
    );
    const { result, logs } = await collectSyncTable({ isolate, table: "Things", args: [] });
    expect(result.rows).toEqual([{ id: "a" }, {}, {}]);
    expect(logs).toEqual([
      { level: "log", message: "rows" },
      {
        level: "warn",
        message:
          "result[1] must be an object, not a string. packsmith replaces the value with an empty object.",
      },
    ]);
  });

  it.each([
    [`return { result: [{ id: "a" }, { id: 7 }] };`, "result[1].id"],
    [`return { result: [{ id: "" }] };`, "result[0].id"],
    [`return { result: [{ id: "a" }, "b"] };`, "result[1]"],
    [`return { result: "rows" };`, "result.result"],
    [`return [1];`, "result"],
    [`return { result: [undefined] };`, "result[0]"],
    [`return { result: [], deletedRowIds: [{}] };`, "result.deletedRowIds[0]"],
    [`return { result: [], completion: {} };`, "result.completion"],
  ])("refuses %s", async (body, path) => {
    await using isolate = await loadTable(body);
    await expect(collectSyncTable({ isolate, table: "Things", args: [] })).rejects.toMatchObject({
      code: "RESULT_INVALID",
      details: { path },
    });
  });

  it("gives what is deleted and how the sync ended, and begins again from there", async () => {
    await using isolate = await loadTable(`
      const since = ctx.sync.previousCompletion?.incrementalContinuation.since;
      if (since === undefined) return { result: [{ id: "a" }], completion: { incrementalContinuation: { since: 5 } } };
      return { result: [{ id: "b" + since }], deletedRowIds: ["a"], completion: { hasIncompleteResults: true } };`);
    const { result } = await collectSyncTable({ isolate, table: "Things", args: [] });
    expect(result.completion).toEqual({ incrementalContinuation: { since: 5 } });
    const next = await collectSyncTable({
      isolate,
      table: "Things",
      args: [],
      previousCompletion: result.completion,
    });
    expect(next.result).toMatchObject({
      rows: [{ id: "b5" }],
      deletedRowIds: ["a"],
      completion: { hasIncompleteResults: true },
    });
  });

  it("ignores a completion while there is a continuation, and takes the older name of deleted rows", async () => {
    await using isolate = await loadTable(`
      return { result: [], deletedItemIds: ["x", 3], completion: { hasIncompleteResults: true }, continuation: ctx.sync.continuation ? null : { a: 1 } };`);
    const pages = [];
    for await (const page of executeSyncTable({ isolate, table: "Things", args: [] }))
      pages.push(page);
    expect(pages.map(({ completion, deletedRowIds }) => [completion, deletedRowIds])).toEqual([
      [undefined, ["x", "3"]],
      [{ hasIncompleteResults: true }, ["x", "3"]],
    ]);
  });

  it("gives the formula its arguments by position and by name", async () => {
    await using isolate = await loadTable(
      `return { result: [{ id: JSON.stringify([args, ctx.sync]) }] };`,
      `parameters: [{ name: "list", type: "string", description: "" }, { name: "limit", type: "number", optional: true, description: "" }]`,
    );
    const { result } = await collectSyncTable({
      isolate,
      table: "Things",
      args: { text: ["inbox", "5"] },
    });
    expect(JSON.parse((result.rows[0] as { id: string }).id)).toEqual([
      ["inbox", 5],
      { parameters: { list: "inbox", limit: 5 } },
    ]);
  });

  it("asks a dynamic table for its schema first, and checks the rows by it", async () => {
    await using isolate = await loadTable(
      `return { result: [{ id: ctx.sync.dynamicUrl, size: ctx.sync.schema.properties.size.type }] };`,
      "",
      `isDynamic: true, getSchema: async (ctx) => ({ type: "array", items: { type: "object", properties: { id: { type: "string" }, size: { type: "number" } } } }),`,
    );
    const options = { isolate, table: "Things", args: [], dynamicUrl: "https://api.example/t/1" };
    await expect(collectSyncTable(options)).rejects.toMatchObject({ code: "FORMULA_FAILED" });
    const schema = {
      type: "object",
      properties: { id: { type: "string" }, size: { type: "string" } },
    };
    expect((await collectSyncTable({ ...options, schema })).result.rows).toEqual([
      { id: "https://api.example/t/1", size: "string" },
    ]);
  });

  it("takes a page of 200,000 rows", async () => {
    await using isolate = await loadTable(
      "return { result: Array.from({ length: 200_000 }, (_, n) => ({ id: String(n) })) };",
    );
    const { result } = await collectSyncTable({
      isolate,
      table: "Things",
      args: [],
      maxRows: 1_000_000,
    });
    expect([result.rows.length, result.rows.at(-1)]).toEqual([200_000, { id: "199999" }]);
  });

  it("carries the logs and requests of the pages until a failure", async () => {
    await using isolate = await loadTable(
      `console.log("page"); if (ctx.sync.continuation) throw new Error("no"); return { result: [], continuation: { a: 1 } };`,
    );
    const pages: number[] = [];
    const failure = await (async () => {
      for await (const page of executeSyncTable({ isolate, table: "Things", args: [] }))
        pages.push(page.logs.length);
    })().catch((error: unknown) => error);
    expect(pages).toEqual([1]);
    expect(failure).toMatchObject({
      code: "FORMULA_FAILED",
      message: "Things failed: no",
      logs: [{ message: "page" }],
    });
  });

  it("names the tables that there are", async () => {
    await using isolate = await loadTable("return undefined;");
    await expect(collectSyncTable({ isolate, table: "Nothing", args: [] })).rejects.toMatchObject({
      code: "TABLE_UNKNOWN",
      details: { known: ["Things"] },
    });
  });

  it("gives the row versions that it was told", async () => {
    await using isolate = await loadTable(
      `return { result: [{ id: JSON.stringify(await ctx.syncStateService.getLatestRowVersions(["a", "b"])) }] };`,
    );
    const { result } = await collectSyncTable({
      isolate,
      table: "Things",
      args: [],
      rowVersions: { a: "7" },
    });
    expect(result.rows).toEqual([{ id: '{"a":"7"}' }]);
  });
});
