import type { IssueCode } from "../codes.ts";
import type { Explanation } from "./explanation.ts";

const agent = (
  calls: string,
  instructions = '.setInstructions("Help with the weekly report.")',
): string => `export const pack = newAgent()${instructions}${calls};`;

/** Agents, and what starts them. */
export const agentExplanations = {
  AGENT_KEY_UNKNOWN: {
    why: "The document service refuses an agent or a trigger with a key that it does not know.",
    bad: agent('.setDefaultWhileWritingTrigger({ condition: "A number", colour: "red" })'),
    good: agent(
      '.setDefaultWhileWritingTrigger({ condition: "A number", suggestionColor: "blue" })',
    ),
  },
  AGENT_INSTRUCTIONS: {
    why: "The instructions are what makes an agent: without them it has no task. They have 1 to 20,000 characters.",
    bad: agent(".setTools({ docs: true })", ""),
    good: agent(".setTools({ docs: true })"),
  },
  AGENT_TOOL: {
    why: "An agent can use documents and tables, mail and calendar, the web and other Packs, each once. Name all formulas of a Pack in one entry.",
    bad: agent(
      '.setTools({ connectors: [{ packId: 7 }, { packId: 7, formulas: [{ formulaName: "Report" }] }] })',
    ),
    good: agent(".setTools({ connectors: [{ packId: 7 }] })"),
  },
  AGENT_TRIGGER: {
    why: "An agent has at most one trigger of each kind. A condition has 1 to 2,000 characters, and at most 50 hosts are blocked.",
    bad: agent('.setDefaultWhileWritingTrigger({ condition: "" })'),
    good: agent(
      '.setDefaultWhileWritingTrigger({ condition: "Offer a source when the user states a number" })',
    ),
  },
  AGENT_PARTS: {
    why: "An agent uses formulas of other Packs, and has no formulas, tables, skills, domains or authentication of its own. Put them into a Pack, and name its id in setTools.",
    bad: 'export const pack = Object.assign(newAgent().setInstructions("Help."), { networkDomains: ["tasks.example"] });',
    good: agent(".setTools({ connectors: [{ packId: 7 }] })"),
  },
  SCHEDULE_RULE: {
    why: "A schedule is one recurrence rule of RFC 5545, with an optional DTSTART line that says the start and the time zone. It may run once an hour at most.",
    bad: agent('.setDefaultScheduleTrigger({ rruleString: "RRULE:FREQ=MINUTELY" })'),
    good: agent(
      '.setDefaultScheduleTrigger({ rruleString: "DTSTART;TZID=Europe/Berlin:20260105T090000\\nRRULE:FREQ=WEEKLY;BYDAY=MO" })',
    ),
  },
} satisfies Partial<Record<IssueCode, Explanation>>;
