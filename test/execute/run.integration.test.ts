import { describe, expect, it } from "vitest";
import { executeFormula } from "../../src/execute/execute-target.ts";
import { executeMetadata } from "../../src/execute/metadata/execute-metadata.ts";
import type { RunOptions } from "../../src/execute/run.ts";
import { executePermissions } from "../../src/execute/tables/execute-permissions.ts";
import { collectSyncTable } from "../../src/execute/tables/execute-sync-table.ts";
import { executeUpdate } from "../../src/execute/tables/execute-update.ts";
import { loadIsolate, loadTable } from "./support.ts";

/** What a formula sees of its context, functions by name. */
const SHOW = `const show = (context) => JSON.stringify(context, (_, value) => typeof value === "function" ? "function" : value);`;

async function readContext(options: Partial<RunOptions> = {}): Promise<Record<string, unknown>> {
  await using isolate = await loadIsolate(`${SHOW} return show(ctx);`);
  const { result } = await executeFormula({ isolate, formula: "Run", args: [], ...options });
  return JSON.parse(String(result)) as Record<string, unknown>;
}

describe("the context of a formula", () => {
  it("has these members and no others when nothing is said", async () => {
    const { invocationToken, ...context } = await readContext();
    expect(context).toEqual({
      fetcher: { fetch: "function" },
      temporaryBlobStorage: { storeUrl: "function", storeBlob: "function" },
      invocationLocation: { protocolAndHost: "http://127.0.0.1" },
      timezone: "UTC",
    });
    expect(invocationToken).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("carries where it was called from, and the time zone", async () => {
    const given = {
      timezone: "America/Los_Angeles",
      protocolAndHost: "https://docs.example",
      invocationLocation: { source: "Doc", docId: "doc-1", userId: 7 } as const,
      invocationToken: "one-token",
      authenticationName: "admin",
      executionId: "run-1",
    };
    expect(
      await readContext({
        ...given,
        invocationLocation: { ...given.invocationLocation, source: "Doc" as never },
      }),
    ).toMatchObject({
      timezone: "America/Los_Angeles",
      invocationLocation: {
        protocolAndHost: "https://docs.example",
        source: "Doc",
        docId: "doc-1",
        userId: 7,
      },
      invocationToken: "one-token",
      authenticationName: "admin",
      executionId: "run-1",
    });
  });

  it("has another token for every invocation", async () => {
    const [first, second] = [await readContext(), await readContext()];
    expect(first["invocationToken"]).not.toBe(second["invocationToken"]);
  });

  it.each([
    { type: "HttpStatusError", statusCode: 503 },
    { type: "RateLimitExceeded" },
    { type: "Timeout" },
    { type: "ResponseTooLarge" },
    { type: "Unknown" },
  ] as const)("tells why the attempt before failed: $type", async (previousAttemptError) => {
    expect(
      await readContext({ previousAttemptError: previousAttemptError as never }),
    ).toMatchObject({
      previousAttemptError,
    });
  });

  it("has the account's endpoint and values, and nothing secret of it", async () => {
    const account = {
      endpoint: "https://acme.example/api",
      connection: { variables: { region: "eu" }, callbackParams: { shop: "acme" } },
      authentication: { type: "None" } as never,
      getAccessToken: async () => "secret-token",
      renewAfterUnauthorized: async () => undefined,
    };
    const context = await readContext({ account: account as never });
    expect(context).toMatchObject({
      endpoint: "https://acme.example/api",
      connection: account.connection,
    });
    expect(JSON.stringify(context)).not.toContain("secret");
  });

  it.each(["Mars/Base", "", "../UTC"])("refuses the time zone %j", async (timezone) => {
    await expect(readContext({ timezone })).rejects.toMatchObject({
      code: "ARGUMENT_TYPE",
      details: { parameter: "timezone" },
    });
  });

  it("has a console with six levels, and no logger", async () => {
    await using isolate = await loadIsolate(
      `for (const level of ["trace", "debug", "info", "warn", "error", "log"]) console[level](level, 1); return String("logger" in ctx);`,
    );
    const { result, logs } = await executeFormula({ isolate, formula: "Run", args: [] });
    expect(result).toBe("false");
    expect(logs).toEqual(
      ["trace", "debug", "info", "warn", "error", "log"].map((level) => ({
        level,
        message: `${level} 1`,
      })),
    );
  });
});

describe("the context of a sync", () => {
  const parameters = `parameters: [{ name: "list", type: "string" }, { name: "since", type: "date", optional: true }]`;
  const row = `${SHOW} return { result: [{ id: show(ctx.sync) }] };`;
  const createSync = (rows: readonly unknown[]) =>
    JSON.parse((rows[0] as { id: string }).id) as unknown;

  it("has the arguments by name, dates included, and what the caller says", async () => {
    await using isolate = await loadTable(row, parameters);
    const { result } = await collectSyncTable({
      isolate,
      table: "Things",
      args: ["inbox", new Date(0)],
      dynamicUrl: "https://tasks.example/b",
      schema: { type: "object", properties: { id: { type: "string" } } },
      continuation: { page: 2, deep: { a: 1 } },
      previousCompletion: { incrementalContinuation: { at: 1 } },
      executionId: "run-1",
      permissionSyncMode: "PermissionAware",
    });
    expect(createSync(result.rows)).toEqual({
      continuation: { page: 2, deep: { a: 1 } },
      previousCompletion: { incrementalContinuation: { at: 1 } },
      schema: { type: "object", properties: { id: { type: "string" } } },
      dynamicUrl: "https://tasks.example/b",
      parameters: { list: "inbox", since: "1970-01-01T00:00:00.000Z" },
      executionId: "run-1",
      permissionSyncMode: "PermissionAware",
    });
  });

  it("has only what there is", async () => {
    await using isolate = await loadTable(row, parameters);
    expect(
      createSync(
        (await collectSyncTable({ isolate, table: "Things", args: ["inbox"] })).result.rows,
      ),
    ).toEqual({
      parameters: { list: "inbox" },
    });
  });

  it("is given to updates, permissions and the metadata formulas of a dynamic table, too", async () => {
    await using isolate = await loadTable(
      "return { result: [] };",
      `${parameters}, executeUpdate: async (args, updates, ctx) => ({ result: [{ id: JSON.stringify(ctx.sync) }] }),
       executeGetPermissions: async (args, request, ctx) => ({ rowAccessDefinitions: [{ rowId: JSON.stringify(ctx.sync), permissions: [] }] })`,
      `getName: async (ctx) => JSON.stringify(ctx.sync),`,
    );
    const options = {
      isolate,
      table: "Things",
      args: ["inbox"],
      dynamicUrl: "https://tasks.example/b",
    };
    const expected = { dynamicUrl: "https://tasks.example/b", parameters: { list: "inbox" } };
    const update = await executeUpdate({ ...options, updates: [{ newValue: { id: "1" } }] });
    const [outcome] = update.result as unknown as [{ finalValue: { id: string } }];
    expect(JSON.parse(outcome.finalValue.id)).toEqual(expected);
    const permissions = await executePermissions({ ...options, rows: [{ row: {} }] });
    expect(JSON.parse(String(permissions.result.rowAccessDefinitions[0]?.rowId))).toEqual(expected);
    const name = await executeMetadata({
      isolate,
      target: { kind: "getName", table: "Things" },
      dynamicUrl: "https://tasks.example/b",
    });
    expect(JSON.parse(String(name.result))).toEqual({ dynamicUrl: "https://tasks.example/b" });
  });
});
