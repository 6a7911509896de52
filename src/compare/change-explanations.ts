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
    meaning: "A formula, a table, a column format, a skill or an MCP server is gone.",
    why: "Every document that uses it fails. Keep it for a while and say in its description what to use instead. Renaming it counts as removing it.",
    before: `${formula()}\n${formula({ name: "OldTask" })}`,
    after: formula(),
  },
  BLOCK_ADDED: {
    meaning: "A formula, a table, a column format, a skill or an MCP server is new.",
    why: "No document uses it yet, so nothing can fail. Release it as a new minor version.",
    before: formula(),
    after: `${formula()}\n${formula({ name: "NextTask" })}`,
  },
  FORMAT_RENAMED: {
    meaning: "A column format has another name, and the same formula.",
    why: "Columns keep their format and show its new name.",
    before: `${formula()}\n${format("Task", "GetTask")}`,
    after: `${formula()}\n${format("ToDo", "GetTask")}`,
  },
  FORMAT_FORMULA_CHANGED: {
    meaning: "A column format has another formula.",
    why: "Columns with the format call a formula that they were not made for. Add a new format instead.",
    before: `${formula()}\n${formula({ name: "ReadTask" })}\n${format("Task", "GetTask")}`,
    after: `${formula()}\n${formula({ name: "ReadTask" })}\n${format("Task", "ReadTask")}`,
  },
  VISIBILITY_CHANGED: {
    meaning: "A formula became experimental, or is no longer experimental.",
    why: "It is suggested or not. Documents that call it work as before.",
    before: formula(),
    after: formula({ more: "isExperimental: true" }),
  },
  PARAMETER_REMOVED: {
    meaning: "A parameter is gone.",
    why: "Calls that pass it fail, and calls that pass later parameters by position change their meaning. Keep it as an optional parameter and ignore it.",
    before: formula({ parameters: [id, count] }),
    after: formula({ parameters: [id] }),
  },
  PARAMETER_REQUIRED: {
    meaning: "A parameter that was optional, or is new, is required.",
    why: "Calls without it fail. Make it optional with a default value.",
    before: formula({ parameters: [id, optional(count)] }),
    after: formula({ parameters: [id, count] }),
  },
  PARAMETER_OPTIONAL: {
    meaning: "A parameter may be left out now.",
    why: "Calls that pass it work as before.",
    before: formula({ parameters: [id, count] }),
    after: formula({ parameters: [id, optional(count)] }),
  },
  PARAMETER_ADDED: {
    meaning: "An optional parameter is new, after all others.",
    why: "Calls without it work as before. Release it as a new minor version.",
    before: formula({ parameters: [id] }),
    after: formula({ parameters: [id, optional(count)] }),
  },
  PARAMETER_INSERTED: {
    meaning: "A new parameter comes before others.",
    why: "Calls pass parameters by position, so the later ones are mixed up. Put the new parameter last.",
    before: formula({ parameters: [optional(id)] }),
    after: formula({ parameters: [optional(count), optional(id)] }),
  },
  PARAMETER_MOVED: {
    meaning: "A parameter has another position.",
    why: "Calls pass parameters by position, so the parameters are mixed up. Restore the order.",
    before: formula({ parameters: [id, count] }),
    after: formula({ parameters: [count, id] }),
  },
  PARAMETER_RENAMED: {
    meaning: "A parameter has another name, with the same position and type.",
    why: "Calls that pass it by position still work; calls that use its name fail. Check whether anyone uses the name.",
    before: formula({ parameters: [id] }),
    after: formula({ parameters: [id.replace('"id"', '"key"')] }),
  },
  TYPE_CHANGED: {
    meaning: "A parameter, a result or a property has another type, or a block is of another kind.",
    why: "Documents pass values to it, or use its values, with the old type. Keep it and add a new one next to it.",
    before: formula({ parameters: [id] }),
    after: formula({ parameters: [id.replace("String", "Number")] }),
  },
  PROPERTY_REMOVED: {
    meaning: "A property of a result or a column of a table is gone.",
    why: "Formulas that read it fail, and columns become empty. Keep the property and leave it empty.",
    before: table("title: { type: ValueType.String }"),
    after: table(""),
  },
  PROPERTY_ADDED: {
    meaning: "A property of a result or a column of a table is new.",
    why: "No document reads it yet. Release it as a new minor version.",
    before: table(""),
    after: table("title: { type: ValueType.String }"),
  },
  PROPERTY_RENAMED: {
    meaning: "A property has another name, and the same fixedId.",
    why: "Columns of tables stay, because the fixedId identifies them. Formulas that read the property by its old name may fail, so check whether any does.",
    before: table('title: { type: ValueType.String, fixedId: "title" }'),
    after: table('heading: { type: ValueType.String, fixedId: "title" }'),
  },
  PROPERTY_LESS_CERTAIN: {
    meaning: "A property that was always there may be missing.",
    why: "Formulas that rely on it get an empty value. Check whether any does.",
    before: table("title: { type: ValueType.String, required: true }"),
    after: table("title: { type: ValueType.String }"),
  },
  PROPERTY_MORE_CERTAIN: {
    meaning: "A property that could be missing is always present.",
    why: "Formulas that expect an empty value still work.",
    before: table("title: { type: ValueType.String }"),
    after: table("title: { type: ValueType.String, required: true }"),
  },
  IDENTITY_CHANGED: {
    meaning: "The rows of a table, or the objects of a result, are identified in another way.",
    why: "Rows in documents are not recognised: they are added again as new rows, and references to the old rows break.",
    before: table("", { identityName: "Task" }),
    after: table("", { identityName: "ToDo" }),
  },
  EDITING_REMOVED: {
    meaning: "Rows or columns can no longer be edited.",
    why: "People can no longer save their edits in documents that have the table.",
    before: table("title: { type: ValueType.String, mutable: true }"),
    after: table("title: { type: ValueType.String }"),
  },
  EDITING_ADDED: {
    meaning: "Rows or columns can be edited.",
    why: "Documents that only read them see no difference. Release it as a new minor version.",
    before: table("title: { type: ValueType.String }"),
    after: table("title: { type: ValueType.String, mutable: true }"),
  },
  CONNECTION_REQUIRED: {
    meaning: "An account is required where none was needed.",
    why: "Calls without an account fail until a user connects one and selects it.",
    before: `${bearer}\n${account("Optional")}`,
    after: `${bearer}\n${account("Required")}`,
  },
  CONNECTION_CHANGED: {
    meaning: "An account is no longer required, is no longer used, or can now be used.",
    why: "The platform is likely to ask for a new major version. Calls with an account may no longer use it: check what a formula does without one.",
    before: `${bearer}\n${account("Required")}`,
    after: `${bearer}\n${account("Optional")}`,
  },
  AUTHENTICATION_CHANGED: {
    meaning: "Accounts are connected in another way.",
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
    why: "Existing accounts keep the scope, new ones do not get it. Check whether a formula still needs it.",
    before: oauth('["read", "write"]'),
    after: oauth('["read"]'),
  },
  DOMAIN_ADDED: {
    meaning: "The Pack may send requests to another domain.",
    why: "A new domain has to be approved before the version can be used by others.",
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
    meaning: "A description, an example, a suggestion or another text for readers changed.",
    why: "No result depends on it.",
    before: formula(),
    after: formula({ description: "Gets one of the tasks." }),
  },
  BEHAVIOUR_CHANGED: {
    meaning: "A member changed that may affect what the Pack does.",
    why: "No rule knows the effect, such as how long results are kept. A person has to judge it.",
    before: formula(),
    after: formula({ more: "cacheTtlSecs: 3600" }),
  },
  CODE_CHANGED: {
    meaning: "The code of the bundle changed.",
    why: "What the Pack takes and returns is the same. Run your tests: the definition does not show what its functions do.",
    before: formula(),
    after: formula({ execute: '() => "Done!"' }),
  },
};
