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

/** Collects the parts of a Pack. Every method returns the builder; their order does not matter. */
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
  /** Accepted from older Packs. */
  declare adminAuthentications: AdminAuthentication[];
  /** Accepted from older Packs. */
  declare suggestedPrompts: SuggestedPrompt[];
  /** Accepted from older Packs. */
  declare formulaNamespace: string;
  /** Accepted from older Packs. */
  declare chatSkill?: PartialSkillDef | undefined;
  /** Accepted from older Packs. */
  declare benchInitializationSkill?: PartialSkillDef | undefined;
  /** Accepted from older Packs. */
  declare skillEntrypoints?: SkillEntrypoints | undefined;

  constructor(definition: Partial<PackVersionDefinition> = {}) {
    Object.assign(this, { formulaNamespace: "Deprecated" }, definition);
    for (const list of LISTS) (this as Record<(typeof LISTS)[number], unknown>)[list] = [...(definition[list] ?? [])];
    if (definition.defaultAuthentication) this.setUserAuthentication(definition.defaultAuthentication);
  }

  /** Adds a formula. `execute` receives the parameters in order; its result is checked against the schema. */
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

  /** Adds a sync table. Its formula gives the rows page by page. */
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

  /** Adds a table of which there is one for each thing that the user can choose. */
  addDynamicSyncTable<const Params extends readonly Parameter[], NextPage = Continuation, Checkpoint = NextPage, NextChange = NextPage>(
    options: DynamicSyncTableOptions<Params, NextPage, Checkpoint, NextChange>,
  ): this {
    return this.addSyncTable(asStatic(options as unknown as DynamicSyncTableOptions) as never);
  }

  /** Adds a column format, which shows the text of a column through a formula. */
  addColumnFormat(format: Format): this {
    this.formats.push(format);
    return this;
  }

  /** Adds something that assistants can do with the Pack. */
  addSkill(skill: Skill): this {
    this.skills.push(skill);
    return this;
  }

  /** Adds the server that speaks the Model Context Protocol. */
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
   * Says how users' accounts prove themselves. Formulas and tables that do not say whether they need an account need one
   * from now on, those already added too.
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

  /** Says how the Pack's own account proves itself. */
  setSystemAuthentication(definition: SystemAuthentication): this {
    this.systemConnectionAuthentication = definition;
    return this;
  }

  /** Sets the Pack's version: one to three numbers. */
  setVersion(version: string): this {
    this.version = version;
    return this;
  }

  /** Accepted from older Packs. */
  addAdminAuthentication(authentication: AdminAuthentication): this {
    this.adminAuthentications.push(authentication);
    return this;
  }

  /** Accepted from older Packs. */
  setChatSkill(skill: PartialSkillDef): this {
    this.chatSkill = skill;
    return this;
  }

  /** Accepted from older Packs. */
  setBenchInitializationSkill(skill: PartialSkillDef): this {
    this.benchInitializationSkill = skill;
    return this;
  }

  /** Accepted from older Packs. */
  setSkillEntrypoints(entrypoints: SkillEntrypoints): this {
    this.skillEntrypoints = entrypoints;
    return this;
  }

  /** Accepted from older Packs. */
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

/** The default requirement of each builder. It is no member, because it is no part of the definition. */
const requirements = new WeakMap<PackDefinitionBuilder, ConnectionRequirement | false>();

/** Gives a formula, or a table and its formula, a requirement where it has none. */
const withRequirement = <Part extends { connectionRequirement?: ConnectionRequirement | undefined; getter?: SyncTable["getter"] }>(
  part: Part,
  requirement: ConnectionRequirement | false | undefined,
): Part => {
  const own = !requirement || part.connectionRequirement ? part : { ...part, connectionRequirement: requirement };
  return own.getter ? { ...own, getter: withRequirement(own.getter, own.connectionRequirement) } : own;
};

/** Begins a Pack. Export the result as `pack`. */
export function newPack(definition?: Partial<PackVersionDefinition>): PackDefinitionBuilder {
  return new PackDefinitionBuilder(definition);
}
