import type { ChangeCode } from "./change-codes.ts";

/**
 * Explains a kind of change. `before` and `after` are statements of a Pack; a test runs both and
 * checks that they differ by this change.
 */
export interface ChangeExplanation {
  meaning: string;
  /** Why it is breaking, safe or to be reviewed, and what to do. */
  why: string;
  before: string;
  after: string;
}

const id = 'makeParameter({ type: ParameterType.String, name: "id", description: "Which one." })';
const count =
  'makeParameter({ type: ParameterType.Number, name: "count", description: "How many." })';
const optional = (text: string): string => text.replace(" })", ", optional: true })");

function formula(
  members: {
    name?: string;
    description?: string;
    parameters?: readonly string[];
    more?: string;
    execute?: string;
  } = {},
): string {
  const {
    name = "GetTask",
    description = "Gets a task.",
    parameters = [id],
    more = "",
    execute = '() => "done"',
  } = members;
  return `pack.addFormula({ name: "${name}", description: "${description}", parameters: [${parameters.join(", ")}],
  resultType: ValueType.String,${more === "" ? "" : ` ${more},`} execute: ${execute} });`;
}

function format(name: string, formulaName: string): string {
  return `pack.addColumnFormat({ name: "${name}", formulaName: "${formulaName}" });`;
}

function table(properties: string, more: { identityName?: string; getter?: string } = {}): string {
  return `pack.addSyncTable({ name: "Tasks", identityName: "${more.identityName ?? "Task"}",
  schema: makeObjectSchema({ idProperty: "id", displayProperty: "id", properties: { id: { type: ValueType.String, required: true }${properties === "" ? "" : `, ${properties}`} } }),
  formula: { name: "SyncTasks", description: "Gets the tasks.", parameters: [], execute: async () => ({ result: [] })${more.getter ?? ""} } });`;
}

const domain = (...names: string[]): string =>
  names.map((name) => `pack.addNetworkDomain("${name}");`).join(" ");

function oauth(scopes: string): string {
  return `${domain("tasks.example")}
pack.setUserAuthentication({ type: AuthenticationType.OAuth2, authorizationUrl: "https://tasks.example/authorize",
  tokenUrl: "https://tasks.example/token", scopes: ${scopes} });`;
}

const bearer = `${domain("tasks.example")}
pack.setUserAuthentication({ type: AuthenticationType.HeaderBearerToken });`;
const account = (requirement: string): string =>
  formula({ more: `connectionRequirement: ConnectionRequirement.${requirement}` });

/** What each change between two builds means. */
export const CHANGE_EXPLANATIONS: { readonly [Code in ChangeCode]: ChangeExplanation } = {
  BLOCK_REMOVED: {
    meaning: "A formula, a table, a column format, a skill or an MCP server was removed.",
    why: "Documents that use it stop working. Keep it for a while, and write in its description what to use instead. A new name counts as removed and added.",
    before: `${formula()}\n${formula({ name: "OldTask" })}`,
    after: formula(),
  },
  BLOCK_ADDED: {
    meaning: "A formula, a table, a column format, a skill or an MCP server was added.",
    why: "No document uses it yet, so nothing can fail. Release it as a new minor version.",
    before: formula(),
    after: `${formula()}\n${formula({ name: "NextTask" })}`,
  },
  FORMAT_RENAMED: {
    meaning: "A column format has a new name.",
    why: "Columns keep their format and show the new name.",
    before: `${formula()}\n${format("Task", "GetTask")}`,
    after: `${formula()}\n${format("ToDo", "GetTask")}`,
  },
  FORMAT_FORMULA_CHANGED: {
    meaning: "A column format calls a different formula.",
    why: "Existing columns would call a formula that may not understand their text. Add a new format instead.",
    before: `${formula()}\n${formula({ name: "ReadTask" })}\n${format("Task", "GetTask")}`,
    after: `${formula()}\n${formula({ name: "ReadTask" })}\n${format("Task", "ReadTask")}`,
  },
  VISIBILITY_CHANGED: {
    meaning: "A formula became experimental, or is no longer experimental.",
    why: "The change decides whether the formula is suggested to users. Documents that call it work as before.",
    before: formula(),
    after: formula({ more: "isExperimental: true" }),
  },
  PARAMETER_REMOVED: {
    meaning: "A parameter was removed.",
    why: "Calls that pass the parameter fail, and later arguments move to the wrong parameter. Keep the parameter, make it optional, and ignore its value.",
    before: formula({ parameters: [id, count] }),
    after: formula({ parameters: [id] }),
  },
  PARAMETER_REQUIRED: {
    meaning: "A parameter is now required.",
    why: "Calls without the parameter fail. Make it optional, and use a default value.",
    before: formula({ parameters: [id, optional(count)] }),
    after: formula({ parameters: [id, count] }),
  },
  PARAMETER_OPTIONAL: {
    meaning: "A parameter is now optional.",
    why: "Calls that pass it work as before.",
    before: formula({ parameters: [id, count] }),
    after: formula({ parameters: [id, optional(count)] }),
  },
  PARAMETER_ADDED: {
    meaning: "An optional parameter was added at the end.",
    why: "Calls without it work as before. Release it as a new minor version.",
    before: formula({ parameters: [id] }),
    after: formula({ parameters: [id, optional(count)] }),
  },
  PARAMETER_INSERTED: {
    meaning: "A parameter was added before other parameters.",
    why: "Calls pass arguments by position, so the arguments of existing calls would go to the wrong parameters. Add the new parameter at the end.",
    before: formula({ parameters: [optional(id)] }),
    after: formula({ parameters: [optional(count), optional(id)] }),
  },
  PARAMETER_MOVED: {
    meaning: "The order of the parameters changed.",
    why: "Calls pass arguments by position, so the arguments of existing calls would go to the wrong parameters. Restore the order.",
    before: formula({ parameters: [id, count] }),
    after: formula({ parameters: [count, id] }),
  },
  PARAMETER_RENAMED: {
    meaning: "A parameter has a new name, but the same position and type.",
    why: "Calls that pass the argument by position still work. Calls that use the name fail. Check whether anyone uses the name.",
    before: formula({ parameters: [id] }),
    after: formula({ parameters: [id.replace('"id"', '"key"')] }),
  },
  TYPE_CHANGED: {
    meaning:
      "A parameter, a result or a property has a different type, or a part of the Pack is of a different kind.",
    why: "Documents pass or read values of the old type. Keep the old one, and add a new one with the new type.",
    before: formula({ parameters: [id] }),
    after: formula({ parameters: [id.replace("String", "Number")] }),
  },
  PROPERTY_REMOVED: {
    meaning: "A property of a result or a column of a table was removed.",
    why: "Formulas that read the property fail, and columns become empty. Keep the property, even if it is always empty.",
    before: table("title: { type: ValueType.String }"),
    after: table(""),
  },
  PROPERTY_ADDED: {
    meaning: "A property of a result or a column of a table was added.",
    why: "No document reads it yet. Release it as a new minor version.",
    before: table(""),
    after: table("title: { type: ValueType.String }"),
  },
  PROPERTY_RENAMED: {
    meaning: "A property has a new name, but the same fixedId.",
    why: "Columns of tables stay, because fixedId identifies them. Formulas that use the old name may fail. Check whether anyone uses the name.",
    before: table('title: { type: ValueType.String, fixedId: "title" }'),
    after: table('heading: { type: ValueType.String, fixedId: "title" }'),
  },
  PROPERTY_LESS_CERTAIN: {
    meaning: "A property that always had a value can now be empty.",
    why: "Formulas that rely on the value may fail. Check whether there are any.",
    before: table("title: { type: ValueType.String, required: true }"),
    after: table("title: { type: ValueType.String }"),
  },
  PROPERTY_MORE_CERTAIN: {
    meaning: "A property that could be empty now always has a value.",
    why: "Formulas that expect an empty value still work.",
    before: table("title: { type: ValueType.String }"),
    after: table("title: { type: ValueType.String, required: true }"),
  },
  IDENTITY_CHANGED: {
    meaning: "The rows of a table, or the objects of a result, are identified in a different way.",
    why: "The next sync does not recognize existing rows. It adds all rows again, and references to the old rows break.",
    before: table("", { identityName: "Task" }),
    after: table("", { identityName: "ToDo" }),
  },
  EDITING_REMOVED: {
    meaning: "Rows or columns can no longer be edited.",
    why: "Users can no longer edit the rows or columns in documents that already have the table.",
    before: table("title: { type: ValueType.String, mutable: true }"),
    after: table("title: { type: ValueType.String }"),
  },
  EDITING_ADDED: {
    meaning: "Rows or columns can now be edited.",
    why: "Documents that only read them see no difference. Release it as a new minor version.",
    before: table("title: { type: ValueType.String }"),
    after: table("title: { type: ValueType.String, mutable: true }"),
  },
  CONNECTION_REQUIRED: {
    meaning: "An account is now required.",
    why: "Calls without an account fail until a user connects one and selects it.",
    before: `${bearer}\n${account("Optional")}`,
    after: `${bearer}\n${account("Required")}`,
  },
  CONNECTION_CHANGED: {
    meaning: "An account is no longer required, is no longer used, or can now be used.",
    why: "The registry may require a new major version. Check what the formula does when it is called without an account.",
    before: `${bearer}\n${account("Required")}`,
    after: `${bearer}\n${account("Optional")}`,
  },
  AUTHENTICATION_CHANGED: {
    meaning: "Accounts are connected in a different way.",
    why: "Existing accounts no longer work. Every user has to connect again.",
    before: bearer,
    after: oauth('["read"]'),
  },
  SCOPE_ADDED: {
    meaning: "The Pack asks for a new scope.",
    why: "Existing accounts keep working. When a call needs the new scope, the user is asked to consent again.",
    before: oauth('["read"]'),
    after: oauth('["read", "write"]'),
  },
  SCOPE_REMOVED: {
    meaning: "The Pack no longer asks for a scope.",
    why: "Existing accounts keep the scope, but new accounts do not have it. Check whether a formula still needs it.",
    before: oauth('["read", "write"]'),
    after: oauth('["read"]'),
  },
  DOMAIN_ADDED: {
    meaning: "The Pack may send requests to another domain.",
    why: "The registry must approve a new domain before other users can use the version.",
    before: domain("tasks.example"),
    after: domain("tasks.example", "files.example"),
  },
  DOMAIN_REMOVED: {
    meaning: "The Pack may no longer send requests to a domain.",
    why: "Requests to the domain fail. Check whether a formula still sends one, for example to a URL that a user enters.",
    before: domain("tasks.example", "files.example"),
    after: domain("tasks.example"),
  },
  TEXT_CHANGED: {
    meaning: "A description, an example or another text that users read changed.",
    why: "No result depends on it.",
    before: formula(),
    after: formula({ description: "Gets one of the tasks." }),
  },
  BEHAVIOUR_CHANGED: {
    meaning: "An option changed that may affect the results of the Pack.",
    why: "packsmith cannot know the effect of the option, for example of a longer cache time. Decide yourself whether users are affected.",
    before: formula(),
    after: formula({ more: "cacheTtlSecs: 3600" }),
  },
  CODE_CHANGED: {
    meaning: "The code of the bundle changed.",
    why: "The definition is the same, but it does not show what the functions do. Run your tests.",
    before: formula(),
    after: formula({ execute: '() => "Done!"' }),
  },
};
