import { describe, expect, it } from "vitest";
import { mockFetcher } from "../../src/testing/mock-fetcher.ts";

const API = "https://api.tasks.example";
const readBody = async (response: Promise<Response>) => (await response).json();

describe("mockFetcher", () => {
  it("answers by method, path and query, and remembers what was asked", async () => {
    const mock = mockFetcher({
      [`GET ${API}/lists/:list/items`]: ({ params, query }) => ({
        body: { params, page: query.get("page") },
      }),
      [`GET ${API}/search?q=red`]: { body: "found red" },
      [`* ${API}/files/*`]: { status: 204 },
    });
    expect(await readBody(mock.fetch(`${API}/lists/a%20b/items?page=2`))).toEqual({
      params: { list: "a b" },
      page: "2",
    });
    expect(await (await mock.fetch(`${API}/search?x=1&q=red`)).text()).toBe("found red");
    expect(
      (
        await mock.fetch(`${API}/files/a/b`, {
          method: "PUT",
          body: '{"a":1}',
          headers: { "X-Key": "1" },
        })
      ).status,
    ).toBe(204);
    expect(mock.requests).toMatchObject([
      { method: "GET", params: { list: "a b" } },
      { method: "GET", url: `${API}/search?x=1&q=red`, body: undefined },
      { method: "PUT", headers: { "x-key": "1" }, body: { a: 1 } },
    ]);
    mock.reset();
    expect(mock.requests).toEqual([]);
  });

  it.each([
    ["another method", "POST", `${API}/items`],
    ["another host", "GET", "https://other.example/items"],
    ["a longer path", "GET", `${API}/items/1`],
    ["another query", "GET", `${API}/search?q=blue`],
  ])("refuses %s by its name", async (_, method, url) => {
    const mock = mockFetcher({ [`GET ${API}/items`]: {}, [`GET ${API}/search?q=red`]: {} });
    await expect(mock.fetch(url, { method })).rejects.toMatchObject({
      code: "FETCH_UNMOCKED",
      message: `The mock has no response for ${method} ${url}.`,
      hint: `Add a response for this request. The mock has responses for GET ${API}/items, GET ${API}/search?q=red.`,
    });
    expect(mock.requests).toHaveLength(1);
  });

  it("answers one after the other, and the last one from then on", async () => {
    const mock = mockFetcher({ [`GET ${API}/`]: [{ status: 429 }, { body: { n: 2 } }] });
    expect([
      (await mock.fetch(API)).status,
      await readBody(mock.fetch(API)),
      await readBody(mock.fetch(API)),
    ]).toEqual([429, { n: 2 }, { n: 2 }]);
  });

  it("sends JSON, text and bytes with their types, unless the headers say otherwise", async () => {
    const mock = mockFetcher();
    for (const [body, headers, type] of [
      [{ a: 1 }, {}, "application/json"],
      [null, {}, "application/json"],
      ["text", {}, "text/plain; charset=utf-8"],
      [new Uint8Array([1]), {}, "application/octet-stream"],
      ["<a/>", { "Content-Type": "text/xml" }, "text/xml"],
    ] as const) {
      mock.answer({ [`GET ${API}/x`]: { body, headers } });
      expect((await mock.fetch(`${API}/x`)).headers.get("content-type")).toBe(type);
    }
  });

  it("lets a later answer win, whichever pattern it has", async () => {
    const mock = mockFetcher({
      [`GET ${API}/*`]: { body: "all" },
      [`GET ${API}/one`]: { body: "one" },
    });
    expect(await (await mock.fetch(`${API}/one`)).text()).toBe("one");
    mock.answer({ [`GET ${API}/*`]: { body: "all again" } });
    expect(await (await mock.fetch(`${API}/one`)).text()).toBe("all again");
  });

  it.each([
    "GET",
    "items",
    "FETCH https://a.example/",
    "GET /items",
    "GET https://a.example/ x",
    "GET ftp://a.example/",
  ])("refuses %j, which is no method and URL", (pattern) =>
    expect(() => mockFetcher({ [pattern]: {} })).toThrow(TypeError),
  );
});
