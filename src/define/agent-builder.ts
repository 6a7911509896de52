import type {
  AgentDefinition,
  AgentTool,
  AgentToolsDef,
  DefaultTriggerDefinition,
  ScheduleTriggerDefinition,
  WhileWritingTriggerDefinition,
} from "./agent.ts";
import type { PackVersionDefinition } from "./pack.ts";

/** Collects the parts of an agent. Every method returns the builder. */
export class AgentDefinitionBuilder
  implements Pick<PackVersionDefinition, "version" | "agent" | "defaultTriggers">
{
  /** The version that `setVersion` set. */
  declare version?: string | undefined;
  /** The definition of the agent. */
  agent: Partial<AgentDefinition> = { tools: [] };
  /** The triggers of the agent: at most one of each kind. */
  declare defaultTriggers?: DefaultTriggerDefinition[] | undefined;

  /** Sets the version: one to three numbers. */
  setVersion(version: string): this {
    this.version = version;
    return this;
  }

  /** Sets the instructions of the agent. */
  setInstructions(instructions: string): this {
    this.agent = { ...this.agent, instructions };
    return this;
  }

  /** Sets the tools that the agent can use. Every tool is off by default. */
  setTools({ docs, mail, webSearch, connectors = [] }: AgentToolsDef): this {
    const allowedDomains = typeof webSearch === "object" ? webSearch.allowedDomains : undefined;
    const tools: AgentTool[] = [
      ...(webSearch
        ? [{ type: "WebSearch" as const, ...(allowedDomains ? { allowedDomains } : {}) }]
        : []),
      ...(docs ? [{ type: "CodaDocsAndTables" as const }] : []),
      ...(mail ? [{ type: "MailAndCalendar" as const }] : []),
      ...connectors.map(({ packId, formulas }) => ({
        type: "Pack" as const,
        packId,
        ...(formulas ? { formulas } : {}),
      })),
    ];
    this.agent = { ...this.agent, tools };
    return this;
  }

  /** Starts the agent while the user writes. A second call replaces the first trigger. */
  setDefaultWhileWritingTrigger(trigger: Omit<WhileWritingTriggerDefinition, "kind">): this {
    return this.#setTrigger({ kind: "whileWriting", ...trigger });
  }

  /**
   * Starts the agent at the times of a recurrence rule. A second call replaces the first trigger.
   */
  setDefaultScheduleTrigger(trigger: Omit<ScheduleTriggerDefinition, "kind">): this {
    return this.#setTrigger({ kind: "schedule", ...trigger });
  }

  #setTrigger(trigger: DefaultTriggerDefinition): this {
    this.defaultTriggers = [
      ...(this.defaultTriggers ?? []).filter(({ kind }) => kind !== trigger.kind),
      trigger,
    ];
    return this;
  }
}

/**
 * Creates an agent with instructions and tools. The document service runs the agent. Export the
 * result as `pack`.
 * @example
 * ```ts
 * export const pack = newAgent();
 * pack
 *   .setInstructions("Answer questions about our handbook. Quote the page.")
 *   .setTools({ docs: true });
 * pack.setDefaultScheduleTrigger({ rruleString: "RRULE:FREQ=WEEKLY;BYDAY=MO" });
 * ```
 */
export function newAgent(): AgentDefinitionBuilder {
  return new AgentDefinitionBuilder();
}
