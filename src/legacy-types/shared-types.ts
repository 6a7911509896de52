// Generated from src/define. To change it, edit that folder or the tables in
// .ci/generate-legacy-types.mjs, and run: npm run docs

import type {
  BaseAuthentication,
  OAuth2Authentication,
  OAuth2ClientCredentialsAuthentication,
} from "./authentication.ts";
import type {
  AuthenticationType,
  ContextualTriggerAssistMode,
  ContextualTriggerDecorationStyle,
  ContextualTriggerSuggestionColor,
  ContextualTriggerSurface,
  DefaultTriggerKind,
  EmbeddedContentType,
  KnowledgeToolSourceType,
  QuotaLimitType,
  ScreenAnnotationType,
  SkillModel,
  SyncInterval,
  ToolType,
} from "./enumerations.ts";

/** A tool that an agent can use. A Pack tool calls another Pack. */
export type AgentTool =
  | CodaDocsAndTablesTool
  | MailAndCalendarTool
  | WebSearchTool
  | (PackTool & {
      packId: number;
    });

/** The instructions and the tools of an agent. */
export interface AgentDefinition {
  /** The instructions of the agent. 1 to 20,000 characters. */
  instructions: string;
  /**
   * The tools that the agent can use. The list can contain each tool only once. An agent without
   * tools can only answer questions.
   */
  tools: AgentTool[];
}

/** Starts an agent at the times of a recurrence rule. */
export interface ScheduleTriggerDefinition {
  /** Always `schedule`. */
  kind: DefaultTriggerKind.Schedule;
  /**
   * A recurrence rule (RFC 5545 §3.3.10). The agent can start at most once an hour. To set the
   * start and the time zone, put a `DTSTART` line with `TZID` before the rule:
   * `DTSTART;TZID=Europe/Berlin:20260105T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO`. At most 1,000
   * characters.
   */
  rruleString: string;
}

/** Starts an agent while the user writes. */
export interface WhileWritingTriggerDefinition {
  /** Always `whileWriting`. */
  kind: DefaultTriggerKind.WhileWriting;
  /**
   * The situation in which the agent helps, such as "Offer a source when the user states a number".
   * 1 to 2,000 characters.
   */
  condition: string;
  /** Sets whether the agent waits until the user asks. */
  assistMode?: ContextualTriggerAssistMode;
  /** The color of the suggestions. @default "purple" */
  suggestionColor?: ContextualTriggerSuggestionColor;
  /** The mark that shows a suggestion in the text. @default "auto" */
  decorationStyle?: ContextualTriggerDecorationStyle;
  /** The programs in which the agent can help. @default everywhere */
  surfaces?: ContextualTriggerSurface[];
  /** The host names of sites where the agent does not help. At most 50. */
  blockedDomains?: string[];
}

/** A trigger that starts an agent. Users turn on the trigger. */
export type DefaultTriggerDefinition = ScheduleTriggerDefinition | WhileWritingTriggerDefinition;

/** The authentication of a Pack that needs no account. */
export interface NoAuthentication {
  /** Set to `AuthenticationType.None` for an API that needs no account. */
  type: AuthenticationType.None;
}

/** Sends `Authorization: Bearer <token>`. */
export interface HeaderBearerTokenAuthentication extends BaseAuthentication {
  /**
   * Set to `AuthenticationType.HeaderBearerToken` to send a token in the `Authorization` header.
   */
  type: AuthenticationType.HeaderBearerToken;
}

/**
 * Sends `Authorization: Bearer <token>`. Only the domains of the document service receive the
 * token.
 */
export interface CodaApiBearerTokenAuthentication extends BaseAuthentication {
  /**
   * Set to `AuthenticationType.CodaApiHeaderBearerToken` to send a token for the document service.
   */
  type: AuthenticationType.CodaApiHeaderBearerToken;
  /** Sets up the account without asking the user for a token. */
  shouldAutoAuthSetup?: boolean;
  /** @deprecated Accepted for compatibility with existing Packs. */
  deferConnectionSetup?: boolean;
}

/** Sends the token in a custom header. */
export interface CustomHeaderTokenAuthentication extends BaseAuthentication {
  /** Set to `AuthenticationType.CustomHeaderToken` to send a token in a header that you name. */
  type: AuthenticationType.CustomHeaderToken;
  /** The name of the header. */
  headerName: string;
  /** The text before the token. packsmith adds a space between them. */
  tokenPrefix?: string;
}

/** Sends several tokens, each in its own custom header. */
export interface MultiHeaderTokenAuthentication extends BaseAuthentication {
  /** Set to `AuthenticationType.MultiHeaderToken` to send several tokens in headers. */
  type: AuthenticationType.MultiHeaderToken;
  /** The headers, one for each token that users enter. */
  headers: {
    /** The name of the header. */
    name: string;
    /** The text that users see when they enter the token. */
    description: string;
    /** The text before the token. packsmith adds a space between them. */
    tokenPrefix?: string;
  }[];
}

/** Sends the token in a URL parameter. Servers often log URLs, so prefer a header. */
export interface QueryParamTokenAuthentication extends BaseAuthentication {
  /** Set to `AuthenticationType.QueryParamToken` to send a token in the URL. */
  type: AuthenticationType.QueryParamToken;
  /** The name of the URL parameter. */
  paramName: string;
}

/** Sends several tokens in URL parameters. */
export interface MultiQueryParamTokenAuthentication extends BaseAuthentication {
  /** Set to `AuthenticationType.MultiQueryParamToken` to send several tokens in the URL. */
  type: AuthenticationType.MultiQueryParamToken;
  /** The URL parameters, one for each token that users enter. */
  params: {
    /** The name of the URL parameter. */
    name: string;
    /** The text that users see when they enter the token. */
    description: string;
  }[];
}

/** Sends a user name and a password (RFC 7617). */
export interface WebBasicAuthentication extends BaseAuthentication {
  /** Set to `AuthenticationType.WebBasic` to send a user name and a password. */
  type: AuthenticationType.WebBasic;
  /** The texts that users see when they enter the user name and the password. */
  uxConfig?: {
    /** The hint in the field of the user name, such as `"API key"`. */
    placeholderUsername?: string;
    /** The hint in the field of the password. */
    placeholderPassword?: string;
    /** Asks for no password. @default false */
    usernameOnly?: boolean;
  };
}

/**
 * An authentication with custom values. To insert a value into a request, write a template such as
 * `{{name-<invocationToken>}}`.
 */
export interface CustomAuthentication extends BaseAuthentication {
  /** Set to `AuthenticationType.Custom` to insert the values in your requests. */
  type: AuthenticationType.Custom;
  /** The values that users enter. */
  params: CustomAuthParameter[];
}

/** A value that the user enters for a custom authentication. */
export interface CustomAuthParameter {
  /** The name in the template, such as `token` in `{{token-<invocationToken>}}`. */
  name: string;
  /** The text that users see when they enter the value. */
  description: string;
}

/** Signs requests with an access key (Signature Version 4). */
export interface AWSAccessKeyAuthentication extends BaseAuthentication {
  /** Set to `AuthenticationType.AWSAccessKey` to sign requests with an access key. */
  type: AuthenticationType.AWSAccessKey;
  /** The service that requests are signed for, such as `s3`. */
  service: string;
}

/** Signs requests with the credentials of an assumed role. */
export interface AWSAssumeRoleAuthentication extends BaseAuthentication {
  /** Set to `AuthenticationType.AWSAssumeRole` to sign requests with a role's credentials. */
  type: AuthenticationType.AWSAssumeRole;
  /** The service that requests are signed for, such as `s3`. */
  service: string;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface GoogleDomainWideDelegationAuthentication extends BaseAuthentication {
  type: AuthenticationType.GoogleDomainWideDelegation;
  scopes: string[];
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface GoogleServiceAccountAuthentication extends BaseAuthentication {
  type: AuthenticationType.GoogleServiceAccount;
  scopes: string[];
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface VariousAuthentication {
  type: AuthenticationType.Various;
}

/** The authentication of accounts. The other properties depend on `type`. */
export type Authentication =
  | NoAuthentication
  | HeaderBearerTokenAuthentication
  | CodaApiBearerTokenAuthentication
  | CustomHeaderTokenAuthentication
  | MultiHeaderTokenAuthentication
  | QueryParamTokenAuthentication
  | MultiQueryParamTokenAuthentication
  | WebBasicAuthentication
  | CustomAuthentication
  | AWSAccessKeyAuthentication
  | AWSAssumeRoleAuthentication
  | OAuth2Authentication
  | OAuth2ClientCredentialsAuthentication
  | GoogleDomainWideDelegationAuthentication
  | GoogleServiceAccountAuthentication
  | VariousAuthentication;

/** An authentication for the Pack's own account. All users share this account. */
export type SystemAuthentication = Exclude<
  Authentication,
  | NoAuthentication
  | CodaApiBearerTokenAuthentication
  | OAuth2Authentication
  | GoogleDomainWideDelegationAuthentication
  | VariousAuthentication
>;

/** @deprecated Accepted for compatibility with existing Packs. */
export type VariousSupportedAuthentication =
  | NoAuthentication
  | HeaderBearerTokenAuthentication
  | CustomHeaderTokenAuthentication
  | MultiHeaderTokenAuthentication
  | QueryParamTokenAuthentication
  | MultiQueryParamTokenAuthentication
  | WebBasicAuthentication;

/** @deprecated Accepted for compatibility with existing Packs. */
export interface AdminAuthentication {
  name: string;
  displayName: string;
  description: string;
  authentication: Exclude<Authentication, NoAuthentication | VariousAuthentication>;
}

/**
 * @deprecated Accepted for compatibility with existing Packs. How often tables may sync, and how
 * many rows they may have.
 */
export interface SyncQuota {
  maximumInterval?: SyncInterval;
  maximumRowCount?: number;
}

/** @deprecated Accepted for compatibility with existing Packs. What a plan allows. */
export interface Quota {
  monthlyLimits?: Partial<Record<QuotaLimitType, number>>;
  maximumSyncInterval?: SyncInterval;
  sync?: SyncQuota;
}

/**
 * @deprecated Accepted for compatibility with existing Packs. A number of operations in a number of
 * seconds.
 */
export interface RateLimit {
  operationsPerInterval: number;
  intervalSeconds: number;
}

/**
 * @deprecated Accepted for compatibility with existing Packs. The limits of all calls, and of the
 * calls of one connection.
 */
export interface RateLimits {
  overall?: RateLimit;
  perConnection?: RateLimit;
}

/** Members that every tool has. */
export interface BaseTool<Type extends string> {
  /** The tool type: a member of `ToolType`. */
  type: Type;
}

/** A formula that a tool offers. */
interface PackToolFormula {
  /** The `name` of the formula. */
  formulaName: string;
  /** Sets whether the tool offers the formula. @default true */
  enabled?: boolean;
}

/** Calls formulas of this Pack. */
export interface PackTool extends BaseTool<ToolType.Pack> {
  /** The formulas to offer. @default every formula of the Pack */
  formulas?: PackToolFormula[];
  /** @deprecated Accepted for compatibility with existing Packs. */
  packId?: number;
}

/** The indexed rows of this Pack. */
export interface PackKnowledgeToolSource {
  /** Set to `KnowledgeToolSourceType.Pack` to search the rows of the Pack. */
  type: KnowledgeToolSourceType.Pack;
  /** @deprecated Accepted for compatibility with existing Packs. */
  packId?: number;
}

/** @deprecated Accepted for compatibility with existing Packs. */
interface GlobalKnowledgeToolSource {
  /** Chooses this source: everything. */
  type: KnowledgeToolSourceType.Global;
}

/** The source that a knowledge tool searches. */
export type KnowledgeToolSource = PackKnowledgeToolSource | GlobalKnowledgeToolSource;

/** Searches indexed rows. */
export interface KnowledgeTool extends BaseTool<ToolType.Knowledge> {
  /** The source that the tool searches. */
  source: KnowledgeToolSource;
}

/** Suggests a different wording for text on the screen. */
export interface RewriteScreenAnnotation {
  /** Set to `ScreenAnnotationType.Rewrite` to suggest a different wording. */
  type: ScreenAnnotationType.Rewrite;
}

/** @deprecated Accepted for compatibility with existing Packs. */
interface GuideScreenAnnotation {
  /** Chooses this kind of annotation: a guide. */
  type: ScreenAnnotationType.Guide;
}

/** The kind of annotation. */
export type ScreenAnnotation = RewriteScreenAnnotation | GuideScreenAnnotation;

/** Shows suggestions next to the text on the screen. */
export interface ScreenAnnotationTool extends BaseTool<ToolType.ScreenAnnotation> {
  /** The kind of suggestions. */
  annotation: ScreenAnnotation;
}

/** Finds people in the user's contacts. */
export type ContactResolutionTool = BaseTool<ToolType.ContactResolution>;

/** Searches the web. */
export interface WebSearchTool extends BaseTool<ToolType.WebSearch> {
  /** The domains to search, 1 to 100. @default the complete web */
  allowedDomains?: string[];
}

/** Calls the MCP server of the Pack. */
export interface MCPTool extends BaseTool<ToolType.MCP> {
  /** The names of the servers. @default every server of the Pack */
  serverNames?: string[];
  /** @deprecated Accepted for compatibility with existing Packs. */
  packId?: number;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export type CodaDocsAndTablesTool = BaseTool<ToolType.CodaDocsAndTables>;

/** @deprecated Accepted for compatibility with existing Packs. */
export type MailAndCalendarTool = BaseTool<ToolType.MailAndCalendar>;

/** @deprecated Accepted for compatibility with existing Packs. */
export interface CopyableBlockEmbeddedContent {
  type: EmbeddedContentType.CopyableBlock;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface CarouselViewEmbeddedContent {
  type: EmbeddedContentType.CarouselView;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface TabViewEmbeddedContent {
  type: EmbeddedContentType.TabView;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export type EmbeddedContent =
  | CopyableBlockEmbeddedContent
  | CarouselViewEmbeddedContent
  | TabViewEmbeddedContent;

/** @deprecated Accepted for compatibility with existing Packs. */
export interface EmbeddedContentTool extends BaseTool<ToolType.EmbeddedContent> {
  embeddedContent: EmbeddedContent;
}

/** All tools, by type. You can add tools with declaration merging. */
export interface ToolMap {
  /** Formulas of a Pack. */
  [ToolType.Pack]: PackTool;
  /** Indexed rows. */
  [ToolType.Knowledge]: KnowledgeTool;
  /** Suggestions next to what the user sees. */
  [ToolType.ScreenAnnotation]: ScreenAnnotationTool;
  /** The people that the user means. */
  [ToolType.ContactResolution]: ContactResolutionTool;
  /** The web. */
  [ToolType.WebSearch]: WebSearchTool;
  /** Servers of the Model Context Protocol (MCP). */
  [ToolType.MCP]: MCPTool;
  [ToolType.CodaDocsAndTables]: CodaDocsAndTablesTool;
  [ToolType.EmbeddedContent]: EmbeddedContentTool;
  [ToolType.MailAndCalendar]: MailAndCalendarTool;
}

/** A tool that a skill can use. */
export type Tool = ToolMap[keyof ToolMap];

/** A model for a skill, and the prompt for that model. */
export interface SkillModelConfiguration {
  /** The model. */
  model: SkillModel;
  /**
   * The prompt for this model. It replaces the skill's prompt. 1 to 20,000
   * characters.
   */
  prompt?: string;
}

/** A skill that the Pack provides to assistants. */
export interface Skill {
  /**
   * The name of the skill: a letter, then letters, digits or `_`. The name must be unique in the
   * Pack. At most 50 characters.
   */
  name: string;
  /** The name that users see. At most 50 characters. */
  displayName: string;
  /** The purpose of the skill. At most 1,000 characters. */
  description: string;
  /** The instructions for the assistant. At most 20,000 characters. */
  prompt: string;
  /** The tools that the assistant can use. */
  tools: Tool[];
  /** Prompts for specific models. @default every model gets `prompt` */
  models?: SkillModelConfiguration[];
  /** @deprecated Accepted for compatibility with existing Packs. */
  forcedFormula?: string;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export type PartialSkillDef = Partial<Skill>;

/** @deprecated Accepted for compatibility with existing Packs. */
export interface SkillEntrypointConfig {
  skillName: string;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface SkillEntrypoints {
  benchInitialization?: SkillEntrypointConfig;
  defaultChat?: SkillEntrypointConfig;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export interface SuggestedPrompt {
  name: string;
  displayName: string;
  prompt: string;
}

/** A server for the Model Context Protocol (MCP). */
export interface MCPServer {
  /** The name of the server: a letter, then letters, digits or `_`. At most 50 characters. */
  name: string;
  /**
   * The https URL of the server. If the account has an endpoint, you can also write a path that
   * starts with `/`.
   */
  endpointUrl: string;
}
