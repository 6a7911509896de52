import { describe, expect, it } from "vitest";
import { executeUpdate } from "../../../src/execute/tables/execute-update.ts";
import { loadTable } from "../support.ts";

const table = (body: string, size?: number) =>
  loadTable(
    "return { result: [] };",
    `${size === undefined ? "" : `maxUpdateBatchSize: ${size},`} executeUpdate: async (args, updates, ctx) => {${body}}`,
  );
const updates = (...ids: string[]) =>
  ids.map((id) => ({
    previousValue: { id, due: "2026-01-01" },
    newValue: { id, due: "2026-01-02" },
    updatedFields: ["due"],
  }));
const run = async (isolate: Awaited<ReturnType<typeof table>>, given: readonly unknown[]) =>
  (await executeUpdate({ isolate, table: "Things", args: [], updates: given })).result;

describe("executeUpdate", () => {
  it("gives one row at a time unless the table takes more", async () => {
    const echo = `console.log(updates.length); return { result: updates.map(({ newValue }) => newValue) };`;
    for (const [size, calls] of [
      [undefined, ["1", "1", "1"]],
      [2, ["2", "1"]],
      [100, ["3"]],
    ] as const) {
      await using isolate = await table(echo, size);
      const { logs, result } = await executeUpdate({
        isolate,
        table: "Things",
        args: [],
        updates: updates("a", "b", "c"),
      });
      expect(logs.map(({ message }) => message)).toEqual(calls);
      expect(result.map((outcome) => outcome.outcome)).toEqual(["success", "success", "success"]);
    }
  });

  it("gives the Pack the row before, the row after and what changed", async () => {
    await using isolate = await table(
      `return { result: updates.map((update) => ({ id: JSON.stringify(update) })) };`,
    );
    const [outcome] = (await run(isolate, updates("a"))) as unknown as [
      { finalValue: { id: string } },
    ];
    expect(JSON.parse(outcome.finalValue.id)).toEqual(updates("a")[0]);
  });

  it("keeps the order, and tells errors of rows apart", async () => {
    await using isolate = await table(
      `return { result: updates.map(({ newValue }) => newValue.id === "b" ? Object.assign(new Error("No b."), { name: "UserVisibleError", isUserVisible: true }) : newValue) };`,
      10,
    );
    expect(await run(isolate, updates("a", "b", "c"))).toMatchObject([
      { outcome: "success", finalValue: { id: "a" } },
      {
        outcome: "error",
        error: { name: "UserVisibleError", message: "No b.", isUserVisible: true },
      },
      { outcome: "success", finalValue: { id: "c" } },
    ]);
  });

  it("fails the rows of a batch that throws, and writes the others", async () => {
    await using isolate = await table(
      `if (updates[0].newValue.id === "b") throw new Error("boom"); return { result: updates.map(({ newValue }) => newValue) };`,
    );
    expect(await run(isolate, updates("a", "b", "c"))).toMatchObject([
      { outcome: "success" },
      {
        outcome: "error",
        error: {
          name: "Error",
          message: "Things:update failed: boom",
          isUserVisible: false,
        },
      },
      { outcome: "success" },
    ]);
  });

  it("reports the class of an error, whether the Pack threw or returned it", async () => {
    await using isolate = await table(
      `class Locked extends Error {}
       const { id } = updates[0].newValue;
       if (id === "thrown") throw new Locked("No.");
       if (id === "text") throw "No.";
       return { result: [new Locked("No.")] };`,
    );
    expect(await run(isolate, updates("thrown", "returned", "text"))).toMatchObject([
      { error: { name: "Locked" } },
      { error: { name: "Locked" } },
      { error: { name: "FORMULA_FAILED" } },
    ]);
  });

  it("writes the rows after a batch that never ended", async () => {
    await using isolate = await table(
      `if (updates[0].newValue.id === "a") for (;;); return { result: updates.map(({ newValue }) => newValue) };`,
    );
    const { result } = await executeUpdate({
      isolate,
      table: "Things",
      args: [],
      updates: updates("a", "b"),
      timeoutMs: 1_000,
    });
    expect(result).toMatchObject([
      { outcome: "error", error: { name: "RUN_TIMEOUT" } },
      { outcome: "success" },
    ]);
  });

  it.each([
    ["too few entries", "return { result: [] };"],
    ["too many entries", "return { result: [{ id: 'a' }, { id: 'b' }] };"],
    ["no list", "return { result: 'done' };"],
    ["nothing", "return undefined;"],
  ])("tells that the answer has %s", async (_, body) => {
    await using isolate = await table(body);
    expect(await run(isolate, updates("a"))).toMatchObject([
      { outcome: "error", error: { name: "RESULT_INVALID" } },
    ]);
  });

  it("keeps a row that does not fit, with a warning", async () => {
    await using isolate = await table("return { result: [{ id: 5 }] };");
    const { result, logs } = await executeUpdate({
      isolate,
      table: "Things",
      args: [],
      updates: updates("a"),
    });
    expect(result).toEqual([{ outcome: "success", finalValue: { id: 5 } }]);
    expect(logs).toEqual([
      { level: "warn", message: "result.result[0].id must be a string, not a number." },
    ]);
  });

  it("takes a row back that has only what changed", async () => {
    await using isolate = await table("return { result: [{ due: new Date(0) }] };");
    expect(await run(isolate, updates("a"))).toEqual([
      { outcome: "success", finalValue: { due: "1970-01-01T00:00:00.000Z" } },
    ]);
  });

  it.each([
    [1],
    ["a"],
    [{}],
    [{ newValue: [] }],
    [{ newValue: {}, updatedFields: [1] }],
    [{ newValue: {}, previousValue: 5 }],
  ])("refuses the update %j", async (update) => {
    await using isolate = await table("return { result: [] };");
    await expect(
      executeUpdate({ isolate, table: "Things", args: [], updates: [update] }),
    ).rejects.toMatchObject({
      code: "ARGUMENT_TYPE",
      details: { parameter: "updates" },
    });
  });

  it("tells that a table takes no updates", async () => {
    await using isolate = await loadTable("return { result: [] };");
    await expect(
      executeUpdate({ isolate, table: "Things", args: [], updates: [] }),
    ).rejects.toMatchObject({ code: "METADATA_MISSING", logs: [], requests: [] });
  });
});
