import { describe, expect, it } from "vitest";
import { executePermissions } from "../../../src/execute/tables/execute-permissions.ts";
import { loadTable } from "../support.ts";

const table = (body: string, more = "") =>
  loadTable(
    "return { result: [] };",
    `${more} executeGetPermissions: async (args, request, ctx) => {${body}}`,
  );
const rows = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ row: { id: String(id) } }));

describe("executePermissions", () => {
  it("asks for ten rows at a time, each with its context", async () => {
    await using isolate = await table(
      `console.log(request.rows.length, request.permissionsContext.join()); return { rowAccessDefinitions: request.rows.map(({ row }) => ({ rowId: row.id, permissions: [] })) };`,
    );
    const context = Array.from({ length: 12 }, (_, index) => index);
    const { result, logs } = await executePermissions({
      isolate,
      table: "Things",
      args: [],
      rows: rows(12),
      permissionsContext: context,
    });
    expect(result.rowAccessDefinitions).toHaveLength(12);
    expect(logs.map(({ message }) => message)).toEqual(["10 0,1,2,3,4,5,6,7,8,9", "2 10,11"]);
  });

  it("asks a batch page by page", async () => {
    await using isolate = await table(
      `const page = ctx.sync.continuation?.page ?? 1; return { rowAccessDefinitions: [{ rowId: page, permissions: [] }], continuation: page < 3 ? { page: page + 1 } : null };`,
      "maxPermissionBatchSize: 5,",
    );
    const { result } = await executePermissions({
      isolate,
      table: "Things",
      args: [],
      rows: rows(6),
    });
    expect(result.rowAccessDefinitions.map(({ rowId }) => rowId)).toEqual([1, 2, 3, 1, 2, 3]);
  });

  it.each([
    "undefined",
    "{}",
    "{ rowAccessDefinitions: [{}] }",
    "{ rowAccessDefinitions: [{ rowId: 1, permissions: {} }] }",
  ])("refuses %s", async (answer) => {
    await using isolate = await table(`return ${answer};`);
    await expect(
      executePermissions({ isolate, table: "Things", args: [], rows: rows(1) }),
    ).rejects.toMatchObject({
      code: "RESULT_INVALID",
    });
  });

  it("tells that a table does not know", async () => {
    await using isolate = await loadTable("return { result: [] };");
    await expect(
      executePermissions({ isolate, table: "Things", args: [], rows: rows(1) }),
    ).rejects.toMatchObject({
      code: "METADATA_MISSING",
    });
  });
});
