import type { IssueCode } from "../codes.ts";
import { type Explanation, formula, members } from "./explanation.ts";

type Own = Readonly<Record<string, string>>;

const skill = (own: Own = {}): string =>
  `pack.addSkill(${members({ name: '"Plan"', displayName: '"Plan the day"', description: '"Plans the user\'s day."', prompt: '"Plan the day."', tools: "[]", ...own })});`;
const tools = (...list: string[]): string =>
  skill({ tools: `[\n${list.map((tool) => `  ${tool},\n`).join("")}]` });
const packTool = (name: string): string =>
  `${formula()}\n${tools(`{ type: ToolType.Pack, formulas: [{ formulaName: "${name}" }] }`)}`;
const manySkills = (count: number): string =>
  `for (let index = 1; index <= ${count}; index++) {\n  ${skill({ name: "`Plan$" + "{index}`" }).replaceAll("\n", "\n  ")}\n}`;
const prompt = (own: Own = {}): string =>
  `pack.addSuggestedPrompt(${members({ name: '"Start"', displayName: '"Start the day"', prompt: '"Plan my day."', ...own })});`;
const entrypoint = (name: string): string =>
  `${skill()}\npack.setSkillEntrypoints({ defaultChat: { skillName: "${name}" } });`;
const domain = 'pack.addNetworkDomain("tasks.example");';
const server = (own: Own = {}): string =>
  `pack.addMCPServer(${members({ name: '"Tasks"', endpointUrl: '"https://mcp.tasks.example/"', ...own })});`;

/** Skills and their tools, suggested prompts and MCP servers. */
export const skillExplanations = {
  SKILL_COUNT: {
    why: "An assistant chooses a skill by its description. With more than 15 skills in one Pack, it chooses badly.",
    bad: manySkills(16),
    good: manySkills(2),
  },
  SKILL_NAME_INVALID: {
    why: "Tools refer to a skill by its name, so it is one word: a letter, then letters, digits or underscores, at most 50.",
    bad: skill({ name: '"Plan the day"' }),
    good: skill({ name: '"PlanTheDay"' }),
  },
  SKILL_NAME_DUPLICATE: {
    why: "A name could mean either skill. Names ignore case.",
    bad: `${skill()}\n${skill({ name: '"plan"' })}`,
    good: `${skill()}\n${skill({ name: '"Review"' })}`,
  },
  SKILL_TEXT_LENGTH: {
    why: "An assistant chooses a skill by its description and follows its prompt. Neither can be empty, and both have a maximum length.",
    bad: skill({ prompt: '""' }),
    good: skill(),
  },
  SKILL_FORMULA: {
    why: "The assistant would be offered a formula that it cannot call. Correct the name.",
    bad: packTool("Helo"),
    good: packTool("Hello"),
  },
  SKILL_ENTRYPOINT: {
    why: "The conversation starts with this skill, so it must exist. Correct the name.",
    bad: entrypoint("Plans"),
    good: entrypoint("Plan"),
  },
  TOOL_TYPE_UNKNOWN: {
    why: "Assistants know a fixed set of tools, and this is not one of them. Use a constant of ToolType.",
    bad: tools('{ type: "Search" }'),
    good: tools("{ type: ToolType.WebSearch }"),
  },
  TOOL_KEY_UNKNOWN: {
    why: "No code reads this key of the tool, so the limit that it should set has no effect.",
    bad: tools('{ type: ToolType.WebSearch, domains: ["docs.tasks.example"] }'),
    good: tools('{ type: ToolType.WebSearch, allowedDomains: ["docs.tasks.example"] }'),
  },
  TOOL_DUPLICATE: {
    why: "The second tool adds nothing, and often a different one was meant.",
    bad: tools("{ type: ToolType.WebSearch }", "{ type: ToolType.WebSearch }"),
    good: tools("{ type: ToolType.WebSearch }", "{ type: ToolType.ContactResolution }"),
  },
  TOOL_DOMAINS: {
    why: "An empty list would search nothing. Leave out allowedDomains to search the entire web, or name up to 100 domains.",
    bad: tools("{ type: ToolType.WebSearch, allowedDomains: [] }"),
    good: tools("{ type: ToolType.WebSearch }"),
  },
  TOOL_MCP_SERVER: {
    why: "The tool calls a server that the Pack declares, and no server has this name. Add it with pack.addMCPServer.",
    bad: tools("{ type: ToolType.MCP }"),
    good: `${domain}\n${server()}\n${tools("{ type: ToolType.MCP }")}`,
  },
  SUGGESTED_PROMPT_COUNT: {
    why: "Users see the prompts in one row, which has room for 3.",
    bad: ["One", "Two", "Three", "Four"].map((name) => prompt({ name: `"${name}"` })).join("\n"),
    good: ["One", "Two"].map((name) => prompt({ name: `"${name}"` })).join("\n"),
  },
  SUGGESTED_PROMPT_NAME: {
    why: "The name identifies the prompt, so it is one word: a letter, then letters, digits or underscores, at most 50.",
    bad: prompt({ name: '"Start the day"' }),
    good: prompt({ name: '"StartTheDay"' }),
  },
  SUGGESTED_PROMPT_NAME_DUPLICATE: {
    why: "The name identifies the prompt. Names ignore case.",
    bad: `${prompt()}\n${prompt({ name: '"start"' })}`,
    good: `${prompt()}\n${prompt({ name: '"Finish"' })}`,
  },
  SUGGESTED_PROMPT_TEXT: {
    why: "Users see the display name and send the prompt. Neither can be empty, and a prompt has at most 500 characters.",
    bad: prompt({ prompt: '""' }),
    good: prompt(),
  },
  MCP_SERVER_COUNT: {
    why: "The document service connects to one MCP server per Pack.",
    bad: `${domain}\n${server()}\n${server({ name: '"Files"' })}`,
    good: `${domain}\n${server()}`,
  },
  MCP_SERVER_NAME: {
    why: "Tools refer to the server by its name, so it is one word: a letter, then letters, digits or underscores, at most 50.",
    bad: `${domain}\n${server({ name: '"My tasks"' })}`,
    good: `${domain}\n${server({ name: '"MyTasks"' })}`,
  },
  MCP_ENDPOINT_URL: {
    why: "The account's credentials are sent to this URL, so it must be https. A relative URL needs an endpoint of the account.",
    bad: `${domain}\n${server({ endpointUrl: '"http://mcp.tasks.example/"' })}`,
    good: `${domain}\n${server()}`,
  },
  MCP_NETWORK_DOMAIN: {
    why: "A Pack sends requests to its network domains only, and this includes its MCP server. Declare the server's host.",
    bad: `${domain}\n${server({ endpointUrl: '"https://mcp.other.example/"' })}`,
    good: `${domain}\n${server()}`,
  },
} as const satisfies Partial<Record<IssueCode, Explanation>>;
