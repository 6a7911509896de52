import type { AdminAuthentication, Authentication, SystemAuthentication } from "./authentication.ts";
import type { ConnectionRequirement } from "./enumerations.ts";
import type { Format } from "./format.ts";
import type { Formula } from "./formula.ts";
import type { MCPServer, PartialSkillDef, Skill, SkillEntrypoints, SuggestedPrompt } from "./skill.ts";
import type { SyncTable } from "./sync-table.ts";

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
  /** What formulas and tables need that do not say it themselves. Written by `setUserAuthentication`. */
  _defaultConnectionRequirement?: ConnectionRequirement | undefined;
}

/** A definition without its version. */
export type BasicPackDefinition = Omit<PackVersionDefinition, "version">;
