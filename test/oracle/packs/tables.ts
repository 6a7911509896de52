import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();
pack.setVersion("2");
pack.addNetworkDomain("tasks.example");

const project = coda.makeObjectSchema({
  properties: {
    projectId: { type: coda.ValueType.String, required: true },
    name: { type: coda.ValueType.String, required: true },
  },
  idProperty: "projectId",
  displayProperty: "name",
});

const row = coda.makeObjectSchema({
  properties: {
    task_id: { type: coda.ValueType.String, fromKey: "id", required: true },
    "display name": { type: coda.ValueType.String, mutable: true },
    state: {
      type: coda.ValueType.String,
      codaType: coda.ValueHintType.SelectList,
      mutable: true,
      allowNewValues: true,
      options: async (context) => [
        `${context.search}:${context.propertyName}`,
        { display: "Open", value: "open" },
      ],
    },
    labels: {
      type: coda.ValueType.Array,
      mutable: true,
      items: {
        type: coda.ValueType.String,
        codaType: coda.ValueHintType.SelectList,
        options: ["a", "b"],
      },
    },
    project: coda.makeReferenceSchemaFromObjectSchema(project, "Project"),
    body: { type: coda.ValueType.String, codaType: coda.ValueHintType.Markdown },
    image: { type: coda.ValueType.String, codaType: coda.ValueHintType.ImageReference },
    link: { type: coda.ValueType.String, codaType: coda.ValueHintType.Url },
    created: { type: coda.ValueType.String, codaType: coda.ValueHintType.DateTime },
    author: { type: coda.ValueType.String, codaType: coda.ValueHintType.Email },
    changed: { type: coda.ValueType.String, codaType: coda.ValueHintType.DateTime },
    editor: { type: coda.ValueType.String, codaType: coda.ValueHintType.Email },
    version: { type: coda.ValueType.String },
    parentId: { type: coda.ValueType.String },
    rank: { type: coda.ValueType.Number },
  },
  idProperty: "task_id",
  displayProperty: "display name",
  featuredProperties: ["display name", "state"],
  titleProperty: "display name",
  subtitleProperties: ["state", { property: "project.name", label: "" }],
  snippetProperty: "body",
  imageProperty: "image",
  linkProperty: { property: "link", label: "Open", placeholder: "none" },
  createdAtProperty: "created",
  createdByProperty: "author",
  modifiedAtProperty: "changed",
  modifiedByProperty: "editor",
  versionProperty: "version",
  index: {
    properties: ["body", { property: "display name", strategy: coda.IndexingStrategy.Raw }],
    contextProperties: ["project.name"],
    popularityNormProperty: "rank",
    filterableProperties: ["state", "created"],
  },
});

pack.addSyncTable({
  name: "Tasks",
  displayName: "All tasks",
  description: "Every task.",
  instructions: "Prefer this table.",
  identityName: "Task",
  schema: row,
  formula: {
    name: "SyncTasks",
    description: "Syncs tasks.",
    parameters: [
      coda.makeParameter({
        type: coda.ParameterType.String,
        name: "list",
        description: "A list.",
        optional: true,
        autocomplete: ["one", "two"],
      }),
    ],
    maxUpdateBatchSize: 5,
    updateOptions: { extraOAuthScopes: ["write"] },
    validateParameters: async (_context, _search, { list }) =>
      list === "bad"
        ? {
            isValid: false,
            message: "No such list.",
            errors: [{ parameterName: "list", message: "bad" }],
          }
        : { isValid: true },
    execute: async ([list], context) => {
      const page = Number((context.sync.continuation as { page?: number } | undefined)?.page ?? 1);
      const { body } = await context.fetcher.fetch({
        method: "GET",
        url: `https://tasks.example/page/${page}`,
      });
      return {
        result: body.rows.map((each: object) => ({ ...each, state: list ?? "none" })),
        ...(body.more
          ? { continuation: { page: page + 1 } }
          : { completion: { incrementalContinuation: { since: page } } }),
        ...(page > 1 ? { deletedRowIds: ["gone"] } : {}),
      } as never;
    },
    executeUpdate: async (_args, updates) => ({
      result: updates.map(({ newValue }) =>
        newValue.id === "bad" ? new Error("Refused.") : { ...newValue, "display name": "saved" },
      ) as never,
    }),
    executeGetPermissions: async (_args, { rows }) => ({
      rowAccessDefinitions: rows.map(({ row: each }) => ({
        permissions: [],
        rowId: String((each as { id?: unknown }).id),
      })) as never,
    }),
  },
});

pack.addDynamicSyncTable({
  name: "Lists",
  description: "A table for each list.",
  identityName: "ListRow",
  entityName: "Entry",
  defaultAddDynamicColumns: false,
  listDynamicUrls: async (_context, parent) => [
    { display: `List ${parent ?? ""}`, value: "https://tasks.example/lists/1", hasChildren: false },
  ],
  searchDynamicUrls: async (_context, search) => [
    { display: search, value: `https://tasks.example/lists/${search}` },
  ],
  getName: async (context) => `List of ${context.sync.dynamicUrl}`,
  getDisplayUrl: async (context) => `${context.sync.dynamicUrl}/view`,
  getSchema: async () =>
    coda.makeObjectSchema({
      properties: {
        id: { type: coda.ValueType.String },
        "row title": { type: coda.ValueType.String },
        kind: {
          type: coda.ValueType.String,
          codaType: coda.ValueHintType.SelectList,
          options: coda.OptionsType.Dynamic,
          mutable: true,
        },
      },
      idProperty: "id",
      displayProperty: "row title",
    }),
  propertyOptions: async (context) =>
    ({ result: [`${context.propertyName}?`], cacheTtlSecs: 30 }) as never,
  formula: {
    name: "SyncLists",
    description: "Syncs a list.",
    parameters: [],
    execute: async () => ({ result: [{ id: "1", "row title": "One", kind: "x" }] }),
  },
});

pack.addSyncTable({
  name: "Users",
  description: "Users with a role.",
  identityName: "User",
  role: "users" as never,
  schema: coda.makeObjectSchema({
    properties: {
      id: { type: coda.ValueType.String },
      email: { type: coda.ValueType.String, codaType: coda.ValueHintType.Email },
    },
    idProperty: "id",
    displayProperty: "email",
    userIdProperty: "id",
    userEmailProperty: "email",
  }),
  formula: {
    name: "SyncUsers",
    description: "Syncs users.",
    parameters: [],
    execute: async () => ({ result: [] }),
  },
});

pack.setUserAuthentication({
  type: coda.AuthenticationType.OAuth2,
  authorizationUrl: "https://tasks.example/authorize",
  tokenUrl: "https://tasks.example/token",
  scopes: ["read"],
  additionalParams: { prompt: "consent" },
  endpointKey: "url",
  tokenPrefix: "Token",
  getConnectionName: async (context) => {
    const { body } = await context.fetcher.fetch({
      method: "GET",
      url: "https://tasks.example/me",
    });
    return `${body.name}`;
  },
  getConnectionUserId: async () => "user-1",
  postSetup: [
    {
      type: coda.PostSetupType.SetEndpoint,
      name: "site",
      description: "Choose a site.",
      getOptions: async () => [{ display: "EU", value: "https://eu.tasks.example" }],
    },
  ],
});
pack.setSystemAuthentication({ type: coda.AuthenticationType.HeaderBearerToken });
pack.addMCPServer({ name: "Tasks", endpointUrl: "https://tasks.example/mcp" });
pack.addSkill({
  name: "Plan",
  displayName: "Plan",
  description: "Plans.",
  prompt: "Plan the week.",
  tools: [{ type: "Pack" as never }],
} as never);
