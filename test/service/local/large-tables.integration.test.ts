import { expect, it } from "vitest";
import type { Seed } from "../../../src/service/local/store/seed.ts";
import { isLong } from "../../support/breadth.ts";
import { onEachDatabase, type ServiceUnderTest } from "../support.ts";

const DAY_MS = 24 * 60 * 60_000;
const STATUSES = ["open", "done", "", "late"];

function createSeed(count: number): Seed {
  const columns = [
    { id: "c-name", name: "Name", display: true },
    { id: "c-status", name: "Status", type: "select" as const },
    { id: "c-size", name: "Size", type: "number" as const },
    { id: "c-tags", name: "Tags", type: "select" as const, isArray: true },
    { id: "c-to", name: "To", type: "lookup" as const, table: "Others" },
  ];
  const rows = Array.from({ length: count }, (_, at) => ({
    Name: `row ${at % 900}`,
    Status: STATUSES[at % 4] ?? "",
    Size: (at * 37) % 101,
    Tags: at % 3 === 0 ? ["a", `t${at % 7}`] : [],
    To: `other ${at % 3}`,
  }));
  const others = {
    name: "Others",
    columns: [{ name: "Name" }],
    rows: [0, 1, 2].map((at) => ({ Name: `other ${at}` })),
  };
  const view = {
    id: "table-open",
    name: "Open",
    viewOf: "Long",
    filter: { column: "Status", equals: "open" },
  };
  const sorts = [{ column: "Size", direction: "descending" as const }];
  const tables = [{ id: "grid-long", name: "Long", columns, rows }, { ...view, sorts }, others];
  return {
    users: [{ name: "One", email: "one@service.example" }],
    docs: [{ id: "long", title: "Long", tables }],
  };
}

interface ListedRow {
  id: string;
  name: string;
  index: number;
  values: Record<string, string | number>;
}

async function listRows({ service, send }: ServiceUnderTest, path: string): Promise<ListedRow[]> {
  const rows: ListedRow[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const { status, body } = await send(next);
    expect(status, next).toBe(200);
    rows.push(...(body["items"] as ListedRow[]));
    next = (body["nextPageLink"] as string | undefined)?.slice(service.url.length);
  }
  return rows;
}

const ROWS = "/docs/long/tables/grid-long/rows";
const createQuery = (text: string) => `${ROWS}?limit=100&query=${encodeURIComponent(text)}`;

onEachDatabase("a table that is longer than what is read at once", (start) => {
  // Its queries are those of row-queries, on a longer table.
  it.runIf(isLong)(
    "finds by every kind of value what a search through all rows finds, in the same order, before and after writes",
    async () => {
      await using test = await start({ seed: createSeed(2_600) });
      const check = async () => {
        const all = await listRows(test, `${ROWS}?limit=500`);
        expect(all.map(({ index }) => index)).toEqual(all.map((_, at) => at));
        const ids = (rows: readonly ListedRow[]) => rows.map(({ id, index }) => [id, index]);
        for (const sortBy of ["natural", "updatedAt"])
          expect(
            ids(await listRows(test, `${ROWS}?limit=500&sortBy=${sortBy}`)).sort(),
            sortBy,
          ).toEqual(ids(all).sort());
        const filters: [query: string, passes: (row: ListedRow) => boolean][] = [
          ['Status:"open"', ({ values }) => values["c-status"] === "open"],
          ['Status:""', ({ values }) => values["c-status"] === ""],
          ["Size:7", ({ values }) => values["c-size"] === 7],
          ['Size:"7"', () => false],
          ['Tags:"t3"', ({ values }) => String(values["c-tags"]).split(",").includes("t3")],
          ['Tags:"a,t3"', ({ values }) => values["c-tags"] === "a,t3"],
          ['To:"other 1"', ({ values }) => values["c-to"] === "other 1"],
          ['Name:"row 5"', ({ name }) => name === "row 5"],
        ];
        for (const [query, passes] of filters) {
          expect(ids(await listRows(test, createQuery(query))), query).toEqual(
            ids(all.filter(passes)),
          );
          for (const sortBy of ["natural", "updatedAt"]) {
            const found = await listRows(test, `${createQuery(query)}&sortBy=${sortBy}`);
            expect(found.map(({ id }) => id).sort(), `${query} ${sortBy}`).toEqual(
              all
                .filter(passes)
                .map(({ id }) => id)
                .sort(),
            );
          }
        }
        const open = all.filter(({ values }) => values["c-status"] === "open");
        const inOrder = open.toSorted(
          (one, other) =>
            Number(other.values["c-size"]) - Number(one.values["c-size"]) ||
            one.index - other.index,
        );
        const view = "/docs/long/tables/table-open";
        const natural = await listRows(test, `${view}/rows?limit=100&sortBy=natural`);
        expect(natural.map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id));
        expect(natural.map(({ index }) => index)).toEqual(natural.map((_, at) => at));
        const places = new Map(natural.map(({ id, index }) => [id, index]));
        expect(ids(await listRows(test, `${view}/rows?limit=200`))).toEqual(
          open.map(({ id }) => [id, places.get(id)]),
        );
        expect((await test.send(view)).body["rowCount"]).toBe(open.length);
        const first = all.find(({ name }) => name === "row 7");
        expect((await test.send(`${ROWS}/row%207`)).body).toMatchObject({
          id: first?.id,
          index: first?.index,
        });
        return all;
      };
      const before = await check();
      const some = before.filter((_, at) => at % 5 === 0).map(({ id }) => id);
      expect((await test.write("DELETE", ROWS, { rowIds: some })).status).toBe(202);
      const cells = (name: string, status: string) => ({
        cells: [
          { column: "Name", value: name },
          { column: "Status", value: status },
        ],
      });
      expect(
        (await test.write("PUT", `${ROWS}/${before[1]?.id}`, { row: cells("row 5", "open") }))
          .status,
      ).toBe(202);
      await test.write("POST", ROWS, { rows: [cells("row 7", "open"), cells("new", "late")] });
      await test.write("POST", ROWS, { rows: [cells("row 8", "open")], keyColumns: ["Name"] });
      await test.service.settle();
      await check();
    },
  );

  it("a listing by an index goes on with its snapshot while rows change", async () => {
    await using test = await start({ seed: createSeed(60) });
    const path = `${ROWS}?limit=5&query=${encodeURIComponent('Status:"open"')}`;
    const all = (await listRows(test, path)).map(({ id }) => id);
    const { body } = await test.send(path);
    const page = body["items"] as ListedRow[];
    const changed = all.slice(6, 9);
    await test.write("DELETE", ROWS, { rowIds: [changed[0]] });
    await test.write("PUT", `${ROWS}/${changed[1]}`, {
      row: { cells: [{ column: "Status", value: "late" }] },
    });
    await test.write("POST", ROWS, { rows: [{ cells: [{ column: "Status", value: "open" }] }] });
    const rest = await listRows(test, String(body["nextPageLink"]).slice(test.service.url.length));
    expect([...page, ...rest].map(({ id }) => id)).toEqual(all);
  });

  it("a listing goes on with the current rows when more of them changed than a page may read, and its sync token has every change", async () => {
    await using test = await start({ seed: createSeed(2_400) });
    const { body } = await test.send(`${ROWS}?limit=100`);
    const first = (body["items"] as ListedRow[]).map(({ id }) => id);
    const all = (await listRows(test, `${ROWS}?limit=500`)).map(({ id }) => id);
    const deleted = new Set(all.slice(50, 2_150));
    expect((await test.write("DELETE", ROWS, { rowIds: [...deleted] })).status).toBe(202);
    await test.write("PUT", `${ROWS}/${first[0]}`, {
      row: { cells: [{ column: "Size", value: 1_000 }] },
    });
    const next = String(body["nextPageLink"]).slice(test.service.url.length);
    const rest = (await listRows(test, next)).map(({ id }) => id);
    expect(rest).toEqual(all.slice(100).filter((id) => !deleted.has(id)));
    const { nextSyncToken } = (await test.send(next)).body;
    expect(
      (await listRows(test, `${ROWS}?syncToken=${nextSyncToken}`)).map(({ id }) => id),
    ).toEqual([first[0]]);
  });

  it("every one of more changed rows than are sorted at once is listed, in order", async () => {
    await using test = await start({ seed: createSeed(0) });
    const { nextSyncToken } = (await test.send(`${ROWS}?limit=500`)).body;
    const rows = Array.from({ length: 5_200 }, (_, at) => ({
      cells: [{ column: "Size", value: at }],
    }));
    expect((await test.write("POST", ROWS, { rows })).status).toBe(202);
    await test.service.settle();
    const listed = await listRows(test, `${ROWS}?syncToken=${nextSyncToken}`);
    expect(listed).toHaveLength(5_200);
    expect(listed).toEqual(await listRows(test, `${ROWS}?limit=500`));
  });

  it("old versions and applied edits are removed after a day, and not before", async () => {
    await using test = await start({ seed: createSeed(50) });
    const rows = await listRows(test, `${ROWS}?limit=500`);
    await test.write("PUT", `${ROWS}/${rows[0]?.id}`, {
      row: { cells: [{ column: "Size", value: 1 }] },
    });
    const deleted = await test.write("DELETE", ROWS, {
      rowIds: rows.slice(10, 20).map(({ id }) => id),
    });
    const kept = async () => {
      const { body } = await test.control("/state");
      return ["row_versions", "row_deletions", "mutations"].map(
        (name) =>
          (body[name] as { doc_id: string; table_id?: string }[]).filter((row) =>
            row.table_id !== undefined ? row.table_id === "grid-long" : true,
          ).length,
      );
    };
    expect(await kept()).toEqual([51, 10, 2]);
    const token = (await test.send(`${ROWS}?limit=5`)).body["nextPageToken"];
    test.service.clock.advance(DAY_MS - 60_000);
    await test.send("/whoami");
    expect(await kept()).toEqual([51, 10, 2]);
    test.service.clock.advance(20 * 60_000);
    await test.send("/whoami");
    await expect.poll(kept).toEqual([40, 10, 0]);
    expect((await test.send(`${ROWS}?pageToken=${token}`)).status).toBe(400);
    expect((await test.send(`/mutationStatus/${deleted.body["requestId"]}`)).status).toBe(404);
    const after = await listRows(test, `${ROWS}?limit=7`);
    expect(after.map(({ index }) => index)).toEqual(after.map((_, at) => at));
    expect(after).toHaveLength(40);
  });

  it("a queue of many edits of one document is applied in order and once, while the service answers", async () => {
    await using test = await start({ seed: createSeed(0) });
    await test.control("/mutations/hold", { hold: true });
    const count = isLong ? 450 : 210;
    for (let at = 0; at < count; at++)
      await test.write("POST", ROWS, {
        rows: [{ cells: [{ column: at === 100 ? "None" : "Name", value: `row ${at}` }] }],
      });
    await test.control("/mutations/hold", { hold: false });
    const all = test.control("/mutations/complete", {});
    expect((await test.send("/docs")).status).toBe(200);
    await all;
    const names = (await listRows(test, `${ROWS}?limit=500&sortBy=natural`)).map(
      ({ name }) => name,
    );
    expect(names).toEqual(
      Array.from({ length: count }, (_, at) => (at === 100 ? "" : `row ${at}`)),
    );
  });
});
