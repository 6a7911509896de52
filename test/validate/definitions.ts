export type Definition = Record<string, unknown>;

/** A formula without problems. */
export function formula(members: Definition = {}): Definition {
  return {
    name: "Run",
    description: "Runs.",
    parameters: [],
    resultType: "string",
    execute: () => "",
    ...members,
  };
}

export function parameter(members: Definition = {}): Definition {
  return { type: "string", name: "title", description: "The title.", ...members };
}

/** An OAuth2 definition without problems. */
export function oauth2(members: Definition = {}): Definition {
  return {
    type: "OAuth2",
    authorizationUrl: "https://login.tasks.example/authorize",
    tokenUrl: "https://login.tasks.example/token",
    useProofKeyForCodeExchange: true,
    ...members,
  };
}

export function clientCredentials(members: Definition = {}): Definition {
  return {
    type: "OAuth2ClientCredentials",
    tokenUrl: "https://login.tasks.example/token",
    ...members,
  };
}

export function pack(members: Definition = {}): Definition {
  return {
    networkDomains: ["tasks.example"],
    formulas: [formula()],
    formats: [],
    syncTables: [],
    skills: [],
    ...members,
  };
}

export const withFormula = (members: Definition): Definition =>
  pack({ formulas: [formula(members)] });
export const withParameters = (...parameters: Definition[]): Definition =>
  withFormula({ parameters });
export const withUser = (defaultAuthentication: unknown, members: Definition = {}): Definition =>
  pack({ defaultAuthentication, ...members });
export const withSystem = (systemConnectionAuthentication: unknown): Definition =>
  pack({ systemConnectionAuthentication });
export const withSchema = (schema: unknown): Definition =>
  withFormula({ resultType: "object", schema });
export const withProperty = (property: unknown): Definition =>
  withSchema({ type: "object", properties: { a: property } });

/** A sync table without problems, as the builder makes it. */
export function table(members: Definition = {}, getter: Definition = {}): Definition {
  return {
    name: "Tasks",
    description: "All tasks.",
    identityName: "Task",
    schema: rows(),
    getter: {
      name: "Tasks",
      description: "All tasks.",
      parameters: [],
      isSyncFormula: true,
      execute: () => ({ result: [] }),
      ...getter,
    },
    defaultAddDynamicColumns: true,
    ...members,
  };
}

/** The schema of a table's rows. */
export function rows(properties: Definition = {}, members: Definition = {}): Definition {
  return {
    type: "object",
    properties: { taskId: { type: "string" }, title: { type: "string" }, ...properties },
    idProperty: "taskId",
    displayProperty: "title",
    ...members,
  };
}

/** A reference to the rows of `table()`. */
export function reference(members: Definition = {}): Definition {
  return {
    type: "object",
    codaType: "reference",
    identity: { name: "Task" },
    properties: {
      taskId: { type: "string", required: true },
      title: { type: "string", required: true },
    },
    idProperty: "taskId",
    displayProperty: "title",
    ...members,
  };
}

export function person(members: Definition = {}): Definition {
  return {
    type: "object",
    codaType: "person",
    properties: { email: { type: "string", required: true } },
    idProperty: "email",
    ...members,
  };
}

export function skill(members: Definition = {}): Definition {
  return {
    name: "Plan",
    displayName: "Plan the day",
    description: "Plans.",
    prompt: "Plan the user's day.",
    tools: [],
    ...members,
  };
}

export const withTables = (...syncTables: Definition[]): Definition => pack({ syncTables });
export const withRows = (properties: Definition, members: Definition = {}): Definition =>
  withTables(table({ schema: rows(properties, members) }));
export const withSkills = (...skills: Definition[]): Definition => pack({ skills });
export const withTool = (tool: unknown, members: Definition = {}): Definition =>
  pack({ skills: [skill({ tools: [tool] })], ...members });
