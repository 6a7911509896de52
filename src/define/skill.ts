import type { EmbeddedContentType, KnowledgeToolSourceType, ScreenAnnotationType, SkillModel, ToolType } from "./skill-enumerations.ts";

/** What every tool has. */
export interface BaseTool<Type extends string> {
  readonly type: Type;
}

/** The formulas of this Pack, or some of them. */
export interface PackTool extends BaseTool<ToolType.Pack> {
  /** @default every formula of the Pack */
  readonly formulas?: readonly { readonly formulaName: string }[] | undefined;
  /** Accepted from older Packs. */
  readonly packId?: number | undefined;
}

/** What the Pack has indexed. */
export interface PackKnowledgeToolSource {
  readonly type: KnowledgeToolSourceType.Pack;
  /** Accepted from older Packs. */
  readonly packId?: number | undefined;
}
/** Accepted from older Packs. */
export interface GlobalKnowledgeToolSource {
  readonly type: KnowledgeToolSourceType.Global;
}
/** Where a knowledge tool looks. */
export type KnowledgeToolSource = PackKnowledgeToolSource | GlobalKnowledgeToolSource;
/** Looks things up in indexed rows. */
export interface KnowledgeTool extends BaseTool<ToolType.Knowledge> {
  readonly source: KnowledgeToolSource;
}

/** Offers another wording for text on the screen. */
export interface RewriteScreenAnnotation {
  readonly type: ScreenAnnotationType.Rewrite;
}
/** Accepted from older Packs. */
export interface GuideScreenAnnotation {
  readonly type: ScreenAnnotationType.Guide;
}
/** What an annotation offers. */
export type ScreenAnnotation = RewriteScreenAnnotation | GuideScreenAnnotation;
/** Shows suggestions beside what the user sees. */
export interface ScreenAnnotationTool extends BaseTool<ToolType.ScreenAnnotation> {
  readonly annotation: ScreenAnnotation;
}

/** Finds the people that the user means. */
export type ContactResolutionTool = BaseTool<ToolType.ContactResolution>;

/** Searches the web. */
export interface WebSearchTool extends BaseTool<ToolType.WebSearch> {
  /** 1 to 100 domains. @default the whole web */
  readonly allowedDomains?: readonly string[] | undefined;
}

/** Calls the Pack's MCP server. */
export interface MCPTool extends BaseTool<ToolType.MCP> {
  /** @default every server of the Pack */
  readonly serverNames?: readonly string[] | undefined;
}

/** Accepted from older Packs. */
export type CodaDocsAndTablesTool = BaseTool<ToolType.CodaDocsAndTables>;
/** Accepted from older Packs. */
export type MailAndCalendarTool = BaseTool<ToolType.MailAndCalendar>;
/** Accepted from older Packs. */
export interface CopyableBlockEmbeddedContent {
  readonly type: EmbeddedContentType.CopyableBlock;
}
/** Accepted from older Packs. */
export interface CarouselViewEmbeddedContent {
  readonly type: EmbeddedContentType.CarouselView;
}
/** Accepted from older Packs. */
export interface TabViewEmbeddedContent {
  readonly type: EmbeddedContentType.TabView;
}
/** Accepted from older Packs. */
export type EmbeddedContent = CopyableBlockEmbeddedContent | CarouselViewEmbeddedContent | TabViewEmbeddedContent;
/** Accepted from older Packs. */
export interface EmbeddedContentTool extends BaseTool<ToolType.EmbeddedContent> {
  readonly embeddedContent: EmbeddedContent;
}

/** Every tool, by its type. Declaration merging may add to it. */
export interface ToolMap {
  Pack: PackTool;
  Knowledge: KnowledgeTool;
  ScreenAnnotation: ScreenAnnotationTool;
  ContactResolution: ContactResolutionTool;
  WebSearch: WebSearchTool;
  MCP: MCPTool;
  CodaDocsAndTables: CodaDocsAndTablesTool;
  EmbeddedContent: EmbeddedContentTool;
  MailAndCalendar: MailAndCalendarTool;
}
/** Something that a skill may use. */
export type Tool = ToolMap[keyof ToolMap];

/** The model that a skill asks for, and its prompt there. */
export interface SkillModelConfiguration {
  readonly model: SkillModel;
  /** Replaces the skill's prompt. 1 to 20,000 characters. */
  readonly prompt?: string | undefined;
}

/** Something that an assistant can do with this Pack. */
export interface Skill {
  /** A letter, then letters, digits or `_`; unique within the Pack. At most 50 characters. */
  readonly name: string;
  /** Name that users see; at most 50 characters. */
  readonly displayName: string;
  /** What it is for; at most 1,000 characters. */
  readonly description: string;
  /** What the assistant is told; at most 20,000 characters. */
  readonly prompt: string;
  readonly tools: readonly Tool[];
  readonly models?: readonly SkillModelConfiguration[] | undefined;
  /** Accepted from older Packs. */
  readonly forcedFormula?: string | undefined;
}

/** Accepted from older Packs. */
export type PartialSkillDef = Partial<Skill>;
/** Accepted from older Packs. */
export interface SkillEntrypointConfig {
  readonly skillName: string;
}
/** Accepted from older Packs. */
export interface SkillEntrypoints {
  readonly benchInitialization?: SkillEntrypointConfig | undefined;
  readonly defaultChat?: SkillEntrypointConfig | undefined;
}
/** Accepted from older Packs. */
export interface SuggestedPrompt {
  readonly name: string;
  readonly displayName: string;
  readonly prompt: string;
}

/** A server that speaks the Model Context Protocol. */
export interface MCPServer {
  /** A letter, then letters, digits or `_`. At most 50 characters. */
  readonly name: string;
  /** An https URL, or one that begins with `/` when the account has an endpoint. */
  readonly endpointUrl: string;
}
