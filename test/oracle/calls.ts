/** One call of a Pack: how packsmith names it, and how the service does. */
export interface Call {
  pack: "formulas" | "tables" | "legacy" | "errors" | "members";
  /** The target and the arguments of `packsmith execute`. */
  target: string;
  args?: unknown[];
  /** The same for the published runtime. */
  spec: Record<string, unknown>;
  params?: unknown[];
  context?: Record<string, unknown>;
  updates?: unknown[];
  request?: unknown;
  dynamicUrl?: string;
  /** What of either answer is compared. @default all of it */
  compare?: "pages" | "choices" | "options" | "updates";
}

/** Answers of the network, by method and URL. */
export const NETWORK: Readonly<
  Record<string, { status: number; headers: Record<string, string>; body: unknown }>
> = {
  "GET https://tasks.example/choices": json({
    choices: ["North", { display: "South", value: "s" }],
  }),
  "GET https://tasks.example/tasks/7": json({
    id: "7",
    "due-date": "2026-03-04",
    raw_title: "Seven",
    email: "ada@tasks.example",
    address: { "street name": "https://tasks.example/s", "post:code": "1" },
    parts: [{ "street name": "https://tasks.example/p", "post:code": "2" }],
    tags: ["a"],
    unknown: { nested: true },
  }),
  "GET https://tasks.example/missing": {
    status: 404,
    headers: { "content-type": "application/json" },
    body: { error: "gone" },
  },
  "GET https://tasks.example/me": json({ name: "Ada" }),
  "GET https://tasks.example/page/1": json({
    rows: [{ id: "1", "display name": "One" }],
    more: true,
  }),
  "GET https://tasks.example/page/2": json({
    rows: [{ id: "2", "display name": "Two" }],
    more: false,
  }),
};

function json(body: unknown) {
  return { status: 200, headers: { "content-type": "application/json" }, body };
}

const formula = (name: string, args: unknown[] = []): Call => ({
  pack: "formulas",
  target: name,
  args,
  spec: { type: "Standard", formulaName: name },
  params: args,
});
const metadata = (
  pack: Call["pack"],
  target: string,
  metadataFormulaType: string,
  rest: Partial<Call> & { spec?: Record<string, unknown> },
): Call => ({
  pack,
  target,
  ...rest,
  spec: { type: "Metadata", metadataFormulaType, ...rest.spec },
});
const legacy = (name: string, args: unknown[] = []): Call => ({
  ...formula(name, args),
  pack: "legacy",
});
const createChoices = (parameter: string, search: string, values: object = {}): Call =>
  metadata("formulas", `Choices:autocomplete:${parameter}`, "ParameterAutocomplete", {
    args: [search, values],
    params: [search, JSON.stringify(values)],
    spec: { parentFormulaName: "Choices", parentFormulaType: "Standard", parameterName: parameter },
    compare: "choices",
  });
const seen = (name: string): Call => ({ ...formula(name), pack: "errors" });
const member = (name: string, args: unknown[] = []): Call => ({
  ...formula(name, args),
  pack: "members",
});
const createSync = (name: string): Call => ({
  pack: "members",
  target: name,
  spec: { type: "Sync", formulaName: name },
  params: [],
  context: { sync: {} },
  compare: "pages",
});
const URL_OF_LIST = "https://tasks.example/lists/9";
const ofList = (target: string, type: string, search?: string): Call =>
  metadata("tables", `Lists:${target}`, type, {
    args: search === undefined ? [] : [search],
    params: [search ?? "", "{}"],
    spec: { syncTableName: "Lists" },
    context: { sync: { dynamicUrl: URL_OF_LIST } },
    dynamicUrl: URL_OF_LIST,
    ...(target.includes("Urls") ? { compare: "choices" } : {}),
  });
const ROW = { id: "1", "display name": "One" };

export const CALLS: Readonly<Record<string, Call>> = {
  "a formula with choices": formula("Choices", ["Apple", 3, "1", "x", "k1", 2]),
  "a formula with a date": {
    ...formula("Link", [new Date("2026-05-06T00:00:00.000Z")]),
    params: [{ $date: "2026-05-06T00:00:00.000Z" }],
  },
  "a formula with a boolean": formula("IsDone", [true]),
  "an object from the network": formula("Task", ["7"]),
  "a list of objects": formula("Tasks"),
  "a sparse list": formula("Names", [["a", "b"]]),
  onError: formula("Saved"),
  "a status that is caught": formula("CatchesStatus"),
  "an error for users": formula("FailsUserVisible"),
  "a plain error": formula("FailsPlain"),
  "missing scopes": formula("FailsScopes"),
  "a range error": formula("FailsRange"),
  "a status that is not caught": formula("FailsStatus"),
  "what is seen of an error for users": seen("UserVisible"),
  "what is seen of an error for users without a message": seen("EmptyUserVisible"),
  "what is seen of a status error": seen("Status"),
  "what is seen of a status error with a parsed body": seen("StatusOfObject"),
  "what is seen of missing scopes": seen("Scopes"),
  "what is seen of missing scopes with an empty message": seen("EmptyScopes"),
  "what is seen of a response that is too large": seen("Size"),
  "what is seen of an assertion": seen("Asserted"),
  "what is seen of an assertion with an empty message": seen("AssertedEmpty"),
  "what is seen of a missing value": seen("Missing"),
  "what is seen of an empty text": seen("EmptyText"),
  "what is seen of the status error of a request": seen("FromFetcher"),
  "what is seen of an error of the author's own class": seen("FromSubclass"),
  "choices without a text to show": metadata(
    "errors",
    "Choices:autocomplete:broken",
    "ParameterAutocomplete",
    {
      args: ["a"],
      params: ["a", "{}"],
      spec: {
        parentFormulaName: "Choices",
        parentFormulaType: "Standard",
        parameterName: "broken",
      },
      compare: "choices",
    },
  ),
  "members under the author's names": member("Named"),
  "a word that is accepted": member("Checked", ["good"]),
  "a word that onError replaces": member("Checked", ["bad"]),
  "rows with a context for permissions": createSync("Mails"),
  "rows that are gone, under the older name": createSync("Gone"),
  "no answer of a sync": createSync("Empty"),
  "an error of a sync that onError replaces": createSync("Broken"),
  "the schema of a table with dynamic columns": metadata(
    "members",
    "Typed:getSchema",
    "SyncGetSchema",
    {
      params: ["", "{}"],
      spec: { syncTableName: "Typed" },
      context: { sync: {} },
    },
  ),
  "the endpoints of a metadata formula": metadata(
    "members",
    "Auth:postSetup:setEndpoint:region",
    "PostSetupSetEndpoint",
    {
      params: ["", "{}"],
      spec: { stepName: "region" },
      compare: "choices",
    },
  ),
  "a legacy text": legacy("Greet", ["Ada"]),
  "a legacy number": legacy("Sum", [[1, 2]]),
  "a legacy object": legacy("Item"),
  "a request template": legacy("Fetch", ["7"]),
  "a request template without a result": legacy("Remove", ["7"]),
  "fixed choices": createChoices("list", "ap"),
  "fixed numbers": createChoices("numbers", "1"),
  "labelled choices": createChoices("labelled", "TWO"),
  "choices from the network": createChoices("found", "so", { list: "Apple" }),
  "choices of a repeated parameter": createChoices("key", "2"),
  "choices of a table": metadata("tables", "Tasks:autocomplete:list", "ParameterAutocomplete", {
    args: ["o"],
    params: ["o", "{}"],
    spec: { parentFormulaName: "SyncTasks", parentFormulaType: "Sync", parameterName: "list" },
    compare: "choices",
  }),
  "valid parameters": metadata("tables", "Tasks:validateParameters", "ValidateParameters", {
    args: [{ list: "one" }],
    params: ["", '{"list":"one"}'],
    spec: { parentFormulaName: "SyncTasks", parentFormulaType: "Sync" },
  }),
  "invalid parameters": metadata("tables", "Tasks:validateParameters", "ValidateParameters", {
    args: [{ list: "bad" }],
    params: ["", '{"list":"bad"}'],
    spec: { parentFormulaName: "SyncTasks", parentFormulaType: "Sync" },
  }),
  "options of a property": metadata("tables", "Tasks:options:state", "PropertyOptions", {
    args: ["op"],
    params: [],
    spec: {
      syncTableName: "Tasks",
      optionsFormulaKey: "state",
      propertyName: "state",
      propertyValues: {},
      propertySchema: {},
      search: "op",
    },
    compare: "options",
  }),
  "the name of the connection": metadata("tables", "Auth:getConnectionName", "GetConnectionName", {
    params: ["", "{}"],
  }),
  "the id of the user": metadata("tables", "Auth:getConnectionUserId", "GetConnectionUserId", {
    params: ["", "{}"],
  }),
  "the endpoints of the set-up": metadata(
    "tables",
    "Auth:postSetup:setEndpoint:site",
    "PostSetupSetEndpoint",
    {
      params: ["", "{}"],
      spec: { stepName: "site" },
      compare: "choices",
    },
  ),
  "dynamic URLs": ofList("listDynamicUrls", "SyncListDynamicUrls", "x"),
  "a search for dynamic URLs": ofList("searchDynamicUrls", "SyncSearchDynamicUrls", "y"),
  "the name of a dynamic table": ofList("getName", "SyncGetTableName"),
  "the page of a dynamic table": ofList("getDisplayUrl", "SyncGetDisplayUrl"),
  "the schema of a dynamic table": ofList("getSchema", "SyncGetSchema"),
  "a sync of several pages": {
    pack: "tables",
    target: "Tasks",
    args: ["one"],
    spec: { type: "Sync", formulaName: "Tasks" },
    params: ["one"],
    context: { sync: {} },
    compare: "pages",
  },
  "a sync of a dynamic table": {
    pack: "tables",
    target: "Lists",
    spec: { type: "Sync", formulaName: "Lists" },
    params: [],
    context: { sync: { dynamicUrl: URL_OF_LIST } },
    dynamicUrl: URL_OF_LIST,
    compare: "pages",
  },
  "an update": {
    pack: "tables",
    target: "Tasks:update",
    args: [
      [
        { previousValue: ROW, newValue: ROW, updatedFields: ["display name"] },
        { previousValue: ROW, newValue: { ...ROW, id: "bad" }, updatedFields: [] },
      ],
    ],
    spec: { type: "SyncUpdate", formulaName: "Tasks" },
    params: [],
    updates: [
      { previousValue: ROW, newValue: ROW, updatedFields: ["display name"] },
      { previousValue: ROW, newValue: { ...ROW, id: "bad" }, updatedFields: [] },
    ],
    context: { sync: {} },
    compare: "updates",
  },
  permissions: {
    pack: "tables",
    target: "Tasks:permissions",
    args: [{ rows: [{ row: ROW }] }],
    spec: { type: "GetPermissions", formulaName: "Tasks" },
    params: [],
    request: { rows: [{ row: ROW }] },
    context: { sync: {} },
  },
};
