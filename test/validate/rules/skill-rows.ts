import {
  type Definition,
  formula,
  oauth2,
  pack,
  skill,
  withSkills,
  withTool,
} from "../definitions.ts";
import type { Row } from "./row.ts";

const prompt = (members: Definition = {}) => ({
  name: "Start",
  displayName: "Start",
  prompt: "Plan my day.",
  ...members,
});
const withPrompts = (...suggestedPrompts: Definition[]) => pack({ suggestedPrompts });
const withSkill = (members: Definition) => withSkills(skill(members));
const server = (members: Definition = {}) => ({
  name: "Tasks",
  endpointUrl: "https://mcp.tasks.example/mcp",
  ...members,
});
const withServer = (members: Definition, pack_: Definition = {}) =>
  pack({ mcpServers: [server(members)], ...pack_ });
const packTool = (formulaName: string, members: Definition = {}) => ({
  type: "Pack",
  formulas: [{ formulaName }],
  ...members,
});
const search = (allowedDomains: string[]) => withTool({ type: "WebSearch", allowedDomains });
const relative = { requiresEndpointUrl: true, authorizationUrl: "/authorize", tokenUrl: "/token" };

export const skillRows: Row[] = [
  [
    "150",
    withSkill({ name: "n".repeat(50) }),
    withSkill({ name: "" }),
    "SKILL_NAME_INVALID skills[0].name",
  ],
  [
    "151",
    withSkill({ name: "Plan_2" }),
    withSkill({ name: "Plan it" }),
    "SKILL_NAME_INVALID skills[0].name",
  ],
  [
    "152",
    withSkill({ displayName: "d".repeat(50) }),
    withSkill({ displayName: "" }),
    "SKILL_TEXT_LENGTH skills[0].displayName",
  ],
  [
    "153",
    withSkill({ description: "d".repeat(1000) }),
    withSkill({ description: "d".repeat(1001) }),
    "SKILL_TEXT_LENGTH skills[0].description",
  ],
  [
    "154",
    withSkill({ prompt: "p".repeat(20_000) }),
    withSkill({ prompt: "p".repeat(20_001) }),
    "SKILL_TEXT_LENGTH skills[0].prompt",
  ],
  [
    "154 in the old members",
    pack({ chatSkill: { prompt: "Chat." }, benchInitializationSkill: {} }),
    pack({ chatSkill: { prompt: "" }, benchInitializationSkill: { name: "1" } }),
    "SKILL_TEXT_LENGTH chatSkill.prompt",
    "SKILL_NAME_INVALID benchInitializationSkill.name",
  ],
  [
    "155",
    withSkill({
      tools: [
        { type: "Pack" },
        { type: "Knowledge", source: { type: "Pack" } },
        { type: "ScreenAnnotation", annotation: { type: "Rewrite" } },
        { type: "ContactResolution" },
        { type: "WebSearch" },
        { type: "CodaDocsAndTables" },
        { type: "EmbeddedContent", embeddedContent: { type: "TabView" } },
        { type: "MailAndCalendar" },
      ],
    }),
    withSkill({
      tools: [
        { type: "Search" },
        { type: "Knowledge", source: { type: "Web" } },
        { type: "WebSearch", domains: [] },
      ],
    }),
    "TOOL_TYPE_UNKNOWN skills[0].tools[0].type",
    "TOOL_TYPE_UNKNOWN skills[0].tools[1].source.type",
    "TOOL_KEY_UNKNOWN skills[0].tools[2].domains",
  ],
  [
    "156",
    withSkill({ tools: [packTool("Run"), { type: "Pack" }] }),
    withSkill({
      tools: [
        { type: "WebSearch", allowedDomains: ["a.example", "b.example"] },
        { allowedDomains: ["b.example", "a.example"], type: "WebSearch" },
      ],
    }),
    "TOOL_DUPLICATE skills[0].tools[1]",
  ],
  [
    "157",
    withSkill({ forcedFormula: "Run" }),
    withSkill({ forcedFormula: "Walk" }),
    "SKILL_FORMULA skills[0].forcedFormula",
  ],
  [
    "158",
    withSkill({ models: [{ model: "OpenAIGPT5" }] }),
    withSkill({ models: [{ model: "OpenAIGPT6" }] }),
    "VALUE_UNKNOWN skills[0].models[0].model",
  ],
  [
    "159",
    withSkill({ models: [{ model: "OpenAIGPT4", prompt: "Plan." }] }),
    withSkill({ models: [{ model: "OpenAIGPT4", prompt: "" }] }),
    "SKILL_TEXT_LENGTH skills[0].models[0].prompt",
  ],
  [
    "160",
    withSkills(...Array.from({ length: 15 }, (_, index) => skill({ name: `S${index}` }))),
    withSkills(...Array.from({ length: 16 }, (_, index) => skill({ name: `S${index}` }))),
    "SKILL_COUNT skills",
  ],
  [
    "161",
    withSkills(skill(), skill({ name: "Do" })),
    withSkills(skill(), skill({ name: "PLAN" })),
    "SKILL_NAME_DUPLICATE skills[1].name",
  ],
  [
    "162",
    withTool(packTool("Elsewhere", { packId: 7 })),
    withTool(packTool("Else where", { packId: 7 })),
    "SKILL_FORMULA skills[0].tools[0].formulas[0].formulaName",
  ],
  [
    "163",
    withTool(packTool("Run")),
    withTool(packTool("Walk")),
    "SKILL_FORMULA skills[0].tools[0].formulas[0].formulaName",
  ],
  [
    "164",
    search(["docs.tasks.example"]),
    search([]),
    "TOOL_DOMAINS skills[0].tools[0].allowedDomains",
  ],
  [
    "164 none empty",
    search(Array.from({ length: 100 }, (_, index) => `d${index}.example`)),
    search(["a.example", ""]),
    "TOOL_DOMAINS skills[0].tools[0].allowedDomains[1]",
  ],
  [
    "164 too many",
    search(["a.example"]),
    search(Array.from({ length: 101 }, (_, index) => `d${index}.example`)),
    "TOOL_DOMAINS skills[0].tools[0].allowedDomains",
  ],
  [
    "165",
    pack({ skills: [skill()], skillEntrypoints: { defaultChat: { skillName: "Plan" } } }),
    pack({ skills: [skill()], skillEntrypoints: { benchInitialization: { skillName: "Play" } } }),
    "SKILL_ENTRYPOINT skillEntrypoints.benchInitialization.skillName",
  ],
  [
    "166",
    withTool({ type: "MCP", serverNames: ["Tasks"] }, { mcpServers: [server()] }),
    withTool({ type: "MCP" }),
    "TOOL_MCP_SERVER skills[0].tools[0]",
  ],
  [
    "166 by name",
    withTool({ type: "MCP" }, { mcpServers: [server()] }),
    withTool({ type: "MCP", serverNames: ["Files"] }, { mcpServers: [server()] }),
    "TOOL_MCP_SERVER skills[0].tools[0].serverNames[0]",
  ],
  ["A12 skill", withSkill({}), withSkill({ promt: "" }), "KEY_UNKNOWN skills[0].promt"],

  [
    "172",
    withPrompts(prompt()),
    withPrompts(prompt({ name: "Start now" })),
    "SUGGESTED_PROMPT_NAME suggestedPrompts[0].name",
  ],
  [
    "173",
    withPrompts(prompt({ displayName: "d".repeat(50) })),
    withPrompts(prompt({ displayName: "" })),
    "SUGGESTED_PROMPT_TEXT suggestedPrompts[0].displayName",
  ],
  [
    "174",
    withPrompts(prompt({ prompt: "p".repeat(500) })),
    withPrompts(prompt({ prompt: "p".repeat(501) })),
    "SUGGESTED_PROMPT_TEXT suggestedPrompts[0].prompt",
  ],
  [
    "175",
    withPrompts(prompt(), prompt({ name: "B" }), prompt({ name: "C" })),
    withPrompts(prompt(), prompt({ name: "B" }), prompt({ name: "C" }), prompt({ name: "D" })),
    "SUGGESTED_PROMPT_COUNT suggestedPrompts",
  ],
  [
    "175 unique",
    withPrompts(prompt(), prompt({ name: "B" })),
    withPrompts(prompt(), prompt({ name: "start" })),
    "SUGGESTED_PROMPT_NAME_DUPLICATE suggestedPrompts[1].name",
  ],

  [
    "176",
    withServer({}),
    pack({ mcpServers: [server(), server({ name: "Files" })] }),
    "MCP_SERVER_COUNT mcpServers",
  ],
  [
    "177",
    withServer({}),
    withServer({ endpointUrl: "" }),
    "MCP_ENDPOINT_URL mcpServers[0].endpointUrl",
  ],
  [
    "177 parses",
    withServer({}),
    withServer({ endpointUrl: "mcp tasks" }),
    "MCP_ENDPOINT_URL mcpServers[0].endpointUrl",
  ],
  [
    "177 https",
    withServer({}),
    withServer({ endpointUrl: "http://mcp.tasks.example/" }),
    "MCP_ENDPOINT_URL mcpServers[0].endpointUrl",
  ],
  [
    "178",
    withServer({ name: "n".repeat(50) }),
    withServer({ name: "My server" }),
    "MCP_SERVER_NAME mcpServers[0].name",
  ],
  [
    "178 unique",
    withServer({}),
    pack({ mcpServers: [server(), server()] }),
    "MCP_SERVER_COUNT mcpServers",
    "MCP_SERVER_NAME mcpServers[1].name",
  ],
  [
    "179",
    withServer({}),
    withServer({}, { networkDomains: [] }),
    "MCP_NETWORK_DOMAIN mcpServers[0].endpointUrl",
  ],
  [
    "180",
    withServer({ endpointUrl: "https://tasks.example/" }),
    withServer({ endpointUrl: "https://eviltasks.example/" }),
    "MCP_NETWORK_DOMAIN mcpServers[0].endpointUrl",
  ],
  [
    "181",
    withServer({ endpointUrl: "/mcp" }, { defaultAuthentication: oauth2(relative) }),
    withServer({ endpointUrl: "/mcp" }, { defaultAuthentication: oauth2() }),
    "MCP_ENDPOINT_URL mcpServers[0].endpointUrl",
  ],
  [
    "181 one slash",
    withServer({ endpointUrl: "/mcp" }, { defaultAuthentication: oauth2({ endpointKey: "site" }) }),
    withServer(
      { endpointUrl: "//evil.example/mcp" },
      { defaultAuthentication: oauth2({ endpointKey: "site" }) },
    ),
    "MCP_ENDPOINT_URL mcpServers[0].endpointUrl",
  ],
  [
    "181 the Pack's own account first",
    withServer(
      { endpointUrl: "/mcp" },
      {
        systemConnectionAuthentication: { type: "HeaderBearerToken", requiresEndpointUrl: true },
        formulas: [formula()],
      },
    ),
    withServer(
      { endpointUrl: "/mcp" },
      {
        systemConnectionAuthentication: { type: "HeaderBearerToken" },
        defaultAuthentication: oauth2(relative),
      },
    ),
    "MCP_ENDPOINT_URL mcpServers[0].endpointUrl",
  ],
];
