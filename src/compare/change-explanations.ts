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
const makeOptional = (text: string): string => text.replace(" })", ", optional: true })");

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
    why: "Documents that use the removed part stop working. Keep the part for a while, and mention its replacement in its description. packsmith reports a rename as one removal and one addition.",
    before: `${formula()}\n${formula({ name: "OldTask" })}`,
    after: formula(),
  },
  BLOCK_ADDED: {
    meaning: "A formula, a table, a column format, a skill or an MCP server was added.",
    why: "No document uses the new part yet, so nothing can fail. Release the Pack with a new minor version.",
    before: formula(),
    after: `${formula()}\n${formula({ name: "NextTask" })}`,
  },
  FORMAT_RENAMED: {
    meaning: "A column format has a new name.",
    why: "Columns keep the format and show its new name.",
    before: `${formula()}\n${format("Task", "GetTask")}`,
    after: `${formula()}\n${format("ToDo", "GetTask")}`,
  },
  FORMAT_FORMULA_CHANGED: {
    meaning: "A column format calls a different formula.",
    why: "Existing columns would call the new formula. The new formula might not be able to read the text in existing columns. Add a second format instead.",
    before: `${formula()}\n${formula({ name: "ReadTask" })}\n${format("Task", "GetTask")}`,
    after: `${formula()}\n${formula({ name: "ReadTask" })}\n${format("Task", "ReadTask")}`,
  },
  VISIBILITY_CHANGED: {
    meaning: "A formula is now experimental, or is no longer experimental.",
    why: "The document service does not suggest experimental formulas to users. Documents that already call the formula work as before.",
    before: formula(),
    after: formula({ more: "isExperimental: true" }),
  },
  PARAMETER_REMOVED: {
    meaning: "A parameter was removed.",
    why: "Calls that pass the parameter fail, and the arguments after it move to the wrong parameters. Keep the parameter, make it optional, and ignore its value.",
    before: formula({ parameters: [id, count] }),
    after: formula({ parameters: [id] }),
  },
  PARAMETER_REQUIRED: {
    meaning: "A parameter is now required.",
    why: "Calls without the parameter fail. Make the parameter optional, and use a default value.",
    before: formula({ parameters: [id, makeOptional(count)] }),
    after: formula({ parameters: [id, count] }),
  },
  PARAMETER_OPTIONAL: {
    meaning: "A parameter is now optional.",
    why: "Calls that pass the parameter work as before.",
    before: formula({ parameters: [id, count] }),
    after: formula({ parameters: [id, makeOptional(count)] }),
  },
  PARAMETER_ADDED: {
    meaning: "An optional parameter was added at the end.",
    why: "Calls without the parameter work as before. Release the Pack with a new minor version.",
    before: formula({ parameters: [id] }),
    after: formula({ parameters: [id, makeOptional(count)] }),
  },
  PARAMETER_INSERTED: {
    meaning: "A parameter was added before other parameters.",
    why: "Calls pass arguments by position. In existing calls, arguments would go to the wrong parameters. Add the new parameter at the end.",
    before: formula({ parameters: [makeOptional(id)] }),
    after: formula({ parameters: [makeOptional(count), makeOptional(id)] }),
  },
  PARAMETER_MOVED: {
    meaning: "The order of the parameters has changed.",
    why: "Calls pass arguments by position. In existing calls, arguments would go to the wrong parameters. Restore the previous order of the parameters.",
    before: formula({ parameters: [id, count] }),
    after: formula({ parameters: [count, id] }),
  },
  PARAMETER_RENAMED: {
    meaning: "A parameter has a new name, but the same position and type.",
    why: "Calls that pass the argument by position still work. Calls that use the old name fail. Check whether any document uses the old name.",
    before: formula({ parameters: [id] }),
    after: formula({ parameters: [id.replace('"id"', '"key"')] }),
  },
  TYPE_CHANGED: {
    meaning: "A parameter, a result, a property or another part of the Pack has a different type.",
    why: "Documents pass or read values of the old type. Keep the part with the old type, and add a second part with the new type.",
    before: formula({ parameters: [id] }),
    after: formula({ parameters: [id.replace("String", "Number")] }),
  },
  PROPERTY_REMOVED: {
    meaning: "A property was removed from a result, or a column from a table.",
    why: "Formulas that read the property fail, and the columns that show the property become empty. Keep the property, even if its value is always empty.",
    before: table("title: { type: ValueType.String }"),
    after: table(""),
  },
  PROPERTY_ADDED: {
    meaning: "A property was added to a result, or a column to a table.",
    why: "No document reads the new property yet. Release the Pack with a new minor version.",
    before: table(""),
    after: table("title: { type: ValueType.String }"),
  },
  PROPERTY_RENAMED: {
    meaning: "A property has a new name, but the same fixedId.",
    why: "Columns in documents do not change, because fixedId identifies a column. Formulas that use the old name may fail. Check whether any document uses the old name.",
    before: table('title: { type: ValueType.String, fixedId: "title" }'),
    after: table('heading: { type: ValueType.String, fixedId: "title" }'),
  },
  PROPERTY_LESS_CERTAIN: {
    meaning: "A property that always had a value can now be empty.",
    why: "Formulas that need the value may fail. Check whether any document has a formula that needs the value.",
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
    meaning: "A different property now identifies a row or an object.",
    why: "The next sync does not recognize the existing rows, so it adds all rows again. References to the old rows break.",
    before: table("", { identityName: "Task" }),
    after: table("", { identityName: "ToDo" }),
  },
  EDITING_REMOVED: {
    meaning: "Rows or columns can no longer be edited.",
    why: "Users can no longer edit these rows or columns. The change also applies to documents that already contain the table.",
    before: table("title: { type: ValueType.String, mutable: true }"),
    after: table("title: { type: ValueType.String }"),
  },
  EDITING_ADDED: {
    meaning: "Rows or columns can now be edited.",
    why: "Nothing changes for documents that only read the rows. Release the Pack with a new minor version.",
    before: table("title: { type: ValueType.String }"),
    after: table("title: { type: ValueType.String, mutable: true }"),
  },
  CONNECTION_REQUIRED: {
    meaning: "An account is now required.",
    why: "Calls without an account fail until a user connects an account and selects it.",
    before: `${bearer}\n${account("Optional")}`,
    after: `${bearer}\n${account("Required")}`,
  },
  CONNECTION_CHANGED: {
    meaning: "An account is now optional, or a formula no longer uses one.",
    why: "The registry may require a new major version. Call the formula without an account, and check its result.",
    before: `${bearer}\n${account("Required")}`,
    after: `${bearer}\n${account("Optional")}`,
  },
  AUTHENTICATION_CHANGED: {
    meaning: "Users now connect accounts in a different way.",
    why: "Existing accounts no longer work. Every user must connect an account again.",
    before: bearer,
    after: oauth('["read"]'),
  },
  SCOPE_ADDED: {
    meaning: "The Pack requests a new scope.",
    why: "Existing accounts still work. When a call needs the new scope, the document service asks the user to consent again.",
    before: oauth('["read"]'),
    after: oauth('["read", "write"]'),
  },
  SCOPE_REMOVED: {
    meaning: "The Pack no longer requests a scope.",
    why: "Existing accounts keep the scope, but new accounts do not get it. Check whether any formula still needs the scope.",
    before: oauth('["read", "write"]'),
    after: oauth('["read"]'),
  },
  DOMAIN_ADDED: {
    meaning: "The Pack can send requests to an additional domain.",
    why: "The registry must approve the new domain before other users can use the version.",
    before: domain("tasks.example"),
    after: domain("tasks.example", "files.example"),
  },
  DOMAIN_REMOVED: {
    meaning: "The Pack can no longer send requests to a domain.",
    why: "Requests to the domain fail. Check whether a formula still sends requests there, for example to a URL that a user enters.",
    before: domain("tasks.example", "files.example"),
    after: domain("tasks.example"),
  },
  TEXT_CHANGED: {
    meaning: "A description, an example or another text that users see has changed.",
    why: "The Pack's results do not depend on this text.",
    before: formula(),
    after: formula({ description: "Gets one of the tasks." }),
  },
  BEHAVIOUR_CHANGED: {
    meaning: "An option that can affect the Pack's results has changed.",
    why: "packsmith cannot know how an option, such as the cache time, affects your users. Decide whether the change affects your users.",
    before: formula(),
    after: formula({ more: "cacheTtlSecs: 3600" }),
  },
  CODE_CHANGED: {
    meaning: "The code in the bundle has changed.",
    why: "The definition is the same, but the Pack's functions may return different results. Run your tests.",
    before: formula(),
    after: formula({ execute: '() => "Done!"' }),
  },
};
