import type { AdminAuthentication, Authentication, SystemAuthentication, UserAuthenticationDef } from "./authentication.ts";
import type { ConnectionRequirement, ValueType } from "./enumerations.ts";
import type { Formula, Parameter } from "./formula.ts";
import type { Continuation } from "./invocation.ts";
import { type FormulaDefinition, type HintByResult, type ItemsByResult, makeFormula, type SchemaByResult } from "./make-formula.ts";
import type { Format, PackVersionDefinition } from "./pack.ts";
import type { ObjectSchemaDefinition } from "./schema.ts";
import type { MCPServer, PartialSkillDef, Skill, SkillEntrypoints, SuggestedPrompt } from "./skill.ts";
import {
  type AnyTableOptions,
  asStatic,
  type DynamicSyncTableOptions,
  type SyncTable,
  type SyncTableOptions,
  tableOf,
} from "./sync-table.ts";

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
  declare adminAuthentications: AdminAuthentication[];
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
    if (definition.defaultAuthentication) this.setUserAuthentication(definition.defaultAuthentication);
  }

  /** Adds a formula. `execute` receives the arguments in the order of the parameters. Its result is checked against the schema. */
  addFormula<
    const Params extends readonly Parameter[],
    const Result extends ValueType,
    const Varargs extends readonly Parameter[] = [],
    const Definition extends SchemaByResult[Result] = undefined,
    const Items extends ItemsByResult[Result] = undefined,
    const Hint extends HintByResult[Result] = undefined,
  >(definition: FormulaDefinition<Params, Varargs, Result, Definition, Items, Hint>): this {
    this.formulas.push(withRequirement(makeFormula(definition), requirements.get(this)));
    return this;
  }

  /** Adds a sync table. Its formula returns the rows page by page. */
  addSyncTable<
    const Params extends readonly Parameter[],
    const Definition extends ObjectSchemaDefinition,
    NextPage = Continuation,
    Checkpoint = NextPage,
    NextChange = NextPage,
  >(options: SyncTableOptions<Params, Definition, NextPage, Checkpoint, NextChange>): this {
    this.syncTables.push(withRequirement(tableOf(options as unknown as AnyTableOptions), requirements.get(this)));
    return this;
  }

  /** Adds a dynamic sync table: users choose which of the tables that the Pack lists they add. */
  addDynamicSyncTable<const Params extends readonly Parameter[], NextPage = Continuation, Checkpoint = NextPage, NextChange = NextPage>(
    options: DynamicSyncTableOptions<Params, NextPage, Checkpoint, NextChange>,
  ): this {
    return this.addSyncTable(asStatic(options as unknown as DynamicSyncTableOptions) as never);
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
    this.defaultAuthentication = authentication as Authentication;
    const requirement = authentication.type !== "None" && defaultConnectionRequirement;
    requirements.set(this, requirement);
    const parts = this as unknown as Record<"formulas" | "syncTables", (Formula | SyncTable)[]>;
    for (const list of ["formulas", "syncTables"] as const) parts[list] = parts[list].map((part) => withRequirement(part, requirement));
    return this;
  }

  /** Sets how the Pack's own account authenticates. */
  setSystemAuthentication(definition: SystemAuthentication): this {
    this.systemConnectionAuthentication = definition;
    return this;
  }

  /** Sets the Pack's version: one to three numbers. */
  setVersion(version: string): this {
    this.version = version;
    return this;
  }

  /** Accepted for compatibility with existing Packs. */
  addAdminAuthentication(authentication: AdminAuthentication): this {
    this.adminAuthentications.push(authentication);
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

const LISTS = [
  "networkDomains",
  "formulas",
  "formats",
  "syncTables",
  "skills",
  "mcpServers",
  "adminAuthentications",
  "suggestedPrompts",
] as const;

/** The default requirement of each builder. Not a member, because it is not part of the definition. */
const requirements = new WeakMap<PackDefinitionBuilder, ConnectionRequirement | false>();

/** Sets the requirement of a formula, or of a table and its formula, unless it has one. */
const withRequirement = <Part extends { connectionRequirement?: ConnectionRequirement | undefined; getter?: SyncTable["getter"] }>(
  part: Part,
  requirement: ConnectionRequirement | false | undefined,
): Part => {
  const own = !requirement || part.connectionRequirement ? part : { ...part, connectionRequirement: requirement };
  return own.getter ? { ...own, getter: withRequirement(own.getter, own.connectionRequirement) } : own;
};

/** Starts a Pack. Export the result as `pack`. */
export function newPack(definition?: Partial<PackVersionDefinition>): PackDefinitionBuilder {
  return new PackDefinitionBuilder(definition);
}
