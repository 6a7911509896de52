import type {
  AgentDefinition,
  DefaultTriggerDefinition,
  ScheduleTriggerDefinition,
  WhileWritingTriggerDefinition,
} from "./shared-types.ts";

export interface AgentToolsDef {
  docs?: boolean;
  mail?: boolean;
  webSearch?: boolean | { allowedDomains?: string[] };
  connectors?: { packId: number; formulas?: { formulaName: string }[] }[];
}

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
