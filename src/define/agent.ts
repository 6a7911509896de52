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

/** A tool that an agent can use. A Pack tool calls another Pack. */
export type AgentTool =
  | CodaDocsAndTablesTool
  | MailAndCalendarTool
  | WebSearchTool
  | (PackTool & { readonly packId: number });

/** The instructions and the tools of an agent. */
export interface AgentDefinition {
  /** The instructions of the agent. 1 to 20,000 characters. */
  readonly instructions: string;
  /**
   * The tools that the agent can use. The list can contain each tool only once. An agent without
   * tools can only answer questions.
   */
  readonly tools: readonly AgentTool[];
}

/** The tools of an agent. Every tool is off by default. */
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
        /** The ID of the Pack. */
        readonly packId: number;
        /** The formulas that the agent can call. @default all formulas */
        readonly formulas?: readonly PackToolFormula[] | undefined;
      }[]
    | undefined;
}

/** Starts an agent at the times of a recurrence rule. */
export interface ScheduleTriggerDefinition {
  /** Always `schedule`. */
  readonly kind: "schedule";
  /**
   * A recurrence rule (RFC 5545 §3.3.10). The agent can start at most once an hour. To set the
   * start and the time zone, put a `DTSTART` line with `TZID` before the rule:
   * `DTSTART;TZID=Europe/Berlin:20260105T090000\nRRULE:FREQ=WEEKLY;BYDAY=MO`. At most 1,000
   * characters.
   */
  readonly rruleString: string;
}

/** Starts an agent while the user writes. */
export interface WhileWritingTriggerDefinition {
  /** Always `whileWriting`. */
  readonly kind: "whileWriting";
  /**
   * The situation in which the agent helps, such as "Offer a source when the user states a number".
   * 1 to 2,000 characters.
   */
  readonly condition: string;
  /** Sets whether the agent waits until the user asks. */
  readonly assistMode?: ContextualTriggerAssistMode | undefined;
  /** The color of the suggestions. @default "purple" */
  readonly suggestionColor?: ContextualTriggerSuggestionColor | undefined;
  /** The mark that shows a suggestion in the text. @default "auto" */
  readonly decorationStyle?: ContextualTriggerDecorationStyle | undefined;
  /** The programs in which the agent can help. @default everywhere */
  readonly surfaces?: readonly ContextualTriggerSurface[] | undefined;
  /** The host names of sites where the agent does not help. At most 50. */
  readonly blockedDomains?: readonly string[] | undefined;
}

/** A trigger that starts an agent. Users turn on the trigger. */
export type DefaultTriggerDefinition = ScheduleTriggerDefinition | WhileWritingTriggerDefinition;
