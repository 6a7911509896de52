/** The type of a tool that a skill can use. */
export const ToolType = {
  /** Formulas of a Pack. */
  Pack: "Pack",
  /** Indexed rows. */
  Knowledge: "Knowledge",
  /** Suggestions next to what the user sees. */
  ScreenAnnotation: "ScreenAnnotation",
  /** Servers of the Model Context Protocol (MCP). */
  MCP: "MCP",
  /** The people that the user means. */
  ContactResolution: "ContactResolution",
  /** @deprecated Accepted for compatibility with existing Packs. */
  CodaDocsAndTables: "CodaDocsAndTables",
  /** The web. */
  WebSearch: "WebSearch",
  /** @deprecated Accepted for compatibility with existing Packs. */
  EmbeddedContent: "EmbeddedContent",
  /** @deprecated Accepted for compatibility with existing Packs. */
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
  /** @deprecated Accepted for compatibility with existing Packs. */
  Global: "Global",
  /** The rows that this Pack has indexed. */
  Pack: "Pack",
} as const;
export type KnowledgeToolSourceType =
  (typeof KnowledgeToolSourceType)[keyof typeof KnowledgeToolSourceType];
export declare namespace KnowledgeToolSourceType {
  type Global = "Global";
  type Pack = "Pack";
}

/** What a screen annotation does. */
export const ScreenAnnotationType = {
  /** Another wording for a text. */
  Rewrite: "Rewrite",
  /** @deprecated Accepted for compatibility with existing Packs. */
  Guide: "Guide",
} as const;
export type ScreenAnnotationType = (typeof ScreenAnnotationType)[keyof typeof ScreenAnnotationType];
export declare namespace ScreenAnnotationType {
  type Rewrite = "Rewrite";
  type Guide = "Guide";
}

/** A language model for a skill. */
export const SkillModel = {
  /** A model of the GPT-4 family. */
  OpenAIGPT4: "OpenAIGPT4",
  /** A model of the GPT-5 family. */
  OpenAIGPT5: "OpenAIGPT5",
} as const;
export type SkillModel = (typeof SkillModel)[keyof typeof SkillModel];
export declare namespace SkillModel {
  type OpenAIGPT4 = "OpenAIGPT4";
  type OpenAIGPT5 = "OpenAIGPT5";
}

/** @deprecated Accepted for compatibility with existing Packs. */
export const EmbeddedContentType = {
  /** Text that users can copy. */
  CopyableBlock: "CopyableBlock",
  /** Blocks that follow each other. */
  CarouselView: "CarouselView",
  /** Blocks in tabs. */
  TabView: "TabView",
} as const;
export type EmbeddedContentType = (typeof EmbeddedContentType)[keyof typeof EmbeddedContentType];
export declare namespace EmbeddedContentType {
  type CopyableBlock = "CopyableBlock";
  type CarouselView = "CarouselView";
  type TabView = "TabView";
}
