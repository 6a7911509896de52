import * as coda from "@codahq/packs-sdk";

// What the other Packs of this folder do not use, so that each fact about the compiled form has a Pack that shows it.
export const pack = coda.newPack();
pack.setVersion("1.2.3");
pack.addNetworkDomain("tasks.example");

const text = { type: coda.ValueType.String } as const;
const choice = (name: string, requirement?: coda.ConnectionRequirement) => ({
  name,
  description: "Added before the authentication is set.",
  parameters: [
    coda.makeParameter({
      type: coda.ParameterType.String,
      name: "list",
      description: "A list.",
      autocomplete: ["one"],
      optional: true,
    }),
  ],
  varargParameters: [
    coda.makeParameter({
      type: coda.ParameterType.String,
      name: "key",
      description: "A key.",
      autocomplete: ["two"],
    }),
  ],
  resultType: coda.ValueType.String as const,
  ...(requirement && { connectionRequirement: requirement }),
  execute: async () => "",
});
pack.addFormula(choice("Early"));
pack.addFormula(choice("EarlyOwn", coda.ConnectionRequirement.Optional));

for (const [name, type] of Object.entries(coda.ParameterType))
  pack.addFormula({
    name: `Takes${name}`,
    description: "Takes one type of value.",
    parameters: [
      coda.makeParameter({ type, name: "value", description: "A value.", optional: true } as never),
    ],
    resultType: coda.ValueType.Number,
    execute: async (args) => args.length,
  });

pack.addFormula({
  name: "Checked",
  description: "Has the members that do not pass.",
  parameters: [
    coda.makeParameter({ type: coda.ParameterType.String, name: "word", description: "A word." }),
    coda.makeParameter({
      type: coda.ParameterType.String,
      name: "own",
      description: "Has a metadata formula of its own.",
      optional: true,
      autocomplete: coda.makeMetadataFormula(async (_context, search) => [search]),
    }),
  ],
  resultType: coda.ValueType.String,
  codaType: coda.ValueHintType.Html,
  onError: () => "saved",
  execute: async ([word]) => {
    if (word === "bad") throw new Error("Not this word.");
    return word;
  },
} as never);

const named = coda.makeObjectSchema({
  properties: {
    " padded name ": {
      ...text,
      displayName: "Padded",
      fixedId: "p",
      mutable: true,
      required: true,
    },
    "post:code": text,
    x: { ...text, fromKey: "shared" },
    y: { ...text, fromKey: "shared" },
    日本: text,
    nested: {
      type: coda.ValueType.Object,
      properties: { "inner name": text, list: { type: coda.ValueType.Array, items: text } },
    },
    rows: {
      type: coda.ValueType.Array,
      items: coda.makeObjectSchema({
        properties: { "cell value": text },
        includeUnknownProperties: true,
      }),
    },
  },
  id: "post:code",
  primary: " padded name ",
  featured: ["post:code", "x"],
} as never);
pack.addFormula({
  name: "Named",
  description: "Gives members under the author's names.",
  parameters: [],
  resultType: coda.ValueType.Object,
  schema: named,
  execute: async () =>
    ({
      " padded name ": "a",
      "post:code": "b",
      shared: "c",
      日本: "d",
      nested: { "inner name": "e", list: ["f"], unknown: 1 },
      rows: [{ "cell value": "g", unknown: 2 }],
      unknown: 3,
    }) as never,
});

const thread = coda.makeObjectSchema({
  properties: {
    "thread id": { ...text, required: true },
    "thread name": { ...text, required: true },
  },
  idProperty: "thread id",
  displayProperty: "thread name",
  __packId: 1,
} as never);
pack.addSyncTable({
  name: "Threads",
  description: "Threads of mails.",
  identityName: "Thread",
  schema: thread,
  formula: {
    name: "SyncThreads",
    description: "Syncs threads.",
    parameters: [],
    execute: async () => ({ result: [] }),
  },
});
const mail = coda.makeObjectSchema({
  properties: {
    "mail id": { ...text, required: true },
    ...Object.fromEntries(
      ["to list", "from one", "subject line", "html body", "plain body"].map((name) => [
        name,
        text,
      ]),
    ),
    rank: { type: coda.ValueType.Number },
    trust: { type: coda.ValueType.Number },
    sent: { type: coda.ValueType.String, codaType: coda.ValueHintType.DateTime },
    thread: coda.makeReferenceSchemaFromObjectSchema(thread, "Thread"),
  },
  idProperty: "mail id",
  displayProperty: "subject line",
  featuredProperties: ["from one"],
  index: {
    contentCategorization: {
      type: "Email",
      toProperty: "to list",
      fromProperty: "from one",
      subjectProperty: "subject line",
      htmlBodyProperty: "html body",
      plainTextBodyProperty: "plain body",
    },
    authorityNormProperty: "trust",
    popularityNormProperty: "rank",
    filterableProperties: ["sent"],
  },
  parent: { parentIdProperty: "thread" },
} as never);
const page = (name: string, answer: () => unknown, more: object = {}) => ({
  name,
  description: "Rows.",
  identityName: name,
  schema: mail,
  formula: {
    name: `Sync${name}`,
    description: "Syncs rows.",
    parameters: [],
    execute: async () => answer() as never,
    ...more,
  },
});
const ROW = { "mail id": "1", "subject line": "Hello" };
pack.addSyncTable({
  ...page("Mails", () => ({ result: [ROW], permissionsContext: [{ userId: 1 }] }), {
    cacheTtlSecs: 60,
    executeGetPermissions: async () => ({ rowAccessDefinitions: [] }),
  }),
  connectionRequirement: coda.ConnectionRequirement.None,
  indexing: { default: "exclude" },
} as never);
pack.addSyncTable(page("Gone", () => ({ result: [], deletedItemIds: ["1", "2"] })) as never);
pack.addSyncTable(page("Empty", () => undefined) as never);
pack.addSyncTable(
  page(
    "Broken",
    () => {
      throw new Error("Something else.");
    },
    {
      onError: () => {
        throw new coda.UserVisibleError("Said by onError.");
      },
    },
  ) as never,
);
pack.addSyncTable({
  ...page("Typed", () => ({ result: [ROW] })),
  dynamicOptions: {
    entityName: "Mail",
    defaultAddDynamicColumns: true,
    getSchema: async () => mail,
    propertyOptions: async () => ["a"],
  },
} as never);
pack.addSyncTable({
  name: "Members",
  description: "Members of groups.",
  identityName: "Member",
  role: "groupMembers",
  schema: coda.makeObjectSchema({
    properties: { id: text, "group id": text, "user id": text, "member group": text },
    idProperty: "id",
    displayProperty: "id",
    groupIdProperty: "group id",
    userIdProperty: "user id",
    memberGroupIdProperty: "member group",
  } as never),
  formula: {
    name: "SyncMembers",
    description: "Syncs members.",
    parameters: [],
    execute: async () => ({ result: [] }),
  },
} as never);
pack.addFormula({
  name: "Crawled",
  description: "Takes values of a table.",
  parameters: [
    coda.makeParameter({
      type: coda.ParameterType.String,
      name: "mail",
      description: "A mail.",
      crawlStrategy: { parentTable: { tableName: "Mails", propertyKey: "mail id" } },
    } as never),
  ],
  resultType: coda.ValueType.Boolean,
  execute: async () => true,
});

pack.setUserAuthentication({
  type: coda.AuthenticationType.HeaderBearerToken,
  defaultConnectionRequirement: coda.ConnectionRequirement.Optional,
  postSetup: [
    {
      type: coda.PostSetupType.SetEndpoint,
      name: "region",
      description: "Choose a region.",
      getOptionsFormula: coda.makeMetadataFormula(async () => [
        { display: "EU", value: "https://eu.tasks.example" },
      ]),
    },
  ],
});
pack.addFormula(choice("Late"));
pack.addAdminAuthentication({
  name: "admins",
  displayName: "Admins",
  description: "The account of an administrator.",
  authentication: {
    type: coda.AuthenticationType.CustomHeaderToken,
    headerName: "X-Admin",
    getConnectionName: async () => "Admin",
  },
} as never);
pack.addSkill({
  name: "Sort",
  displayName: "Sort",
  description: "Sorts mails.",
  prompt: "Sort my mails.",
  tools: [{ type: "Pack" }],
} as never);
pack.setChatSkill({ prompt: "Help with mails." } as never);
pack.setBenchInitializationSkill({ prompt: "Greet." } as never);
pack.setSkillEntrypoints({ defaultChat: { skillName: "Sort" } });
pack.addSuggestedPrompt({ name: "Start", displayName: "Start", prompt: "Sort my mails." });
