import { describe, expect, it } from "vitest";
import type { Button, ImageLink, Money, Person, RowLink, WebLink } from "../../../src/service.ts";
import { isLong } from "../../support/breadth.ts";
import { startTestService } from "../support.ts";

interface Projects {
  Name: string;
  Owner: Person;
  Start: Date;
}

interface Tasks {
  Title: string;
  Status: "To do" | "In progress" | "In review" | "Done";
  Due: Date;
  Estimate: number;
  Done: boolean;
  Assignee: Person;
  Budget: Money;
  Tags: ("writing" | "design" | "research" | "urgent" | "internal")[];
  Link: WebLink;
  Photo: ImageLink;
  Project: RowLink<Projects>;
  Close: Button;
}

async function start() {
  const test = await startTestService();
  const doc = test.client.doc(test.service.docId);
  const { records } = doc.table<Tasks>("Tasks");
  return { ...test, doc, records };
}

const LINK = "https://docs.service.example/a.png";

// The client waits a second before it asks whether an edit is completed.
describe.concurrent("the records of a table", () => {
  it("have values of the types of their columns", async () => {
    await using test = await start();
    const [first] = await test.records.list({ sortBy: "createdAt" }).all({ max: 1 });
    expect(first).toMatchObject({
      name: "Draft the welcome guide",
      createdAt: expect.any(Date),
      misfits: {},
      values: {
        Title: "Draft the welcome guide",
        Status: "To do",
        Due: new Date("2026-03-02T00:00:00Z"),
        Estimate: 1,
        Done: false,
        Assignee: { name: "First Owner", email: "first.owner@service.example" },
        Budget: { amount: 100, currency: "USD" },
        Tags: ["writing", "design"],
        Link: { url: "https://docs.service.example/tasks/1" },
        Photo: { url: "https://docs.service.example/photos/1.png" },
        Project: { name: "Atlas", tableId: "grid-demoProj01" },
      },
    });
    expect(Object.keys(first?.values ?? {})).not.toContain("Close");
  });

  it.runIf(isLong)("are written with the same values, and read back as they were", async () => {
    await using test = await start();
    const [{ values } = { values: undefined }] = await test.records.list().all({ max: 1 });
    const { requestId, addedRowIds } = await test.records.insert({ rows: [{ ...values }] });
    await test.client.waitFor(requestId);
    const copy = await test.records.get(addedRowIds?.[0] ?? "");
    expect(copy.values).toEqual(values);
  });

  it.runIf(isLong)("are cleared by null, and left as they are by undefined", async () => {
    await using test = await start();
    const [row] = await test.records.list().all({ max: 1 });
    const id = row?.id ?? "";
    await test.client.waitFor(
      await test.records.update(id, { Due: null, Tags: null, Title: undefined, Estimate: 99 }),
    );
    const { values } = await test.records.get(id);
    expect([values.Due, values.Tags, values.Title, values.Estimate]).toEqual([
      undefined,
      undefined,
      "Draft the welcome guide",
      99,
    ]);
  });

  it("are filtered by a value, upserted by a key and written in any number", async () => {
    await using test = await start();
    const written = await test.records.write({
      rows: Array.from({ length: 120 }, (_, at) => ({
        Title: `Bulk ${at}`,
        Status: "Done" as const,
      })),
    });
    expect(written.counts.applied).toBe(120);
    const edit = { Title: "Bulk 7", Due: new Date("2026-05-06T00:00:00Z"), Project: "Cedar" };
    await test.client.waitFor(await test.records.upsert({ key: ["Title"], rows: [edit] }));
    const [found, ...others] = await test.records.list({ where: { Title: "Bulk 7" } }).all();
    expect(others).toEqual([]);
    expect(found?.values).toMatchObject({ Due: edit.Due, Project: { name: "Cedar" } });
    const project = found?.values.Project;
    if (project === undefined) throw new Error("The task has no project.");
    const projects = test.doc.table<Projects>("Projects").records;
    expect((await projects.get(project)).values.Name).toBe("Cedar");
    const list = test.records.list({ limit: 50 });
    for await (const each of list) expect(each.values.Title).toBeTypeOf("string");
    expect(list.nextSyncToken).toBeTypeOf("string");
  });

  it.runIf(isLong)("keep apart what does not fit its column", async () => {
    await using test = await start();
    const { rows } = test.doc.table("Tasks");
    const [{ id } = { id: "" }] = await rows.list().all({ max: 1 });
    await test.client.waitFor(
      await rows.update(id, { Due: "soon", Estimate: "many", Status: "Someday", Photo: LINK }),
    );
    const { values, misfits } = await test.records.get(id);
    expect([values.Due, values.Estimate, values.Status]).toEqual([undefined, undefined, undefined]);
    expect(misfits).toEqual({
      Due: "```soon```",
      Estimate: "```many```",
      Status: "```Someday```",
    });
    expect(values.Photo).toEqual({ name: "a.png", url: LINK });
  });

  it.runIf(isLong)("push their buttons", async () => {
    await using test = await start();
    const [{ id } = { id: "" }] = await test.records
      .list({ where: { Done: false } })
      .all({ max: 1 });
    await test.client.waitFor(await test.records.push(id, "Close"));
    expect((await test.records.get(id)).values.Done).toBe(true);
  });

  it("refuse an unknown column, another currency and a column that is not written", async () => {
    await using test = await start();
    const { records } = test.doc.table("Tasks");
    await expect(records.insert({ rows: [{ Titel: "x" }] })).rejects.toThrow(
      'The table has no column "Titel". It has Title, Status,',
    );
    await expect(
      records.insert({ rows: [{ Budget: { amount: 1, currency: "EUR" } }] }),
    ).rejects.toThrow('The currency of the column "Budget" is USD, not EUR.');
    await expect(records.insert({ rows: [{ Close: "x" }] })).rejects.toThrow(
      'The column "Close" cannot be written.',
    );
    await expect(
      (async () => await records.list({ where: { Title: "a", Done: true } }))(),
    ).rejects.toThrow("where contains more than one column.");
  });

  it.runIf(isLong)("name columns of one name by their ids", async () => {
    const columns = [
      { id: "c-one", name: "Same" },
      { id: "c-two", name: "Same" },
      { name: "Other" },
    ];
    await using test = await startTestService({
      seed: {
        users: [{ name: "Ann", email: "ann@people.example" }],
        docs: [{ title: "D", tables: [{ name: "T", columns, rows: [{ Other: "x" }] }] }],
      },
    });
    const { records } = test.client.doc(test.service.docId).table("T");
    const [{ id } = { id: "" }] = await records.list().all();
    await test.client.waitFor(await records.update(id, { "c-one": "1", "c-two": "2" }));
    expect((await records.get(id)).values).toEqual({ "c-one": "1", "c-two": "2", Other: "x" });
  });
});
