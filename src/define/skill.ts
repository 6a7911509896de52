import type {
  EmbeddedContentType,
  KnowledgeToolSourceType,
  ScreenAnnotationType,
  SkillModel,
  ToolType,
} from "./enumerations.ts";

/** Members that every tool has. */
export interface BaseTool<Type extends string> {
  /** The tool type: a member of `ToolType`. */
  readonly type: Type;
}

/** A formula that a tool offers. */
export interface PackToolFormula {
  /** The `name` of the formula. */
  readonly formulaName: string;
  /** Sets whether the tool offers the formula. @default true */
  readonly enabled?: boolean | undefined;
}

/** Calls formulas of this Pack. */
export interface PackTool extends BaseTool<ToolType.Pack> {
  /** The formulas to offer. @default every formula of the Pack */
  readonly formulas?: readonly PackToolFormula[] | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly packId?: number | undefined;
}

/** The indexed rows of this Pack. */
export interface PackKnowledgeToolSource {
  /** Set to `KnowledgeToolSourceType.Pack` to search the rows of the Pack. */
  readonly type: KnowledgeToolSourceType.Pack;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly packId?: number | undefined;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface GlobalKnowledgeToolSource {
  /** Chooses this source: everything. */
  readonly type: KnowledgeToolSourceType.Global;
}
/** The source that a knowledge tool searches. */
export type KnowledgeToolSource = PackKnowledgeToolSource | GlobalKnowledgeToolSource;
/** Searches indexed rows. */
export interface KnowledgeTool extends BaseTool<ToolType.Knowledge> {
  /** The source that the tool searches. */
  readonly source: KnowledgeToolSource;
}

/** Suggests a different wording for text on the screen. */
export interface RewriteScreenAnnotation {
  /** Set to `ScreenAnnotationType.Rewrite` to suggest a different wording. */
  readonly type: ScreenAnnotationType.Rewrite;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface GuideScreenAnnotation {
  /** Chooses this kind of annotation: a guide. */
  readonly type: ScreenAnnotationType.Guide;
}
/** The kind of annotation. */
export type ScreenAnnotation = RewriteScreenAnnotation | GuideScreenAnnotation;
/** Shows suggestions next to the text on the screen. */
export interface ScreenAnnotationTool extends BaseTool<ToolType.ScreenAnnotation> {
  /** The kind of suggestions. */
  readonly annotation: ScreenAnnotation;
}

/** Finds people in the user's contacts. */
export type ContactResolutionTool = BaseTool<ToolType.ContactResolution>;

/** Searches the web. */
export interface WebSearchTool extends BaseTool<ToolType.WebSearch> {
  /** The domains to search, 1 to 100. @default the complete web */
  readonly allowedDomains?: readonly string[] | undefined;
}

/** Calls the MCP server of the Pack. */
export interface MCPTool extends BaseTool<ToolType.MCP> {
  /** The names of the servers. @default every server of the Pack */
  readonly serverNames?: readonly string[] | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly packId?: number | undefined;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export type CodaDocsAndTablesTool = BaseTool<ToolType.CodaDocsAndTables>;
/** @deprecated Accepted for compatibility with existing Packs. */
export type MailAndCalendarTool = BaseTool<ToolType.MailAndCalendar>;
/** @deprecated Accepted for compatibility with existing Packs. */
export interface CopyableBlockEmbeddedContent {
  readonly type: EmbeddedContentType.CopyableBlock;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface CarouselViewEmbeddedContent {
  readonly type: EmbeddedContentType.CarouselView;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface TabViewEmbeddedContent {
  readonly type: EmbeddedContentType.TabView;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export type EmbeddedContent =
  | CopyableBlockEmbeddedContent
  | CarouselViewEmbeddedContent
  | TabViewEmbeddedContent;
/** @deprecated Accepted for compatibility with existing Packs. */
export interface EmbeddedContentTool extends BaseTool<ToolType.EmbeddedContent> {
  readonly embeddedContent: EmbeddedContent;
}

/** All tools, by type. You can add tools with declaration merging. */
export interface ToolMap {
  /** Formulas of a Pack. */
  Pack: PackTool;
  /** Indexed rows. */
  Knowledge: KnowledgeTool;
  /** Suggestions next to what the user sees. */
  ScreenAnnotation: ScreenAnnotationTool;
  /** The people that the user means. */
  ContactResolution: ContactResolutionTool;
  /** The web. */
  WebSearch: WebSearchTool;
  /** Servers of the Model Context Protocol (MCP). */
  MCP: MCPTool;
  CodaDocsAndTables: CodaDocsAndTablesTool;
  EmbeddedContent: EmbeddedContentTool;
  MailAndCalendar: MailAndCalendarTool;
}
/** A tool that a skill can use. */
export type Tool = ToolMap[keyof ToolMap];

/** A model for a skill, and the prompt for that model. */
export interface SkillModelConfiguration {
  /** The model. */
  readonly model: SkillModel;
  /**
   * The prompt for this model. It replaces the skill's prompt. 1 to 20,000
   * characters.
   */
  readonly prompt?: string | undefined;
}

/** A skill that the Pack provides to assistants. */
export interface Skill {
  /**
   * The name of the skill: a letter, then letters, digits or `_`. The name must be unique in the
   * Pack. At most 50 characters.
   */
  readonly name: string;
  /** The name that users see. At most 50 characters. */
  readonly displayName: string;
  /** The purpose of the skill. At most 1,000 characters. */
  readonly description: string;
  /** The instructions for the assistant. At most 20,000 characters. */
  readonly prompt: string;
  /** The tools that the assistant can use. */
  readonly tools: readonly Tool[];
  /** Prompts for specific models. @default every model gets `prompt` */
  readonly models?: readonly SkillModelConfiguration[] | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly forcedFormula?: string | undefined;
}

/** @deprecated Accepted for compatibility with existing Packs. */
export type PartialSkillDef = Partial<Skill>;
/** @deprecated Accepted for compatibility with existing Packs. */
export interface SkillEntrypointConfig {
  readonly skillName: string;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface SkillEntrypoints {
  readonly benchInitialization?: SkillEntrypointConfig | undefined;
  readonly defaultChat?: SkillEntrypointConfig | undefined;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface SuggestedPrompt {
  readonly name: string;
  readonly displayName: string;
  readonly prompt: string;
}

/** A server for the Model Context Protocol (MCP). */
export interface MCPServer {
  /** The name of the server: a letter, then letters, digits or `_`. At most 50 characters. */
  readonly name: string;
  /**
   * The https URL of the server. If the account has an endpoint, you can also write a path that
   * starts with `/`.
   */
  readonly endpointUrl: string;
}
