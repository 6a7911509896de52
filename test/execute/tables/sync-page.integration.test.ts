import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import {
  collectSyncTable,
  executeSyncTable,
} from "../../../src/execute/tables/execute-sync-table.ts";
import type { ExecuteSyncTableOptions } from "../../../src/execute/tables/sync-page.ts";
import { createIsolate, type Isolate } from "../../../src/sandbox/host/isolate.ts";
import { chooseCases } from "../../support/breadth.ts";
import { json, startTestServer, type TestServer } from "../http-server.ts";
import { refusingHost } from "../support.ts";

/**
 * A table whose pages come from a server; the body of `rowsOf` makes rows of `items`, the body of
 * the response.
 */
function pagesIsolate(rowsOf = "return items;"): Promise<Isolate> {
  const code = `"use strict";
const rowsOf = (items, page) => {${rowsOf}};
module.exports.pack = { networkDomains: ["pages.example"], formulas: [], syncTables: [{ name: "Things", identityName: "Thing",
  schema: { type: "object", idProperty: "id", displayProperty: "id", properties: { id: { type: "string", required: true } } },
  getter: { name: "Things", parameters: [], execute: async (args, { sync, fetcher }) => {
    const page = sync.continuation?.page ?? 1;
    const { body } = await fetcher.fetch({ method: "GET", url: "https://pages.example/" + page, cacheTtlSecs: 0 });
    return { result: rowsOf(body.items, page), continuation: body.more ? { page: page + 1 } : undefined };
  } } }] };`;
  return createIsolate({ code, fileName: "bundle.js" });
}

const answerPage = (response: ServerResponse, page: number, pages: number) =>
  json(response, 200, { items: [{ id: `${page}a` }, { id: `${page}b` }], more: page < pages });

const createOptions = (isolate: Isolate, server: TestServer): ExecuteSyncTableOptions => ({
  isolate,
  table: "Things",
  args: [],
  routes: { "https://pages.example": server.origin },
});

describe("reading ahead", () => {
  it("asks for the next page before the caller does", async () => {
    await using isolate = await pagesIsolate();
    let second: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      second = resolve;
    });
    await using server = await startTestServer((_request, response, count) => {
      answerPage(response, count, 3);
      if (count === 2) second();
    });
    const pages = executeSyncTable({ ...createOptions(isolate, server), readsAhead: true });
    expect((await pages.next()).value).toMatchObject({
      page: 1,
      rows: [{ id: "1a" }, { id: "1b" }],
    });
    await asked;
    expect((await pages.next()).value).toMatchObject({
      page: 2,
      requests: [{ url: "https://pages.example/2" }],
    });
    expect((await pages.next()).value).toMatchObject({ page: 3, end: "complete" });
    expect((await pages.next()).done).toBe(true);
  });

  it("does not, unless it is wanted", async () => {
    await using isolate = await pagesIsolate();
    await using server = await startTestServer((_request, response, count) =>
      answerPage(response, count, 3),
    );
    const pages = executeSyncTable(createOptions(isolate, server));
    await pages.next();
    await pages.next();
    await pages.return();
    expect(server.requests.map(({ url }) => url)).toEqual(["/1", "/2"]);
  });

  it.each([
    ["rows", { maxRows: 4 }, "maxRows", 2],
    ["rows, in the middle of a page", { maxRows: 3 }, "maxRows", 2],
    ["pages", { maxPages: 2 }, "maxPages", 2],
    ["rows, after more pages", { maxRows: 8 }, "maxRows", 4],
    ["pages, after more of them", { maxPages: 4 }, "maxPages", 4],
  ])("sends nothing beyond the limit of %s", async (_, limit, end, pages) => {
    await using isolate = await pagesIsolate();
    await using server = await startTestServer((_request, response, count) =>
      answerPage(response, count, 9),
    );
    const { result, requests } = await collectSyncTable({
      ...createOptions(isolate, server),
      ...limit,
    });
    expect(result).toMatchObject({ pages, end, continuation: { page: pages + 1 } });
    expect(requests.map(({ url }) => url)).toEqual(
      Array.from({ length: pages }, (_page, at) => `https://pages.example/${at + 1}`),
    );
    expect(server.requests).toHaveLength(pages);
  });

  it("fails with what is wrong with a page, though the next one failed before it", async () => {
    await using isolate = await pagesIsolate("return page === 1 ? [{ id: 7 }] : fail();");
    await using server = await startTestServer((_request, response, count) =>
      answerPage(response, count, 3),
    );
    const failure = await collectSyncTable(createOptions(isolate, server)).catch(
      (error: unknown) => error,
    );
    expect(failure).toMatchObject({
      code: "RESULT_INVALID",
      details: { path: "result[0].id" },
      requests: [{ url: "https://pages.example/1" }],
    });
  });

  it("ends the request of a page that nobody takes any more, and the isolate serves the next sync", async () => {
    await using isolate = await pagesIsolate();
    let hold: (response: ServerResponse) => void = () => {};
    const held = new Promise<ServerResponse>((resolve) => {
      hold = resolve;
    });
    let isSlow = true;
    await using server = await startTestServer(({ url }, response) => {
      if (url === "/2" && isSlow) hold(response);
      else answerPage(response, Number(url.slice(1)), 2);
    });
    const pages = executeSyncTable({ ...createOptions(isolate, server), readsAhead: true });
    expect((await pages.next()).value).toMatchObject({ page: 1 });
    const closed = once(await held, "close");
    await pages.return();
    await closed;
    isSlow = false;
    expect((await collectSyncTable(createOptions(isolate, server))).result.rows).toHaveLength(4);
  });

  it("leaves the requests of a test's own fetcher in their order", async () => {
    await using isolate = await pagesIsolate("return page === 1 ? [{ id: 7 }] : items;");
    await using server = await startTestServer((_request, response, count) =>
      answerPage(response, count, 3),
    );
    let asked = 0;
    const answerRequest = async () => {
      asked++;
      return { status: 200, headers: {}, body: { items: [], more: true } };
    };
    await expect(
      collectSyncTable({ ...createOptions(isolate, server), answerRequest }),
    ).rejects.toMatchObject({ code: "RESULT_INVALID" });
    expect(asked).toBe(1);
  });
});

describe("a page that begins while the one before is read", () => {
  it("has the continuation of the one before, as a copy, and an invocation of its own", async () => {
    const code = `"use strict"; let last, tokens = new Set();
module.exports.pack = { networkDomains: ["pages.example"], formulas: [], syncTables: [{ name: "Things", identityName: "Thing",
  schema: { type: "object", idProperty: "id", displayProperty: "id", properties: { id: { type: "string", required: true } } },
  getter: { name: "Things", parameters: [], execute: async (args, { sync, fetcher, invocationToken }) => {
    const given = sync.continuation, isCopy = given !== last, page = given?.page ?? 1;
    tokens.add(invocationToken);
    await fetcher.fetch({ method: "GET", url: "https://pages.example/" + page, cacheTtlSecs: 0 });
    last = { page: page + 1, since: new Date(page) };
    const id = [page, isCopy, tokens.size, given?.since?.getTime(), Object.keys(sync).join()].join(" ");
    return { result: [{ id }], continuation: page < 6 ? last : undefined };
  } } }] };`;
    await using isolate = await createIsolate({ code, fileName: "bundle.js" });
    await using server = await startTestServer((_request, response) => json(response, 200, {}));
    const { result, requests } = await collectSyncTable(createOptions(isolate, server));
    expect(result.rows).toEqual([
      { id: "1 false 1  parameters" },
      ...[2, 3, 4, 5, 6].map((page) => ({
        id: `${page} true ${page} ${page - 1} continuation,parameters`,
      })),
    ]);
    expect(requests.map(({ url }) => url)).toEqual(
      [1, 2, 3, 4, 5, 6].map((page) => `https://pages.example/${page}`),
    );
  });

  it("takes nothing from the one before when it never ends or throws", async () => {
    for (const [code, body] of [
      ["RUN_TIMEOUT", "for (;;);"],
      ["FORMULA_FAILED", "throw new Error('no');"],
    ]) {
      const bundle = `"use strict"; module.exports.pack = { networkDomains: ["pages.example"], formulas: [], syncTables: [{ name: "Things", identityName: "Thing",
  schema: { type: "object", idProperty: "id", displayProperty: "id", properties: { id: { type: "string", required: true } } },
  getter: { name: "Things", parameters: [], execute: async (args, { sync, fetcher }) => {
    const page = sync.continuation?.page ?? 1;
    if (page === 4) { ${body} }
    await fetcher.fetch({ method: "GET", url: "https://pages.example/" + page, cacheTtlSecs: 0 });
    return { result: [{ id: String(page) }], continuation: { page: page + 1 } };
  } } }] };`;
      await using isolate = await createIsolate({ code: bundle, fileName: "bundle.js" });
      await using server = await startTestServer((_request, response) => json(response, 200, {}));
      const rows: unknown[] = [];
      const sync = async () => {
        const pages = executeSyncTable({
          ...createOptions(isolate, server),
          readsAhead: true,
          timeoutMs: code === "RUN_TIMEOUT" ? 1_500 : 60_000,
        });
        for await (const page of pages) rows.push(...page.rows);
      };
      await expect(sync()).rejects.toMatchObject({ code, requests: [] });
      expect(rows).toEqual([{ id: "1" }, { id: "2" }, { id: "3" }]);
    }
  });

  it("lets other calls have their turn", async () => {
    await using isolate = await pagesIsolate();
    let turn: Promise<unknown> | undefined;
    await using server = await startTestServer((_request, response, count) => {
      if (count === 4) turn = isolate.invoke({ kind: "matchFormats", text: "x" }, refusingHost());
      answerPage(response, count, 12);
    });
    const order: string[] = [];
    for await (const { page } of executeSyncTable({
      ...createOptions(isolate, server),
      readsAhead: true,
    })) {
      if (page === 5) void turn?.then(() => order.push("other"));
      order.push(String(page));
    }
    expect(order.indexOf("other")).toBeGreaterThan(-1);
    expect(order.filter((entry) => entry !== "other")).toHaveLength(12);
    expect(order.indexOf("other")).toBeLessThan(12);
  });
});

describe("rows that come apart from the rest of the answer", () => {
  it("stay what they were when the page was answered, whatever the next page does to them", async () => {
    await using isolate = await pagesIsolate(`
      if (page > 1) { kept[0].id = "changed"; kept.length = 1; }
      return globalThis.kept = items;`);
    await using server = await startTestServer((_request, response, count) =>
      answerPage(response, count, 4),
    );
    const { result } = await collectSyncTable(createOptions(isolate, server));
    expect(result.rows).toEqual(
      ["1a", "1b", "2a", "2b", "3a", "3b", "4a", "4b"].map((id) => ({ id })),
    );
  });

  it.each(
    chooseCases(
      [
        ["never ends", "RUN_TIMEOUT", "for (;;);"],
        ["takes all memory", "RUN_OUT_OF_MEMORY", `let all = "x"; for (;;) all += [all, all];`],
      ],
      2,
    ),
  )("end with the page when reading one %s, and the next call works", async (_, code, loop) => {
    await using isolate = await pagesIsolate(
      `return page === 1 ? items : [{ get id() { ${loop} } }];`,
    );
    await using server = await startTestServer((_request, response, count) =>
      answerPage(response, count, count <= 3 ? 3 : count),
    );
    const options = {
      ...createOptions(isolate, server),
      timeoutMs: code === "RUN_TIMEOUT" ? 1_500 : 60_000,
    };
    await expect(collectSyncTable(options)).rejects.toMatchObject({
      code,
      requests: [{ url: "https://pages.example/2" }],
    });
    expect((await collectSyncTable({ ...options, maxPages: 1 })).result.rows).toHaveLength(2);
  });

  it.each(
    chooseCases(
      [
        ["all objects have a member", "Object.prototype.extra = 1;"],
        ["all objects write themselves", "Object.prototype.toJSON = () => 'x';"],
        ["all lists write themselves", "Array.prototype.toJSON = () => 'x';"],
        [
          "the functions of lists and texts are others",
          "Array.prototype.join = Array.prototype.includes = String.prototype.includes = () => 'x';",
        ],
        [
          "no list can be filled",
          "Object.defineProperty(Array.prototype, 0, { set() {}, configurable: true });",
        ],
        ["JSON is another", "JSON.stringify = JSON.parse = () => 'x';"],
      ],
      2,
    ),
  )("are what the Pack returned though %s", async (_, tampering) => {
    await using isolate = await pagesIsolate(
      `if (page === 1) { ${tampering} } return items.map(({ id }) => ({ id, done: true }));`,
    );
    await using server = await startTestServer((_request, response, count) =>
      answerPage(response, count, 2),
    );
    const { result } = await collectSyncTable(createOptions(isolate, server));
    expect(result.rows).toEqual(["1a", "1b", "2a", "2b"].map((id) => ({ id, done: true })));
  });

  it("say nothing but their number, whatever a proxy gives as that", async () => {
    await using isolate = await pagesIsolate(
      `return new Proxy(items, { get: (rows, name) => (name === "length" ? '2},{"k":"failed","run":1' : rows[name]) });`,
    );
    await using server = await startTestServer((_request, response, count) =>
      answerPage(response, count, 1),
    );
    expect((await collectSyncTable(createOptions(isolate, server))).result).toMatchObject({
      rows: [],
      end: "complete",
    });
  });

  it("are read by a getter while nothing else of the Pack runs", async () => {
    await using isolate = await pagesIsolate(
      `return [{ get id() { globalThis.reads = (globalThis.reads ?? 0) + 1; return page + "-" + items[0].id; } }];`,
    );
    await using server = await startTestServer((_request, response, count) =>
      answerPage(response, count, 3),
    );
    const { result } = await collectSyncTable(createOptions(isolate, server));
    expect(result.rows).toEqual([{ id: "1-1a" }, { id: "2-2a" }, { id: "3-3a" }]);
  });

  it.each(
    chooseCases(
      [
        [
          "dates and blanks",
          `return { result: [{ id: "a", due: new Date(0), more: undefined, "$": 1 }] };`,
        ],
        ["an answer with a tag of its own", `return { "$": "x", result: [{ id: "a" }] };`],
        ["an answer that a getter gives", `return { get result() { return [{ id: "a" }]; } };`],
        ["an answer of a class", `return new (class { result = [{ id: "a" }]; })();`],
        ["an answer behind a proxy", `return new Proxy({ result: [{ id: "a" }] }, {});`],
        [
          "an answer without a prototype",
          `return Object.assign(Object.create(null), { result: [{ id: "a" }] });`,
        ],
      ],
      2,
    ),
  )("are the same for %s", async (_, body) => {
    const code = `"use strict"; module.exports.pack = { networkDomains: [], formulas: [], syncTables: [{ name: "Things", identityName: "Thing",
      schema: { type: "object", idProperty: "id", displayProperty: "id", properties: { id: { type: "string" } } },
      getter: { name: "Things", parameters: [], execute: async () => {${body}} } }] };`;
    await using isolate = await createIsolate({ code, fileName: "bundle.js" });
    const { result } = await collectSyncTable({ isolate, table: "Things", args: [] });
    expect(result.rows).toMatchObject([{ id: "a" }]);
  });

  it.each(
    chooseCases(
      [
        ["result.result[0].id", "return { result: [{ id: () => 1 }] };"],
        ["result.continuation", "return { result: [], continuation: () => 1 };"],
        ["result.result", `return { result: ["x".repeat(26 * 1024 * 1024)] };`],
        [
          "result",
          `return { result: ["x".repeat(20 * 1024 * 1024)], completion: "y".repeat(6 * 1024 * 1024) };`,
        ],
      ],
      2,
    ),
  )("are refused with the path %s", async (path, body) => {
    const code = `"use strict"; module.exports.pack = { networkDomains: [], formulas: [], syncTables: [{ name: "Things", identityName: "Thing",
      schema: { type: "object", properties: {} }, getter: { name: "Things", parameters: [], execute: async () => {${body}} } }] };`;
    await using isolate = await createIsolate({ code, fileName: "bundle.js" });
    await expect(collectSyncTable({ isolate, table: "Things", args: [] })).rejects.toMatchObject({
      code: "RESULT_INVALID",
      details: { path },
    });
  });
});
