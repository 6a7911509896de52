import type { AdminAuthentication, Authentication, SystemAuthentication, UserAuthenticationDef } from "./authentication.ts";
import { compileAuthentication } from "./compile/compile-authentication.ts";
import { compileFormula } from "./compile/compile-formula.ts";
import { compileTable, withTableRequirement } from "./compile/compile-table.ts";
import type { Members } from "./compile/members.ts";
import { withRequirement } from "./compile/metadata-formula.ts";
import type { Continuation } from "./context.ts";
import type { ConnectionRequirement, ValueType } from "./enumerations.ts";
import type { Format } from "./format.ts";
import type { Formula, FormulaDefinition, HintByResult, ItemsByResult, SchemaByResult } from "./formula.ts";
import type { PackVersionDefinition } from "./pack.ts";
import type { Parameter } from "./parameter.ts";
import type { ObjectSchemaDefinition } from "./schema.ts";
import type { MCPServer, PartialSkillDef, Skill, SkillEntrypoints, SuggestedPrompt } from "./skill.ts";
import type { DynamicSyncTableOptions, SyncTable, SyncTableOptions } from "./sync-table.ts";

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
  declare adminAuthentications?: AdminAuthentication[];
  /** What formulas and tables need that do not say it themselves. */
  declare _defaultConnectionRequirement?: ConnectionRequirement | undefined;
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
    for (const slot of ["defaultAuthentication", "systemConnectionAuthentication"] as const)
      if (definition[slot]) Object.assign(this, { [slot]: compileAuthentication(definition[slot] as unknown as Members) });
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
    this.formulas.push(
      compileFormula(withDefault(definition as unknown as Members, this._defaultConnectionRequirement)) as unknown as Formula,
    );
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
    this.syncTables.push(
      compileTable(withDefault(options as unknown as Members, this._defaultConnectionRequirement)) as unknown as SyncTable,
    );
    return this;
  }

  /** Adds a table of which there is one for each thing that the user can choose. */
  addDynamicSyncTable<const Params extends readonly Parameter[], NextPage = Continuation, Checkpoint = NextPage, NextChange = NextPage>(
    options: DynamicSyncTableOptions<Params, NextPage, Checkpoint, NextChange>,
  ): this {
    this.syncTables.push(
      compileTable(
        withDefault({ ...options, isDynamic: true } as unknown as Members, this._defaultConnectionRequirement),
      ) as unknown as SyncTable,
    );
    return this;
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
    this.defaultAuthentication = compileAuthentication(authentication as unknown as Members) as unknown as Authentication;
    if (authentication.type === "None") return this;
    this._defaultConnectionRequirement = defaultConnectionRequirement;
    const formulas = this.formulas as unknown as Members[];
    const tables = this.syncTables as unknown as (Members & { getter?: Members })[];
    this.formulas = formulas.map((formula) =>
      formula["connectionRequirement"] ? formula : withRequirement(formula, defaultConnectionRequirement),
    ) as unknown as Formula[];
    this.syncTables = tables.map((table) =>
      table.getter?.["connectionRequirement"] ? table : withTableRequirement(table, defaultConnectionRequirement),
    ) as unknown as SyncTable[];
    return this;
  }

  /** Says how the Pack's own account proves itself. */
  setSystemAuthentication(definition: SystemAuthentication): this {
    this.systemConnectionAuthentication = compileAuthentication(definition as unknown as Members) as unknown as SystemAuthentication;
    return this;
  }

  /** Sets the Pack's version: one to three numbers. */
  setVersion(version: string): this {
    this.version = version;
    return this;
  }

  /** Accepted from older Packs. */
  addAdminAuthentication(authentication: AdminAuthentication): this {
    const compiled = { ...authentication, authentication: compileAuthentication(authentication.authentication as unknown as Members) };
    (this.adminAuthentications ??= []).push(compiled as unknown as AdminAuthentication);
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

const LISTS = ["networkDomains", "formulas", "formats", "syncTables", "skills", "mcpServers", "suggestedPrompts"] as const;

const withDefault = (definition: Members, connectionRequirement: ConnectionRequirement | undefined): Members =>
  definition["connectionRequirement"] || !connectionRequirement ? definition : { ...definition, connectionRequirement };

/** Begins a Pack. Export the result as `pack`. */
export function newPack(definition?: Partial<PackVersionDefinition>): PackDefinitionBuilder {
  return new PackDefinitionBuilder(definition);
}
