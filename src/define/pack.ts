import type { AdminAuthentication, Authentication, SystemAuthentication } from "./authentication.ts";
import type { Formula } from "./formula.ts";
import type { MCPServer, PartialSkillDef, Skill, SkillEntrypoints, SuggestedPrompt } from "./skill.ts";
import type { SyncFormula, SyncTable } from "./sync-table.ts";

/** Everything that a Pack declares: what the builder collects and what the tools read. */
export interface PackVersionDefinition {
  /** One to three numbers, such as `1.2.0`. */
  version?: string | undefined;
  /** How each user's account proves itself. */
  defaultAuthentication?: Authentication | undefined;
  /** How the Pack's own account proves itself. */
  systemConnectionAuthentication?: SystemAuthentication | undefined;
  /** Domains that the Pack may send requests to; their subdomains count. */
  networkDomains: string[];
  formulas: Formula[];
  /** Column formats. */
  formats: Format[];
  /** Static and dynamic sync tables. */
  syncTables: SyncTable[];
  /** What assistants can do with the Pack. */
  skills: Skill[];
  /** At most one server. */
  mcpServers?: MCPServer[] | undefined;
  /** Accepted from older Packs. */
  adminAuthentications?: AdminAuthentication[] | undefined;
  /** Accepted from older Packs. */
  formulaNamespace?: string | undefined;
  /** Accepted from older Packs. */
  chatSkill?: PartialSkillDef | undefined;
  /** Accepted from older Packs. */
  benchInitializationSkill?: PartialSkillDef | undefined;
  /** Accepted from older Packs. */
  skillEntrypoints?: SkillEntrypoints | undefined;
  /** Accepted from older Packs. */
  suggestedPrompts?: SuggestedPrompt[] | undefined;
}

/** A definition without its version. */
export type BasicPackDefinition = Omit<PackVersionDefinition, "version">;

/** A column format: it shows the text of a column through a formula of the Pack. */
export interface Format {
  /** Name that users choose; at most 50 characters. */
  readonly name: string;
  /** The formula that is called with the text; its first parameter takes it, and no other is required. */
  readonly formulaName: string;
  /** How to use it, for users to read. */
  readonly instructions?: string | undefined;
  /** Text that the format is offered for; at most 10 patterns. */
  readonly matchers?: readonly RegExp[] | undefined;
  /** Accepted from older Packs. */
  readonly formulaNamespace?: string | undefined;
  /** Accepted from older Packs. */
  readonly hasNoConnection?: boolean | undefined;
  /** Accepted from older Packs. */
  readonly placeholder?: string | undefined;
}

type FunctionMembers = "execute" | "executeUpdate" | "executeGetPermissions" | "validateParameters";

/** Accepted from older Packs. */
export type PackFormulaMetadata = Omit<Formula, FunctionMembers>;
/** Accepted from older Packs. */
export interface PackSyncTable extends Omit<SyncTable, "getter"> {
  readonly getter: Omit<SyncFormula, FunctionMembers> & {
    readonly supportsUpdates?: boolean | undefined;
    readonly supportsGetPermissions?: boolean | undefined;
  };
}
/** Accepted from older Packs. */
export type PackFormatMetadata = Omit<Format, "matchers"> & { readonly matchers: readonly string[] };
/** Accepted from older Packs. */
export type SkillMetadata = Skill;
/** Accepted from older Packs. */
export type PackVersionMetadata = Omit<PackVersionDefinition, "formulas" | "formats" | "syncTables"> & {
  readonly formulas: PackFormulaMetadata[];
  readonly formats: PackFormatMetadata[];
  readonly syncTables: PackSyncTable[];
};

/** Accepted from older Packs. */
export type PackId = number;
/** Accepted from older Packs. */
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
/** Accepted from older Packs. */
export type PackMetadata = PackVersionMetadata & Pick<PackDefinition, "id" | "name" | "shortDescription" | "description">;
