import type {
  ContextualTriggerAssistMode,
  ContextualTriggerDecorationStyle,
  ContextualTriggerSuggestionColor,
  ContextualTriggerSurface,
} from "./enumerations.ts";
import type {
  CodaDocsAndTablesTool,
  MailAndCalendarTool,
  PackTool,
  PackToolFormula,
  WebSearchTool,
} from "./skill.ts";

/** A tool that an agent can use. A Pack tool names another Pack. */
export type AgentTool =
  | CodaDocsAndTablesTool
  | MailAndCalendarTool
  | WebSearchTool
  | (PackTool & { readonly packId: number });

/** What an agent does, and what it may use. */
export interface AgentDefinition {
  /** What the agent does and how it answers. 1 to 20,000 characters. */
  readonly instructions: string;
  /** What the agent may use, each tool at most once. An agent without tools can only answer. */
  readonly tools: readonly AgentTool[];
}

/** The tools of an agent, as you write them. Every tool is off by default. */
export interface AgentToolsDef {
  /** Reads and writes documents and tables. */
  readonly docs?: boolean | undefined;
  /** Reads and sends email, and reads the calendar. */
  readonly mail?: boolean | undefined;
  /** Searches the web, or only these domains. */
  readonly webSearch?:
    | boolean
    | {
        /** The domains to search, 1 to 100. @default the complete web */
        readonly allowedDomains?: readonly string[] | undefined;
      }
    | undefined;
  /** Other Packs that the agent can call. */
  readonly connectors?:
    | readonly {
        /** The number of the Pack. */
        readonly packId: number;
        /** The formulas that the agent can call. @default all formulas */
        readonly formulas?: readonly PackToolFormula[] | undefined;
      }[]
    | undefined;
}

/** Starts an agent at the times of a rule. */
export interface ScheduleTriggerDefinition {
  /** Always `schedule`. */
  readonly kind: "schedule";
  /**
   * A recurrence rule (RFC 5545 §3.3.10), at most hourly. A `DTSTART` line before it says the start
   * and, as `TZID`, the time zone:
   * `DTSTART;TZID=Europe/Berlin:20260105T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO`. At most 1,000 characters.
   */
  readonly rruleString: string;
}

/** Starts an agent while the user writes. */
export interface WhileWritingTriggerDefinition {
  /** Always `whileWriting`. */
  readonly kind: "whileWriting";
  /**
   * When the agent offers help, such as "Offer a source when the user states a number". 1 to 2,000
   * characters.
   */
  readonly condition: string;
  /** Whether the agent waits until the user asks. */
  readonly assistMode?: ContextualTriggerAssistMode | undefined;
  /** The color of its suggestions. @default "purple" */
  readonly suggestionColor?: ContextualTriggerSuggestionColor | undefined;
  /** How a suggestion is marked in the text. @default "auto" */
  readonly decorationStyle?: ContextualTriggerDecorationStyle | undefined;
  /** Where the agent may offer help. @default everywhere */
  readonly surfaces?: readonly ContextualTriggerSurface[] | undefined;
  /** Host names where the agent does not offer help. At most 50. */
  readonly blockedDomains?: readonly string[] | undefined;
}

/** What starts an agent. Users turn it on. */
export type DefaultTriggerDefinition = ScheduleTriggerDefinition | WhileWritingTriggerDefinition;
