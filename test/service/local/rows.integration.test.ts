import { expect, it } from "vitest";
import { rowQuery } from "../../../src/service.ts";
import { onEachDatabase } from "../support.ts";

onEachDatabase("reading rows", (startTestService) => {
  // docs/rules.md: service 2, 10
  it("a limit above the maximum is capped, and a full last page has no token", async () => {
    await using test = await startTestService();
    const tasks = test.client.doc(test.service.docId).table("Tasks");
    expect(await tasks.rows.list({ limit: 100_000 })).toMatchObject({ items: { length: 24 } });
    const page = await tasks.rows.list({ limit: 24 });
    expect(page.nextPageToken).toBeUndefined();
  });

  // docs/rules.md: service 3
  it.each(["0", "-1", "1.5", "ten", ""])("limit=%s is refused", async (limit) => {
    await using test = await startTestService();
    expect(
      await test.send(`/docs/${test.service.docId}/tables/Tasks/rows?limit=${limit}`),
    ).toMatchObject({
      status: 400,
      body: { statusCode: 400, statusMessage: "Bad Request" },
    });
  });

  // docs/rules.md: service 5
  it("a listing keeps the snapshot of its first page while rows are deleted and added", async () => {
    await using test = await startTestService();
    const { rows } = test.client.doc(test.service.docId).table("Tasks");
    const first = await rows.list({ limit: 10, useColumnNames: true });
    const all = await rows.list().all({ max: 100 });
    await rows.deleteMany(all.slice(5, 15).map(({ id }) => id));
    await rows.insert({ rows: [{ Title: "Later" }] });
    const second = await rows.list({ pageToken: first.nextPageToken });
    expect(second.items.map(({ id }) => id)).toEqual(all.slice(10, 20).map(({ id }) => id));
    expect(await rows.list().all({ max: 100 })).toHaveLength(15);
  });

  // docs/rules.md: service 6
  it("an altered token, one of another list and one of another use are refused alike", async () => {
    await using test = await startTestService();
    const { docId } = test.service;
    const { nextPageToken = "", nextSyncToken = "" } = await test.client
      .doc(docId)
      .table("Tasks")
      .rows.list({ limit: 2 });
    const refused = {
      status: 400,
      body: { statusCode: 400, statusMessage: "Bad Request", message: "Invalid pageToken." },
    };
    const tasks = `/docs/${docId}/tables/Tasks/rows`;
    for (const url of [
      `${tasks}?pageToken=${nextPageToken.slice(0, -2)}`,
      `${tasks}?pageToken=x${nextPageToken}`,
      `${tasks}?pageToken=${nextSyncToken}`,
      `${tasks}?syncToken=${nextPageToken}`,
      `${tasks}?pageToken=`,
      `${tasks}?pageToken=${"a".repeat(9_000)}`,
      `/docs/${docId}/tables/Projects/rows?pageToken=${nextPageToken}`,
    ]) {
      expect(await test.send(url), url).toMatchObject(refused);
    }
  });

  // docs/rules.md: service 7
  it("a page token is good for 24 hours on the service's clock", async () => {
    await using test = await startTestService({ now: () => 0 });
    const { rows } = test.client.doc(test.service.docId).table("Tasks");
    const { nextPageToken } = await rows.list({ limit: 2 });
    test.service.clock.advance(24 * 60 * 60_000);
    expect((await rows.list({ pageToken: nextPageToken })).items).toHaveLength(2);
    test.service.clock.advance(1);
    await expect(rows.list({ pageToken: nextPageToken })).rejects.toThrow("Invalid pageToken.");
  });

  // docs/rules.md: service 27
  it("a view shows its own rows, in its own order for natural, numbered in that order", async () => {
    await using test = await startTestService();
    const { rows } = test.client.doc(test.service.docId).table("Tasks to do");
    const found = await rows
      .list({ sortBy: "natural", useColumnNames: true, limit: 2 })
      .all({ max: 100 });
    expect(found.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(found.map(({ values }) => values["Estimate"])).toEqual([10, 9, 8, 3, 2, 1]);
    expect(Object.keys(found[0]?.values ?? {})).toEqual(["Title", "Due", "Estimate", "Project"]);
  });

  // docs/rules.md: service 28, 29
  it("query takes a bare or a quoted column, and an array matches by a member", async () => {
    await using test = await startTestService();
    const { rows } = test.client.doc(test.service.docId).table("Tasks");
    const count = async (query: string) => (await rows.list({ query }).all({ max: 100 })).length;
    expect(await count('Status:"Done"')).toBe(6);
    expect(await count('c-demoStatus:"Done"')).toBe(6);
    expect(await count(rowQuery("Status", "Done"))).toBe(6);
    expect(await count(rowQuery("Status", "done"))).toBe(0);
    expect(await count(rowQuery("Estimate", 1))).toBe(2);
    expect(await count(rowQuery("Tags", "urgent"))).toBeGreaterThan(0);
    expect(await count(rowQuery("Project", "Atlas"))).toBe(2);
    expect(await count(rowQuery("Assignee", ""))).toBe(4);
  });

  // docs/rules.md: service 28, 30
  it.each(["Status", "Status:", "Status:Done", 'None:"x"', "Status:null", '"Status:"x"', ":1"])(
    "query=%s is refused",
    async (query) => {
      await using test = await startTestService();
      const { status } = await test.send(
        `/docs/${test.service.docId}/tables/Tasks/rows?query=${encodeURIComponent(query)}`,
      );
      expect(status).toBe(400);
    },
  );

  // docs/rules.md: service 31
  it("natural order with visibleOnly=false is refused", async () => {
    await using test = await startTestService();
    const { rows } = test.client.doc(test.service.docId).table("Tasks");
    await expect(rows.list({ sortBy: "natural", visibleOnly: false })).rejects.toThrow(
      /^Natural sorting is only available/,
    );
    const { items } = await rows.list({ sortBy: "natural", limit: 1, useColumnNames: true });
    expect(Object.keys(items[0]?.values ?? {})).not.toContain("Close");
  });

  // docs/rules.md: service 34, 35, 36
  it("a value has three formats", async () => {
    await using test = await startTestService();
    const { rows } = test.client.doc(test.service.docId).table("Tasks");
    const valuesAs = async (valueFormat: "simple" | "simpleWithArrays" | "rich") =>
      (await rows.get("Draft the welcome guide", { useColumnNames: true, valueFormat })).values;
    expect(await valuesAs("simple")).toMatchObject({
      Title: "Draft the welcome guide",
      Due: "2026-03-02T00:00:00.000-05:00",
      Tags: "writing,design",
      Assignee: "First Owner",
      Project: "Atlas",
      Budget: 100,
      Close: "",
    });
    expect(await valuesAs("simpleWithArrays")).toMatchObject({
      Tags: ["writing", "design"],
      Done: false,
    });
    const rich = await valuesAs("rich");
    expect(rich).toMatchObject({
      Title: "```Draft the welcome guide```",
      Tags: ["```writing```", "```design```"],
      Budget: { "@type": "MonetaryAmount", currency: "USD", amount: 100 },
      Assignee: { "@type": "Person", email: "first.owner@service.example" },
      Link: { "@type": "WebPage" },
      Photo: { "@type": "ImageObject" },
      Project: {
        "@type": "StructuredValue",
        additionalType: "row",
        name: "Atlas",
        tableId: "grid-demoProj01",
      },
      Estimate: 1,
      Close: "",
    });
  });

  // docs/rules.md: service 40, 41, 42, 43
  it("a sync token lists what was inserted or edited since, never what was deleted", async () => {
    await using test = await startTestService();
    const { rows } = test.client.doc(test.service.docId).table("Tasks");
    const first = await rows.list({
      limit: 5,
      query: rowQuery("Status", "To do"),
      useColumnNames: true,
    });
    const replay = await rows.list({ syncToken: first.nextSyncToken });
    expect(replay.items).toEqual([]);
    expect(replay.nextSyncToken).toBeDefined();
    const [edited, deleted, left] = first.items;
    await rows.update(edited?.id ?? "", { Estimate: 99 });
    await rows.delete(deleted?.id ?? "");
    await rows.update(left?.id ?? "", { Status: "Done" });
    await rows.insert({
      rows: [
        { Title: "New", Status: "To do" },
        { Title: "Other", Status: "Done" },
      ],
    });
    const changed = await rows.list({ syncToken: first.nextSyncToken });
    expect(changed.items.map(({ name }) => name)).toEqual([edited?.name, "New"]);
    expect(changed.items[0]?.values["Estimate"]).toBe(99);
  });
});
