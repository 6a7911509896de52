import type { IssueCode } from "../codes.ts";
import type { Explanation } from "./explanation.ts";

const agent = (
  calls: string,
  instructions = '.setInstructions("Help with the weekly report.")',
): string => `export const pack = newAgent()${instructions}${calls};`;

/** Agents, and what starts them. */
export const agentExplanations = {
  AGENT_KEY_UNKNOWN: {
    why: "The document service rejects an agent or a trigger with an unknown key. Correct the key's name, or remove the key.",
    bad: agent('.setDefaultWhileWritingTrigger({ condition: "A number", colour: "red" })'),
    good: agent(
      '.setDefaultWhileWritingTrigger({ condition: "A number", suggestionColor: "blue" })',
    ),
  },
  AGENT_INSTRUCTIONS: {
    why: "The instructions tell the agent what to do. Write instructions of 1 to 20,000 characters.",
    bad: agent(".setTools({ docs: true })", ""),
    good: agent(".setTools({ docs: true })"),
  },
  AGENT_TOOL: {
    why: "Agents support only the tools that the message lists. Add each tool only once. To use the formulas of a Pack, add one tool with the ID of that Pack, and list all formulas in this tool.",
    bad: agent(
      '.setTools({ connectors: [{ packId: 7 }, { packId: 7, formulas: [{ formulaName: "Report" }] }] })',
    ),
    good: agent(".setTools({ connectors: [{ packId: 7 }] })"),
  },
  AGENT_TRIGGER: {
    why: "An agent can have only one trigger of each kind. A condition can have 1 to 2,000 characters. A trigger can block up to 50 hosts.",
    bad: agent('.setDefaultWhileWritingTrigger({ condition: "" })'),
    good: agent(
      '.setDefaultWhileWritingTrigger({ condition: "Offer a source when the user states a number" })',
    ),
  },
  AGENT_PARTS: {
    why: "An agent cannot have formulas, tables, skills, domains or authentication. Put these parts into a separate Pack, and pass its ID to setTools.",
    bad: 'export const pack = Object.assign(newAgent().setInstructions("Help."), { networkDomains: ["tasks.example"] });',
    good: agent(".setTools({ connectors: [{ packId: 7 }] })"),
  },
  SCHEDULE_RULE: {
    why: "A schedule is one recurrence rule from RFC 5545, such as FREQ=DAILY. To set the start and the time zone, add a DTSTART line. The schedule can run at most once an hour.",
    bad: agent('.setDefaultScheduleTrigger({ rruleString: "RRULE:FREQ=MINUTELY" })'),
    good: agent(
      '.setDefaultScheduleTrigger({ rruleString: "DTSTART;TZID=Europe/Berlin:20260105T090000\\nRRULE:FREQ=WEEKLY;BYDAY=MO" })',
    ),
  },
} satisfies Partial<Record<IssueCode, Explanation>>;
