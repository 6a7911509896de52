/** What a skill may use. */
export const ToolType = {
  Pack: "Pack",
  Knowledge: "Knowledge",
  ScreenAnnotation: "ScreenAnnotation",
  ContactResolution: "ContactResolution",
  WebSearch: "WebSearch",
  MCP: "MCP",
  /** Accepted from older Packs. */
  CodaDocsAndTables: "CodaDocsAndTables",
  /** Accepted from older Packs. */
  EmbeddedContent: "EmbeddedContent",
  /** Accepted from older Packs. */
  MailAndCalendar: "MailAndCalendar",
} as const;
export type ToolType = (typeof ToolType)[keyof typeof ToolType];
export declare namespace ToolType {
  type Pack = "Pack";
  type Knowledge = "Knowledge";
  type ScreenAnnotation = "ScreenAnnotation";
  type ContactResolution = "ContactResolution";
  type WebSearch = "WebSearch";
  type MCP = "MCP";
  type CodaDocsAndTables = "CodaDocsAndTables";
  type EmbeddedContent = "EmbeddedContent";
  type MailAndCalendar = "MailAndCalendar";
}

/** Where the knowledge of a knowledge tool comes from. */
export const KnowledgeToolSourceType = {
  Pack: "Pack",
  /** Accepted from older Packs. */
  Global: "Global",
} as const;
export type KnowledgeToolSourceType = (typeof KnowledgeToolSourceType)[keyof typeof KnowledgeToolSourceType];
export declare namespace KnowledgeToolSourceType {
  type Pack = "Pack";
  type Global = "Global";
}

/** What a screen annotation does. */
export const ScreenAnnotationType = {
  Rewrite: "Rewrite",
  /** Accepted from older Packs. */
  Guide: "Guide",
} as const;
export type ScreenAnnotationType = (typeof ScreenAnnotationType)[keyof typeof ScreenAnnotationType];
export declare namespace ScreenAnnotationType {
  type Rewrite = "Rewrite";
  type Guide = "Guide";
}

/** A language model that a skill asks for. */
export const SkillModel = {
  OpenAIGPT4: "OpenAIGPT4",
  OpenAIGPT5: "OpenAIGPT5",
} as const;
export type SkillModel = (typeof SkillModel)[keyof typeof SkillModel];
export declare namespace SkillModel {
  type OpenAIGPT4 = "OpenAIGPT4";
  type OpenAIGPT5 = "OpenAIGPT5";
}

/** Accepted from older Packs. */
export const EmbeddedContentType = {
  CopyableBlock: "CopyableBlock",
  CarouselView: "CarouselView",
  TabView: "TabView",
} as const;
export type EmbeddedContentType = (typeof EmbeddedContentType)[keyof typeof EmbeddedContentType];
export declare namespace EmbeddedContentType {
  type CopyableBlock = "CopyableBlock";
  type CarouselView = "CarouselView";
  type TabView = "TabView";
}
