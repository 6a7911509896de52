import type { ChangeCode } from "./change.ts";

/** What a change means. `before` and `after` are statements of a Pack that run: a test checks that they differ by this change. */
export interface ChangeExplanation {
  meaning: string;
  /** Why it is of its class, and what to do. */
  why: string;
  before: string;
  after: string;
}

const id = 'makeParameter({ type: ParameterType.String, name: "id", description: "Which one." })';
const count = 'makeParameter({ type: ParameterType.Number, name: "count", description: "How many." })';
const optional = (text: string): string => text.replace(" })", ", optional: true })");

function formula(
  members: { name?: string; description?: string; parameters?: readonly string[]; more?: string; execute?: string } = {},
): string {
  const { name = "GetTask", description = "Gets a task.", parameters = [id], more = "", execute = '() => "done"' } = members;
  return `pack.addFormula({ name: "${name}", description: "${description}", parameters: [${parameters.join(", ")}],
  resultType: ValueType.String,${more === "" ? "" : ` ${more},`} execute: ${execute} });`;
}

function table(properties: string, more: { identityName?: string; getter?: string } = {}): string {
  return `pack.addSyncTable({ name: "Tasks", identityName: "${more.identityName ?? "Task"}",
  schema: makeObjectSchema({ idProperty: "id", displayProperty: "id", properties: { id: { type: ValueType.String, required: true }${properties === "" ? "" : `, ${properties}`} } }),
  formula: { name: "SyncTasks", description: "Gets the tasks.", parameters: [], execute: async () => ({ result: [] })${more.getter ?? ""} } });`;
}

const domain = (...names: string[]): string => names.map((name) => `pack.addNetworkDomain("${name}");`).join(" ");

function oauth(scopes: string): string {
  return `${domain("tasks.example")}
pack.setUserAuthentication({ type: AuthenticationType.OAuth2, authorizationUrl: "https://tasks.example/authorize",
  tokenUrl: "https://tasks.example/token", scopes: ${scopes} });`;
}

const bearer = `${domain("tasks.example")}
pack.setUserAuthentication({ type: AuthenticationType.HeaderBearerToken });`;
const account = (requirement: string): string => formula({ more: `connectionRequirement: ConnectionRequirement.${requirement}` });

/** What each change between two builds means. */
export const CHANGE_EXPLANATIONS: { readonly [Code in ChangeCode]: ChangeExplanation } = {
  BLOCK_REMOVED: {
    meaning: "A formula, a table, a column format, a skill or an MCP server is gone.",
    why: "Every document that uses it fails. Keep it for a while and say in its description what to use instead; a new name is a removal, too.",
    before: `${formula()}\n${formula({ name: "OldTask" })}`,
    after: formula(),
  },
  BLOCK_ADDED: {
    meaning: "A formula, a table, a column format, a skill or an MCP server is new.",
    why: "Nobody uses it yet, so that nothing can fail. It asks for a new minor version.",
    before: formula(),
    after: `${formula()}\n${formula({ name: "NextTask" })}`,
  },
  PARAMETER_REMOVED: {
    meaning: "A parameter is gone.",
    why: "Calls that give it fail, and those that give later ones by their place mean something else. Keep it, optional, and ignore it.",
    before: formula({ parameters: [id, count] }),
    after: formula({ parameters: [id] }),
  },
  PARAMETER_REQUIRED: {
    meaning: "A parameter has to be given that did not have to be before.",
    why: "Calls without it fail. Make it optional with a default value.",
    before: formula({ parameters: [id, optional(count)] }),
    after: formula({ parameters: [id, count] }),
  },
  PARAMETER_OPTIONAL: {
    meaning: "A parameter may be left out now.",
    why: "Every call that gave it still does.",
    before: formula({ parameters: [id, count] }),
    after: formula({ parameters: [id, optional(count)] }),
  },
  PARAMETER_ADDED: {
    meaning: "An optional parameter is new, after all others.",
    why: "Calls without it mean what they meant. It asks for a new minor version.",
    before: formula({ parameters: [id] }),
    after: formula({ parameters: [id, optional(count)] }),
  },
  PARAMETER_INSERTED: {
    meaning: "A parameter is new, and stands before others.",
    why: "Calls give parameters by their place, so that later ones are taken for others. Put the new one last.",
    before: formula({ parameters: [optional(id)] }),
    after: formula({ parameters: [optional(count), optional(id)] }),
  },
  PARAMETER_MOVED: {
    meaning: "A parameter has another place.",
    why: "Calls give parameters by their place, so that each is taken for the other. Put them back.",
    before: formula({ parameters: [id, count] }),
    after: formula({ parameters: [count, id] }),
  },
  PARAMETER_RENAMED: {
    meaning: "A parameter has another name, and its place and type.",
    why: "Calls that give it by its place go on; those that name it fail. Look whether somebody may name it.",
    before: formula({ parameters: [id] }),
    after: formula({ parameters: [id.replace('"id"', '"key"')] }),
  },
  TYPE_CHANGED: {
    meaning: "A parameter, a result or a property has another type, or a block is of another kind.",
    why: "What is given to it, or made of it, in documents no longer fits. Add a new one beside it instead.",
    before: formula({ parameters: [id] }),
    after: formula({ parameters: [id.replace("String", "Number")] }),
  },
  PROPERTY_REMOVED: {
    meaning: "A property of a result or a column of a table is gone.",
    why: "Formulas that read it fail, and columns become empty. Keep it, and leave it empty.",
    before: table("title: { type: ValueType.String }"),
    after: table(""),
  },
  PROPERTY_ADDED: {
    meaning: "A property of a result or a column of a table is new.",
    why: "Nobody reads it yet. It asks for a new minor version.",
    before: table(""),
    after: table("title: { type: ValueType.String }"),
  },
  PROPERTY_LESS_CERTAIN: {
    meaning: "A property that was always there may be missing.",
    why: "Formulas that rely on it meet an empty value. Look whether somebody may.",
    before: table("title: { type: ValueType.String, required: true }"),
    after: table("title: { type: ValueType.String }"),
  },
  PROPERTY_MORE_CERTAIN: {
    meaning: "A property that could be missing is always there.",
    why: "Whoever was ready for an empty value does not meet one any more.",
    before: table("title: { type: ValueType.String }"),
    after: table("title: { type: ValueType.String, required: true }"),
  },
  IDENTITY_CHANGED: {
    meaning: "The rows of a table, or the objects of a result, are identified in another way.",
    why: "Rows that are in documents are not recognised: they come again as new ones, and references to them break.",
    before: table("", { identityName: "Task" }),
    after: table("", { identityName: "ToDo" }),
  },
  EDITING_REMOVED: {
    meaning: "Rows or columns can no longer be edited.",
    why: "Documents in which people edit them stop taking their changes.",
    before: table("title: { type: ValueType.String, mutable: true }"),
    after: table("title: { type: ValueType.String }"),
  },
  EDITING_ADDED: {
    meaning: "Rows or columns can be edited.",
    why: "Whoever only reads them sees no difference. It asks for a new minor version.",
    before: table("title: { type: ValueType.String }"),
    after: table("title: { type: ValueType.String, mutable: true }"),
  },
  CONNECTION_REQUIRED: {
    meaning: "An account has to be chosen where none was needed.",
    why: "Calls without one fail until somebody connects an account and chooses it.",
    before: `${bearer}\n${account("Optional")}`,
    after: `${bearer}\n${account("Required")}`,
  },
  CONNECTION_RELAXED: {
    meaning: "An account is needed less than before.",
    why: "Calls with one go on as they are.",
    before: `${bearer}\n${account("Required")}`,
    after: `${bearer}\n${account("Optional")}`,
  },
  AUTHENTICATION_CHANGED: {
    meaning: "Accounts are connected in another way.",
    why: "Connected accounts do not fit any more, so that everybody has to connect again.",
    before: bearer,
    after: oauth('["read"]'),
  },
  SCOPE_ADDED: {
    meaning: "The Pack asks for a scope that it did not ask for.",
    why: "Connected accounts were not granted it: everybody has to consent again. Ask for it with the formula alone that needs it, in extraOAuthScopes.",
    before: oauth('["read"]'),
    after: oauth('["read", "write"]'),
  },
  SCOPE_REMOVED: {
    meaning: "The Pack no longer asks for a scope.",
    why: "Connected accounts keep it, new ones do not get it. Look whether a formula still needs it.",
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
    why: "Requests to it fail. Look whether a formula still sends one, to a URL that a user gives, for example.",
    before: domain("tasks.example", "files.example"),
    after: domain("tasks.example"),
  },
  TEXT_CHANGED: {
    meaning: "A description, an example or another text for people is another one.",
    why: "Nothing is computed from it.",
    before: formula(),
    after: formula({ description: "Gets one of the tasks." }),
  },
  BEHAVIOUR_CHANGED: {
    meaning: "A member is another one that may change what the Pack does.",
    why: "No rule knows what follows from it, such as how long results are kept. A person has to judge.",
    before: formula(),
    after: formula({ more: "cacheTtlSecs: 3600" }),
  },
  CODE_CHANGED: {
    meaning: "The code of the bundle is another one.",
    why: "The definition does not tell what its functions do; tests do, and a person has to judge.",
    before: formula(),
    after: formula({ execute: '() => "Done!"' }),
  },
};
