import type { IssueCode } from "../codes.ts";
import type { Explanation } from "./explanation.ts";

const agent = (
  calls: string,
  instructions = '.setInstructions("Help with the weekly report.")',
): string => `export const pack = newAgent()${instructions}${calls};`;

/** Agents, and what starts them. */
export const agentExplanations = {
  AGENT_KEY_UNKNOWN: {
    why: "The document service refuses an agent or a trigger with an unknown key. Correct the name of the key, or remove it.",
    bad: agent('.setDefaultWhileWritingTrigger({ condition: "A number", colour: "red" })'),
    good: agent(
      '.setDefaultWhileWritingTrigger({ condition: "A number", suggestionColor: "blue" })',
    ),
  },
  AGENT_INSTRUCTIONS: {
    why: "The instructions are the task of the agent. Write 1 to 20,000 characters.",
    bad: agent(".setTools({ docs: true })", ""),
    good: agent(".setTools({ docs: true })"),
  },
  AGENT_TOOL: {
    why: "An agent can only use some tools, and each of them once. The message lists them. Write the ID of the Pack in the entry of a Pack tool, and list all its formulas in one entry.",
    bad: agent(
      '.setTools({ connectors: [{ packId: 7 }, { packId: 7, formulas: [{ formulaName: "Report" }] }] })',
    ),
    good: agent(".setTools({ connectors: [{ packId: 7 }] })"),
  },
  AGENT_TRIGGER: {
    why: "An agent can have one trigger of each kind. A condition can have 1 to 2,000 characters, and a trigger can block up to 50 hosts.",
    bad: agent('.setDefaultWhileWritingTrigger({ condition: "" })'),
    good: agent(
      '.setDefaultWhileWritingTrigger({ condition: "Offer a source when the user states a number" })',
    ),
  },
  AGENT_PARTS: {
    why: "An agent cannot have formulas, tables, skills, domains or authentication. Put them into a separate Pack, and pass the ID of that Pack to setTools.",
    bad: 'export const pack = Object.assign(newAgent().setInstructions("Help."), { networkDomains: ["tasks.example"] });',
    good: agent(".setTools({ connectors: [{ packId: 7 }] })"),
  },
  SCHEDULE_RULE: {
    why: "A schedule is one recurrence rule of RFC 5545, such as FREQ=DAILY. An optional DTSTART line sets the start and the time zone. The schedule can run once an hour at most.",
    bad: agent('.setDefaultScheduleTrigger({ rruleString: "RRULE:FREQ=MINUTELY" })'),
    good: agent(
      '.setDefaultScheduleTrigger({ rruleString: "DTSTART;TZID=Europe/Berlin:20260105T090000\\nRRULE:FREQ=WEEKLY;BYDAY=MO" })',
    ),
  },
} satisfies Partial<Record<IssueCode, Explanation>>;
