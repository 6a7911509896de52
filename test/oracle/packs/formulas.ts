import * as coda from "@codahq/packs-sdk";

export const pack = coda.newPack();
pack.setVersion("1.4.2");
pack.addNetworkDomain("tasks.example");

const types = (Object.values(coda.ParameterType) as coda.ParameterType[]).sort();
pack.addFormula({
  name: "EveryParameter",
  description: "Has a parameter of each type.",
  instructions: "Call it with anything.",
  parameters: types.map((type) =>
    coda.makeParameter({
      type,
      name: `p_${type.replace(/\W/g, "")}`,
      description: "A value.",
      optional: true,
    } as never),
  ),
  resultType: coda.ValueType.String,
  cacheTtlSecs: 60,
  isExperimental: true,
  examples: [{ params: ["one"], result: "two" }],
  execute: async (args) => JSON.stringify(args),
});

pack.addFormula({
  name: "Choices",
  description: "Has choices of every kind.",
  parameters: [
    coda.makeParameter({
      type: coda.ParameterType.String,
      name: "list",
      description: "A list.",
      autocomplete: ["Apple", "Banana", "apricot"],
    }),
    coda.makeParameter({
      type: coda.ParameterType.Number,
      name: "numbers",
      description: "Numbers.",
      autocomplete: [1, 12, 3],
    }),
    coda.makeParameter({
      type: coda.ParameterType.String,
      name: "labelled",
      description: "With labels.",
      autocomplete: [
        { display: "One", value: "1" },
        { display: "Two", value: "2" },
      ],
      allowManualInput: false,
      suggestedValue: "1",
    }),
    coda.makeParameter({
      type: coda.ParameterType.String,
      name: "found",
      description: "Searched for.",
      optional: true,
      autocomplete: async (context, search, values) => {
        const { body } = await context.fetcher.fetch({
          method: "GET",
          url: "https://tasks.example/choices",
        });
        return [`${search}:${values.list ?? "none"}`, ...body.choices];
      },
    }),
  ],
  varargParameters: [
    coda.makeParameter({
      type: coda.ParameterType.String,
      name: "key",
      description: "A key.",
      autocomplete: ["k1", "k2"],
    }),
    coda.makeParameter({ type: coda.ParameterType.Number, name: "value", description: "A value." }),
  ],
  resultType: coda.ValueType.Number,
  schema: {
    type: coda.ValueType.Number,
    codaType: coda.ValueHintType.Currency,
    currencyCode: "EUR",
  },
  connectionRequirement: coda.ConnectionRequirement.None,
  execute: async ([list, numbers, _labelled, _found, ...rest]) =>
    list.length + numbers + rest.length,
});

pack.addFormula({
  name: "Link",
  description: "Gives a link.",
  parameters: [
    coda.makeParameter({ type: coda.ParameterType.Date, name: "day", description: "A day." }),
  ],
  resultType: coda.ValueType.String,
  codaType: coda.ValueHintType.Url,
  execute: async ([day]) => `https://tasks.example/${day.toISOString()}`,
});

pack.addFormula({
  name: "IsDone",
  description: "Whether it is done.",
  parameters: [
    coda.makeParameter({
      type: coda.ParameterType.Boolean,
      name: "flip",
      description: "Turn it around.",
    }),
  ],
  resultType: coda.ValueType.Boolean,
  isAction: true,
  execute: async ([flip]) => !flip,
});

const address = coda.makeObjectSchema({
  properties: {
    "street name": { type: coda.ValueType.String, codaType: coda.ValueHintType.Url },
    "post:code": { type: coda.ValueType.String, required: true },
  },
  displayProperty: "street name",
});

const task = coda.makeObjectSchema({
  codaType: coda.ValueHintType.Person,
  properties: {
    id: { type: coda.ValueType.String, required: true },
    "due-date": {
      type: coda.ValueType.String,
      codaType: coda.ValueHintType.Date,
      displayName: "Due",
    },
    title: { type: coda.ValueType.String, fromKey: "raw_title", fixedId: "t" },
    email: { type: coda.ValueType.String, codaType: coda.ValueHintType.Email, required: true },
    address,
    tags: { type: coda.ValueType.Array, items: { type: coda.ValueType.String } },
    parts: { type: coda.ValueType.Array, items: address },
  },
  idProperty: "email",
  displayProperty: "title",
  featuredProperties: ["due-date", "title"],
  subtitleProperties: ["due-date", { property: "title", label: "Title: {VALUE}" }],
  linkProperty: "address.street name",
  snippetProperty: "title",
  includeUnknownProperties: true,
  attribution: [{ type: coda.AttributionNodeType.Text, text: "By Tasks" }],
});

pack.addFormula({
  name: "Task",
  description: "Gives a task.",
  parameters: [
    coda.makeParameter({ type: coda.ParameterType.String, name: "id", description: "Which one." }),
  ],
  resultType: coda.ValueType.Object,
  schema: task,
  extraOAuthScopes: ["tasks:read"],
  execute: async ([id], context) => {
    const { body } = await context.fetcher.fetch({
      method: "GET",
      url: `https://tasks.example/tasks/${id}`,
    });
    return body;
  },
});

pack.addFormula({
  name: "Tasks",
  description: "Gives tasks.",
  parameters: [],
  resultType: coda.ValueType.Array,
  items: task,
  execute: async () => [
    {
      id: "1",
      "due-date": "2026-01-02",
      raw_title: "One",
      email: "a@tasks.example",
      address: { "street name": "https://tasks.example/main", "post:code": "1" },
      extra: 1,
    },
  ],
});

pack.addFormula({
  name: "Names",
  description: "Gives texts.",
  parameters: [
    coda.makeParameter({
      type: coda.ParameterType.SparseStringArray,
      name: "names",
      description: "Names.",
    }),
  ],
  resultType: coda.ValueType.Array,
  items: { type: coda.ValueType.String },
  execute: async ([names]) => names.map((name) => name ?? "none"),
});

pack.addFormula({
  name: "Saved",
  description: "Is saved by onError.",
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async () => {
    throw new Error("broken");
  },
  onError: (error: Error) => `saved from ${error.message}`,
});

const failures: Record<string, () => never> = {
  UserVisible: () => {
    throw new coda.UserVisibleError("You see this.");
  },
  Plain: () => {
    throw new Error("You do not see this.");
  },
  Scopes: () => {
    throw new coda.MissingScopesError("More scopes.");
  },
  Range: () => {
    throw new RangeError("Out of range.");
  },
};
for (const [name, fail] of Object.entries(failures))
  pack.addFormula({
    name: `Fails${name}`,
    description: "Fails.",
    parameters: [],
    resultType: coda.ValueType.String,
    execute: async () => fail(),
  });

pack.addFormula({
  name: "FailsStatus",
  description: "Fails with the status of a response.",
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async (_args, context) => {
    await context.fetcher.fetch({ method: "GET", url: "https://tasks.example/missing" });
    return "never";
  },
});

pack.addFormula({
  name: "CatchesStatus",
  description: "Reads the status of a failed request.",
  parameters: [],
  resultType: coda.ValueType.String,
  execute: async (_args, context) => {
    try {
      await context.fetcher.fetch({ method: "GET", url: "https://tasks.example/missing" });
    } catch (error) {
      if (coda.StatusCodeError.isStatusCodeError(error))
        return `${error.statusCode} ${JSON.stringify(error.body)}`;
    }
    return "none";
  },
});

pack.addColumnFormat({
  name: "Task link",
  formulaName: "Task",
  instructions: "Paste a link.",
  matchers: [/^https:\/\/tasks\.example\/(\d+)$/i],
});
