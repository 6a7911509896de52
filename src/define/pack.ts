import type { AgentDefinition, DefaultTriggerDefinition } from "./agent.ts";
import type {
  AdminAuthentication,
  Authentication,
  SystemAuthentication,
} from "./authentication.ts";
import type { ConnectionRequirement } from "./enumerations.ts";
import type { Formula } from "./formula.ts";
import type {
  MCPServer,
  PartialSkillDef,
  Skill,
  SkillEntrypoints,
  SuggestedPrompt,
} from "./skill.ts";
import type { SyncFormula, SyncTable } from "./sync-table.ts";

/** The Pack definition that the builder creates. */
export interface PackVersionDefinition {
  /** One to three numbers, such as `1.2.0`. */
  version?: string | undefined;
  /** The authentication of user accounts. */
  defaultAuthentication?: Authentication | undefined;
  /** The authentication of the Pack's own account. */
  systemConnectionAuthentication?: SystemAuthentication | undefined;
  /** The domains that the Pack can send requests to, including their subdomains. */
  networkDomains: string[];
  /** The formulas and actions of the Pack. */
  formulas: Formula[];
  /** Column formats. */
  formats: Format[];
  /** Static and dynamic sync tables. */
  syncTables: SyncTable[];
  /** The skills that assistants can use. */
  skills: Skill[];
  /** The MCP server of the Pack. At most one. */
  mcpServers?: MCPServer[] | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  adminAuthentications?: AdminAuthentication[] | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  formulaNamespace?: string | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  chatSkill?: PartialSkillDef | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  benchInitializationSkill?: PartialSkillDef | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  skillEntrypoints?: SkillEntrypoints | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  suggestedPrompts?: SuggestedPrompt[] | undefined;
  /** The agent definition that `newAgent` creates. */
  agent?: Partial<AgentDefinition> | undefined;
  /** The triggers that start the agent. */
  defaultTriggers?: DefaultTriggerDefinition[] | undefined;
  /**
   * @internal The connection requirement of formulas and tables that do not have their own. Set by
   * `setUserAuthentication`.
   */
  _defaultConnectionRequirement?: ConnectionRequirement | undefined;
}

/** The definition of a Pack without its version. */
export type BasicPackDefinition = Omit<PackVersionDefinition, "version">;

/** A column format uses a formula of the Pack to show the text of a column. */
export interface Format {
  /** The name that users choose. At most 50 characters. */
  readonly name: string;
  /**
   * The name of the formula. Its first argument is the text. All other parameters must be
   * optional.
   */
  readonly formulaName: string;
  /** Instructions for users. */
  readonly instructions?: string | undefined;
  /**
   * Regular expressions. If a user pastes text that matches an expression, the document service
   * offers the format. At most 10.
   */
  readonly matchers?: readonly RegExp[] | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly formulaNamespace?: string | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly hasNoConnection?: boolean | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly placeholder?: string | undefined;
}

type FunctionMembers = "execute" | "executeUpdate" | "executeGetPermissions" | "validateParameters";

/** @deprecated Accepted for compatibility with existing Packs. */
export type PackFormulaMetadata = Omit<Formula, FunctionMembers>;
/** @deprecated Accepted for compatibility with existing Packs. */
export interface PackSyncTable extends Omit<SyncTable, "getter"> {
  readonly getter: Omit<SyncFormula, FunctionMembers> & {
    readonly supportsUpdates?: boolean | undefined;
    readonly supportsGetPermissions?: boolean | undefined;
  };
}
/** @deprecated Accepted for compatibility with existing Packs. */
export type PackFormatMetadata = Omit<Format, "matchers"> & {
  readonly matchers: readonly string[];
};
/** @deprecated Accepted for compatibility with existing Packs. */
export type SkillMetadata = Skill;
/** @deprecated Accepted for compatibility with existing Packs. */
export type PackVersionMetadata = Omit<
  PackVersionDefinition,
  "formulas" | "formats" | "syncTables"
> & {
  readonly formulas: PackFormulaMetadata[];
  readonly formats: PackFormatMetadata[];
  readonly syncTables: PackSyncTable[];
};

/** @deprecated Accepted for compatibility with existing Packs. */
export type PackId = number;
/** @deprecated Accepted for compatibility with existing Packs. */
export interface PackDefinition extends PackVersionDefinition {
  readonly id: PackId;
  readonly name: string;
  readonly shortDescription: string;
  readonly description: string;
  readonly category?: string | undefined;
  readonly logoPath?: string | undefined;
  readonly exampleImages?: readonly string[] | undefined;
  readonly exampleVideoIds?: readonly string[] | undefined;
  readonly minimumFeatureSet?: string | undefined;
  readonly quotas?: Readonly<Record<string, unknown>> | undefined;
  readonly rateLimits?: unknown;
  readonly isSystem?: boolean | undefined;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export type PackMetadata = PackVersionMetadata &
  Pick<PackDefinition, "id" | "name" | "shortDescription" | "description">;
