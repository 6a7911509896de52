/** What starts an agent. */
export const DefaultTriggerKind = {
  /** The times of a rule. */
  Schedule: "schedule",
  /** What the user writes. */
  WhileWriting: "whileWriting",
} as const;
export type DefaultTriggerKind = (typeof DefaultTriggerKind)[keyof typeof DefaultTriggerKind];
export declare namespace DefaultTriggerKind {
  type Schedule = "schedule";
  type WhileWriting = "whileWriting";
}

/** Whether an agent that helps while the user writes waits until it is asked. */
export const ContextualTriggerAssistMode = {
  /** Waits until the user asks. */
  OnDemand: "on_demand",
  /** Makes suggestions without being asked. */
  Proactive: "proactive",
} as const;
export type ContextualTriggerAssistMode =
  (typeof ContextualTriggerAssistMode)[keyof typeof ContextualTriggerAssistMode];
export declare namespace ContextualTriggerAssistMode {
  type OnDemand = "on_demand";
  type Proactive = "proactive";
}

/** The color of an agent's suggestions. */
export const ContextualTriggerSuggestionColor = {
  Blue: "blue",
  Green: "green",
  Mulberry: "mulberry",
  Neutral: "neutral",
  Orange: "orange",
  Purple: "purple",
  Red: "red",
  Yellow: "yellow",
} as const;
export type ContextualTriggerSuggestionColor =
  (typeof ContextualTriggerSuggestionColor)[keyof typeof ContextualTriggerSuggestionColor];
export declare namespace ContextualTriggerSuggestionColor {
  type Blue = "blue";
  type Green = "green";
  type Mulberry = "mulberry";
  type Neutral = "neutral";
  type Orange = "orange";
  type Purple = "purple";
  type Red = "red";
  type Yellow = "yellow";
}

/** How a suggestion is marked in the text. */
export const ContextualTriggerDecorationStyle = {
  /** The document service chooses. */
  Auto: "auto",
  /** A line below the text. */
  Underline: "underline",
  /** A vertical bar next to the text. */
  Vbar: "vbar",
} as const;
export type ContextualTriggerDecorationStyle =
  (typeof ContextualTriggerDecorationStyle)[keyof typeof ContextualTriggerDecorationStyle];
export declare namespace ContextualTriggerDecorationStyle {
  type Auto = "auto";
  type Underline = "underline";
  type Vbar = "vbar";
}

/** Where an agent may offer help while the user writes. */
export const ContextualTriggerSurface = {
  /** Chats and messages. */
  ChatAndMessages: "chat_messages",
  /** Code editors. */
  CodingEnvironment: "coding_environment",
  /** Help desks. */
  CustomerService: "customer_service",
  /** Documents. */
  Docs: "docs",
  /** E-mail. */
  Email: "email",
  /** Search pages and the browser. */
  SearchAndBrowser: "search_browser",
  /** Social networks. */
  SocialMedia: "social_media",
} as const;
export type ContextualTriggerSurface =
  (typeof ContextualTriggerSurface)[keyof typeof ContextualTriggerSurface];
export declare namespace ContextualTriggerSurface {
  type ChatAndMessages = "chat_messages";
  type CodingEnvironment = "coding_environment";
  type CustomerService = "customer_service";
  type Docs = "docs";
  type Email = "email";
  type SearchAndBrowser = "search_browser";
  type SocialMedia = "social_media";
}
