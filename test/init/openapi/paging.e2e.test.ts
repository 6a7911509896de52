import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scaffoldPack } from "../../../src/init/openapi/scaffold.ts";
import {
  type MockedRequest,
  type MockResponse,
  mockFetcher,
} from "../../../src/testing/mock-fetcher.ts";
import { executeSyncTable } from "../../../src/testing/test-formula.ts";
import { linkPackages } from "../../support/child-vitest.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

const ORIGIN = "https://api.tasks.example";
const text = { type: "string" };
const integer = { type: "integer" };
const address = { type: ["string", "null"], format: "uri" };
const tasks = { type: "array", items: { $ref: "#/components/schemas/Task" } };
const ROWS = Array.from({ length: 5 }, (_, index) => ({ id: `t${index}`, title: `Task ${index}` }));

interface Style {
  parameters: Record<string, object>;
  body: object;
  headers?: object;
  /** The API: what it answers to a request for rows from `start` with `size` rows. */
  answer(request: MockedRequest): MockResponse;
  /** The queries of the requests. */
  queries: string[];
}

const page = (start: number, size = 2) => ROWS.slice(start, start + size);
const object = (properties: object) => ({ type: "object", properties });
const number = (request: MockedRequest, name: string, otherwise = 0) =>
  Number(request.query.get(name) ?? otherwise);

/** The styles of paging of public APIs. Each API has five rows. */
const STYLES: Record<string, Style> = {
  "a cursor in an object of the response": {
    parameters: { cursor: text, limit: { ...integer, default: 2, maximum: 2 } },
    body: object({ items: tasks, meta: object({ next_cursor: { type: ["string", "null"] } }) }),
    answer: (request) => {
      const start = number(request, "cursor");
      return {
        body: {
          items: page(start),
          meta: { next_cursor: start + 2 < ROWS.length ? String(start + 2) : null },
        },
      };
    },
    queries: ["limit=2", "limit=2&cursor=2", "limit=2&cursor=4"],
  },
  "a page token, with an empty text at the end": {
    parameters: { pageToken: text, maxResults: integer },
    body: object({ tasks, nextPageToken: text }),
    answer: (request) => {
      const start = number(request, "pageToken");
      return {
        body: {
          tasks: page(start),
          nextPageToken: start + 2 < ROWS.length ? String(start + 2) : "",
        },
      };
    },
    queries: ["", "pageToken=2", "pageToken=4"],
  },
  "a cursor and a flag": {
    parameters: { after: text, first: { ...integer, default: 4 } },
    body: object({
      nodes: tasks,
      pageInfo: object({ endCursor: text, hasNextPage: { type: "boolean" } }),
    }),
    answer: (request) => {
      const start = number(request, "after");
      return {
        body: {
          nodes: page(start, 4),
          pageInfo: { endCursor: String(start + 4), hasNextPage: start + 4 < ROWS.length },
        },
      };
    },
    queries: ["first=4", "first=4&after=4"],
  },
  "the id of the last row": {
    parameters: { starting_after: text, limit: { ...integer, maximum: 3 } },
    body: object({ data: tasks, has_more: { type: "boolean" } }),
    answer: (request) => {
      const start = ROWS.findIndex(({ id }) => id === request.query.get("starting_after")) + 1;
      return { body: { data: page(start, 3), has_more: start + 3 < ROWS.length } };
    },
    queries: ["limit=3", "limit=3&starting_after=t2"],
  },
  "the URL of the next page": {
    parameters: { page: integer, page_size: { ...integer, default: 3 } },
    body: object({ count: integer, next: address, previous: address, results: tasks }),
    answer: (request) => {
      const start = (number(request, "page", 1) - 1) * 3;
      return {
        body: {
          count: 5,
          next: start === 0 ? `${request.url.split("?")[0]}?page=2&page_size=3` : null,
          results: page(start, 3),
        },
      };
    },
    queries: ["page_size=3", "page=2&page_size=3"],
  },
  "the URL of the next page without its host": {
    parameters: { $top: { ...integer, maximum: 2 }, $skip: integer },
    body: object({ value: tasks, "@odata.nextLink": text }),
    answer: (request) => {
      const start = number(request, "$skip");
      const { pathname } = new URL(request.url);
      return {
        body: {
          value: page(start),
          ...(start + 2 < ROWS.length
            ? { "@odata.nextLink": `${pathname}?$skip=${start + 2}` }
            : {}),
        },
      };
    },
    queries: ["%24top=2", "$skip=2", "$skip=4"],
  },
  "a Link header": {
    parameters: { page: { ...integer, default: 1 }, per_page: { ...integer, default: 4 } },
    headers: { link: { schema: text } },
    body: tasks,
    answer: (request) => {
      const next = `<${request.url.split("?")[0]}?page=2>; rel="next", <${ORIGIN}/last,page>; rel="last"`;
      return request.query.get("page") === "2"
        ? { body: page(4) }
        : { body: page(0, 4), headers: { Link: `<${ORIGIN}/x>; rel=prev, ${next}` } };
    },
    queries: ["per_page=4", "page=2"],
  },
  "an offset and a total": {
    parameters: { offset: integer, limit: integer },
    body: object({ tasks, total: integer }),
    answer: (request) => ({ body: { tasks: page(number(request, "offset"), 3), total: 5 } }),
    queries: ["offset=0", "offset=3"],
  },
  "an offset only: the last page is not full": {
    parameters: { offset: integer, limit: { ...integer, maximum: 1000, default: 3 } },
    body: tasks,
    answer: (request) => ({ body: page(number(request, "offset"), number(request, "limit")) }),
    queries: ["limit=100&offset=0"],
  },
  "an offset without a known size: the last page is empty": {
    parameters: { skip: integer },
    body: tasks,
    answer: (request) => ({ body: page(number(request, "skip"), 4) }),
    queries: ["skip=0", "skip=4", "skip=5"],
  },
  "rows that are counted from one": {
    parameters: { startIndex: integer, count: { ...integer, default: 2 } },
    body: object({ totalResults: integer, startIndex: integer, Resources: tasks }),
    answer: (request) => ({
      body: { totalResults: 5, Resources: page(number(request, "startIndex") - 1) },
    }),
    queries: ["count=2&startIndex=1", "count=2&startIndex=3", "count=2&startIndex=5"],
  },
  "page numbers and their total": {
    parameters: { "page[number]": integer, "page[size]": { ...integer, default: 3 } },
    body: object({ data: tasks, meta: object({ total_pages: integer }) }),
    answer: (request) => ({
      body: { data: page((number(request, "page[number]") - 1) * 3, 3), meta: { total_pages: 2 } },
    }),
    queries: ["page%5Bsize%5D=3&page%5Bnumber%5D=1", "page%5Bsize%5D=3&page%5Bnumber%5D=2"],
  },
  "the number of the next page": {
    parameters: { page: integer },
    body: object({ tasks, next_page: { type: ["integer", "null"] } }),
    answer: (request) => ({
      body:
        request.query.get("page") === "7"
          ? { tasks: page(3), next_page: null }
          : { tasks: page(0, 3), next_page: 7 },
    }),
    queries: ["", "page=7"],
  },
  "page numbers from zero, and a flag on the last page": {
    parameters: { page: { ...integer, minimum: 0 } },
    body: object({ content: tasks, last: { type: "boolean" }, totalPages: integer }),
    answer: (request) => ({
      body: { content: page(number(request, "page") * 3, 3), last: number(request, "page") === 1 },
    }),
    queries: ["page=0", "page=1"],
  },
};

/** A description with one operation for each style. */
const description = {
  openapi: "3.1.0",
  info: { title: "Tasks", version: "1" },
  servers: [{ url: `${ORIGIN}/v1` }],
  paths: Object.fromEntries(
    Object.values(STYLES).map(({ parameters, body, headers }, index) => [
      `/style${index}`,
      {
        get: {
          operationId: `listStyle${index}`,
          parameters: [
            { name: "status", in: "query", schema: text },
            ...Object.entries(parameters).map(([name, schema]) => ({ name, in: "query", schema })),
          ],
          responses: { 200: { headers, content: { "application/json": { schema: body } } } },
        },
      },
    ]),
  ),
  components: { schemas: { Task: { ...object({ id: text, title: text }), required: ["id"] } } },
};

describe("an operation with pages", () => {
  const folder = makeTemporaryFolder();
  afterAll(() => folder[Symbol.dispose]());
  beforeAll(async () => {
    linkPackages(folder.path);
    await writeFile(join(folder.path, "openapi.json"), JSON.stringify(description));
    const scaffold = await scaffoldPack("openapi.json", folder.path);
    expect(scaffold).toMatchObject({ formulas: 0, tables: Object.keys(STYLES).length, left: [] });
    await writeFile(join(folder.path, "pack.ts"), scaffold.files.get("pack.ts") ?? "");
  });

  it.each(Object.entries(STYLES).map(([name, style], index) => ({ name, style, index })))(
    "becomes a table that syncs all rows: $name",
    async ({ style, index }) => {
      const fetcher = mockFetcher({ [`GET ${ORIGIN}/v1/style${index}`]: style.answer });
      const { rows, pages, end } = await executeSyncTable("pack.ts", `Style${index}`, [], {
        cwd: folder.path,
        fetcher,
      });
      expect({ rows, end }).toEqual({ rows: ROWS, end: "complete" });
      expect(fetcher.requests.map(({ url }) => new URL(url).search.replace(/^\?/, ""))).toEqual(
        style.queries,
      );
      expect(pages).toBe(style.queries.length);
    },
  );
});

/** What becomes of a single operation. */
async function generated(
  operation: object,
  schemas: object = {},
  path = "/tasks",
): Promise<{ pack: string; left: string[]; tables: number }> {
  using folder = makeTemporaryFolder();
  const document = {
    ...description,
    paths: { [path]: { get: operation } },
    components: { schemas: { ...description.components.schemas, ...schemas } },
  };
  await writeFile(join(folder.path, "openapi.json"), JSON.stringify(document));
  const { files, left, tables } = await scaffoldPack("openapi.json", folder.path);
  return { pack: files.get("pack.ts") ?? "", left, tables };
}

const paged = (body: object, more: object = {}) => ({
  parameters: [{ name: "cursor", in: "query", schema: text }],
  responses: { 200: { content: { "application/json": { schema: body } } } },
  ...more,
});

describe("a table from a description", () => {
  it("keeps the parameters that do not page, and the name of its rows", async () => {
    const { pack } = await generated(
      paged(object({ data: tasks, next: text }), { operationId: "tasks_list", security: [] }),
    );
    expect(pack.slice(pack.indexOf("interface"))).toMatchInlineSnapshot(`
      "interface TasksPage {
        data?: SchemaType<typeof TaskSchema>[];
        next?: string | null;
      }

      pack.addSyncTable({
        name: "Tasks",
        description: "Tasks list.",
        identityName: "Task",
        schema: TaskSchema,
        formula: {
          parameters: [],
          connectionRequirement: ConnectionRequirement.None,
          execute: async (_args, context) => {
            const { body } = await context.fetcher.fetch<TasksPage>({
              method: "GET",
              url: withQueryParams(\`\${API}/tasks\`, { cursor: context.sync.continuation?.["next"] }),
            });
            const rows = body?.data ?? [];
            const next = body?.next;
            return { result: rows, continuation: next ? { next } : undefined };
          },
        },
      });
      "
    `);
  });

  it.each<[string, object, string, string]>([
    ["its name", object({ task_id: text, name: text }), "task_id", "name"],
    ["a usual name", object({ uuid: text, subject: text, id_of_parent: text }), "uuid", "subject"],
    ["the only name that fits", object({ key: text, owner: text }), "key", "key"],
  ])("is identified and displayed by %s", async (_, Task, id, display) => {
    const { pack } = await generated(paged(object({ data: tasks, next: text })), { Task });
    expect(pack).toContain(`  idProperty: "${id}",\n  displayProperty: "${display}",\n`);
  });

  it("has an identity that no other table and no column has", async () => {
    const { pack } = await generated(
      paged(object({ data: tasks, next: text }), { operationId: "getAllOpenTasks" }),
      {
        Task: object({ id: text, task: text }),
      },
    );
    expect(pack).toContain(
      '  name: "OpenTasks",\n  description: "Get all open tasks.",\n  identityName: "OpenTask",\n',
    );
  });
});

describe("an operation with pages that stays a formula", () => {
  it.each<[string, object, object, string[]]>([
    [
      "its rows cannot be identified",
      paged(object({ data: tasks, next: text })),
      { Task: object({ title: text }) },
      [
        "GET /tasks: it becomes a formula that returns one page, because its rows have no property that identifies them, such as id",
      ],
    ],
    [
      "its response has several lists",
      paged(object({ open: tasks, done: tasks, next: text })),
      {},
      [
        "GET /tasks: it becomes a formula that returns one page, because its response has several lists of objects",
      ],
    ],
    [
      "it names a next page, but takes no cursor",
      {
        ...paged(object({ data: tasks, next: text })),
        parameters: [{ name: "x", in: "query", schema: text }],
      },
      {},
      [],
    ],
    ["it has no next page", paged(object({ data: tasks })), {}, []],
    [
      "its cursor is required",
      {
        ...paged(object({ data: tasks, next: text })),
        parameters: [{ name: "cursor", in: "query", required: true, schema: integer }],
      },
      {},
      [],
    ],
  ])("%s", async (_, operation, schemas, left) => {
    const result = await generated(operation, schemas);
    expect(result).toMatchObject({ tables: 0, left });
    expect(result.pack).toMatch(/makeParameter\(\{\s+type: ParameterType\./);
  });
});
