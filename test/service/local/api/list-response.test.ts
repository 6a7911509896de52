import { describe, expect, it } from "vitest";
import { HttpError } from "../../../../src/service/local/api/http-error.ts";
import {
  type ListOptions,
  listResponse,
  readToken,
  writeToken,
} from "../../../../src/service/local/api/list-response.ts";
import type { ServiceCall } from "../../../../src/service/local/api/service-call.ts";

const DAY_MS = 24 * 60 * 60_000;

interface Fruit {
  id: string;
  rank: number;
}

/** A service with a clock that stands at `nowMs`, and calls of its lists. */
function createService() {
  const state = { clock: { now: () => service.nowMs }, pageTokenKey: Buffer.from("key") };
  const service = {
    nowMs: 1_000,
    call: (query = "", path = "/fruit", userId = "ada") =>
      ({
        state,
        caller: { userId },
        query: new URLSearchParams(query),
        root: "http://127.0.0.1/apis/v1",
        path,
      }) as unknown as ServiceCall,
  };
  return service;
}

function listFruit(all: readonly Fruit[], limit = 2): ListOptions<Fruit, string> {
  return {
    parameters: () => ({ limit, sort: "rank" }),
    items: () => all,
    getSortKey: ({ rank, id }) => [rank, id],
    render: ({ id }, { sort }) => `${id} by ${sort}`,
  };
}

const fruit: Fruit[] = [
  { id: "i-1", rank: 1 },
  { id: "i-2", rank: 1 },
  { id: "i-3", rank: 1 },
  { id: "i-4", rank: 2 },
  { id: "i-5", rank: 3 },
];

/** Follows the page tokens. @returns the items of each page */
async function readPages(
  service: ReturnType<typeof createService>,
  options: (page: number) => ListOptions<Fruit, string>,
): Promise<(readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  for (let query: string | undefined = ""; query !== undefined; ) {
    const page: Awaited<ReturnType<typeof listResponse<Fruit, string>>> = await listResponse(
      service.call(query),
      options(pages.length),
    );
    pages.push(page.items);
    query = page.nextPageToken && `pageToken=${encodeURIComponent(page.nextPageToken)}`;
  }
  return pages;
}

describe("listResponse", () => {
  it("lists every item once over its pages, also items of the same rank", async () => {
    expect(await readPages(createService(), () => listFruit(fruit))).toEqual([
      ["i-1 by rank", "i-2 by rank"],
      ["i-3 by rank", "i-4 by rank"],
      ["i-5 by rank"],
    ]);
  });

  it("has no next page when the last item fills the page", async () => {
    expect(await readPages(createService(), () => listFruit(fruit.slice(0, 4)))).toHaveLength(2);
    expect(await readPages(createService(), () => listFruit([]))).toEqual([[]]);
  });

  it("continues after the last item that was listed, although it was removed", async () => {
    const pages = await readPages(createService(), (page) =>
      listFruit(page === 0 ? fruit : fruit.filter(({ id }) => id !== "i-2")),
    );
    expect(pages.flat()).toEqual(["i-1", "i-2", "i-3", "i-4", "i-5"].map((id) => `${id} by rank`));
  });

  it("reads later pages with the parameters and the snapshot of the first", async () => {
    const seen: unknown[] = [];
    const options = (page: number): ListOptions<Fruit, string> => ({
      ...listFruit(fruit),
      seq: page === 0 ? 7 : 8,
      parameters: () => {
        if (page > 0) throw new Error("Only the first page reads the query.");
        return { limit: 3, sort: "rank" };
      },
      items: (parameters, seq) => {
        seen.push([parameters, seq]);
        return fruit;
      },
    });
    await readPages(createService(), options);
    expect(seen).toEqual([
      [{ limit: 3, sort: "rank" }, 7],
      [{ limit: 3, sort: "rank" }, 7],
    ]);
  });

  it("links to itself with its parameters, and to the next page with only the token", async () => {
    const page = await listResponse(createService().call(), listFruit(fruit));
    expect(page.href).toBe("http://127.0.0.1/apis/v1/fruit?limit=2&sort=rank");
    expect(page.nextPageLink).toBe(
      `http://127.0.0.1/apis/v1/fruit?pageToken=${encodeURIComponent(page.nextPageToken ?? "")}`,
    );
    const last = await listResponse(createService().call(), listFruit(fruit, 5));
    expect(Object.keys(last).sort()).toEqual(["href", "items"]);
  });
});

describe("readToken", () => {
  const content = { use: "page", parameters: { limit: 1 }, seq: 3, after: [1, "i-1"] } as const;
  const refused = new HttpError(400, "Invalid pageToken.");

  it("returns what was written for the same caller and path", () => {
    const service = createService();
    const token = writeToken(service.call(), content);
    expect(readToken(service.call(), token, "page")).toMatchObject(content);
  });

  it("refuses a token of another user, another path or another use", () => {
    const service = createService();
    const token = writeToken(service.call(), content);
    expect(() => readToken(service.call("", "/fruit", "grace"), token, "page")).toThrow(refused);
    expect(() => readToken(service.call("", "/people"), token, "page")).toThrow(refused);
    expect(() => readToken(service.call(), token, "sync")).toThrow(refused);
  });

  it("refuses a token that was altered, cut or extended", () => {
    const { call } = createService();
    const token = writeToken(call(), content);
    const [text = "", signature = ""] = token.split(".");
    const forged = Buffer.from(text, "base64url").toString().replace('"seq":3', '"seq":4');
    for (const altered of [
      "",
      text,
      `${text}.`,
      `.${signature}`,
      `${Buffer.from(forged).toString("base64url")}.${signature}`,
      `${token}.`,
      `${token}.${signature}`,
    ])
      expect(() => readToken(call(), altered, "page")).toThrow(refused);
  });

  it("refuses a token longer than 8,192 characters, and reads one of that length", () => {
    const { call } = createService();
    const write = (length: number): string =>
      writeToken(call(), { ...content, parameters: { text: "x".repeat(length) } });
    let length = 8_192 - write(0).length;
    while (write(length).length > 8_192) length -= 1;
    const longest = write(length);
    expect(longest.length).toBeGreaterThan(8_188);
    expect(readToken(call(), longest, "page").seq).toBe(3);
    expect(() => readToken(call(), write(length + 8), "page")).toThrow(refused);
  });

  it("refuses a page token after more than a day, but not a sync token", () => {
    const service = createService();
    const page = writeToken(service.call(), content);
    const sync = writeToken(service.call(), { ...content, use: "sync" });
    service.nowMs += DAY_MS;
    expect(readToken(service.call(), page, "page").seq).toBe(3);
    service.nowMs += 1;
    expect(() => readToken(service.call(), page, "page")).toThrow(refused);
    expect(readToken(service.call(), sync, "sync").seq).toBe(3);
  });
});
