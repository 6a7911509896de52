import type { PostSetup } from "./authentication.ts";
import type {
  AdminAuthenticationDef,
  SystemAuthenticationDef,
  UserAuthenticationDef,
} from "./authentication-definitions.ts";
import type {
  DynamicSyncTableOptions,
  Formula,
  FormulaDefinitionOptions,
  MetadataFormulaMetadata,
  ObjectPackFormulaMetadata,
  ObjectSchema,
  ObjectSchemaDefinition,
  PackFormulaMetadata,
  ParamDefs,
  Schema,
  SyncExecutionContext,
  SyncPassthroughData,
  SyncTable,
  SyncTableOptions,
} from "./definition.ts";
import type { AuthenticationType, FeatureSet, PackCategory, ValueType } from "./enumerations.ts";
import type {
  AdminAuthentication,
  AgentDefinition,
  Authentication,
  DefaultTriggerDefinition,
  MCPServer,
  PartialSkillDef,
  Quota,
  RateLimits,
  Skill,
  SkillEntrypoints,
  SuggestedPrompt,
  SystemAuthentication,
} from "./shared-types.ts";

export interface Format {
  name: string;
  formulaName: string;
  formulaNamespace?: string;
  hasNoConnection?: boolean;
  instructions?: string;
  matchers?: RegExp[];
  placeholder?: string;
}

export interface PackVersionDefinition {
  version: string;
  defaultAuthentication?: Authentication;
  systemConnectionAuthentication?: SystemAuthentication;
  adminAuthentications?: AdminAuthentication[];
  networkDomains?: string[];
  formulaNamespace?: string;
  formulas?: Formula[];
  formats?: Format[];
  syncTables?: SyncTable[];
  skills?: Skill[];
  chatSkill?: PartialSkillDef;
  benchInitializationSkill?: PartialSkillDef;
  skillEntrypoints?: SkillEntrypoints;
  suggestedPrompts?: SuggestedPrompt[];
  mcpServers?: MCPServer[];
  agent?: AgentDefinition;
  defaultTriggers?: DefaultTriggerDefinition[];
}
export type BasicPackDefinition = Omit<PackVersionDefinition, "version">;
export type PackId = number;
export interface PackDefinition extends PackVersionDefinition {
  id: PackId;
  name: string;
  shortDescription: string;
  description: string;
  permissionsDescription?: string;
  category?: PackCategory;
  logoPath: string;
  exampleImages?: string[];
  exampleVideoIds?: string[];
  minimumFeatureSet?: FeatureSet;
  quotas?: { [Plan in FeatureSet]?: Quota };
  rateLimits?: RateLimits;
  isSystem?: boolean;
}

export interface PackFormatMetadata extends Omit<Format, "matchers"> {
  matchers: string[];
}
export type SkillMetadata = Omit<Skill, "prompt">;
type TableFunctions =
  | "getName"
  | "getSchema"
  | "getDisplayUrl"
  | "listDynamicUrls"
  | "searchDynamicUrls";
export type PackSyncTable = Omit<SyncTable, "getter" | TableFunctions> & {
  [Name in TableFunctions]?: MetadataFormulaMetadata;
} & {
  getter: PackFormulaMetadata;
  isDynamic?: boolean;
  hasDynamicSchema?: boolean;
};
export type PackVersionMetadata = Omit<
  PackVersionDefinition,
  "formulas" | "formats" | "syncTables"
> & {
  formulas: PackFormulaMetadata[];
  formats: PackFormatMetadata[];
  syncTables: PackSyncTable[];
};
export type PackMetadata = PackVersionMetadata & Omit<PackDefinition, keyof PackVersionDefinition>;
/** @hidden */
export type AgentMetadata = Omit<AgentDefinition, "instructions">;

// What pages outside of the service get to see of a Pack.
/** @hidden */
export type ExternalObjectPackFormula = ObjectPackFormulaMetadata;
/** @hidden */
export type ExternalPackFormula = PackFormulaMetadata;
/** @hidden */
export type ExternalPackFormulas = ExternalPackFormula[];
/** @hidden */
export type ExternalPackFormat = Omit<Format, "matchers"> & { matchers?: string[] };
/** @hidden */
export type ExternalPackFormatMetadata = PackFormatMetadata;
/** @hidden */
export type ExternalSyncTable = PackSyncTable;
/** @hidden */
export type ExternalSkill = SkillMetadata;
interface ExternalAuthentication {
  type: AuthenticationType;
  requiresEndpointUrl: boolean;
  params?: { name: string; description: string }[];
  endpointDomain?: string;
  endpointKey?: string;
  networkDomain?: string | string[];
  postSetup?: (Omit<PostSetup, "getOptions" | "getOptionsFormula"> & {
    getOptions?: MetadataFormulaMetadata;
    getOptionsFormula?: MetadataFormulaMetadata;
  })[];
  deferConnectionSetup?: boolean;
  shouldAutoAuthSetup?: boolean;
  oauthScopes?: string[];
  oauthAuthorizationUrl?: string;
  oauthTokenUrl?: string;
}
interface ExternalParts {
  formulas?: ExternalPackFormulas;
  formats?: ExternalPackFormat[];
  syncTables?: ExternalSyncTable[];
  skills?: ExternalSkill[];
  agent?: AgentMetadata;
}
/** @hidden */
export interface ExternalPackVersionMetadata
  extends ExternalParts,
    Omit<
      PackVersionMetadata,
      | keyof ExternalParts
      | "defaultAuthentication"
      | "defaultTriggers"
      | "systemConnectionAuthentication"
    > {
  authentication: ExternalAuthentication;
  instructionsUrl?: string;
}
/** @hidden */
export type ExternalPackMetadata = ExternalPackVersionMetadata &
  Omit<PackMetadata, keyof PackVersionMetadata>;

export declare class PackDefinitionBuilder implements BasicPackDefinition {
  constructor(definition?: Partial<PackVersionDefinition>);
  version?: string;
  formulas: Formula[];
  formats: Format[];
  syncTables: SyncTable[];
  skills: Skill[];
  networkDomains: string[];
  mcpServers: MCPServer[];
  suggestedPrompts: SuggestedPrompt[];
  defaultAuthentication?: Authentication;
  systemConnectionAuthentication?: SystemAuthentication;
  adminAuthentications?: AdminAuthentication[];
  formulaNamespace?: string;
  chatSkill?: PartialSkillDef;
  benchInitializationSkill?: PartialSkillDef;
  skillEntrypoints?: SkillEntrypoints;
  setVersion(version: string): this;
  addFormula<Params extends ParamDefs, Result extends ValueType, S extends Schema>(
    definition: {
      /** The type of the result. */
      resultType: Result;
    } & FormulaDefinitionOptions<Params, Result, S>,
  ): this;
  addSyncTable<
    K extends string,
    L extends string,
    Params extends ParamDefs,
    S extends ObjectSchema<K, L>,
    Context extends SyncExecutionContext<any, any>,
    Passed extends SyncPassthroughData,
  >(definition: SyncTableOptions<K, L, Params, S, Context, Passed>): this;
  addDynamicSyncTable<
    K extends string,
    L extends string,
    Params extends ParamDefs,
    S extends ObjectSchemaDefinition<K, L>,
    Context extends SyncExecutionContext<any, any>,
    Passed extends SyncPassthroughData,
  >(definition: DynamicSyncTableOptions<K, L, Params, S, Context, Passed>): this;
  addColumnFormat(format: Format): this;
  addSkill(skill: Skill): this;
  addMCPServer(server: MCPServer): this;
  addNetworkDomain(...domain: string[]): this;
  setUserAuthentication(definition: UserAuthenticationDef): this;
  setSystemAuthentication(definition: SystemAuthenticationDef): this;
  addAdminAuthentication(definition: AdminAuthenticationDef): this;
  /** @deprecated Use `addSkill`. */
  setChatSkill(skill: PartialSkillDef): this;
  /** @deprecated Use `addSkill`. */
  setBenchInitializationSkill(skill: PartialSkillDef): this;
  /** @deprecated Use `addSkill`. */
  setSkillEntrypoints(entrypoints: SkillEntrypoints): this;
  /** @deprecated Use `addSkill`. */
  addSuggestedPrompt(prompt: SuggestedPrompt): this;
}
export declare function newPack(definition?: Partial<PackVersionDefinition>): PackDefinitionBuilder;
