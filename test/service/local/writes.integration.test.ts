import { expect, it } from "vitest";
import { onEachDatabase } from "../support.ts";

const json = (body: unknown) => ({
  method: "POST",
  body: typeof body === "string" ? body : JSON.stringify(body),
});
const cell = (column: string, value: unknown) => ({ cells: [{ column, value }] });

onEachDatabase("writing rows", (startTestService) => {
  // docs/rules.md: service 45
  it.each([
    ["no JSON", "{"],
    ["no rows", {}],
    ["rows that are no array", { rows: {} }],
    ["a row without cells", { rows: [{}] }],
    ["a cell without a column", { rows: [{ cells: [{ value: 1 }] }] }],
    ["a cell without a value", { rows: [{ cells: [{ column: "Title" }] }] }],
    ["null as value", { rows: [cell("Title", null)] }],
    ["an object as value", { rows: [cell("Title", { a: 1 })] }],
    ["arrays three deep", { rows: [cell("Title", [[["a"]]])] }],
    ["an array", []],
    ["null", "null"],
    ["deep nesting", `{"rows":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
    ["key columns that are no array", { rows: [], keyColumns: "Title" }],
  ])("%s is refused, and nothing is applied", async (_, body) => {
    await using test = await startTestService();
    const answer = await test.send(`/docs/${test.service.docId}/tables/Tasks/rows`, json(body));
    expect(answer).toMatchObject({
      status: 400,
      body: { statusCode: 400, statusMessage: "Bad Request", message: expect.any(String) },
    });
    expect(Object.keys(answer.body)).toEqual(["statusCode", "statusMessage", "message"]);
    expect(
      await test.client.doc(test.service.docId).table("Tasks").rows.list().all({ max: 99 }),
    ).toHaveLength(24);
  });

  // docs/rules.md: service 45
  it("a body over 2 MB and a row over 85 KB are 400 with the documented texts", async () => {
    await using test = await startTestService();
    const path = `/docs/${test.service.docId}/tables/Tasks/rows`;
    const large = await test.send(
      path,
      json({ rows: [cell("Title", "x".repeat(2 * 1_024 * 1_024))] }),
    );
    expect(large).toMatchObject({ status: 400, body: { message: "request entity too large" } });
    const row = await test.send(
      path,
      json({
        rows: [
          cell("Title", "ok"),
          cell("Title", `${"\n".repeat(1_024)}${"x".repeat(129 * 1_024)}`),
        ],
      }),
    );
    expect(row.body["message"]).toBe("Row edit of size 131 KB exceeds maximum size of 85 KB.");
    expect(
      (await test.send(path, json({ rows: [cell("Title", "x".repeat(85 * 1_024))] }))).status,
    ).toBe(202);
  });

  // docs/rules.md: service 46
  it("an unknown column is skipped with a warning, the other cells apply", async () => {
    await using test = await startTestService();
    const { rows } = test.client.doc(test.service.docId).table("Tasks");
    const edit = await rows.insert({ rows: [{ Title: "Half", Nowhere: "x", Close: "y" }] });
    const { completed, warning } = await test.client.call("getMutationStatus", {
      path: { requestId: edit.requestId },
    });
    expect(completed).toBe(true);
    expect(warning).toMatch(/does not exist.*cannot be written/);
    expect((await rows.get("Half", { useColumnNames: true })).values).toMatchObject({
      Title: "Half",
      Close: "",
    });
  });

  // docs/rules.md: service 49
  it("the ids of added rows are in the order of the request, and only there without key columns", async () => {
    await using test = await startTestService();
    const { rows } = test.client.doc(test.service.docId).table("Tasks");
    const { addedRowIds = [] } = await rows.insert({ rows: [{ Title: "One" }, { Title: "Two" }] });
    expect(await Promise.all(addedRowIds.map(async (id) => (await rows.get(id)).name))).toEqual([
      "One",
      "Two",
    ]);
    expect((await rows.insert({ rows: [] })).addedRowIds).toEqual([]);
    expect(
      (await rows.upsert({ key: ["Title"], rows: [{ Title: "One" }] })).addedRowIds,
    ).toBeUndefined();
  });

  // docs/rules.md: service 50
  it("an upsert updates every match, inserts without one, and later rows match earlier ones", async () => {
    await using test = await startTestService();
    const { rows } = test.client.doc(test.service.docId).table("Tasks");
    await rows.insert({
      rows: [
        { Title: "Twin", Estimate: 1 },
        { Title: "Twin", Estimate: 2 },
      ],
    });
    await rows.upsert({
      key: ["Title"],
      rows: [
        { Title: "Twin", Status: "Done" },
        { Title: "Fresh", Estimate: 1 },
        { Title: "Fresh", Estimate: 7 },
      ],
    });
    const found = (await rows.list({ useColumnNames: true }).all({ max: 99 }))
      .slice(24)
      .map(({ values }) => values);
    expect(found).toMatchObject([
      { Title: "Twin", Estimate: 1, Status: "Done" },
      { Title: "Twin", Estimate: 2, Status: "Done" },
      { Title: "Fresh", Estimate: 7 },
    ]);
  });

  // docs/rules.md: service 25
  it("an upsert into a view is refused; an update through it is not", async () => {
    await using test = await startTestService();
    const { rows } = test.client.doc(test.service.docId).table("Tasks to do");
    await expect(rows.insert({ rows: [{ Title: "x" }] })).rejects.toMatchObject({
      name: "InvalidRequestError",
      status: 400,
    });
    const [first] = (await rows.list()).items;
    await rows.update(first?.id ?? "", { Status: "Done" });
    expect((await rows.list()).items.map(({ id }) => id)).not.toContain(first?.id);
  });

  // docs/rules.md: service 53
  it("unknown ids are ignored by deleteRows, and are 404 for deleteRow and updateRow", async () => {
    await using test = await startTestService();
    const { rows } = test.client.doc(test.service.docId).table("Tasks");
    expect((await rows.deleteMany(["i-none"])).rowIds).toEqual(["i-none"]);
    await expect(rows.delete("i-none")).rejects.toMatchObject({
      name: "NotFoundError",
      message: "Could not find a row with the specified ID or name.",
    });
    await expect(rows.update("i-none", { Title: "x" })).rejects.toMatchObject({ status: 404 });
  });

  it("takes thousands of rows in one request", async () => {
    await using test = await startTestService();
    const { rows } = test.client.doc(test.service.docId).table("Tasks");
    const { addedRowIds = [] } = await rows.insert({
      rows: Array.from({ length: 2_000 }, (_, at) => ({ Title: `Row ${at}` })),
    });
    expect(
      (await rows.list({ limit: 500 }).all({ max: 5_000 })).slice(24).map(({ id }) => id),
    ).toEqual(addedRowIds);
    await rows.deleteMany([...addedRowIds, ...addedRowIds]);
    expect(await rows.list().all({ max: 5_000 })).toHaveLength(24);
  });

  // docs/rules.md: service 54
  it("an edit is not seen before it is applied, and only the service's clock counts", async () => {
    await using test = await startTestService({ mutationDelayMs: 5_000, now: () => 1_000 });
    const { rows } = test.client.doc(test.service.docId).table("Tasks");
    const { requestId, addedRowIds = [] } = await rows.insert({ rows: [{ Title: "Soon" }] });
    const status = () => test.client.call("getMutationStatus", { path: { requestId } });
    await expect(rows.get(addedRowIds[0] ?? "")).rejects.toMatchObject({ status: 404 });
    expect(await status()).toEqual({ completed: false });
    test.service.clock.advance(4_999);
    expect(await status()).toEqual({ completed: false });
    test.service.clock.advance(1);
    expect(await status()).toEqual({ completed: true });
    expect((await rows.get(addedRowIds[0] ?? "")).name).toBe("Soon");
  });

  // docs/rules.md: service 55, 56
  it("a value that fits a column is parsed, one that does not stays a text, or nothing is parsed", async () => {
    await using test = await startTestService();
    const { rows } = test.client.doc(test.service.docId).table("Tasks");
    const written = {
      Title: "Parsed",
      Due: "3/4/2026",
      Estimate: "1,234.5",
      Done: "TRUE",
      Assignee: "first.editor@service.example",
      Budget: "$12.50",
      Tags: "urgent, new",
      Project: "Atlas",
    };
    await rows.insert({ rows: [written] });
    expect(
      (await rows.get("Parsed", { useColumnNames: true, valueFormat: "simpleWithArrays" })).values,
    ).toMatchObject({
      Due: "2026-03-04T00:00:00.000-05:00",
      Estimate: 1234.5,
      Done: true,
      Assignee: "First Editor",
      Budget: 12.5,
      Tags: ["urgent", "new"],
      Project: "Atlas",
    });
    await rows.insert({
      rows: [
        {
          Title: "Literal",
          Due: "soon",
          Estimate: "many",
          Done: "perhaps",
          Project: "No such project",
        },
      ],
    });
    expect((await rows.get("Literal", { useColumnNames: true })).values).toMatchObject({
      Due: "soon",
      Estimate: "many",
      Done: "perhaps",
      Project: "No such project",
    });
    await rows.insert({ rows: [{ ...written, Title: "Raw" }], disableParsing: true });
    expect((await rows.get("Raw", { useColumnNames: true })).values).toMatchObject({
      Estimate: "1,234.5",
      Done: "TRUE",
      Budget: "$12.50",
    });
  });

  // docs/rules.md: service 57
  it("only a button can be pushed", async () => {
    await using test = await startTestService();
    const { rows } = test.client.doc(test.service.docId).table("Tasks");
    const [row] = (await rows.list()).items;
    expect(await rows.pushButton(row?.id ?? "", "Close")).toMatchObject({
      rowId: row?.id,
      columnId: "c-demoClose1",
    });
    await expect(rows.pushButton(row?.id ?? "", "Title")).rejects.toMatchObject({ status: 400 });
  });

  // docs/rules.md: service 59
  it("the state of an edit is known for a day after its completion", async () => {
    await using test = await startTestService({ now: () => 1_000 });
    const { requestId } = await test.client
      .doc(test.service.docId)
      .table("Tasks")
      .rows.insert({ rows: [] });
    const status = () => test.client.call("getMutationStatus", { path: { requestId } });
    expect(await status()).toEqual({ completed: true });
    test.service.clock.advance(24 * 60 * 60_000 + 1);
    await expect(status()).rejects.toThrow(
      "No request was found with the given id, or it has expired.",
    );
  });

  // docs/rules.md: service 112
  it("a body without a content type is JSON", async () => {
    await using test = await startTestService();
    const { status } = await test.send(`/docs/${test.service.docId}/tables/Tasks/rows`, {
      method: "DELETE",
      body: Buffer.from('{"rowIds":[]}'),
    });
    expect(status).toBe(202);
  });
});
