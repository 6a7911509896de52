import * as z from "zod/mini";
import type {
  AgentDefinition,
  ScheduleTriggerDefinition,
  WhileWritingTriggerDefinition,
} from "../define/agent.ts";
import {
  ContextualTriggerAssistMode,
  ContextualTriggerDecorationStyle,
  ContextualTriggerSuggestionColor,
  ContextualTriggerSurface,
  DefaultTriggerKind,
  ToolType,
} from "../define/enumerations.ts";
import { isRecord, type Members, toList } from "../shared/values.ts";
import { MAX_INSTRUCTIONS_LENGTH } from "./names.ts";
import type { Path, Report } from "./report.ts";
import { parseScheduleRule } from "./schedule-rule.ts";
import { anything, checkShape, optionalTexts, type ShapeOf, text } from "./shape.ts";
import { checkTools } from "./tool-rules.ts";

const MAX_CONDITION_LENGTH = 2_000;
const MAX_RULE_LENGTH = 1_000;
const MAX_BLOCKED_DOMAINS = 50;

const agentShape = z.strictObject({
  instructions: z.optional(text),
  tools: anything,
} satisfies ShapeOf<Partial<AgentDefinition>>);
const scheduleShape = z.strictObject({
  kind: z.literal("schedule"),
  rruleString: text,
} satisfies ShapeOf<ScheduleTriggerDefinition>);
const writingShape = z.strictObject({
  kind: z.literal("whileWriting"),
  condition: text,
  assistMode: z.optional(z.enum(ContextualTriggerAssistMode)),
  suggestionColor: z.optional(z.enum(ContextualTriggerSuggestionColor)),
  decorationStyle: z.optional(z.enum(ContextualTriggerDecorationStyle)),
  surfaces: z.optional(z.array(z.enum(ContextualTriggerSurface))),
  blockedDomains: optionalTexts,
} satisfies ShapeOf<WhileWritingTriggerDefinition>);

const TOOLS: readonly unknown[] = [
  ToolType.CodaDocsAndTables,
  ToolType.MailAndCalendar,
  ToolType.WebSearch,
  ToolType.Pack,
];
const OTHER_PARTS = [
  ...[
    "formulas",
    "syncTables",
    "formats",
    "skills",
    "mcpServers",
    "networkDomains",
    "suggestedPrompts",
    "adminAuthentications",
  ],
  ...[
    "chatSkill",
    "benchInitializationSkill",
    "skillEntrypoints",
    "defaultAuthentication",
    "systemConnectionAuthentication",
  ],
];

/** An agent, and what starts it. */
export function checkAgent(pack: Members, report: Report): void {
  const { agent, defaultTriggers } = pack;
  if (agent === undefined) {
    if (toList(defaultTriggers).length > 0)
      report(
        "AGENT_TRIGGER",
        ["defaultTriggers"],
        "Only an agent can have triggers.",
        "Start the definition with newAgent().",
      );
    return;
  }
  checkAlone(pack, report);
  if (checkShape(agentShape, agent, ["agent"], { unknownKey: "AGENT_KEY_UNKNOWN" }, report)) {
    checkInstructions(agent["instructions"], report);
    checkAgentTools(toList(agent["tools"]), report);
  }
  const kinds = new Set<unknown>();
  toList(defaultTriggers).forEach((trigger, index) => {
    checkTrigger(trigger, ["defaultTriggers", index], report);
    const kind = isRecord(trigger) ? trigger["kind"] : undefined;
    if (kinds.has(kind))
      report(
        "AGENT_TRIGGER",
        ["defaultTriggers", index],
        `The agent has two ${kind} triggers.`,
        "Remove this trigger.",
      );
    kinds.add(kind);
  });
}

/** An agent has no other parts. */
function checkAlone(pack: Members, report: Report): void {
  for (const member of OTHER_PARTS) {
    const part = pack[member];
    const isPart = Array.isArray(part)
      ? part.length > 0
      : isRecord(part) && part["type"] !== "None";
    if (isPart)
      report(
        "AGENT_PARTS",
        [member],
        `An agent cannot have ${member}.`,
        "Put these parts into a Pack, and pass the ID of that Pack to setTools.",
      );
  }
}

function checkInstructions(instructions: unknown, report: Report): void {
  const path = ["agent", "instructions"];
  if (instructions === undefined || instructions === "") {
    report("AGENT_INSTRUCTIONS", path, "The agent has no instructions.", "Call setInstructions.");
  } else if (typeof instructions === "string" && instructions.length > MAX_INSTRUCTIONS_LENGTH) {
    const message = `The instructions have ${instructions.length} characters; the limit is ${MAX_INSTRUCTIONS_LENGTH}.`;
    report("AGENT_INSTRUCTIONS", path, message, "Shorten them.");
  }
}

function checkAgentTools(tools: readonly unknown[], report: Report): void {
  checkTools(tools, { formulas: new Set(), servers: new Set() }, ["agent", "tools"], report);
  const seen = new Map<string, string>();
  tools.forEach((tool, index) => {
    if (!isRecord(tool)) return;
    const { type, packId } = tool;
    const path = ["agent", "tools", index];
    if (!TOOLS.includes(type))
      report(
        "AGENT_TOOL",
        path,
        `An agent cannot use the ${type} tool.`,
        `Use ${TOOLS.join(", ")}.`,
      );
    if (type === ToolType.Pack && packId === undefined)
      report(
        "AGENT_TOOL",
        path,
        "The tool does not specify a Pack.",
        "Add packId: the ID of the Pack.",
      );
    const key = `${type} ${packId}`;
    const other = seen.get(key);
    // Equal tools are reported already.
    if (other !== undefined && other !== JSON.stringify(tool))
      report("AGENT_TOOL", path, `The agent lists the same ${type} tool twice.`, "Combine them.");
    seen.set(key, JSON.stringify(tool));
  });
}

function checkTrigger(trigger: unknown, path: Path, report: Report): void {
  const kind = isRecord(trigger) ? trigger["kind"] : undefined;
  const codes = { unknownKey: "AGENT_KEY_UNKNOWN", unknownValue: "VALUE_UNKNOWN" } as const;
  if (kind === DefaultTriggerKind.Schedule) {
    if (checkShape(scheduleShape, trigger, path, codes, report))
      checkRule(trigger["rruleString"], [...path, "rruleString"], report);
    return;
  }
  if (!checkShape(writingShape, trigger, path, codes, report)) return;
  const { condition, blockedDomains } = trigger;
  const length = typeof condition === "string" ? condition.length : 1;
  if (length === 0 || length > MAX_CONDITION_LENGTH) {
    const message =
      length === 0 ? "The condition is empty." : `The condition has ${length} characters.`;
    report(
      "AGENT_TRIGGER",
      [...path, "condition"],
      message,
      `Write a condition of 1 to ${MAX_CONDITION_LENGTH} characters.`,
    );
  }
  const domains = toList(blockedDomains);
  if (domains.length > MAX_BLOCKED_DOMAINS) {
    const message = `blockedDomains has ${domains.length} entries; the limit is ${MAX_BLOCKED_DOMAINS}.`;
    report("AGENT_TRIGGER", [...path, "blockedDomains"], message, "List fewer domains.");
  }
  domains.forEach((domain, index) => {
    if (typeof domain === "string" && /^https?:|\//.test(domain))
      report(
        "AGENT_TRIGGER",
        [...path, "blockedDomains", index],
        "This is a URL, not a host name.",
        'Write "example.com".',
      );
  });
}

function checkRule(rule: unknown, path: Path, report: Report): void {
  if (typeof rule !== "string") return;
  const hint =
    'Write a rule in the format of RFC 5545, such as "DTSTART;TZID=Europe/Berlin:20260105T090000\\nRRULE:FREQ=WEEKLY;BYDAY=MO".';
  const parsed =
    rule.length > MAX_RULE_LENGTH
      ? `The rule has ${rule.length} characters; the limit is ${MAX_RULE_LENGTH}.`
      : parseScheduleRule(rule);
  if (typeof parsed === "string")
    report("SCHEDULE_RULE", path, `The schedule cannot be used. ${parsed}`, hint);
}
