import { describe, expect, it } from "vitest";
import { readSourceRequests } from "../../src/validate/source-requests.ts";

const read = (text: string) => readSourceRequests([{ path: "pack.ts", text }]);

describe("the requests that a source sends", () => {
  it("have the type that the call declares, through interfaces, generics and unions", () => {
    const [request] = read(`
      interface Page<Item> { items: Item[]; next?: string }
      type Task = { id: string; state: "open" | "done" | undefined } & { size: number };
      const API = "https://api.tasks.example/v1";
      const { body } = await context.fetcher.fetch<Page<Task>>({
        method: "GET",
        url: withQueryParams(\`\${API}/lists/\${list.id}/tasks\`, { page }),
      });`);
    expect(request).toMatchObject({
      method: "GET",
      path: "/v1/lists/*/tasks",
      shape: {
        kind: "object",
        members: [
          {
            name: "items",
            isOptional: false,
            shape: {
              kind: "list",
              item: {
                kind: "object",
                members: [
                  { name: "id", shape: { kind: "text" } },
                  { name: "state", shape: { kind: "literal", value: "open" } },
                  { name: "size", shape: { kind: "number" } },
                ],
              },
            },
          },
          { name: "next", isOptional: true, shape: { kind: "text" } },
        ],
      },
    });
  });

  it("are found in helpers of the author that take a path and the type", () => {
    expect(read(`const me = await getJson<{ name: string }>(context, "/me");`)).toMatchObject([
      { method: undefined, path: "/me", shape: { kind: "object" } },
    ]);
  });

  it("may have a tuple as their type, which is a list of its first item", () => {
    expect(
      read(`const found = await getJson<[{ name: string }, number]>(context, "/found");`),
    ).toMatchObject([
      {
        shape: {
          kind: "list",
          item: { kind: "object", members: [{ name: "name", shape: { kind: "text" } }] },
        },
      },
    ]);
  });

  it("have the formula that sends them, and what it reads of a body without a type", () => {
    const [request] = read(`
      pack.addFormula({
        name: "Books",
        execute: async function ([], context) {
          const response = await context.fetcher.fetch({ method: "GET", url: "https://api.books.example/books?all=1" });
          return response.body.results.map(toBook);
        },
      });`);
    expect(request).toMatchObject({ path: "/books", shape: undefined, owner: "Books" });
    expect([...(request?.members ?? [])]).toEqual([["results", "list"]]);
  });

  it("may contain a type that contains itself", () => {
    expect(
      read(`interface Node { id: string; parent?: Node }
            fetch<Node>({ url: base + "/nodes" });`),
    ).toMatchObject([{ path: "*/nodes", shape: { kind: "object" } }]);
  });
});
