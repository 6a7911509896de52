import fc from "fast-check";

/** Texts that try to break out of the generated code. */
const text = fc.oneof(
  fc.constantFrom(
    'says "quoted"',
    "it's",
    "`$" + "{process.exit()}`",
    "*/ alert() /*",
    "two\nlines\u2028three",
    "{{name}}",
    "\\",
    "\u202ereversed",
    "日本語の説明",
    "x".repeat(1_200),
    "",
  ),
  fc.string({ maxLength: 200 }),
);

const name = fc.oneof(
  fc.constantFrom(
    "id",
    "title",
    "class",
    "default",
    "due-date",
    "@type",
    "__proto__",
    "constructor",
    "größe",
    "名前",
    "1st",
    "a.b",
    "body",
    "url",
    "API",
    "context",
    "pack",
  ),
  fc.constantFrom(
    "a_very_long_name_of_a_member_that_nobody_would_ever_want_to_read_in_full",
    "snake_case",
    "camelCase",
    "toString",
    "ids[]",
    "eval",
  ),
  fc.string({ minLength: 1, maxLength: 12 }),
);

const REFS = ["Task", "Person", "List", "task", "Schema"];

const schema: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constantFrom<unknown>(
      {},
      true,
      null,
      { type: "string" },
      { type: ["string", "null"] },
      { type: "string", format: "binary" },
    ),
    fc.record(
      {
        type: fc.constant("string"),
        format: fc.constantFrom("date", "date-time", "email", "uri", "uuid"),
        description: text,
      },
      { requiredKeys: ["type"] },
    ),
    fc.record(
      {
        type: fc.constantFrom("integer", "number", "boolean"),
        nullable: fc.boolean(),
        description: text,
      },
      { requiredKeys: ["type"] },
    ),
    fc.record({ type: fc.constant("string"), enum: fc.uniqueArray(text, { maxLength: 12 }) }),
    fc.record({
      type: fc.constant("integer"),
      enum: fc.uniqueArray(fc.integer(), { maxLength: 40 }),
    }),
    fc.constantFrom(...REFS.map((ref) => ({ $ref: `#/components/schemas/${ref}` }))),
    fc.record({ type: fc.constant("array"), items: tie("schema") }, { requiredKeys: ["type"] }),
    fc.record({ allOf: fc.array(tie("schema"), { maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie("schema"), { maxLength: 3 }) }),
    tie("object"),
  ),
  object: fc.record(
    {
      type: fc.constant("object"),
      properties: fc.dictionary(name, tie("schema"), { maxKeys: 8 }),
      required: fc.array(name, { maxLength: 4 }),
      description: text,
    },
    { requiredKeys: ["type", "properties"] },
  ),
})).schema;

const parameter = fc.record({
  name,
  in: fc.constantFrom("query", "header", "cookie"),
  required: fc.boolean(),
  description: text,
  schema,
});

const operation = fc.record(
  {
    operationId: fc.oneof(
      name,
      fc.constantFrom("listTasks", "list-tasks", "ListTasks", "x".repeat(80)),
    ),
    summary: text,
    parameters: fc.array(parameter, { maxLength: 5 }),
    requestBody: fc.record({
      required: fc.boolean(),
      content: fc.oneof(
        schema.map((body) => ({ "application/json": { schema: body } })),
        schema.map((body) => ({ "application/x-www-form-urlencoded": { schema: body } })),
      ),
    }),
    responses: fc.oneof(
      fc.constantFrom<unknown>(
        { 204: {} },
        {},
        { default: { content: { "image/png": {} } } },
        { 200: { content: { "text/plain": {} } } },
      ),
      schema.map((answer) => ({ 200: { content: { "application/json": { schema: answer } } } })),
    ),
    security: fc.constant([]),
  },
  { requiredKeys: ["responses"] },
);

const ROW = {
  type: "object",
  required: ["id"],
  properties: { id: { type: "string" }, row: { type: "integer" }, "due-date": { type: "string" } },
};
const integer = { type: "integer" };
const pagingName = fc.constantFrom(
  "cursor",
  "page",
  "pageToken",
  "starting_after",
  "offset",
  "startIndex",
  "limit",
  "per_page",
  "$skip",
);
const nextName = fc.constantFrom(
  "next",
  "next_cursor",
  "nextPageToken",
  "@odata.nextLink",
  "has_more",
  "last",
  "total",
  "total_pages",
  "href",
);

/** A request with pages, in one of the many ways of real descriptions. */
const pagedOperation = fc
  .record({
    operationId: fc.constantFrom("listThings", "things", "getTasks", "tasks_list", undefined),
    inputs: fc.uniqueArray(pagingName, { minLength: 1, maxLength: 4 }),
    inputType: fc.constantFrom<object>({ type: "string" }, integer, {
      ...integer,
      minimum: 0,
      maximum: 500,
      default: 20,
    }),
    members: fc.uniqueArray(nextName, { maxLength: 4 }),
    memberType: fc.constantFrom<object>(
      { type: "string" },
      { type: "string", format: "uri" },
      { type: "boolean" },
      integer,
    ),
    outer: fc.constantFrom(
      "",
      "meta",
      "paging-info",
      "a_very_long_name_of_a_member_that_nobody_would_ever_want_to_read",
    ),
    row: fc.oneof(schema, fc.constant({ $ref: "#/components/schemas/Row" })),
    rows: fc.constantFrom("items", "data", "@rows"),
    more: fc.array(parameter, { maxLength: 3 }),
    hasLink: fc.boolean(),
  })
  .map(
    ({ operationId, inputs, inputType, members, memberType, outer, row, rows, more, hasLink }) => {
      const list = { type: "array", items: row };
      const properties = Object.fromEntries(members.map((member) => [member, memberType]));
      const inner = outer === "" ? properties : { [outer]: { type: "object", properties } };
      const body =
        members.length === 0 ? list : { type: "object", properties: { ...inner, [rows]: list } };
      return {
        ...(operationId === undefined ? {} : { operationId }),
        parameters: [
          ...inputs.map((each) => ({ name: each, in: "query", schema: inputType })),
          ...more,
        ],
        responses: {
          200: {
            headers: hasLink ? { link: { schema: { type: "string" } } } : {},
            content: { "application/json": { schema: body } },
          },
        },
      };
    },
  );

const securityScheme = fc.constantFrom<unknown>(
  { type: "apiKey", in: "header", name: "X-Api-Key" },
  { type: "apiKey", in: "query", name: "key" },
  { type: "apiKey", in: "cookie", name: "session" },
  { type: "http", scheme: "Bearer" },
  { type: "http", scheme: "basic" },
  { type: "http", scheme: "digest" },
  {
    type: "openIdConnect",
    openIdConnectUrl: "https://login.tasks.example/.well-known/openid-configuration",
  },
  {
    type: "oauth2",
    flows: { clientCredentials: { tokenUrl: "https://login.tasks.example/token", scopes: {} } },
  },
  {
    type: "oauth2",
    flows: {
      implicit: {
        authorizationUrl: "https://login.tasks.example/authorize",
        scopes: { read: "Read." },
      },
    },
  },
  {
    type: "oauth2",
    flows: {
      authorizationCode: {
        authorizationUrl: "https://login.tasks.example/authorize",
        tokenUrl: "https://login.tasks.example/token",
        refreshUrl: "https://login.tasks.example/refresh",
        scopes: { "tasks:read": "Read.", 'odd "scope"': "Odd." },
      },
    },
  },
);

/** Valid OpenAPI descriptions with unusual contents. */
export const descriptions: fc.Arbitrary<object> = fc
  .record({
    servers: fc.constantFrom<unknown>(
      [{ url: "https://api.tasks.example/v1" }],
      [{ url: "/v1" }],
      [{ url: "http://localhost:8080" }, { url: "http://api.tasks.example:8080/" }],
      [{ url: "https://{tenant}.tasks.example", variables: { tenant: { default: "demo" } } }],
      undefined,
    ),
    gets: fc.array(fc.oneof(operation, pagedOperation), { maxLength: 4 }),
    posts: fc.array(operation, { minLength: 1, maxLength: 3 }),
    schemas: fc.tuple(...REFS.map(() => schema)),
    schemes: fc.dictionary(fc.constantFrom("first", "second"), securityScheme, { maxKeys: 2 }),
  })
  .map(({ servers, gets, posts, schemas, schemes }) => ({
    openapi: "3.1.0",
    info: { title: "Tasks", version: "1" },
    servers,
    security: [Object.fromEntries(Object.keys(schemes).map((scheme) => [scheme, []]))],
    paths: {
      ...Object.fromEntries(gets.map((get, index) => [`/things${index}`, { get }])),
      ...Object.fromEntries(
        posts.map((post, index) => [
          `/things/{thing-id}/$/parts${index}`,
          {
            parameters: [
              {
                name: "thing-id",
                in: "path",
                required: true,
                schema: { type: "string", format: "date" },
              },
            ],
            post,
            put: { responses: {} },
          },
        ]),
      ),
    },
    components: {
      schemas: { ...Object.fromEntries(REFS.map((ref, index) => [ref, schemas[index]])), Row: ROW },
      securitySchemes: schemes,
    },
  }));
