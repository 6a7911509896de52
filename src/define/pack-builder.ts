import type { AdminAuthentication, Authentication, SystemAuthentication, UserAuthenticationDef } from "./authentication.ts";
import { compileAuthentication } from "./compile/compile-authentication.ts";
import { compileFormula, withFormulaRequirement } from "./compile/compile-formula.ts";
import { compileTable, withTableRequirement } from "./compile/compile-table.ts";
import type { Members } from "./compile/members.ts";
import type { ConnectionRequirement, ValueType } from "./enumerations.ts";
import type { AnyParameter, Formula } from "./formula.ts";
import type { Continuation } from "./invocation.ts";
import type { FormulaDefinition, HintByResult, ItemsByResult, SchemaByResult } from "./make-formula.ts";
import type { Format, PackVersionDefinition } from "./pack.ts";
import type { ObjectSchemaDefinition } from "./schema.ts";
import type { MCPServer, PartialSkillDef, Skill, SkillEntrypoints, SuggestedPrompt } from "./skill.ts";
import type { DynamicSyncTableOptions, SyncTable, SyncTableOptions } from "./sync-table.ts";

/** Collects the parts of a Pack. Every method returns the builder. You can call them in any order. */
export class PackDefinitionBuilder implements PackVersionDefinition {
  declare version?: string | undefined;
  declare defaultAuthentication?: Authentication | undefined;
  declare systemConnectionAuthentication?: SystemAuthentication | undefined;
  declare networkDomains: string[];
  declare formulas: Formula[];
  declare formats: Format[];
  declare syncTables: SyncTable[];
  declare skills: Skill[];
  declare mcpServers: MCPServer[];
  /** Accepted for compatibility with existing Packs. */
  declare adminAuthentications?: AdminAuthentication[];
  /** The connection requirement of formulas and tables that do not have their own. */
  declare _defaultConnectionRequirement?: ConnectionRequirement | undefined;
  /** Accepted for compatibility with existing Packs. */
  declare suggestedPrompts: SuggestedPrompt[];
  /** Accepted for compatibility with existing Packs. */
  declare formulaNamespace: string;
  /** Accepted for compatibility with existing Packs. */
  declare chatSkill?: PartialSkillDef | undefined;
  /** Accepted for compatibility with existing Packs. */
  declare benchInitializationSkill?: PartialSkillDef | undefined;
  /** Accepted for compatibility with existing Packs. */
  declare skillEntrypoints?: SkillEntrypoints | undefined;

  constructor(definition: Partial<PackVersionDefinition> = {}) {
    Object.assign(this, { formulaNamespace: "Deprecated" }, definition);
    for (const list of LISTS) (this as Record<(typeof LISTS)[number], unknown>)[list] = [...(definition[list] ?? [])];
    for (const slot of ["defaultAuthentication", "systemConnectionAuthentication"] as const)
      if (definition[slot]) Object.assign(this, { [slot]: compileAuthentication(definition[slot] as unknown as Members) });
  }

  /** Adds a formula. `execute` receives the arguments in the order of the parameters. Its result is checked against the schema. */
  addFormula<
    const Params extends readonly AnyParameter[],
    const Result extends ValueType,
    const Varargs extends readonly AnyParameter[] = [],
    const Definition extends SchemaByResult[Result] = undefined,
    const Items extends ItemsByResult[Result] = undefined,
    const Hint extends HintByResult[Result] = undefined,
  >(definition: FormulaDefinition<Params, Varargs, Result, Definition, Items, Hint>): this {
    this.formulas.push(compileFormula(withDefault(this, definition)) as unknown as Formula);
    return this;
  }

  /** Adds a sync table. Its formula returns the rows page by page. */
  addSyncTable<
    const Params extends readonly AnyParameter[],
    const Definition extends ObjectSchemaDefinition,
    NextPage = Continuation,
    Checkpoint = NextPage,
    NextChange = NextPage,
  >(options: SyncTableOptions<Params, Definition, NextPage, Checkpoint, NextChange>): this {
    this.syncTables.push(compileTable(withDefault(this, options)) as unknown as SyncTable);
    return this;
  }

  /** Adds a dynamic sync table: users choose which of the tables that the Pack lists they add. */
  addDynamicSyncTable<const Params extends readonly AnyParameter[], NextPage = Continuation, Checkpoint = NextPage, NextChange = NextPage>(
    options: DynamicSyncTableOptions<Params, NextPage, Checkpoint, NextChange>,
  ): this {
    this.syncTables.push(compileTable(withDefault(this, { ...options, isDynamic: true })) as unknown as SyncTable);
    return this;
  }

  /** Adds a column format, which shows the text of a column with a formula. */
  addColumnFormat(format: Format): this {
    this.formats.push(format);
    return this;
  }

  /** Adds a skill: something that assistants can do with the Pack. */
  addSkill(skill: Skill): this {
    this.skills.push(skill);
    return this;
  }

  /** Adds a server for the Model Context Protocol (MCP). */
  addMCPServer(server: MCPServer): this {
    this.mcpServers.push(server);
    return this;
  }

  /** Allows requests to these domains and their subdomains. */
  addNetworkDomain(...domains: string[]): this {
    this.networkDomains.push(...domains);
    return this;
  }

  /**
   * Sets how users' accounts authenticate. Formulas and tables that do not say whether they need an account then need
   * one, including those that you added before.
   */
  setUserAuthentication(definition: UserAuthenticationDef): this {
    const { defaultConnectionRequirement = "required", ...authentication } = definition;
    this.defaultAuthentication = compileAuthentication(authentication as unknown as Members) as unknown as Authentication;
    if (authentication.type === "None") return this;
    this._defaultConnectionRequirement = defaultConnectionRequirement;
    const formulas = this.formulas as unknown as Members[];
    const tables = this.syncTables as unknown as (Members & { getter?: Members })[];
    this.formulas = formulas.map((formula) =>
      formula["connectionRequirement"] ? formula : withFormulaRequirement(formula, defaultConnectionRequirement),
    ) as unknown as Formula[];
    this.syncTables = tables.map((table) =>
      table.getter?.["connectionRequirement"] ? table : withTableRequirement(table, defaultConnectionRequirement),
    ) as unknown as SyncTable[];
    return this;
  }

  /** Sets how the Pack's own account authenticates. */
  setSystemAuthentication(definition: SystemAuthentication): this {
    this.systemConnectionAuthentication = compileAuthentication(definition as unknown as Members) as unknown as SystemAuthentication;
    return this;
  }

  /** Sets the Pack's version: one to three numbers. */
  setVersion(version: string): this {
    this.version = version;
    return this;
  }

  /** Accepted for compatibility with existing Packs. */
  addAdminAuthentication(authentication: AdminAuthentication): this {
    const compiled = compileAuthentication(authentication.authentication as unknown as Members);
    this.adminAuthentications ??= [];
    this.adminAuthentications.push({ ...authentication, authentication: compiled } as unknown as AdminAuthentication);
    return this;
  }

  /** Accepted for compatibility with existing Packs. */
  setChatSkill(skill: PartialSkillDef): this {
    this.chatSkill = skill;
    return this;
  }

  /** Accepted for compatibility with existing Packs. */
  setBenchInitializationSkill(skill: PartialSkillDef): this {
    this.benchInitializationSkill = skill;
    return this;
  }

  /** Accepted for compatibility with existing Packs. */
  setSkillEntrypoints(entrypoints: SkillEntrypoints): this {
    this.skillEntrypoints = entrypoints;
    return this;
  }

  /** Accepted for compatibility with existing Packs. */
  addSuggestedPrompt(prompt: SuggestedPrompt): this {
    this.suggestedPrompts.push(prompt);
    return this;
  }
}

const LISTS = ["networkDomains", "formulas", "formats", "syncTables", "skills", "mcpServers", "suggestedPrompts"] as const;

/** A definition with the Pack's connection requirement, unless it has its own. */
function withDefault({ _defaultConnectionRequirement }: PackDefinitionBuilder, definition: object): Members {
  const members = definition as Members;
  const connectionRequirement = members["connectionRequirement"] || _defaultConnectionRequirement;
  return connectionRequirement ? { ...members, connectionRequirement } : members;
}

/** Starts a Pack. Export the result as `pack`. */
export function newPack(definition?: Partial<PackVersionDefinition>): PackDefinitionBuilder {
  return new PackDefinitionBuilder(definition);
}
