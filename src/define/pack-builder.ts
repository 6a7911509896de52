import type {
  AdminAuthentication,
  Authentication,
  SystemAuthentication,
  UserAuthenticationDef,
} from "./authentication.ts";
import { compileAuthentication } from "./compile/compile-authentication.ts";
import { compileFormula, withFormulaRequirement } from "./compile/compile-formula.ts";
import { compileTable, withTableRequirement } from "./compile/compile-table.ts";
import type { Members } from "./compile/members.ts";
import type { ConnectionRequirement, ValueType } from "./enumerations.ts";
import type { AnyParameter, Formula } from "./formula.ts";
import type { Continuation } from "./invocation.ts";
import type {
  FormulaDefinition,
  HintByResult,
  ItemsByResult,
  SchemaByResult,
} from "./make-formula.ts";
import type { Format, PackVersionDefinition } from "./pack.ts";
import type { ObjectSchemaDefinition } from "./schema.ts";
import type {
  MCPServer,
  PartialSkillDef,
  Skill,
  SkillEntrypoints,
  SuggestedPrompt,
} from "./skill.ts";
import type { DynamicSyncTableOptions, SyncTable, SyncTableOptions } from "./sync-table.ts";

/**
 * Collects the parts of a Pack. Every method returns the builder. You can call the methods in any
 * order.
 */
export class PackDefinitionBuilder implements PackVersionDefinition {
  /** The version that `setVersion` set. */
  declare version?: string | undefined;
  /** The authentication from `setUserAuthentication`. */
  declare defaultAuthentication?: Authentication | undefined;
  /** The authentication from `setSystemAuthentication`. */
  declare systemConnectionAuthentication?: SystemAuthentication | undefined;
  /** The domains that `addNetworkDomain` added. */
  declare networkDomains: string[];
  /** The formulas that `addFormula` added, in compiled form. */
  declare formulas: Formula[];
  /** The column formats that `addColumnFormat` added. */
  declare formats: Format[];
  /** The sync tables that `addSyncTable` and `addDynamicSyncTable` added, in compiled form. */
  declare syncTables: SyncTable[];
  /** The skills that `addSkill` added. */
  declare skills: Skill[];
  /** The servers that `addMCPServer` added. */
  declare mcpServers: MCPServer[];
  /** @deprecated Accepted for compatibility with existing Packs. */
  declare adminAuthentications?: AdminAuthentication[];
  /** @internal The connection requirement of formulas and tables that do not have their own. */
  declare _defaultConnectionRequirement?: ConnectionRequirement | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  declare suggestedPrompts: SuggestedPrompt[];
  /** @deprecated Accepted for compatibility with existing Packs. */
  declare formulaNamespace: string;
  /** @deprecated Accepted for compatibility with existing Packs. */
  declare chatSkill?: PartialSkillDef | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  declare benchInitializationSkill?: PartialSkillDef | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  declare skillEntrypoints?: SkillEntrypoints | undefined;

  constructor(definition: Partial<PackVersionDefinition> = {}) {
    Object.assign(this, { formulaNamespace: "Deprecated" }, definition);
    for (const list of LISTS)
      (this as Record<(typeof LISTS)[number], unknown>)[list] = [...(definition[list] ?? [])];
    for (const slot of ["defaultAuthentication", "systemConnectionAuthentication"] as const)
      if (definition[slot])
        Object.assign(this, {
          [slot]: compileAuthentication(definition[slot]),
        });
  }

  /**
   * Adds a formula. `execute` receives the arguments in the order of the parameters. The result is
   * checked against the schema.
   * @example
   * ```ts
   * pack.addFormula({
   *   name: "Greet",
   *   description: "Greets someone.",
   *   parameters: [
   *     makeParameter({ type: ParameterType.String, name: "name", description: "Whom to greet." }),
   *   ],
   *   resultType: ValueType.String,
   *   execute: async ([name]) => `Hello ${name}!`,
   * });
   * ```
   */
  addFormula<
    const Params extends readonly AnyParameter[],
    const Result extends ValueType,
    const Varargs extends readonly AnyParameter[] = [],
    const Definition extends SchemaByResult[Result] = undefined,
    const Items extends ItemsByResult[Result] = undefined,
    const Hint extends HintByResult[Result] = undefined,
  >(definition: FormulaDefinition<Params, Varargs, Result, Definition, Items, Hint>): this {
    this.formulas.push(compileFormula(withDefault(this, definition)) as Formula);
    return this;
  }

  /**
   * Adds a sync table. Its formula returns the rows page by page.
   * @example
   * ```ts
   * const Task = makeObjectSchema({
   *   properties: { id: { type: ValueType.String }, title: { type: ValueType.String } },
   *   idProperty: "id",
   *   displayProperty: "title",
   * });
   * pack.addSyncTable({
   *   name: "Tasks",
   *   identityName: "Task",
   *   schema: Task,
   *   formula: {
   *     name: "SyncTasks",
   *     description: "Gets the tasks, page by page.",
   *     parameters: [],
   *     execute: async (args, context) => {
   *       const page = Number(context.sync.continuation?.page ?? 1);
   *       const url = withQueryParams("https://api.example.com/tasks", { page });
   *       const { body } = await context.fetcher.fetch<{ id: string; title: string }[]>({
   *         method: "GET",
   *         url,
   *       });
   *       const tasks = body ?? [];
   *       return {
   *         result: tasks,
   *         continuation: tasks.length > 0 ? { page: page + 1 } : undefined,
   *       };
   *     },
   *   },
   * });
   * ```
   */
  addSyncTable<
    const Params extends readonly AnyParameter[],
    const Definition extends ObjectSchemaDefinition,
    NextPage = Continuation,
    Checkpoint = NextPage,
    NextChange = NextPage,
  >(options: SyncTableOptions<Params, Definition, NextPage, Checkpoint, NextChange>): this {
    this.syncTables.push(compileTable(withDefault(this, options)) as SyncTable);
    return this;
  }

  /**
   * Adds a dynamic sync table. The Pack lists the available tables, and users choose which tables
   * to add.
   * @example
   * ```ts
   * pack.addDynamicSyncTable({
   *   name: "Sheets",
   *   identityName: "Sheet",
   *   listDynamicUrls: async (context) => {
   *     const { body } = await context.fetcher.fetch<{ name: string; url: string }[]>({
   *       method: "GET",
   *       url: "https://api.example.com/sheets",
   *     });
   *     return (body ?? []).map(({ name, url }) => ({ display: name, value: url }));
   *   },
   *   getName: async (context) => `Sheet ${context.sync.dynamicUrl}`,
   *   getDisplayUrl: async (context) => context.sync.dynamicUrl ?? "",
   *   getSchema: async () =>
   *     makeObjectSchema({
   *       properties: { id: { type: ValueType.String }, title: { type: ValueType.String } },
   *       idProperty: "id",
   *       displayProperty: "title",
   *     }),
   *   formula: {
   *     name: "SyncSheet",
   *     description: "Gets the rows of a sheet.",
   *     parameters: [],
   *     execute: async (args, context) => {
   *       const { body } = await context.fetcher.fetch({
   *         method: "GET",
   *         url: `${context.sync.dynamicUrl}/rows`,
   *       });
   *       return { result: body as { id: string; title: string }[] };
   *     },
   *   },
   * });
   * ```
   */
  addDynamicSyncTable<
    const Params extends readonly AnyParameter[],
    NextPage = Continuation,
    Checkpoint = NextPage,
    NextChange = NextPage,
  >(options: DynamicSyncTableOptions<Params, NextPage, Checkpoint, NextChange>): this {
    this.syncTables.push(
      compileTable(withDefault(this, { ...options, isDynamic: true })) as SyncTable,
    );
    return this;
  }

  /**
   * Adds a column format, which uses a formula to show the text of a column.
   * @example
   * ```ts
   * pack.addFormula({
   *   name: "Shorten",
   *   description: "Shows the first letters of a text.",
   *   parameters: [
   *     makeParameter({ type: ParameterType.String, name: "text", description: "The text." }),
   *   ],
   *   resultType: ValueType.String,
   *   execute: async ([text]) => text.slice(0, 10),
   * });
   * pack.addColumnFormat({ name: "Short text", formulaName: "Shorten" });
   * ```
   */
  addColumnFormat(format: Format): this {
    this.formats.push(format);
    return this;
  }

  /**
   * Adds a skill for assistants.
   * @example
   * ```ts
   * pack.addSkill({
   *   name: "Plan",
   *   displayName: "Plan the day",
   *   description: "Arranges the tasks of a day.",
   *   prompt: "List the tasks that are due today, the urgent ones first.",
   *   tools: [{ type: ToolType.Pack, formulas: [{ formulaName: "ListTasks" }] }],
   * });
   * ```
   */
  addSkill(skill: Skill): this {
    this.skills.push(skill);
    return this;
  }

  /**
   * Adds a server for the Model Context Protocol (MCP).
   * @example
   * ```ts
   * pack.addNetworkDomain("example.com");
   * pack.addMCPServer({ name: "Tasks", endpointUrl: "https://mcp.example.com/" });
   * ```
   */
  addMCPServer(server: MCPServer): this {
    this.mcpServers.push(server);
    return this;
  }

  /**
   * Allows requests to these domains and their subdomains.
   * @example
   * ```ts
   * pack.addNetworkDomain("example.com"); // also allows https://api.example.com
   * ```
   */
  addNetworkDomain(...domains: string[]): this {
    this.networkDomains.push(...domains);
    return this;
  }

  /**
   * Sets the authentication of user accounts. Formulas and tables that do not set
   * `connectionRequirement` then need an account.
   * @example
   * ```ts
   * pack.addNetworkDomain("example.com");
   * pack.setUserAuthentication({
   *   type: AuthenticationType.OAuth2,
   *   authorizationUrl: "https://example.com/oauth/authorize",
   *   tokenUrl: "https://example.com/oauth/token",
   *   scopes: ["tasks.read"],
   *   getConnectionName: async (context) => {
   *     const { body } = await context.fetcher.fetch<{ email: string }>({
   *       method: "GET",
   *       url: "https://api.example.com/me",
   *     });
   *     return body?.email ?? "";
   *   },
   * });
   * ```
   */
  setUserAuthentication(definition: UserAuthenticationDef): this {
    const { defaultConnectionRequirement = "required", ...authentication } = definition;
    this.defaultAuthentication = compileAuthentication(authentication);
    if (authentication.type === "None") return this;
    this._defaultConnectionRequirement = defaultConnectionRequirement;
    this.formulas = this.formulas.map((formula) =>
      formula.connectionRequirement
        ? formula
        : withFormulaRequirement(formula, defaultConnectionRequirement),
    );
    this.syncTables = this.syncTables.map((table) =>
      table.getter?.connectionRequirement
        ? table
        : withTableRequirement(table, defaultConnectionRequirement),
    );
    return this;
  }

  /**
   * Sets the authentication of the Pack's own account.
   * @example
   * ```ts
   * pack.setSystemAuthentication({
   *   type: AuthenticationType.CustomHeaderToken,
   *   headerName: "X-Api-Key",
   * });
   * ```
   */
  setSystemAuthentication(definition: SystemAuthentication): this {
    this.systemConnectionAuthentication = compileAuthentication(definition);
    return this;
  }

  /**
   * Sets the version of the Pack: one to three numbers.
   * @example
   * ```ts
   * pack.setVersion("1.2");
   * ```
   */
  setVersion(version: string): this {
    this.version = version;
    return this;
  }

  /** @deprecated Accepted for compatibility with existing Packs. */
  addAdminAuthentication(authentication: AdminAuthentication): this {
    const compiled = compileAuthentication(authentication.authentication);
    this.adminAuthentications ??= [];
    this.adminAuthentications.push({
      ...authentication,
      authentication: compiled,
    });
    return this;
  }

  /** @deprecated Accepted for compatibility with existing Packs. */
  setChatSkill(skill: PartialSkillDef): this {
    this.chatSkill = skill;
    return this;
  }

  /** @deprecated Accepted for compatibility with existing Packs. */
  setBenchInitializationSkill(skill: PartialSkillDef): this {
    this.benchInitializationSkill = skill;
    return this;
  }

  /** @deprecated Accepted for compatibility with existing Packs. */
  setSkillEntrypoints(entrypoints: SkillEntrypoints): this {
    this.skillEntrypoints = entrypoints;
    return this;
  }

  /** @deprecated Accepted for compatibility with existing Packs. */
  addSuggestedPrompt(prompt: SuggestedPrompt): this {
    this.suggestedPrompts.push(prompt);
    return this;
  }
}

const LISTS = [
  "networkDomains",
  "formulas",
  "formats",
  "syncTables",
  "skills",
  "mcpServers",
  "suggestedPrompts",
] as const;

/** A definition with the Pack's connection requirement, unless it has its own. */
function withDefault(
  { _defaultConnectionRequirement }: PackDefinitionBuilder,
  definition: object,
): Members {
  const members = definition as Members;
  const connectionRequirement = members["connectionRequirement"] || _defaultConnectionRequirement;
  return connectionRequirement ? { ...members, connectionRequirement } : members;
}

/**
 * Creates a Pack. Export the result as `pack`.
 * @example
 * ```ts
 * export const pack = newPack();
 * pack.addNetworkDomain("example.com");
 * ```
 */
export function newPack(definition?: Partial<PackVersionDefinition>): PackDefinitionBuilder {
  return new PackDefinitionBuilder(definition);
}
