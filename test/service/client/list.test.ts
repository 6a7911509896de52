import { describe, expect, it } from "vitest";
import type { ServiceRequest, ServiceResponse, Transport } from "../../../src/service.ts";
import { createClient, ok, refusal, scripted } from "./scripted.ts";

/** Rows `0..count-1`, of which pages above `slowAbove` time out; a token carries the limit. */
function table(
  count: number,
  slowAbove: number,
  change: (rows: string[], request: number) => string[] = (rows) => rows,
) {
  const urls: string[] = [];
  const transport: Transport = {
    async send({ url }: ServiceRequest): Promise<ServiceResponse> {
      urls.push(url.split("?")[1] ?? "");
      const query = new URLSearchParams(url.split("?")[1]);
      const [limit, from] = (
        query.get("pageToken")?.split(":") ?? [query.get("limit") ?? 25, 0]
      ).map(Number) as [number, number];
      if (limit > slowAbove && from > 0) return refusal(504, "Gateway Timeout");
      const rows = change(
        Array.from({ length: count }, (_, id) => `${id}`),
        urls.length,
      );
      const items = rows.slice(from, from + limit).map((id) => ({ id }));
      return ok({
        items,
        ...(from + limit < rows.length ? { nextPageToken: `${limit}:${from + limit}` } : {}),
      });
    },
  };
  return { urls, rows: createClient(transport).doc("d").table("t").rows };
}

const listIds = async (items: AsyncIterable<{ id: string }>) => {
  const ids: string[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
};
const numbers = (count: number) => Array.from({ length: count }, (_, id) => `${id}`);

describe("a listing that times out", () => {
  it("begins anew with half the limit, and gives every item once", async () => {
    const { rows, urls } = table(1_000, 125);
    expect(await listIds(rows.list({ limit: 500 }))).toEqual(numbers(1_000));
    expect(urls.filter((each) => each.startsWith("limit"))).toEqual([
      "limit=500",
      "limit=250",
      "limit=125",
    ]);
  });

  it("goes on where it was when rows were added or deleted meanwhile", async () => {
    const { rows } = table(300, 50, (ids, request) =>
      request > 2 ? [...ids.filter((id) => id !== "7" && id !== "99"), "new"] : ids,
    );
    expect(await listIds(rows.list({ limit: 100 }))).toEqual([...numbers(300), "new"]);
  });

  it("fails with the status when the place where it was is gone", async () => {
    const { rows } = table(300, 50, (ids, request) => (request > 2 ? ids.slice(150) : ids));
    await expect(listIds(rows.list({ limit: 100 }))).rejects.toMatchObject({
      name: "ServerError",
      status: 504,
    });
  });

  it("never asks for less than 25, and never without having been told a limit", async () => {
    const slow = scripted(refusal(504), refusal(504), refusal(504), refusal(504));
    await expect(createClient(slow).docs.list({ limit: 80 })).rejects.toMatchObject({
      status: 504,
    });
    expect(slow.sent.map(({ url }) => url.split("limit=")[1])).toEqual(["80", "40", "25"]);
    const unlimited = scripted(refusal(504));
    await expect(createClient(unlimited).docs.list()).rejects.toMatchObject({ status: 504 });
    expect(unlimited.sent).toHaveLength(1);
  });

  it("is not begun anew when it continues an earlier listing", async () => {
    const transport = scripted(refusal(504));
    await expect(
      createClient(transport).docs.list({ pageToken: "p", limit: 100 }),
    ).rejects.toMatchObject({ status: 504 });
    expect(transport.sent.map(({ url }) => url.split("?")[1])).toEqual(["pageToken=p"]);
  });
});

describe("pages", () => {
  it("come one by one, with what the service says beside the items", async () => {
    const transport = scripted(
      ok({ items: [{ id: "a" }], nextPageToken: "t", nextSyncToken: "s" }),
      ok({ items: [{ id: "b" }] }),
    );
    const pages = [];
    for await (const page of createClient(transport).doc("d").table("t").rows.list().pages())
      pages.push(page);
    expect(pages).toEqual([
      { items: [{ id: "a" }], nextPageToken: "t", nextSyncToken: "s" },
      { items: [{ id: "b" }] },
    ]);
  });
});

describe("the sync token of a listing", () => {
  const pages = () => [
    ok({ items: [{ id: "a" }], nextPageToken: "t", nextSyncToken: "s" }),
    ok({ items: [{ id: "b" }] }),
  ];
  const createList = (steps = pages()) =>
    createClient(scripted(...steps))
      .doc("d")
      .table("t")
      .rows.list();

  it("is there as soon as an iteration has reached the end", async () => {
    const list = createList();
    const tokens: (string | undefined)[] = [];
    for await (const _ of list) tokens.push(list.nextSyncToken);
    expect([...tokens, list.nextSyncToken]).toEqual([undefined, undefined, "s"]);
  });

  it("is there after all items were read, and not when an iteration was left", async () => {
    const list = createList();
    await list.all();
    expect(list.nextSyncToken).toBe("s");
    const left = createList();
    for await (const _ of left) break;
    expect(left.nextSyncToken).toBeUndefined();
    const limited = createList();
    await limited.all({ max: 1 });
    expect(limited.nextSyncToken).toBeUndefined();
  });
});

describe("all items of a listing", () => {
  const listTable = (count: number) => table(count, 10_000).rows.list({ limit: 2_500 });

  it("are an error when there are more than 10,000 and no maximum was named", async () => {
    expect(await listTable(10_000).all()).toHaveLength(10_000);
    await expect(listTable(10_001).all()).rejects.toThrow(
      new RangeError(
        "The list has more than 10,000 items. Read the items with for await, or set max.",
      ),
    );
  });

  it("are as many as the maximum says", async () => {
    expect(await listTable(10_100).all({ max: 10_050 })).toHaveLength(10_050);
    expect(await listTable(10_100).all({ max: Number.POSITIVE_INFINITY })).toHaveLength(10_100);
  });
});

// docs/rules.md: service 12
it("lists in a query are sent with commas, whatever is in them", async () => {
  const transport = scripted(ok({ items: [] }), ok({ items: [] }));
  const client = createClient(transport);
  await client.doc("d").tables.list({ tableTypes: ["table", "view"] });
  await client.analytics.packs({ packIds: [1, 2], isPublished: false });
  expect(transport.sent.map(({ url }) => url.split("?")[1])).toEqual([
    "tableTypes=table%2Cview",
    "packIds=1%2C2&isPublished=false",
  ]);
});

describe("iterating over the items of a listing", () => {
  it("asks for a page when its first item is wanted, and for none after the loop was left", async () => {
    const { rows, urls } = table(100, 100);
    const seen: string[] = [];
    for await (const { id } of rows.list({ limit: 10 })) {
      seen.push(`${id} ${urls.length}`);
      if (id === "11") break;
    }
    expect(seen.slice(8)).toEqual(["8 1", "9 1", "10 2", "11 2"]);
    expect(urls).toHaveLength(2);
  });

  it("gives items in their order to whoever asks without waiting for the one before", async () => {
    const { rows, urls } = table(7, 100);
    const items = rows.list({ limit: 3 })[Symbol.asyncIterator]();
    const found = await Promise.all(Array.from({ length: 9 }, () => items.next()));
    expect(found.map(({ value }) => value?.id)).toEqual([...numbers(7), undefined, undefined]);
    expect(found.map(({ done }) => done)).toEqual([...Array(7).fill(false), true, true]);
    expect(urls).toHaveLength(3);
  });

  it("gives nothing more once it was ended, whatever the page still holds", async () => {
    const { rows, urls } = table(7, 100);
    const items = rows.list({ limit: 3 })[Symbol.asyncIterator]();
    const [first, ended, after] = await Promise.all([items.next(), items.return?.(), items.next()]);
    expect([first.value?.id, ended?.done, after.done, (await items.next()).done]).toEqual([
      "0",
      true,
      true,
      true,
    ]);
    expect(urls).toHaveLength(1);
  });

  it("ends with the error of a page that cannot be had", async () => {
    const { rows } = table(30, 5);
    const items = rows.list({ limit: 10, pageToken: "10:10" })[Symbol.asyncIterator]();
    await expect(items.next()).rejects.toMatchObject({ status: 504 });
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });
});
