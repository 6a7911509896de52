import { expect, it } from "vitest";
import { onEachDatabase } from "../support.ts";

onEachDatabase("what a document contains", (startTestService) => {
  // docs/rules.md: service 16
  it("tables are found by name in upper or lower case, and filtered by their type", async () => {
    await using test = await startTestService();
    const { tables } = test.client.doc(test.service.docId);
    const names = async (options: Parameters<typeof tables.list>[0]) =>
      (await tables.list(options).all({ max: 99 })).map(({ name }) => name);
    expect(await names({ sortBy: "name", limit: 1 })).toEqual([
      "All tasks",
      "Projects",
      "Task details",
      "Tasks",
      "Tasks to do",
    ]);
    expect(await names({ tableTypes: ["view"] })).toEqual([
      "Tasks to do",
      "All tasks",
      "Task details",
    ]);
    expect(await names({ tableTypes: ["table", "view"] })).toEqual([
      "Tasks",
      "Projects",
      "Tasks to do",
      "All tasks",
      "Task details",
    ]);
    expect((await test.send(`/docs/${test.service.docId}/tables?tableTypes=page`)).status).toBe(
      400,
    );
  });

  it("the demo has a view of every row, in the order of its table, and one with a detail layout", async () => {
    await using test = await startTestService();
    const doc = test.client.doc(test.service.docId);
    const all = await doc.table("All tasks").get();
    expect([all.tableType, all.rowCount, all.filter, all.sorts]).toEqual([
      "view",
      24,
      undefined,
      [],
    ]);
    expect((await doc.table("Task details").get()).layout).toBe("masterDetail");
    expect((await doc.table("Task details").get({ useUpdatedTableLayouts: true })).layout).toBe(
      "detail",
    );
  });

  it("the format of a column has every member that callers rely on, also when the seed leaves them out", async () => {
    const formats = ["checkbox", "scale", "select", "image", "imageReference"];
    const columns = [
      { name: "Name" },
      ...formats.map((type) => ({
        name: type,
        type: type as "scale",
        // Belongs to another type: an image does not show it.
        ...(type === "image" ? { format: { width: 300, style: "circle" } } : {}),
      })),
      { name: "Someone", type: "person" as const },
      { name: "Other", type: "lookup" as const, table: "Others" },
    ];
    const tables = [
      { name: "Things", columns },
      { name: "Others", columns: [{ name: "Name" }] },
    ];
    await using test = await startTestService({
      seed: {
        users: [{ name: "One", email: "one@service.example" }],
        docs: [{ id: "formats", title: "Formats", tables }],
      },
    });
    const list = await test.client.doc("formats").table("Things").columns.list({}).all({ max: 99 });
    expect(list.slice(1, -2).map(({ format }) => format)).toEqual([
      { type: "checkbox", isArray: false, displayType: "check" },
      { type: "scale", isArray: false, maximum: 5, icon: "star" },
      { type: "select", isArray: false, options: [] },
      { type: "image", isArray: false },
      { type: "imageReference", isArray: false, width: 200, height: 200, style: "auto" },
    ]);
    const other = await test.client.doc("formats").table("Others").get();
    const { id, type, tableType, href, browserLink, name } = other;
    expect(list.at(-1)?.format["table"]).toEqual({ id, type, tableType, href, browserLink, name });
    const people = list.at(-2)?.format["table"] as typeof other;
    expect(Object.keys(people).sort()).toEqual([
      "browserLink",
      "href",
      "id",
      "name",
      "tableType",
      "type",
    ]);
    expect([people.type, people.tableType, people.name]).toEqual(["table", "table", "People"]);
    expect(new URL(people.href).pathname).toBe(`/apis/v1/docs/formats/tables/${people.id}`);
  });

  it("a view names its table, its filter and its sorts", async () => {
    await using test = await startTestService();
    expect(await test.client.doc(test.service.docId).table("Tasks to do").get()).toMatchObject({
      tableType: "view",
      rowCount: 6,
      parentTable: { id: "grid-demoTasks1", tableType: "table", parent: { name: "Start" } },
      filter: { valid: true },
      sorts: [{ column: { id: "c-demoEstim1", type: "column" }, direction: "descending" }],
      displayColumn: { id: "c-demoTitle1" },
      parent: { type: "page", name: "Plans" },
    });
    expect(await test.client.doc(test.service.docId).table("Tasks").get()).not.toHaveProperty(
      "parentTable",
    );
  });

  it("columns with their formats, page by page", async () => {
    await using test = await startTestService();
    const { columns } = test.client.doc(test.service.docId).table("Tasks");
    const all = await columns.list({ limit: 5 }).all({ max: 99 });
    expect(all.map(({ format }) => format.type)).toEqual([
      ...["text", "select", "date", "number", "checkbox", "person"],
      ...["currency", "select", "link", "image", "lookup", "button"],
    ]);
    expect(await columns.list({ visibleOnly: true }).all({ max: 99 })).toHaveLength(11);
    expect(await columns.get("Project")).toMatchObject({
      name: "Project",
      format: { type: "lookup", isArray: false, table: { id: "grid-demoProj01" } },
      parent: { id: "grid-demoTasks1", type: "table" },
    });
  });

  it("pages with what is above and below them, also hidden ones", async () => {
    await using test = await startTestService();
    const path = { docId: test.service.docId };
    const { items } = await test.client.call("listPages", { path });
    expect(items).toMatchObject([
      { name: "Start", isHidden: false, children: [{ name: "Plans" }], contentType: "canvas" },
      { name: "Plans", parent: { name: "Start" }, children: [] },
      { name: "Attic", isHidden: true, isEffectivelyHidden: true },
    ]);
    expect(
      await test.client.call("getPage", { path: { ...path, pageIdOrName: "Plans" } }),
    ).toMatchObject({ id: "canvas-demoPlans1" });
  });

  it("formulas and controls with their values", async () => {
    await using test = await startTestService();
    const path = { docId: test.service.docId };
    const { items } = await test.client.call("listFormulas", { path, query: { sortBy: "name" } });
    expect(items).toMatchObject([
      { name: "Open tasks", type: "formula" },
      { name: "Statuses", parent: { name: "Start" } },
    ]);
    expect(items[0]).not.toHaveProperty("value");
    expect(
      await test.client.call("getFormula", { path: { ...path, formulaIdOrName: "Open tasks" } }),
    ).toMatchObject({ value: 18 });
    expect(
      await test.client.call("getControl", { path: { ...path, controlIdOrName: "Only mine" } }),
    ).toMatchObject({
      type: "control",
      controlType: "checkbox",
      value: false,
    });
  });

  // docs/rules.md: service 62
  it("a triggered automation can be followed; an unknown one is 404", async () => {
    await using test = await startTestService();
    const { docId, automationRuleId: ruleId } = test.service;
    const { requestId } = await test.client.call("triggerWebhookAutomation", {
      path: { docId, ruleId },
      body: { any: [1] },
    });
    expect(await test.client.call("getMutationStatus", { path: { requestId } })).toEqual({
      completed: true,
    });
    await expect(
      test.client.call("triggerWebhookAutomation", { path: { docId, ruleId: "x" } }),
    ).rejects.toMatchObject({ status: 404 });
  });

  // docs/rules.md: service 65
  it("a request for the latest is refused while an edit of the document is pending", async () => {
    await using test = await startTestService({ mutationDelayMs: 1_000, now: () => 0 });
    const get = async (version: string, path = `/docs/${test.service.docId}`) =>
      (await test.send(path, { headers: { "X-Service-Doc-Version": version } })).status;
    expect(await get("latest")).toBe(200);
    await test.client.doc(test.service.docId).table("Tasks").rows.insert({ rows: [] });
    expect(await get("latest")).toBe(400);
    expect(await get("")).toBe(200);
    expect(await get("latest", "/whoami")).toBe(200);
    test.service.clock.advance(1_000);
    expect(await get("latest")).toBe(200);
    expect(await get("newest")).toBe(400);
  });
});
