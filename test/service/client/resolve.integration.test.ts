import { describe, expect, it } from "vitest";
import { diffRows, rowQuery } from "../../../src/service.ts";
import { startTestService } from "../support.ts";
import { createClient, ok, scripted } from "./scripted.ts";

const named = (...items: [id: string, name: string][]) =>
  ok({ items: items.map(([id, name]) => ({ id, name })) });

describe("a name", () => {
  it("leads to the id of the only thing that has it, on whatever page of the list", async () => {
    const transport = scripted(
      ok({ items: [{ id: "p-1", name: "A" }], nextPageToken: "t" }),
      named(["p-2", "B"]),
    );
    expect(await createClient(transport).doc("d").pages.resolve("B")).toEqual({
      id: "p-2",
      name: "B",
    });
    expect(transport.sent[0]?.url).toContain("limit=100");
  });

  it("of several things is refused, with their ids", async () => {
    const client = createClient(scripted(named(["p-1", "Notes"], ["p-2", "Notes"])));
    await expect(client.doc("d").pages.resolve("Notes")).rejects.toMatchObject({
      name: "AmbiguousNameError",
      ids: ["p-1", "p-2"],
      operation: "listPages",
    });
  });

  // docs/rules.md: service 24
  it("that looks like an id is one, when there is such an id", async () => {
    const client = createClient(scripted(named(["f-2", "f-1"], ["f-1", "Other"])));
    expect(await client.doc("d").formulas.resolve("f-1")).toEqual({ id: "f-1", name: "Other" });
  });

  it("of nothing is not found; letters count as they are", async () => {
    const client = createClient(scripted(named(["c-1", "Name"])));
    await expect(client.doc("d").controls.resolve("name")).rejects.toMatchObject({
      name: "NotFoundError",
    });
  });

  it("of a row is looked up in the display column", async () => {
    await using test = await startTestService();
    const { rows } = test.client.doc(test.service.docId).table("Tasks");
    await rows.insert({
      rows: [{ Title: 'Twice "x"' }, { Title: 'Twice "x"' }, { Title: "Once" }],
    });
    await test.service.settle();
    expect(await rows.resolve("Once")).toMatchObject({ name: "Once" });
    await expect(rows.resolve('Twice "x"')).rejects.toMatchObject({
      name: "AmbiguousNameError",
      ids: [expect.any(String), expect.any(String)],
    });
    await expect(rows.resolve("Never")).rejects.toMatchObject({ name: "NotFoundError" });
  });
});

describe("the schema of a table", () => {
  it("is asked for once, finds columns by id and name, and refuses ambiguity", async () => {
    const columns = {
      items: [
        { id: "c-1", name: "A" },
        { id: "c-2", name: "B" },
        { id: "c-3", name: "B" },
      ],
    };
    const transport = scripted(ok({ id: "t" }), ok(columns), ok({ id: "t" }), ok({ items: [] }));
    const client = createClient(transport);
    const [schema, same] = await Promise.all([
      client.doc("d").table("t").schema(),
      client.doc("d").table("t").schema(),
    ]);
    expect(same).toBe(schema);
    expect(schema.column("A").id).toBe("c-1");
    expect(schema.column("c-3").name).toBe("B");
    expect(() => schema.column("B")).toThrow(/c-2, c-3/);
    expect(() => schema.column("Z")).toThrow(/"Z"/);
    expect((await client.doc("d").table("t").schema({ refresh: true })).columns).toEqual([]);
    expect(transport.sent).toHaveLength(4);
  });

  it("is asked for again after a failure", async () => {
    const client = createClient(scripted(new Error("reset"), ok({ id: "t" }), ok({ items: [] })));
    await expect(client.doc("d").table("t").schema()).rejects.toThrow("reset");
    expect(await client.doc("d").table("t").schema()).toMatchObject({ columns: [] });
  });
});

// docs/rules.md: service 28
it("a row query quotes whatever is in names and values", async () => {
  expect(rowQuery('A "b": c', 'x"y')).toBe('"A \\"b\\": c":"x\\"y"');
  expect(rowQuery("c-1", true)).toBe('"c-1":true');
  await using test = await startTestService();
  const { rows } = test.client.doc(test.service.docId).table("Tasks");
  const title = 'He said: "a:b", \\ and 😀';
  await rows.insert({ rows: [{ Title: title }] });
  await test.service.settle();
  expect(
    (await rows.list({ query: rowQuery("Title", title) })).items.map(({ name }) => name),
  ).toEqual([title]);
});

// docs/rules.md: service 42
it("deleted rows, which a sync token never reports, are found by comparing complete lists", async () => {
  await using test = await startTestService();
  const { rows } = test.client.doc(test.service.docId).table("Tasks");
  const all = () => rows.list({ limit: 100 });
  const first = await diffRows(new Map(), all());
  expect(first).toMatchObject({ changed: [], deletedIds: [] });
  const [deleted = "", changed = ""] = first.known.keys();
  test.service.clock.advance(5_000);
  await rows.delete(deleted);
  await rows.update(changed, { Title: "Changed" });
  const { addedRowIds } = await rows.insert({ rows: [{ Title: "Added" }] });
  await test.service.settle();
  const second = await diffRows(first.known, all());
  expect(second.deletedIds).toEqual([deleted]);
  expect(second.changed.map(({ id }) => id)).toEqual([changed]);
  expect(second.added.map(({ id }) => id)).toEqual(addedRowIds);
});
