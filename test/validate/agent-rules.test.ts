import { describe, expect, it } from "vitest";
import { newAgent } from "../../src/define/agent-builder.ts";
import { validateDefinition } from "../../src/validate/validate-definition.ts";

const agent = () => newAgent().setInstructions("Help with the report.");
const reported = (definition: object, text?: string) =>
  validateDefinition(
    definition,
    text === undefined ? {} : { sources: [{ path: "pack.ts", text }] },
  ).map(
    ({ code, path, line, column }) =>
      `${code} ${path}${line === undefined ? "" : ` ${line}:${column}`}`,
  );

// docs/rules.md: definition 167, 168, 169, 170, 171
describe("rules of agents", () => {
  it.each<[what: string, definition: object]>([
    ["only instructions", agent()],
    ["instructions of 20,000 characters", newAgent().setInstructions("i".repeat(20_000))],
    [
      "every tool",
      agent().setTools({
        docs: true,
        mail: true,
        webSearch: { allowedDomains: ["docs.example"] },
        connectors: [
          { packId: 1 },
          { packId: 2, formulas: [{ formulaName: "Report", enabled: false }] },
        ],
      }),
    ],
    [
      "both triggers",
      agent()
        .setDefaultScheduleTrigger({ rruleString: "FREQ=DAILY" })
        .setDefaultWhileWritingTrigger({
          condition: "A number",
          surfaces: ["docs", "email"],
          blockedDomains: ["bank.example"],
        }),
    ],
  ])("allow %s", (_, definition) => expect(reported(definition)).toEqual([]));

  it.each<[what: string, definition: object, ...codes: string[]]>([
    ["no instructions", newAgent(), "AGENT_INSTRUCTIONS agent.instructions"],
    ["empty instructions", newAgent().setInstructions(""), "AGENT_INSTRUCTIONS agent.instructions"],
    [
      "too long instructions",
      newAgent().setInstructions("i".repeat(20_001)),
      "AGENT_INSTRUCTIONS agent.instructions",
    ],
    [
      "the same Pack twice",
      agent().setTools({
        connectors: [{ packId: 1 }, { packId: 1, formulas: [{ formulaName: "A" }] }],
      }),
      "AGENT_TOOL agent.tools[1]",
    ],
    [
      "a tool of skills",
      { ...agent(), agent: { instructions: "i", tools: [{ type: "ContactResolution" }] } },
      "AGENT_TOOL agent.tools[0]",
    ],
    [
      "a Pack without an id",
      { ...agent(), agent: { instructions: "i", tools: [{ type: "Pack" }] } },
      "AGENT_TOOL agent.tools[0]",
    ],
    [
      "formulas",
      Object.assign(agent(), { networkDomains: ["a.example"] }),
      "AGENT_PARTS networkDomains",
    ],
    [
      "an unknown member",
      { ...agent(), agent: { instructions: "i", tools: [], model: "x" } },
      "AGENT_KEY_UNKNOWN agent.model",
    ],
    [
      "a trigger without an agent",
      { defaultTriggers: [{ kind: "schedule", rruleString: "FREQ=DAILY" }] },
      "AGENT_TRIGGER defaultTriggers",
    ],
    [
      "two schedules",
      {
        ...agent(),
        defaultTriggers: ["DAILY", "WEEKLY"].map((each) => ({
          kind: "schedule",
          rruleString: `FREQ=${each}`,
        })),
      },
      "AGENT_TRIGGER defaultTriggers[1]",
    ],
    [
      "an empty condition",
      agent().setDefaultWhileWritingTrigger({ condition: "" }),
      "AGENT_TRIGGER defaultTriggers[0].condition",
    ],
    [
      "a URL that is blocked",
      agent().setDefaultWhileWritingTrigger({
        condition: "x",
        blockedDomains: ["https://bank.example"],
      }),
      "AGENT_TRIGGER defaultTriggers[0].blockedDomains[0]",
    ],
    [
      "a rule that is none",
      agent().setDefaultScheduleTrigger({ rruleString: "daily" }),
      "SCHEDULE_RULE defaultTriggers[0].rruleString",
    ],
    [
      "a long rule",
      agent().setDefaultScheduleTrigger({ rruleString: `FREQ=DAILY${" ".repeat(1_000)}` }),
      "SCHEDULE_RULE defaultTriggers[0].rruleString",
    ],
  ])("refuse %s", (_, definition, ...codes) => expect(reported(definition)).toEqual(codes));

  it("name the place in the source", () => {
    const text = `import { newAgent } from "packsmith";
export const pack = newAgent();
pack.setInstructions("");
pack.setDefaultScheduleTrigger({ rruleString: "FREQ=MINUTELY" });
`;
    const definition = newAgent()
      .setInstructions("")
      .setDefaultScheduleTrigger({ rruleString: "FREQ=MINUTELY" });
    expect(reported(definition, text)).toEqual([
      "AGENT_INSTRUCTIONS agent.instructions 3:6",
      "SCHEDULE_RULE defaultTriggers[0].rruleString 4:34",
    ]);
  });
});
