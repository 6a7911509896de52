import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OperationChoice } from "../../../src/init/openapi/choose-operations.ts";
import { type Scaffold, scaffoldPack } from "../../../src/init/openapi/scaffold.ts";
import { mockFetcher } from "../../../src/testing/mock-fetcher.ts";
import { executeFormula } from "../../../src/testing/test-formula.ts";
import { isLong } from "../../support/breadth.ts";
import { runCli } from "../../support/cli.ts";
import { startCli } from "../../support/cli-in-process.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";
import { checkGenerated, prepareFolder, writeGenerated } from "./generated-packs.ts";

const text = { type: "string" };
const integer = { type: "integer" };
const object = (properties: object, required: string[] = []) => ({
  type: "object",
  required,
  properties,
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const answer = (schema: object) => ({
  responses: { 200: { description: "Done.", content: { "application/json": { schema } } } },
});
const start = {
  info: { title: "Tasks", version: "1" },
  servers: [{ url: "https://api.tasks.example/v1" }],
};

/** Five operations for each of a hundred resources. */
function large(): object {
  const names = Array.from({ length: 100 }, (_, index) => `resource${index}`);
  return {
    openapi: "3.0.3",
    ...start,
    paths: Object.fromEntries(
      names.flatMap((name, index) => {
        const Name = `Resource${index}`;
        const id = { name: "id", in: "path", required: true, schema: text };
        const more = { tags: [index % 2 === 0 ? "Even" : "Odd"] };
        const body = {
          requestBody: { required: true, content: { "application/json": { schema: ref(Name) } } },
        };
        const cursor = { name: "cursor", in: "query", schema: text };
        return [
          [
            `/${name}`,
            {
              get: {
                ...more,
                parameters: [cursor],
                operationId: `list${Name}s`,
                ...answer(ref(`${Name}Page`)),
              },
              post: { ...more, operationId: `create${Name}`, ...body, ...answer(ref(Name)) },
            },
          ],
          [
            `/${name}/{id}`,
            {
              parameters: [id],
              get: { ...more, operationId: `get${Name}`, ...answer(ref(Name)) },
              patch: { ...more, operationId: `update${Name}`, ...body, ...answer(ref(Name)) },
              delete: {
                ...more,
                operationId: `delete${Name}`,
                responses: { 204: { description: "Gone." } },
              },
            },
          ],
        ];
      }),
    ),
    components: {
      schemas: Object.fromEntries(
        names.flatMap((_, index) => [
          [
            `Resource${index}`,
            object({ id: text, name: text, createdAt: { type: "string", format: "date-time" } }, [
              "id",
            ]),
          ],
          [
            `Resource${index}Page`,
            object({ items: { type: "array", items: ref(`Resource${index}`) }, nextCursor: text }),
          ],
        ]),
      ),
    },
  };
}

const DOCUMENTS: Record<string, object> = {
  recursive: {
    openapi: "3.0.3",
    ...start,
    paths: {
      "/folders": { get: answer(ref("Folder")) },
      "/comments": {
        get: { operationId: "comments", ...answer({ type: "array", items: ref("Comment") }) },
      },
    },
    components: {
      schemas: {
        Folder: object({
          id: text,
          name: text,
          parent: ref("Folder"),
          children: { type: "array", items: ref("Folder") },
        }),
        Comment: object({ id: text, author: ref("Person") }),
        Person: object({ id: text, name: text, lastComment: ref("Comment") }),
      },
    },
  },
  combined: {
    openapi: "3.0.3",
    ...start,
    paths: {
      "/events": {
        get: {
          operationId: "listEvents",
          parameters: [{ name: "page_token", in: "query", schema: text }],
          ...answer({
            allOf: [ref("Page"), object({ events: { type: "array", items: ref("Event") } })],
          }),
        },
      },
      "/pets/{id}": {
        get: {
          parameters: [{ name: "id", in: "path", required: true, schema: integer }],
          ...answer({ oneOf: [ref("Cat"), ref("Dog")] }),
        },
      },
    },
    components: {
      schemas: {
        Page: object({ next_page_token: text }),
        Entity: object({ id: text }, ["id"]),
        Event: {
          allOf: [
            ref("Entity"),
            object({ title: text, target: { anyOf: [ref("Cat"), { type: "null" }] } }),
          ],
        },
        Cat: object({ kind: { type: "string", enum: ["cat"] }, name: text, lives: integer }, [
          "name",
        ]),
        Dog: object({ kind: { type: "string", enum: ["dog"] }, name: text, lives: text }, ["name"]),
      },
    },
  },
  nullable: {
    openapi: "3.1.0",
    ...start,
    webhooks: { taskCreated: { post: {} } },
    paths: {
      "/tasks": {
        get: {
          operationId: "listTasks",
          parameters: [{ name: "offset", in: "query", schema: { type: ["integer", "null"] } }],
          ...answer({ type: ["array", "null"], items: ref("Task") }),
        },
        trace: answer(text),
      },
    },
    components: {
      schemas: {
        Task: object(
          {
            id: { type: ["string", "null"] },
            due: { type: ["string", "null"], format: "date" },
            tags: { type: ["array", "null"], items: text },
          },
          ["id", "due"],
        ),
      },
    },
  },
  nameless: {
    openapi: "3.0.3",
    ...start,
    paths: {
      "/lists/{listId}/tasks": {
        parameters: [{ name: "listId", in: "path", required: true, schema: text }],
        get: answer(object({ total: integer })),
        post: {
          requestBody: { content: { "application/json": { schema: object({ title: text }) } } },
          ...answer(object({ id: text })),
        },
      },
      "/lists": { get: { summary: "", ...answer({ type: "array", items: object({ id: text }) }) } },
    },
  },
  duplicates: {
    openapi: "3.0.3",
    ...start,
    paths: Object.fromEntries(
      ["/a", "/b", "/c"].map((path) => [
        path,
        {
          get: {
            operationId: "list",
            ...answer({ type: "array", items: object({ id: text, ID: integer, Id: text }) }),
          },
          post: {
            operationId: "LIST",
            parameters: [{ name: "id", in: "query", schema: text }],
            requestBody: {
              content: { "application/json": { schema: object({ id: text, Id: text }) } },
            },
            ...answer(ref("task")),
          },
        },
      ]),
    ),
    components: {
      schemas: {
        task: object({ a: ref("Task") }),
        Task: object({ b: ref("TASK") }),
        TASK: object({ c: text }),
      },
    },
  },
};

describe("descriptions in the shapes of public APIs", () => {
  it.runIf(isLong)(
    "become Packs that validate, type-check, build and pass their tests",
    {
      timeout: 240_000,
    },
    async () => {
      using folder = makeTemporaryFolder();
      await prepareFolder(folder.path);
      await writeFile(join(folder.path, "large.json"), JSON.stringify(large()));
      const scaffolds: Record<string, Scaffold> = {
        large: await scaffoldPack("large.json", folder.path),
        swagger: await scaffoldPack(
          new URL("descriptions/swagger.yaml", import.meta.url).pathname,
          "/",
        ),
      };
      for (const [name, document] of Object.entries(DOCUMENTS)) {
        await writeFile(join(folder.path, `${name}.json`), JSON.stringify(document));
        scaffolds[name] = await scaffoldPack(`${name}.json`, folder.path);
      }
      const names = Object.keys(scaffolds);
      for (const name of names)
        await writeGenerated(folder.path, name, scaffolds[name] as Scaffold);
      await checkGenerated(folder.path, names);
      const files = names.map((name) => `${name}/pack.ts`);
      const built = await runCli(["build", ...files, "--out-dir", "build", "--json"], {
        cwd: folder.path,
      });
      expect(built.json()).toMatchObject({ ok: true });

      const leftOut = Object.fromEntries(
        names.map((name) => [name, scaffolds[name]?.left.slice(0, 8)]),
      );
      expect(leftOut).toMatchInlineSnapshot(`
      {
        "combined": [
          "the schema Result: its property lives: it has several types",
        ],
        "duplicates": [],
        "large": [
          "POST /resource25: a Pack has at most 100 formulas; choose with --include or --tag",
          "GET /resource25/{id}: a Pack has at most 100 formulas; choose with --include or --tag",
          "PATCH /resource25/{id}: a Pack has at most 100 formulas; choose with --include or --tag",
          "DELETE /resource25/{id}: a Pack has at most 100 formulas; choose with --include or --tag",
          "POST /resource26: a Pack has at most 100 formulas; choose with --include or --tag",
          "GET /resource26/{id}: a Pack has at most 100 formulas; choose with --include or --tag",
          "PATCH /resource26/{id}: a Pack has at most 100 formulas; choose with --include or --tag",
          "DELETE /resource26/{id}: a Pack has at most 100 formulas; choose with --include or --tag",
        ],
        "nameless": [],
        "nullable": [
          "TRACE /tasks: a formula can send only GET, POST, PUT, PATCH, DELETE",
          "the webhook taskCreated: a Pack receives no requests",
        ],
        "recursive": [
          "the schema Folder: its property parent: it contains the object itself",
          "the schema Folder: its property children: it contains the object itself",
          "the schema Person: its property lastComment: it contains the object itself",
        ],
        "swagger": [
          "the authentication password: a Pack can have only one authentication",
          "POST /tasks/{taskId}/files: its body is multipart/form-data; a formula sends JSON or a form",
          "GET /report: it requires the authentication password, which the Pack does not use",
          "the schema Task: its property parent: it contains the object itself",
        ],
      }
    `);
      const counts = names.map((name) => [
        name,
        scaffolds[name]?.formulas,
        scaffolds[name]?.tables,
        scaffolds[name]?.left.length,
      ]);
      expect(counts).toEqual([
        ["large", 100, 100, 300],
        ["swagger", 6, 1, 4],
        ["recursive", 2, 0, 3],
        ["combined", 1, 1, 1],
        ["nullable", 0, 1, 2],
        ["nameless", 3, 0, 0],
        ["duplicates", 6, 0, 0],
      ]);
    },
  );
});

describe("operations that are chosen", () => {
  it.each<[string, OperationChoice, number]>([
    ["a path", { include: ["/resource7"] }, 2],
    ["a path and what begins like it", { include: ["/resource7**"] }, 2 + 3 + 10 * 5],
    ["a method and a part of a path", { include: ["delete /resource1*/*"] }, 11],
    ["operation IDs", { include: ["list*", "getResource99"] }, 101],
    ["a tag", { tags: ["odd"] }, 250],
    [
      "a pattern and a tag, which both must fit",
      { include: ["GET /resource1/**", "GET /resource2/**"], tags: ["Even"] },
      1,
    ],
  ])("by %s", async (_, choice, chosen) => {
    using folder = makeTemporaryFolder();
    await writeFile(join(folder.path, "openapi.json"), JSON.stringify(large()));
    const { formulas, tables, left, notChosen } = await scaffoldPack(
      "openapi.json",
      folder.path,
      choice,
    );
    expect([formulas + tables + left.length, notChosen]).toEqual([chosen, 500 - chosen]);
  });

  it("on the command line, which says how many are left; a pattern or a tag that fits nothing is an error and creates nothing", async () => {
    using folder = makeTemporaryFolder();
    await writeFile(join(folder.path, "openapi.json"), JSON.stringify(large()));
    const init = async (...args: string[]): Promise<string> => {
      const cli = startCli(["init", "x", ...args], { cwd: folder.path });
      await cli.ended;
      return cli.stderr();
    };
    const from = ["--from", "openapi.json"];
    expect(await init(...from, "--include", "/resource7", "--include", "/tasks")).toContain(
      'No operation of the description matches --include "/tasks".',
    );
    const tag = await init(...from, "--tag", "Prime");
    expect(tag).toContain('No operation of the description has the tag "Prime".');
    expect(tag).toContain("Use one of these tags: Even, Odd.");
    expect(await init("--tag", "Even")).toContain(
      "--include and --tag can be used only with --from.",
    );
    await expect(stat(join(folder.path, "x"))).rejects.toMatchObject({ code: "ENOENT" });
    expect(
      await init(...from, "--include", "/resource7**", "--tag", "Odd", "--include", "/resource8/*"),
    ).toContain("created x  for Tasks: 24 formulas, 6 sync tables; 470 operations not chosen\n");
  });
});

describe("a Swagger 2.0 description", () => {
  it("sends what the description says: a body by reference, forms, lists in their format", async () => {
    using folder = makeTemporaryFolder();
    await prepareFolder(folder.path);
    const { files } = await scaffoldPack(
      new URL("descriptions/swagger.yaml", import.meta.url).pathname,
      "/",
    );
    await writeFile(join(folder.path, "pack.ts"), files.get("pack.ts") ?? "");
    const fetcher = mockFetcher({
      "* https://api.tasks.example/*": { body: { id: "t1", title: "Write", due: null } },
    });
    const run = (formula: string, args: unknown[]) =>
      executeFormula("pack.ts", formula, args as never, { cwd: folder.path, fetcher });
    await run("CreateTask", ["Write"]);
    await run("TagTask", ["t1", ["a", "b"], "high"]);
    await run("FindTasks", [
      ["open", "done"],
      ["x", "y"],
      ["1", "2"],
    ]);
    expect(fetcher.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["POST", "https://api.tasks.example/v2/tasks", { title: "Write" }],
      ["POST", "https://api.tasks.example/v2/tasks/t1/tags", "tags=a%2Cb&priority=high"],
      [
        "GET",
        "https://api.tasks.example/v2/search?status=open%2Cdone&ids=1%7C2&labels=x&labels=y",
        undefined,
      ],
    ]);
  });

  it("has its authentication, its schemas, and requests that are left out with a reason", async () => {
    const { files, left } = await scaffoldPack(
      new URL("descriptions/swagger.yaml", import.meta.url).pathname,
      "/",
    );
    const pack = files.get("pack.ts") ?? "";
    expect(
      pack.slice(pack.indexOf("pack.setUser"), pack.indexOf("interface")),
    ).toMatchInlineSnapshot(`
      "pack.setUserAuthentication({
        type: AuthenticationType.OAuth2,
        authorizationUrl: "https://login.tasks.example/authorize",
        tokenUrl: "https://login.tasks.example/token",
        scopes: ["tasks:read"],
        useProofKeyForCodeExchange: true,
      });

      // Left out parent: it contains the object itself.
      const TaskSchema = makeObjectSchema({
        properties: {
          title: { type: ValueType.String, required: true },
          id: { type: ValueType.String, required: true },
          due: { type: ValueType.String, codaType: ValueHintType.Date },
        },
        idProperty: "id",
        displayProperty: "title",
      });

      "
    `);
    expect(left).toMatchInlineSnapshot(`
      [
        "the authentication password: a Pack can have only one authentication",
        "POST /tasks/{taskId}/files: its body is multipart/form-data; a formula sends JSON or a form",
        "GET /report: it requires the authentication password, which the Pack does not use",
        "the schema Task: its property parent: it contains the object itself",
      ]
    `);
  });

  it("refuses references to other files", async () => {
    using folder = makeTemporaryFolder();
    const parameters = [{ $ref: "parameters.yaml#/Limit" }];
    await writeFile(
      join(folder.path, "swagger.json"),
      JSON.stringify({ swagger: "2.0", paths: { "/a": { get: { parameters } } } }),
    );
    await expect(scaffoldPack("swagger.json", folder.path)).rejects.toMatchObject({
      code: "DESCRIPTION_REFERENCE",
      message: 'The reference "parameters.yaml#/Limit" points to another file.',
    });
  });
});
