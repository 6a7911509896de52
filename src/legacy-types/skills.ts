import type {
  EmbeddedContentType,
  KnowledgeToolSourceType,
  ScreenAnnotationType,
  SkillModel,
  ToolType,
} from "./enumerations.ts";

interface Kind<Type extends string> {
  type: Type;
}
export interface BaseTool<Type extends string> extends Kind<Type> {}
export interface PackTool extends BaseTool<ToolType.Pack> {
  packId?: number;
  formulas?: { formulaName: string; enabled?: boolean }[];
}
export interface PackKnowledgeToolSource extends Kind<KnowledgeToolSourceType.Pack> {
  packId?: number;
}
export type KnowledgeToolSource = PackKnowledgeToolSource | Kind<KnowledgeToolSourceType.Global>;
export interface KnowledgeTool extends BaseTool<ToolType.Knowledge> {
  source: KnowledgeToolSource;
}
export interface RewriteScreenAnnotation extends Kind<ScreenAnnotationType.Rewrite> {}
export type ScreenAnnotation = RewriteScreenAnnotation | Kind<ScreenAnnotationType.Guide>;
export interface ScreenAnnotationTool extends BaseTool<ToolType.ScreenAnnotation> {
  annotation: ScreenAnnotation;
}
export interface MCPTool extends BaseTool<ToolType.MCP> {
  serverNames?: string[];
  packId?: number;
}
export interface ContactResolutionTool extends BaseTool<ToolType.ContactResolution> {}
export interface CodaDocsAndTablesTool extends BaseTool<ToolType.CodaDocsAndTables> {}
export interface MailAndCalendarTool extends BaseTool<ToolType.MailAndCalendar> {}
export interface WebSearchTool extends BaseTool<ToolType.WebSearch> {
  allowedDomains?: string[];
}
export interface CopyableBlockEmbeddedContent extends Kind<EmbeddedContentType.CopyableBlock> {}
export interface CarouselViewEmbeddedContent extends Kind<EmbeddedContentType.CarouselView> {}
export interface TabViewEmbeddedContent extends Kind<EmbeddedContentType.TabView> {}
export type EmbeddedContent =
  | CopyableBlockEmbeddedContent
  | CarouselViewEmbeddedContent
  | TabViewEmbeddedContent;
export interface EmbeddedContentTool extends BaseTool<ToolType.EmbeddedContent> {
  embeddedContent: EmbeddedContent;
}
export interface ToolMap {
  [ToolType.Pack]: PackTool;
  [ToolType.Knowledge]: KnowledgeTool;
  [ToolType.ScreenAnnotation]: ScreenAnnotationTool;
  [ToolType.MCP]: MCPTool;
  [ToolType.ContactResolution]: ContactResolutionTool;
  [ToolType.CodaDocsAndTables]: CodaDocsAndTablesTool;
  [ToolType.MailAndCalendar]: MailAndCalendarTool;
  [ToolType.WebSearch]: WebSearchTool;
  [ToolType.EmbeddedContent]: EmbeddedContentTool;
}
export type Tool = ToolMap[keyof ToolMap];

export interface MCPServer {
  endpointUrl: string;
  name: string;
}
export interface SkillModelConfiguration {
  model: SkillModel;
  prompt?: string;
}
export interface Skill {
  name: string;
  displayName: string;
  description: string;
  prompt: string;
  tools: Tool[];
  forcedFormula?: string;
  models?: SkillModelConfiguration[];
}
export type PartialSkillDef = Partial<Skill>;
export interface SkillEntrypointConfig {
  skillName: string;
}
export interface SkillEntrypoints {
  benchInitialization?: SkillEntrypointConfig;
  defaultChat?: SkillEntrypointConfig;
}
export interface SuggestedPrompt {
  name: string;
  displayName: string;
  prompt: string;
}
