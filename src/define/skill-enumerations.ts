/** The type of a tool that a skill can use. */
export const ToolType = {
  Pack: "Pack",
  Knowledge: "Knowledge",
  ScreenAnnotation: "ScreenAnnotation",
  MCP: "MCP",
  ContactResolution: "ContactResolution",
  /** Accepted for compatibility with existing Packs. */
  CodaDocsAndTables: "CodaDocsAndTables",
  WebSearch: "WebSearch",
  /** Accepted for compatibility with existing Packs. */
  EmbeddedContent: "EmbeddedContent",
  /** Accepted for compatibility with existing Packs. */
  MailAndCalendar: "MailAndCalendar",
} as const;
export type ToolType = (typeof ToolType)[keyof typeof ToolType];
export declare namespace ToolType {
  type Pack = "Pack";
  type Knowledge = "Knowledge";
  type ScreenAnnotation = "ScreenAnnotation";
  type MCP = "MCP";
  type ContactResolution = "ContactResolution";
  type CodaDocsAndTables = "CodaDocsAndTables";
  type WebSearch = "WebSearch";
  type EmbeddedContent = "EmbeddedContent";
  type MailAndCalendar = "MailAndCalendar";
}

/** What a knowledge tool searches. */
export const KnowledgeToolSourceType = {
  /** Accepted for compatibility with existing Packs. */
  Global: "Global",
  Pack: "Pack",
} as const;
export type KnowledgeToolSourceType = (typeof KnowledgeToolSourceType)[keyof typeof KnowledgeToolSourceType];
export declare namespace KnowledgeToolSourceType {
  type Global = "Global";
  type Pack = "Pack";
}

/** What a screen annotation does. */
export const ScreenAnnotationType = {
  Rewrite: "Rewrite",
  /** Accepted for compatibility with existing Packs. */
  Guide: "Guide",
} as const;
export type ScreenAnnotationType = (typeof ScreenAnnotationType)[keyof typeof ScreenAnnotationType];
export declare namespace ScreenAnnotationType {
  type Rewrite = "Rewrite";
  type Guide = "Guide";
}

/** A language model for a skill. */
export const SkillModel = {
  OpenAIGPT4: "OpenAIGPT4",
  OpenAIGPT5: "OpenAIGPT5",
} as const;
export type SkillModel = (typeof SkillModel)[keyof typeof SkillModel];
export declare namespace SkillModel {
  type OpenAIGPT4 = "OpenAIGPT4";
  type OpenAIGPT5 = "OpenAIGPT5";
}

/** Accepted for compatibility with existing Packs. */
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
