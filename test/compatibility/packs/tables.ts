// An older Pack: named imports, sync tables of every kind.
import {
  ConnectionRequirement,
  type Continuation,
  DataIndexing,
  type ExecutionContext,
  type GenericObjectSchema,
  type GenericSyncUpdate,
  IndexingStrategy,
  makeDynamicSyncTable,
  makeMetadataFormula,
  makeObjectSchema,
  makeParameter,
  makePropertyOptionsFormula,
  makeReferenceSchemaFromObjectSchema,
  makeSyncTable,
  newPack,
  OptionsType,
  ParameterType,
  PermissionSyncMode,
  PermissionType,
  PrincipalType,
  type SyncExecutionContext,
  TableRole,
  UpdateOutcome,
  ValueHintType,
  ValueType,
  withIdentity,
} from "@codahq/packs-sdk";

export const pack = newPack();

pack.addNetworkDomain("tickets.example");

const PersonSchema = makeObjectSchema({
  codaType: ValueHintType.Person,
  properties: {
    email: { type: ValueType.String, codaType: ValueHintType.Email, required: true },
    name: { type: ValueType.String },
  },
  idProperty: "email",
  displayProperty: "name",
});

const ProjectSchema = withIdentity(
  makeObjectSchema({
    properties: {
      key: { type: ValueType.String, required: true },
      title: { type: ValueType.String, required: true },
    },
    idProperty: "key",
    displayProperty: "title",
  }),
  "Project",
);

const TicketSchema = makeObjectSchema({
  properties: {
    ticketId: { type: ValueType.String, fromKey: "id", required: true, fixedId: "id" },
    summary: { type: ValueType.String, required: true, mutable: true, displayName: "Subject" },
    state: {
      type: ValueType.String,
      codaType: ValueHintType.SelectList,
      mutable: true,
      requireForUpdates: true,
      options: async (context) =>
        (await states(context)).filter((state: string) => state.includes(context.search)),
    },
    assignee: PersonSchema,
    project: makeReferenceSchemaFromObjectSchema(ProjectSchema),
    opened: { type: ValueType.String, codaType: ValueHintType.DateTime },
    closed: { type: ValueType.String, codaType: ValueHintType.DateTime },
    text: { type: ValueType.String, codaType: ValueHintType.Markdown },
  },
  idProperty: "ticketId",
  displayProperty: "summary",
  featuredProperties: ["state", "assignee"],
  createdAtProperty: "opened",
  createdByProperty: "assignee",
  modifiedAtProperty: "closed",
  index: {
    properties: ["summary", { property: "text", strategy: IndexingStrategy.Standard }],
    contextProperties: ["project"],
    filterableProperties: ["state"],
  },
});

async function states(context: ExecutionContext) {
  const response = await context.fetcher.fetch({
    method: "GET",
    url: "https://tickets.example/states",
  });
  return response.body.states;
}

interface TicketContinuation extends Continuation {
  page: number;
}

pack.addSyncTable({
  name: "Tickets",
  displayName: "All tickets",
  description: "The tickets of a project.",
  identityName: "Ticket",
  schema: TicketSchema,
  connectionRequirement: ConnectionRequirement.None,
  indexing: { default: DataIndexing.Exclude },
  formula: {
    name: "SyncTickets",
    description: "Lists the tickets.",
    parameters: [
      makeParameter({
        type: ParameterType.String,
        name: "project",
        description: "The project.",
        crawlStrategy: { parentTable: { tableName: "Projects", propertyKey: "key" } },
      }),
      makeParameter({
        type: ParameterType.DateArray,
        name: "opened",
        description: "When they were opened.",
        optional: true,
      }),
    ],
    validateParameters: async (_context, _search, parameters) => {
      if (parameters.project !== "") return { isValid: true };
      return {
        isValid: false,
        message: "Say which project.",
        errors: [{ message: "It is empty.", parameterName: "project" }],
      };
    },
    execute: async ([project, opened], context) => {
      const previous = context.sync.continuation as TicketContinuation | undefined;
      const page = previous?.page ?? 1;
      const since =
        opened?.[0] ?? context.sync.previousCompletion?.incrementalContinuation["since"];
      const url = `https://tickets.example/projects/${project}/tickets?page=${page}&since=${since}`;
      const response = await context.fetcher.fetch({ method: "GET", url });
      const continuation = response.body.more ? { page: page + 1 } : undefined;
      return {
        result: response.body.tickets,
        continuation,
        completion: { incrementalContinuation: { since: response.body.now } },
        deletedRowIds: response.body.gone,
      };
    },
    maxUpdateBatchSize: 10,
    updateOptions: { extraOAuthScopes: ["write"] },
    executeUpdate: async (_args, updates, context) => {
      const result = await Promise.all(updates.map((update) => saveTicket(update, context)));
      return { result };
    },
    onError: async (error) => {
      console.error(error.message, UpdateOutcome.Error, PermissionSyncMode.Personal);
    },
  },
});

async function saveTicket(
  update: GenericSyncUpdate,
  context: SyncExecutionContext | ExecutionContext,
): Promise<any> {
  const { previousValue, newValue, updatedFields } = update;
  const changes = Object.fromEntries(updatedFields.map((field) => [field, newValue[field]]));
  const url = `https://tickets.example/tickets/${previousValue.id}`;
  const response = await context.fetcher.fetch({
    method: "PATCH",
    url,
    body: JSON.stringify(changes),
  });
  return response.body;
}

pack.addDynamicSyncTable({
  name: "Board",
  description: "The tickets of a board.",
  identityName: "BoardTicket",
  entityName: "Ticket",
  placeholderSchema: makeObjectSchema({
    properties: { id: { type: ValueType.String }, title: { type: ValueType.String } },
    idProperty: "id",
    displayProperty: "title",
  }),
  listDynamicUrls: async (context, url) => {
    const response = await context.fetcher.fetch({
      method: "GET",
      url: url || "https://tickets.example/boards",
    });
    return response.body.boards.map((board: { title: string; url: string; nested: boolean }) => ({
      display: board.title,
      value: board.url,
      hasChildren: board.nested,
    }));
  },
  searchDynamicUrls: async (context, search) => {
    const response = await context.fetcher.fetch({
      method: "GET",
      url: `https://tickets.example/boards?q=${search}`,
    });
    return response.body.boards.map((board: { title: string; url: string; nested: boolean }) => ({
      display: board.title,
      value: board.url,
    }));
  },
  getName: makeMetadataFormula(async (context: SyncExecutionContext) => {
    const response = await context.fetcher.fetch({
      method: "GET",
      url: context.sync?.dynamicUrl ?? "",
    });
    return String(response.body.title);
  }),
  getDisplayUrl: async (context) => context.sync?.dynamicUrl ?? "",
  getSchema: async (context) => {
    const properties: GenericObjectSchema["properties"] = {
      id: { type: ValueType.String },
      title: { type: ValueType.String },
      label: {
        type: ValueType.String,
        codaType: ValueHintType.SelectList,
        options: OptionsType.Dynamic,
        mutable: true,
      },
    };
    console.log(context.sync?.dynamicUrl);
    return makeObjectSchema({ properties, idProperty: "id", displayProperty: "title" });
  },
  propertyOptions: async (context) => ({
    result: [context.propertyName, "other"],
    cacheTtlSecs: 60,
  }),
  formula: {
    name: "SyncBoard",
    description: "Lists the tickets of a board.",
    parameters: [],
    execute: async (_args, context) => {
      const response = await context.fetcher.fetch({
        method: "GET",
        url: `${context.sync.dynamicUrl}/tickets`,
      });
      return { result: response.body.tickets, completion: { hasIncompleteResults: true } };
    },
  },
});

pack.syncTables.push(
  makeSyncTable({
    name: "Projects",
    description: "Every project.",
    identityName: "Project",
    schema: ProjectSchema,
    dynamicOptions: {
      entityName: "Project",
      getSchema: async () => ProjectSchema,
      defaultAddDynamicColumns: false,
    },
    formula: {
      name: "SyncProjects",
      description: "Lists projects.",
      parameters: [],
      execute: async () => ({ result: [] }),
    },
  }),
  makeSyncTable({
    name: "People",
    description: "Who works on tickets.",
    identityName: "User",
    role: TableRole.Users,
    schema: makeObjectSchema({
      properties: {
        id: { type: ValueType.String, required: true },
        mail: { type: ValueType.String, codaType: ValueHintType.Email, required: true },
      },
      idProperty: "id",
      displayProperty: "mail",
      userEmailProperty: "mail",
      userIdProperty: "id",
    }),
    formula: {
      name: "SyncPeople",
      description: "Lists people.",
      parameters: [],
      execute: async () => ({ result: [] }),
      executeGetPermissions: async (_args, { rows }) => ({
        rowAccessDefinitions: rows.map(({ row }) => ({
          rowId: row.id,
          permissions: [
            { permissionType: PermissionType.Direct, principal: { type: PrincipalType.AllUsers } },
          ],
        })),
      }),
    },
  }),
  makeDynamicSyncTable({
    name: "Archive",
    description: "What was closed.",
    identityName: "ArchivedTicket",
    getName: async () => "Archive",
    getSchema: async () => TicketSchema,
    getDisplayUrl: async () => "https://tickets.example/archive",
    formula: {
      name: "SyncArchive",
      description: "Lists closed tickets.",
      parameters: [],
      execute: async () => ({ result: [] }),
    },
  }),
);

export const options = makePropertyOptionsFormula({
  name: "states",
  schema: { type: ValueType.Array, items: { type: ValueType.String } },
  execute: async (context) => states(context),
});
