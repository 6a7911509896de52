import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { initProject } from "../../../src/init/init-project.ts";
import { scaffoldPack } from "../../../src/init/openapi/scaffold.ts";
import { isLong } from "../../support/breadth.ts";
import { linkPackages, runVitest } from "../../support/child-vitest.ts";
import { runCli } from "../../support/cli.ts";
import { makeTemporaryFolder } from "../../support/temporary-folder.ts";

const TASKS = new URL("descriptions/tasks.yaml", import.meta.url).pathname;
const OK = {
  responses: {
    200: { description: "Done.", content: { "application/json": { schema: { type: "string" } } } },
  },
};
const OWNER = { type: "object", properties: { id: { type: "string" }, extra: {} } };

/** Generates a Pack from a description. */
async function createScaffold(description: object): Promise<{ pack: string; left: string[] }> {
  using folder = makeTemporaryFolder();
  const document = {
    openapi: "3.0.3",
    info: { title: "API", version: "1" },
    servers: [{ url: "https://api.tasks.example" }],
    ...description,
  };
  await writeFile(join(folder.path, "openapi.json"), JSON.stringify(document));
  const { files, left } = await scaffoldPack("openapi.json", folder.path);
  return { pack: files.get("pack.ts") ?? "", left };
}

/** Generates the formula of one operation. */
async function findFormula(
  operation: object,
  more: object = {},
  [path, method] = ["/things", "get"],
): Promise<{ pack: string; left: string[] }> {
  return await createScaffold({
    paths: { [path]: { [method]: { operationId: "things", ...OK, ...operation } } },
    ...more,
  });
}

describe("a project from a description", () => {
  it.runIf(isLong)("installs nothing, validates, builds and passes its test", async () => {
    using folder = makeTemporaryFolder();
    const created = await runCli(["init", "my-tasks", "--from", TASKS], { cwd: folder.path });
    expect(created.stdout).toBe("cd my-tasks && npm install\nnpm test\n");
    expect(created.stderr).toContain("created my-tasks  for Tasks: 6 formulas\n");
    expect(created.stderr).toContain(
      "left out  POST /import: its body is multipart/form-data; a formula sends JSON or a form\n",
    );
    linkPackages(folder.path, ["typescript"]);
    const project = join(folder.path, "my-tasks");
    const built = await runCli(["build", "pack.ts", "--out-dir", "build", "--json"], {
      cwd: project,
    });
    expect(built.json()).toMatchObject({ ok: true, issues: [] });
    expect(await runVitest(project)).toMatchObject({ code: 0 });
    expect(await readFile(join(project, "README.md"), "utf8")).toContain(
      "npx packsmith execute pack.ts ListTasks --record cassettes",
    );
  });

  it("has a formula per request: parameters with their types, choices and places, and the schema of the answer", async () => {
    const { files } = await scaffoldPack(TASKS, "/");
    const pack = files.get("pack.ts") ?? "";
    expect(
      pack.slice(pack.indexOf('  name: "ListTasks"'), pack.indexOf('  name: "CreateTask"')),
    ).toMatchInlineSnapshot(`
      "  name: "ListTasks",
        description: "Lists the tasks of a list.",
        parameters: [
          makeParameter({ type: ParameterType.String, name: "listId", description: "The list." }),
          makeParameter({
            type: ParameterType.String,
            name: "status",
            description: "Which tasks to list.",
            autocomplete: ["open", "done"],
            optional: true,
          }),
          makeParameter({
            type: ParameterType.StringArray,
            name: "tags",
            description: "The tags.",
            optional: true,
          }),
          makeParameter({
            type: ParameterType.Date,
            name: "dueBefore",
            description: "The due before.",
            optional: true,
          }),
          makeParameter({
            type: ParameterType.String,
            name: "xRequestId",
            description: "The x request id.",
            optional: true,
          }),
        ],
        resultType: ValueType.Array,
        items: TaskSchema,
        execute: async ([listId, status, tags, dueBefore, xRequestId], context) => {
          const url = withQueryParams(\`\${API}/lists/\${encodeURIComponent(listId)}/tasks\`, {
            status,
            "due-before": dueBefore && dayOf(dueBefore, context.timezone),
          });
          const { body } = await context.fetcher.fetch<SchemaType<typeof TaskSchema>[]>({
            method: "GET",
            url: withRepeated(url, { tags }),
            headers: textsOf({ "X-Request-Id": xRequestId }),
          });
          return body ?? [];
        },
      });

      pack.addFormula({
      "
    `);
  });

  it("merges allOf, keeps references as constants and ends where a schema contains itself", async () => {
    const { files } = await scaffoldPack(TASKS, "/");
    const pack = files.get("pack.ts") ?? "";
    expect(
      pack.slice(pack.indexOf("// Left out"), pack.indexOf("pack.addFormula")),
    ).toMatchInlineSnapshot(`
      "// Left out parent: it contains the object itself.
      // Left out subtasks: it contains the object itself.
      // Left out anything: it has no specific type.
      const TaskSchema = makeObjectSchema({
        properties: {
          id: { type: ValueType.Number, required: true },
          created_at: { type: ValueType.String, codaType: ValueHintType.DateTime },
          self: { type: ValueType.String, codaType: ValueHintType.Url, fromKey: "@self" },
          title: { type: ValueType.String, description: "What is to be done.", required: true },
          status: { type: ValueType.String },
          due: { type: ValueType.String, codaType: ValueHintType.Date },
          tags: { type: ValueType.Array, items: { type: ValueType.String }, required: true },
          assignee: PersonSchema,
          watchers: { type: ValueType.Array, items: PersonSchema },
          custom: makeObjectSchema({ properties: {}, includeUnknownProperties: true }),
        },
        idProperty: "id",
        displayProperty: "title",
      });

      "
    `);
  });

  it("does not require a nullable member, also if another part of allOf requires it", async () => {
    const parts = [
      { required: ["due"] },
      {
        type: "object",
        properties: { due: { type: "string", nullable: true }, id: { type: "string" } },
      },
    ];
    const responses = { 200: { content: { "application/json": { schema: { allOf: parts } } } } };
    expect((await findFormula({ responses })).pack).toContain(
      "    due: { type: ValueType.String },\n",
    );
  });

  it("sends forms, complete bodies and parts that need JSON", async () => {
    const form = {
      schema: {
        type: "object",
        required: ["user"],
        properties: { user: { type: "string" }, age: { type: "integer" } },
      },
    };
    const formula = (content: object) =>
      findFormula({ requestBody: { required: true, content } }, {}, ["/things", "post"]);
    expect((await formula({ "application/x-www-form-urlencoded": form })).pack).toContain(
      "      form: textsOf({ user, age }),\n",
    );
    expect(
      (await formula({ "application/json": { schema: { type: "array", items: form.schema } } }))
        .pack,
    ).toContain('      body: JSON.stringify(parseJson("body", bodyValue)),\n');
    const nested = {
      schema: {
        type: "object",
        properties: { owner: form.schema, ids: { type: "array", items: { type: "number" } } },
      },
    };
    expect((await formula({ "application/json": nested })).pack).toContain(
      '      body: JSON.stringify({ owner: parseJson("owner", owner), ids }),\n',
    );
  });

  it("gives each formula a unique name that is not a keyword", async () => {
    const operation = (operationId?: string) => ({ operationId, ...OK });
    const { pack } = await createScaffold({
      paths: {
        "/a": { get: operation("list-things"), post: operation("listThings"), put: operation("") },
        "/b/{class}/c": {
          get: {
            ...OK,
            parameters: [{ name: "class", in: "path", required: true, schema: { type: "string" } }],
          },
        },
        "/123": { get: operation("123") },
      },
    });
    expect([...pack.matchAll(/^ {2}name: "(.*)"/gm)].map(([, name]) => name)).toEqual([
      "ListThings",
      "ListThings2",
      "PutA",
      "GetBCByClass",
      "Get123",
    ]);
    expect(pack).toContain("execute: async ([classValue], context)");
  });

  it("reports what it leaves out", async () => {
    const { left } = await createScaffold({
      paths: {
        "/a": {
          get: {
            ...OK,
            parameters: [
              {
                name: "filter",
                in: "query",
                schema: { type: "object", properties: { x: { type: "string" } } },
              },
            ],
          },
        },
        "/b/{id}": { get: OK },
        "/c": {
          get: {
            ...OK,
            parameters: [{ name: "session", in: "cookie", schema: { type: "string" } }],
          },
        },
        "/d": {
          head: OK,
          get: { ...OK, servers: [{ url: "https://files.tasks.example" }] },
          post: { ...OK, servers: [{ url: "/" }] },
        },
        "/e": {
          put: {
            ...OK,
            callbacks: { done: {} },
            parameters: [
              { name: "Accept", in: "header" },
              { name: "id", in: "path" },
              { in: "query" },
              { name: "x", in: "matrix" },
            ],
            requestBody: {
              content: {
                "application/json": {
                  schema: { type: "object", properties: { any: {}, title: { type: "string" } } },
                },
              },
            },
          },
        },
        "/f": {
          get: {
            responses: {
              200: {
                content: {
                  "application/json": { schema: { type: "object", properties: { owner: OWNER } } },
                },
              },
            },
            security: [{ session: [] }],
          },
        },
      },
      servers: [{ url: "http://localhost:8080" }],
      components: {
        securitySchemes: { session: { type: "apiKey", in: "cookie", name: "session" } },
      },
      webhooks: { created: {} },
    });
    expect(left).toEqual([
      "the server: the description names no public one, so pack.ts uses api.host.example",
      "the authentication session: a Pack does not support it",
      "GET /a: the parameter filter is an object",
      "GET /b/{id}: its path contains a parameter that the description does not define",
      "GET /c: the cookie session is not sent",
      "HEAD /d: a formula can send only GET, POST, PUT, PATCH, DELETE",
      "GET /d: it has its own server, but a generated Pack uses only one server",
      "PUT /e: the body's property any: it has no specific type",
      "PUT /e: the header Accept is not a parameter, because the request or the account sets it",
      "PUT /e: its path does not contain the parameter id",
      "PUT /e: a parameter has no name",
      'PUT /e: the parameter x is in "matrix", which is not a part of a request',
      "PUT /e: its callback done: a Pack receives no requests",
      "GET /f: it requires the authentication session, which the Pack does not use",
      "the webhook created: a Pack receives no requests",
      "the schema Result.owner: its property extra: it has no specific type",
    ]);
  });

  it("writes at most a hundred formulas, the limit of a Pack", async () => {
    const paths = Object.fromEntries(
      Array.from({ length: 101 }, (_, index) => [`/things/${index}`, { get: OK }]),
    );
    const { pack, left } = await createScaffold({ paths });
    expect(pack.match(/addFormula/g)).toHaveLength(100);
    expect(left).toEqual([
      "GET /things/100: a Pack has at most 100 formulas; choose with --include or --tag",
    ]);
  });
});

describe("the authentication of a description", () => {
  const key = (place: string, name: string) => ({ type: "apiKey", in: place, name });
  const code = {
    authorizationUrl: "https://login.tasks.example/authorize",
    tokenUrl: "https://login.tasks.example/token",
    scopes: { read: "" },
  };
  it.each<[string, object, object[] | undefined, string]>([
    [
      "a key in a header",
      { key: key("header", "X-Api-Key") },
      undefined,
      'type: AuthenticationType.CustomHeaderToken,\n  headerName: "X-Api-Key",',
    ],
    [
      "a key in the query",
      { key: key("query", "key") },
      undefined,
      'type: AuthenticationType.QueryParamToken,\n  paramName: "key",',
    ],
    [
      "two keys at once",
      { app: key("header", "X-App"), user: key("header", "X-User") },
      [{ app: [], user: [] }],
      'type: AuthenticationType.MultiHeaderToken,\n  headers: [\n    { name: "X-App", description: "The value of X-App." },',
    ],
    [
      "a bearer token",
      { token: { type: "http", scheme: "bearer" } },
      undefined,
      "pack.setUserAuthentication({ type: AuthenticationType.HeaderBearerToken });",
    ],
    [
      "a password",
      { basic: { type: "http", scheme: "basic" } },
      undefined,
      "pack.setUserAuthentication({ type: AuthenticationType.WebBasic });",
    ],
    [
      "the code flow, with the scopes that are asked for",
      { oauth: { type: "oauth2", flows: { authorizationCode: code } } },
      [{ oauth: ["write"] }],
      'type: AuthenticationType.OAuth2,\n  authorizationUrl: "https://login.tasks.example/authorize",\n  tokenUrl: "https://login.tasks.example/token",\n  scopes: ["write"],\n  useProofKeyForCodeExchange: true,',
    ],
    [
      "client credentials, with all scopes where none is asked for",
      { oauth: { type: "oauth2", flows: { clientCredentials: code } } },
      undefined,
      'type: AuthenticationType.OAuth2ClientCredentials,\n  tokenUrl: "https://login.tasks.example/token",\n  scopes: ["read"],',
    ],
    [
      "OpenID Connect, which is discovered",
      {
        oidc: {
          type: "openIdConnect",
          openIdConnectUrl: "https://login.tasks.example/t/.well-known/openid-configuration",
        },
      },
      undefined,
      'type: AuthenticationType.OAuth2,\n  issuer: "https://login.tasks.example/t",\n  scopes: ["openid"],\n  useProofKeyForCodeExchange: true,',
    ],
    [
      "the first one that a Pack can do",
      { digest: { type: "http", scheme: "digest" }, token: { type: "http", scheme: "bearer" } },
      [{ digest: [] }, { token: [] }],
      "AuthenticationType.HeaderBearerToken",
    ],
  ])("%s", async (_, securitySchemes, security, expected) => {
    expect((await findFormula({}, { components: { securitySchemes }, security })).pack).toContain(
      expected,
    );
  });
});

it("reports the authentications that the Pack does not use, and the other servers", async () => {
  const { left } = await findFormula(
    { security: [{ token: [] }] },
    {
      components: {
        securitySchemes: {
          basic: { type: "http", scheme: "basic" },
          token: { type: "http", scheme: "bearer" },
        },
      },
      security: [{ basic: [] }],
      servers: [{ url: "https://api.tasks.example/v1/" }, { url: "https://eu.tasks.example" }],
    },
  );
  expect(left).toEqual([
    "the server https://eu.tasks.example: the Pack uses https://api.tasks.example/v1",
    "the authentication token: a Pack can have only one authentication",
    "GET /things: it requires the authentication token, which the Pack does not use",
  ]);
});

describe("a description that cannot be used", () => {
  it.each<[string, string, string, string]>([
    [
      "is older",
      '{"swagger":"1.2"}',
      "DESCRIPTION_UNSUPPORTED",
      "openapi.txt is Swagger 1.2. packsmith reads OpenAPI 3.0, 3.1 and Swagger 2.0.",
    ],
    [
      "is something else",
      "hello: world",
      "DESCRIPTION_UNSUPPORTED",
      "openapi.txt is not an OpenAPI description. packsmith reads OpenAPI 3.0, 3.1 and Swagger 2.0.",
    ],
    [
      "is not an object",
      "- 1",
      "DESCRIPTION_UNREADABLE",
      "packsmith cannot use the description openapi.txt: it does not contain an object.",
    ],
    ["is broken", "openapi: [", "DESCRIPTION_UNREADABLE", "line 1, column 11"],
    [
      "has no request",
      "openapi: 3.1.0",
      "DESCRIPTION_UNREADABLE",
      "The description openapi.txt has no request that a formula can send.",
    ],
    [
      "refers to another file",
      "openapi: 3.1.0\npaths: {/a: {get: {parameters: [{$ref: 'https://schemas.host.example/x.json'}]}}}",
      "DESCRIPTION_REFERENCE",
      'The reference "https://schemas.host.example/x.json" points to another file.',
    ],
    [
      "refers to itself",
      "openapi: 3.1.0\npaths: {/a: {get: {parameters: [{$ref: '#/x'}]}}}\nx: {$ref: '#/y'}\ny: {$ref: '#/x'}",
      "DESCRIPTION_REFERENCE",
      "refers to itself",
    ],
    [
      "is a bomb of aliases",
      `openapi: 3.1.0\na: &a [${"x,".repeat(50)}]\n${Array.from({ length: 9 }, (_, index) => `${"bcdefghij"[index]}: &${"bcdefghij"[index]} [${`*${"abcdefghi"[index]},`.repeat(9)}]`).join("\n")}`,
      "DESCRIPTION_UNREADABLE",
      "its aliases repeat too much",
    ],
    [
      "is too large",
      `{"openapi":"3.1.0","x":"${"x".repeat(10_000_000)}"}`,
      "DESCRIPTION_UNREADABLE",
      "the limit is 10000000",
    ],
  ])("one that %s: nothing is created", async (_, text, code, message) => {
    using folder = makeTemporaryFolder();
    await writeFile(join(folder.path, "openapi.txt"), text);
    const created = initProject({ directory: "x", from: "openapi.txt", cwd: folder.path });
    await expect(created).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    await expect(readFile(join(folder.path, "x"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("one that does not exist, or together with a template", async () => {
    using folder = makeTemporaryFolder();
    const from = (...more: string[]) =>
      runCli(["init", "x", "--from", "openapi.json", ...more, "--json"], { cwd: folder.path });
    expect((await from()).json()).toMatchObject({
      ok: false,
      error: { code: "DESCRIPTION_UNREADABLE" },
    });
    expect((await from("-t", "blank")).json()).toMatchObject({
      ok: false,
      error: { code: "USAGE_INVALID" },
    });
  });
});
