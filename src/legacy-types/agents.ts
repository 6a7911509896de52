import type {
  ContextualTriggerAssistMode,
  ContextualTriggerDecorationStyle,
  ContextualTriggerSuggestionColor,
  ContextualTriggerSurface,
  DefaultTriggerKind,
} from "./enumerations.ts";
import type {
  CodaDocsAndTablesTool,
  MailAndCalendarTool,
  PackTool,
  WebSearchTool,
} from "./skills.ts";

export interface AgentDefinition {
  instructions: string;
  tools: AgentTool[];
}

export type AgentTool =
  | CodaDocsAndTablesTool
  | MailAndCalendarTool
  | WebSearchTool
  | (PackTool & { packId: number });

export interface AgentToolsDef {
  docs?: boolean;
  mail?: boolean;
  webSearch?: boolean | { allowedDomains?: string[] };
  connectors?: { packId: number; formulas?: { formulaName: string }[] }[];
}

export interface ScheduleTriggerDefinition {
  kind: DefaultTriggerKind.Schedule;
  rruleString: string;
}

export interface WhileWritingTriggerDefinition {
  kind: DefaultTriggerKind.WhileWriting;
  condition: string;
  assistMode?: ContextualTriggerAssistMode;
  suggestionColor?: ContextualTriggerSuggestionColor;
  decorationStyle?: ContextualTriggerDecorationStyle;
  surfaces?: ContextualTriggerSurface[];
  blockedDomains?: string[];
}

export type DefaultTriggerDefinition = ScheduleTriggerDefinition | WhileWritingTriggerDefinition;

export declare class AgentDefinitionBuilder {
  version?: string;
  agent: Partial<AgentDefinition>;
  defaultTriggers?: DefaultTriggerDefinition[];
  setVersion(version: string): this;
  setInstructions(instructions: string): this;
  setTools(tools: AgentToolsDef): this;
  setDefaultWhileWritingTrigger(trigger: Omit<WhileWritingTriggerDefinition, "kind">): this;
  setDefaultScheduleTrigger(trigger: Omit<ScheduleTriggerDefinition, "kind">): this;
}

export declare function newAgent(): AgentDefinitionBuilder;
