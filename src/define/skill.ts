import type {
  EmbeddedContentType,
  KnowledgeToolSourceType,
  ScreenAnnotationType,
  SkillModel,
  ToolType,
} from "./enumerations.ts";

/** Members that every tool has. */
export interface BaseTool<Type extends string> {
  /** Chooses this kind of tool. */
  readonly type: Type;
}

/** A formula that a tool offers. */
export interface PackToolFormula {
  /** The `name` of the formula. */
  readonly formulaName: string;
  /** Whether it is offered. @default true */
  readonly enabled?: boolean | undefined;
}

/** Calls formulas of this Pack. */
export interface PackTool extends BaseTool<ToolType.Pack> {
  /** The formulas to offer. @default every formula of the Pack */
  readonly formulas?: readonly PackToolFormula[] | undefined;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly packId?: number | undefined;
}

/** The rows that this Pack has indexed. */
export interface PackKnowledgeToolSource {
  /** Chooses this source: the Pack's rows. */
  readonly type: KnowledgeToolSourceType.Pack;
  /** @deprecated Accepted for compatibility with existing Packs. */
  readonly packId?: number | undefined;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface GlobalKnowledgeToolSource {
  /** Chooses this source: everything. */
  readonly type: KnowledgeToolSourceType.Global;
}
/** Where a knowledge tool searches. */
export type KnowledgeToolSource = PackKnowledgeToolSource | GlobalKnowledgeToolSource;
/** Searches indexed rows. */
export interface KnowledgeTool extends BaseTool<ToolType.Knowledge> {
  /** What is searched. */
  readonly source: KnowledgeToolSource;
}

/** Suggests another wording for text on the screen. */
export interface RewriteScreenAnnotation {
  /** Chooses this kind of annotation: another wording. */
  readonly type: ScreenAnnotationType.Rewrite;
}
/** @deprecated Accepted for compatibility with existing Packs. */
export interface GuideScreenAnnotation {
  /** Chooses this kind of annotation: a guide. */
  readonly type: ScreenAnnotationType.Guide;
}
/** What an annotation does. */
export type ScreenAnnotation = RewriteScreenAnnotation | GuideScreenAnnotation;
/** Shows suggestions next to what the user sees. */
export interface ScreenAnnotationTool extends BaseTool<ToolType.ScreenAnnotation> {
  /** What is shown. */
  readonly annotation: ScreenAnnotation;
}

/** Finds the people that the user means. */
export type ContactResolutionTool = BaseTool<ToolType.ContactResolution>;

/** Searches the web. */
export interface WebSearchTool extends BaseTool<ToolType.WebSearch> {
  /** The domains to search, 1 to 100. @default the complete web */
  readonly allowedDomains?: readonly string[] | undefined;
}

/** Calls the Pack's MCP server. */
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

/** Every tool, by its type. Declaration merging may add to it. */
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
  /** Replaces the skill's prompt. 1 to 20,000 characters. */
  readonly prompt?: string | undefined;
}

/** Something that assistants can do with this Pack. */
export interface Skill {
  /** A letter, then letters, digits or `_`; unique within the Pack. At most 50 characters. */
  readonly name: string;
  /** The name that users see. At most 50 characters. */
  readonly displayName: string;
  /** What it is for. At most 1,000 characters. */
  readonly description: string;
  /** The instructions for the assistant. At most 20,000 characters. */
  readonly prompt: string;
  /** What the assistant may use. */
  readonly tools: readonly Tool[];
  /** Prompts for single models. @default every model gets `prompt` */
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
  /** A letter, then letters, digits or `_`. At most 50 characters. */
  readonly name: string;
  /** An https URL, or a path that starts with `/` when the account has an endpoint. */
  readonly endpointUrl: string;
}
