import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ParameterType } from "../../src/define/enumerations.ts";
import type { FetchRequest } from "../../src/define/fetch.ts";
import type { Parameter } from "../../src/define/formula.ts";
import { makeObjectSchema } from "../../src/define/make-schema.ts";
import { makeParameter } from "../../src/define/parameter.ts";
import {
  makeEmptyFormula,
  makeTranslateObjectFormula,
  type RequestHandlerTemplate,
} from "../../src/define/request-template.ts";
import type { ExecutionContext } from "../../src/define/schema.ts";
import { getQueryParams } from "../../src/define/urls.ts";

const text = (name: string) =>
  makeParameter({ type: ParameterType.String, name, description: "Any text." });
const optional = (name: string) =>
  makeParameter({ type: ParameterType.String, name, description: "Any text.", optional: true });
const Item = makeObjectSchema({
  properties: { id: { type: "string", required: true }, name: { type: "string" } },
  idProperty: "id",
});

const CompiledItem = {
  type: "object",
  idProperty: "Id",
  properties: {
    Id: { type: "string", required: true, fromKey: "id", originalKey: "id" },
    Name: { type: "string", fromKey: "name", originalKey: "name" },
  },
};

/** A context whose requests are answered by `body`, and what was asked. */
function contextWith(body: unknown): { context: ExecutionContext; requests: FetchRequest[] } {
  const requests: FetchRequest[] = [];
  const fetch = async (request: FetchRequest) => {
    requests.push(request);
    if (body instanceof Error) throw body;
    return { status: 200, headers: {}, body };
  };
  return { context: { fetcher: { fetch } } as unknown as ExecutionContext, requests };
}

async function createRequest(
  request: RequestHandlerTemplate,
  parameters: Parameter[],
  args: unknown[],
) {
  const { context, requests } = contextWith(undefined);
  const formula = makeEmptyFormula({ name: "Send", description: "Sends.", parameters, request });
  expect(formula.resultType).toBe(0);
  expect(await formula.execute(args, context)).toBe("");
  return requests[0];
}

describe("a request template", () => {
  it("fills every placeholder of the URL, each argument encoded once", async () => {
    const sent = await createRequest(
      { method: "GET", url: "https://api.example/{a}/{b}/{a}?same={a}" },
      [text("a"), text("b")],
      ["x y/ä", "{a}"],
    );
    expect(sent).toEqual({
      method: "GET",
      url: "https://api.example/x%20y%2F%C3%A4/%7Ba%7D/x%20y%2F%C3%A4?same=x%20y%2F%C3%A4",
      headers: { Accept: "application/json", "Content-Type": "application/json" },
    });
  });

  it("keeps braces that do not name a parameter, and fills an argument that was left out with nothing", async () => {
    const sent = await createRequest(
      { method: "GET", url: "https://api.example/{other}/{a}." },
      [optional("a")],
      [],
    );
    expect(sent?.url).toBe("https://api.example/{other}/.");
  });

  it("encodes query values once; an optional one without a value is left out, another one is empty", async () => {
    const template = {
      method: "GET",
      url: "https://api.example/find?fixed=1",
      queryParams: ["q", "page", "none"],
    } as const;
    const sent = await createRequest(
      { ...template, queryParams: [...template.queryParams] },
      [text("q"), optional("page"), text("none")],
      ["50% & more", undefined, undefined],
    );
    expect(sent?.url).toBe("https://api.example/find?fixed=1&q=50%25%20%26%20more&none=");
  });

  it("gives back any text that it put into the query", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", minLength: 1 }), async (value) => {
        const sent = await createRequest(
          { method: "GET", url: "https://api.example/", queryParams: ["q"] },
          [text("q")],
          [value],
        );
        expect(getQueryParams(sent?.url ?? "")).toEqual({ q: value });
      }),
    );
  });

  it("merges arguments into the body, and leaves the template as it was", async () => {
    const bodyTemplate = { kind: "task", nested: { deep: true } };
    const sent = await createRequest(
      {
        method: "POST",
        url: "https://api.example/tasks",
        bodyTemplate,
        bodyParams: ["title", "note"],
        headers: { Accept: "text/plain" },
      },
      [text("title"), optional("note")],
      ["Write"],
    );
    expect(JSON.parse(String(sent?.body))).toEqual({
      kind: "task",
      nested: { deep: true },
      title: "Write",
    });
    expect(sent?.headers).toEqual({ Accept: "text/plain", "Content-Type": "application/json" });
    expect(bodyTemplate).toEqual({ kind: "task", nested: { deep: true } });
  });

  it("renames arguments and changes them; a plain object as the result of a change gives several", async () => {
    const sent = await createRequest(
      {
        method: "POST",
        url: "https://api.example/{first}/{last}",
        nameMapping: { FullName: "full" },
        transforms: {
          full: (value) => ({
            first: String(value).split(" ")[0],
            last: String(value).split(" ")[1],
          }),
          day: (value) => new Date(String(value)),
        },
        queryParams: ["day"],
        bodyParams: ["first"],
      },
      [text("FullName"), text("day")],
      ["Ada Lovelace", "2024-05-06"],
    );
    expect(sent?.url).toBe("https://api.example/Ada/Lovelace?day=2024-05-06T00%3A00%3A00.000Z");
    expect(sent?.body).toBe(`{"first":"Ada"}`);
  });

  it("takes parameters with the names of built-in members", async () => {
    const sent = await createRequest(
      {
        method: "POST",
        url: "https://api.example/{constructor}",
        nameMapping: {},
        transforms: {},
        bodyParams: ["__proto__"],
      },
      [text("constructor"), text("__proto__")],
      ["a", "b"],
    );
    expect(sent?.url).toBe("https://api.example/a");
    expect(sent?.body).toBe(`{"__proto__":"b"}`);
  });

  it("refuses two parameters of one name", () => {
    expect(() =>
      makeEmptyFormula({
        name: "Send",
        description: "Sends.",
        parameters: [text("a"), text("b")],
        request: { method: "GET", url: "https://api.example/", nameMapping: { b: "a" } },
      }),
    ).toThrow(`Two parameters of a request template are called "a".`);
  });
});

describe("makeTranslateObjectFormula", () => {
  const request = { method: "GET", url: "https://api.example/items" } as const;
  const common = { name: "Items", description: "Lists items.", parameters: [], request };

  it("gives an object formula, with the place in the response that projectKey names", async () => {
    const formula = makeTranslateObjectFormula({
      ...common,
      response: { schema: Item, projectKey: "item" },
    });
    expect(formula).toMatchObject({ resultType: 2, schema: CompiledItem });
    expect(formula).not.toHaveProperty("request");
    expect(await formula.execute([], contextWith({ item: { id: "1" } }).context)).toEqual({
      id: "1",
    });
    expect(await formula.execute([], contextWith("text").context)).toBe("text");
  });

  it("gives a list when the schema is an array", async () => {
    const formula = makeTranslateObjectFormula({
      ...common,
      response: { schema: { type: "array", items: Item } },
    });
    expect(formula).toMatchObject({
      resultType: 2,
      schema: { type: "array", items: CompiledItem },
    });
    expect(formula).not.toHaveProperty("items");
    expect(await formula.execute([], contextWith([{ id: "1" }]).context)).toEqual([{ id: "1" }]);
  });

  it("takes the result of onError when the request fails", async () => {
    const failing = contextWith(new Error("down")).context;
    const formula = makeTranslateObjectFormula({
      ...common,
      response: { schema: Item, onError: (error) => ({ id: error.message }) },
    });
    expect(await formula.execute([], failing)).toEqual({ id: "down" });
    await expect(
      makeTranslateObjectFormula({ ...common, response: { schema: Item } }).execute([], failing),
    ).rejects.toThrow("down");
  });
});
