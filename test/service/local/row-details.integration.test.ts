import { expect, it } from "vitest";
import { onEachDatabase, type ServiceUnderTest } from "../support.ts";
import { SHARED } from "./seeds.ts";

const ROWS = "/docs/shared/tables/grid-one/rows";

async function listRows(test: ServiceUnderTest, query = "") {
  return (await test.send(`${ROWS}?${query}`)).body["items"] as {
    id: string;
    name: string;
    index: number;
    values: Record<string, unknown>;
  }[];
}

const row = (cells: Record<string, unknown>) => ({
  cells: Object.entries(cells).map(([column, value]) => ({ column, value })),
});

onEachDatabase("rows in detail", (start) => {
  // docs/rules.md: service 22
  it("a body names a column by id, by link or by name", async () => {
    await using test = await start({ seed: SHARED });
    const link = `${test.service.url}/docs/shared/tables/grid-one/columns/c-count`;
    await test.write("POST", ROWS, {
      rows: [row({ "c-name": "new", [link]: 7, Due: "2026-05-06" })],
    });
    expect((await listRows(test)).at(-1)?.values).toMatchObject({
      "c-name": "new",
      "c-count": 7,
      "c-due": "2026-05-06T00:00:00.000-04:00",
    });
  });

  // docs/rules.md: service 23
  it("a row is named by the text of its display column", async () => {
    await using test = await start({ seed: SHARED });
    expect((await test.send(`${ROWS}/b`)).body).toMatchObject({
      name: "b",
      index: 1,
      parent: { id: "grid-one", parent: { id: "canvas-second", name: "Second" } },
    });
  });

  // docs/rules.md: service 32, 39
  it("sortBy=updatedAt follows edits of stored cells, and nothing else changes updatedAt", async () => {
    await using test = await start({ seed: SHARED, now: () => Date.parse("2026-06-01T00:00:00Z") });
    const [first, second] = await listRows(test);
    await test.write("PUT", `${ROWS}/${first?.id}`, { row: row({ Sum: 99 }) });
    await test.write("PUT", `${ROWS}/${first?.id}`, { row: row({ Nowhere: 1 }) });
    expect((await listRows(test, "sortBy=updatedAt")).map(({ index }) => index)).toEqual([0, 1, 2]);
    test.service.clock.advance(60_000);
    await test.write("PUT", `${ROWS}/${second?.id}`, { row: row({ Count: 5 }) });
    expect((await listRows(test, "sortBy=updatedAt")).map(({ index }) => index)).toEqual([0, 2, 1]);
  });

  // docs/rules.md: service 33
  it("rows are in the order of their creation, those of one request in the order of the request", async () => {
    await using test = await start({ seed: SHARED, now: () => Date.parse("2026-06-01T00:00:00Z") });
    const names = Array.from({ length: 40 }, (_, at) => `n${at}`);
    await test.write("POST", ROWS, { rows: names.map((Name) => row({ Name })) });
    expect((await listRows(test, "limit=99")).map(({ name }) => name)).toEqual([
      "a",
      "b",
      "a",
      ...names,
    ]);
  });

  // docs/rules.md: service 34, 35
  it("arrays keep their nesting, or become one text", async () => {
    await using test = await start({ seed: SHARED });
    await test.write("PUT", `${ROWS}/b`, { row: row({ Name: "b", Tags: [["u", "v"], "w"] }) });
    const tags = async (valueFormat: string) =>
      (await listRows(test, `valueFormat=${valueFormat}&useColumnNames=true`))[1]?.values["Tags"];
    expect(await tags("simpleWithArrays")).toEqual([["u", "v"], "w"]);
    expect(await tags("simple")).toBe("u,v,w");
  });

  // docs/rules.md: service 37
  it("the last of several columns with one name wins, with a warning", async () => {
    await using test = await start({ seed: SHARED });
    await test.write("PUT", `${ROWS}/b`, { row: row({ "c-twin1": "one", "c-twin2": "two" }) });
    const answer = await test.send(`${ROWS}/b?useColumnNames=true`);
    expect((answer.body["values"] as Record<string, unknown>)["Twin"]).toBe("two");
    expect(answer.headers.get("x-emulator-warning")).toContain("Twin");
  });

  // docs/rules.md: service 38
  it("a formula has the value that was computed at the last edit", async () => {
    await using test = await start({ seed: SHARED });
    const now = async () => (await test.send("/docs/shared/formulas/Now")).body["value"];
    expect(await now()).toBe("2026-01-01");
    test.service.clock.advance(24 * 60 * 60_000);
    expect(await now()).toBe("2026-01-01");
  });

  // docs/rules.md: service 44
  it("a bad sync token is refused like a bad page token", async () => {
    await using test = await start({ seed: SHARED });
    for (const query of ["syncToken=forged", "syncToken="])
      expect(await test.send(`${ROWS}?${query}`)).toMatchObject({
        status: 400,
        body: { message: "Invalid pageToken." },
      });
  });

  // docs/rules.md: service 41
  it("a page token takes precedence over a sync token", async () => {
    await using test = await start({ seed: SHARED });
    const { body } = await test.send(`${ROWS}?limit=1`);
    const both = await test.send(
      `${ROWS}?pageToken=${body["nextPageToken"]}&syncToken=${body["nextSyncToken"]}`,
    );
    expect((both.body["items"] as unknown[]).length).toBe(1);
  });

  // docs/rules.md: service 47
  it("one request is one transaction: a refusal applies nothing of it", async () => {
    await using test = await start({ seed: SHARED });
    const before = await test.control("/state");
    const large = row({ Name: "x".repeat(100_000) });
    expect((await test.write("POST", ROWS, { rows: [row({ Name: "fine" }), large] })).status).toBe(
      400,
    );
    expect((await test.control("/state")).body).toEqual(before.body);
  });

  // docs/rules.md: service 48
  it("edits of one document apply in their order, documents do not wait for each other", async () => {
    await using test = await start({ seed: SHARED, mutationDelayMs: 1_000, now: () => 0 });
    await test.control("/latency", { latency: { ms: 3_600_000 } });
    const held = await test.write("POST", ROWS, { rows: [row({ Name: "held" })] });
    await test.control("/latency", { latency: { ms: 1_000 } });
    const behind = await test.write("PUT", `${ROWS}/b`, { row: row({ Name: "behind" }) });
    const other = await test.write("POST", "/docs/private/pages", { name: "Other" });
    test.service.clock.advance(60_000);
    const isDone = async ({ body }: { body: Record<string, unknown> }) =>
      (await test.send(`/mutationStatus/${body["requestId"]}`)).body["completed"];
    expect([await isDone(held), await isDone(behind), await isDone(other)]).toEqual([
      false,
      false,
      true,
    ]);
    await test.control("/mutations/complete", { requestId: held.body["requestId"] });
    expect([await isDone(held), await isDone(behind)]).toEqual([true, false]);
    await test.control("/mutations/complete", { requestId: behind.body["requestId"] });
    expect((await listRows(test)).map(({ name }) => name)).toEqual(["a", "behind", "a", "held"]);
  });

  // docs/rules.md: service 51
  it("an empty list of key columns is the same as none", async () => {
    await using test = await start({ seed: SHARED });
    const { body } = await test.write("POST", ROWS, { rows: [row({ Name: "b" })], keyColumns: [] });
    expect(body["addedRowIds"]).toHaveLength(1);
    expect(await listRows(test)).toHaveLength(4);
  });

  // docs/rules.md: service 52
  it("the last of two values for one column is written", async () => {
    await using test = await start({ seed: SHARED });
    await test.write("POST", ROWS, {
      rows: [{ cells: ["one", "two"].map((value) => ({ column: "Name", value })) }],
    });
    expect((await listRows(test)).at(-1)?.name).toBe("two");
  });

  // docs/rules.md: service 58
  it("the same request twice does its work twice, and a keyed one does not", async () => {
    await using test = await start({ seed: SHARED });
    for (const keyColumns of [[], [], ["Name"], ["Name"]])
      await test.write("POST", ROWS, { rows: [row({ Name: "again" })], keyColumns });
    expect((await listRows(test)).filter(({ name }) => name === "again")).toHaveLength(2);
  });

  // docs/rules.md: service 55
  it("a relation is found by row id or exact text, of equal texts the oldest row; otherwise the text stays", async () => {
    await using test = await start({ seed: SHARED });
    const others = (await test.send("/docs/shared/tables/grid-two/rows")).body["items"] as {
      id: string;
    }[];
    await test.write("POST", ROWS, {
      rows: ["x", others[1]?.id, "X", "none"].map((Other) => row({ Name: "r", Other })),
    });
    const found = (await listRows(test, "valueFormat=rich"))
      .slice(3)
      .map(({ values }) => values["c-other"]);
    expect(found).toMatchObject([
      { rowId: others[0]?.id },
      { rowId: others[1]?.id },
      "```X```",
      "```none```",
    ]);
  });

  // docs/rules.md: service 60
  it("the state of an edit is visible to its user only", async () => {
    await using test = await start({ seed: SHARED });
    const { body } = await test.write("POST", ROWS, { rows: [] }, "writer");
    const status = async (token?: string) =>
      (
        await test.send(
          `/mutationStatus/${body["requestId"]}`,
          token === undefined ? {} : { token },
        )
      ).status;
    expect([await status("writer"), await status()]).toEqual([200, 404]);
  });

  // docs/rules.md: service 61
  it("the state of an edit has no warning unless there is one", async () => {
    await using test = await start({ seed: SHARED });
    const readStatus = async (cells: Record<string, unknown>) => {
      const { body } = await test.write("POST", ROWS, { rows: [row(cells)] });
      return (await test.send(`/mutationStatus/${body["requestId"]}`)).body;
    };
    expect(await readStatus({ Name: "fine" })).toEqual({ completed: true });
    expect(await readStatus({ Nowhere: 1 })).toEqual({
      completed: true,
      warning: "A column does not exist; the cell was skipped.",
    });
  });

  // docs/rules.md: service 46
  it("a change that cannot be applied is a warning, or an edit that never completes", async () => {
    await using test = await start({ seed: SHARED, failedMutation: "stuck" });
    const { body } = await test.write("POST", ROWS, { rows: [row({ Nowhere: 1 })] });
    test.service.clock.advance(60_000);
    expect((await test.send(`/mutationStatus/${body["requestId"]}`)).body).toEqual({
      completed: false,
    });
    expect((await test.write("POST", ROWS, { rows: [row({ Name: "after" })] })).status).toBe(202);
    expect((await listRows(test)).at(-1)?.name).toBe("after");
  });

  // docs/rules.md: service 63
  it("the state of an edit can be unknown for a while", async () => {
    await using test = await start({
      seed: SHARED,
      faults: [{ operation: "getMutationStatus", status: 404, count: 2 }],
    });
    const { body } = await test.write("POST", ROWS, { rows: [] });
    const statuses: number[] = [];
    for (let poll = 0; poll < 3; poll++)
      statuses.push((await test.send(`/mutationStatus/${body["requestId"]}`)).status);
    expect(statuses).toEqual([404, 404, 200]);
  });

  // docs/rules.md: service 64
  it("a completed edit is visible, unless the snapshot lags", async () => {
    await using test = await start({
      seed: SHARED,
      snapshotLagMs: 500,
      mutationDelayMs: 1_000,
      now: () => 0,
    });
    const { body } = await test.write("POST", ROWS, { rows: [row({ Name: "late" })] });
    const state = async () => [
      (await test.send(`/mutationStatus/${body["requestId"]}`)).body["completed"],
      (await listRows(test)).length,
    ];
    expect(await state()).toEqual([false, 3]);
    test.service.clock.advance(1_000);
    expect(await state()).toEqual([true, 3]);
    await test.control("/publish-snapshot", {});
    expect(await state()).toEqual([true, 4]);
  });

  // docs/rules.md: service 66
  it("a document is not up to date while any edit is pending, whoever sent it", async () => {
    await using test = await start({ seed: SHARED, mutationDelayMs: 1_000, now: () => 0 });
    await test.write("POST", "/docs/shared/pages", { name: "x" }, "writer");
    const latest = async (docId: string) =>
      (await test.send(`/docs/${docId}/tables`, { headers: { "X-Service-Doc-Version": "latest" } }))
        .status;
    expect([await latest("shared"), await latest("private")]).toEqual([400, 200]);
  });

  it("the public dialect takes row ids that make an insert repeatable", async () => {
    await using test = await start({ seed: SHARED, dialect: "public" });
    const insert = (rowIds: string[]) =>
      test.write("POST", ROWS, { rows: [row({ Name: "once" })], rowIds });
    expect((await insert(["i-mine000001"])).body["addedRowIds"]).toEqual(["i-mine000001"]);
    await insert(["i-mine000001"]);
    expect(await listRows(test)).toHaveLength(4);
    expect((await insert(["i-a", "i-b"])).status).toBe(400);
  });

  it("keeps the index of every row while rows are deleted and added", async () => {
    await using test = await start({ seed: SHARED });
    await test.write("POST", ROWS, {
      rows: Array.from({ length: 20 }, (_, at) => row({ Name: `n${at}` })),
    });
    const ids = (await listRows(test, "limit=99")).map(({ id }) => id);
    await test.write("DELETE", ROWS, { rowIds: [ids[0], ids[5], ids[6], ids[22]] });
    await test.write("POST", ROWS, { rows: [row({ Name: "last" })] });
    const left = await listRows(test, "limit=99");
    expect(left.map(({ index }) => index)).toEqual(Array.from({ length: 20 }, (_, at) => at));
    expect((await test.send("/docs/shared/tables/grid-one")).body["rowCount"]).toBe(20);
  });
});
