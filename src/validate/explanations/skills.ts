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
    why: "An assistant chooses among the skills by their descriptions, and chooses badly if there are too many. Combine or remove some.",
    bad: manySkills(16),
    good: manySkills(2),
  },
  SKILL_NAME_INVALID: {
    why: "Tools refer to a skill by its name. Start with a letter, and use only letters, digits and underscores, up to 50 characters.",
    bad: skill({ name: '"Plan the day"' }),
    good: skill({ name: '"PlanTheDay"' }),
  },
  SKILL_NAME_DUPLICATE: {
    why: "The name could mean either skill. Upper and lower case make no difference. Rename one.",
    bad: `${skill()}\n${skill({ name: '"plan"' })}`,
    good: `${skill()}\n${skill({ name: '"Review"' })}`,
  },
  SKILL_TEXT_LENGTH: {
    why: "An assistant chooses a skill by its description and follows its prompt. Neither can be empty. The message says how long the text can be.",
    bad: skill({ prompt: '""' }),
    good: skill(),
  },
  SKILL_FORMULA: {
    why: "The assistant could not call the formula. Correct the name, or add the formula to the Pack.",
    bad: packTool("Helo"),
    good: packTool("Hello"),
  },
  SKILL_ENTRYPOINT: {
    why: "The conversation starts with this skill, so it must exist. Correct the name, or add the skill.",
    bad: entrypoint("Plans"),
    good: entrypoint("Plan"),
  },
  TOOL_TYPE_UNKNOWN: {
    why: "Assistants support a fixed list of tools, and this is not one of them. Use a constant of ToolType.",
    bad: tools('{ type: "Search" }'),
    good: tools("{ type: ToolType.WebSearch }"),
  },
  TOOL_KEY_UNKNOWN: {
    why: "The document service does not know this key, so a limit that you set with it has no effect. Correct the name of the key, or remove it.",
    bad: tools('{ type: ToolType.WebSearch, domains: ["docs.tasks.example"] }'),
    good: tools('{ type: ToolType.WebSearch, allowedDomains: ["docs.tasks.example"] }'),
  },
  TOOL_DUPLICATE: {
    why: "The second entry has no effect. Remove it, or correct it if you meant a different tool.",
    bad: tools("{ type: ToolType.WebSearch }", "{ type: ToolType.WebSearch }"),
    good: tools("{ type: ToolType.WebSearch }", "{ type: ToolType.ContactResolution }"),
  },
  TOOL_DOMAINS: {
    why: "With an empty list, nothing can be searched. Leave out allowedDomains to search the entire web, or list up to 100 domains.",
    bad: tools("{ type: ToolType.WebSearch, allowedDomains: [] }"),
    good: tools("{ type: ToolType.WebSearch }"),
  },
  TOOL_MCP_SERVER: {
    why: "The tool calls an MCP server of the Pack, but the Pack has no server with this name. Add it with pack.addMCPServer.",
    bad: tools("{ type: ToolType.MCP }"),
    good: `${domain}\n${server()}\n${tools("{ type: ToolType.MCP }")}`,
  },
  SUGGESTED_PROMPT_COUNT: {
    why: "Users see the suggested prompts next to each other, and there is space for three. Remove the others.",
    bad: ["One", "Two", "Three", "Four"].map((name) => prompt({ name: `"${name}"` })).join("\n"),
    good: ["One", "Two"].map((name) => prompt({ name: `"${name}"` })).join("\n"),
  },
  SUGGESTED_PROMPT_NAME: {
    why: "The name identifies the prompt. Start with a letter, and use only letters, digits and underscores, up to 50 characters. Users see displayName.",
    bad: prompt({ name: '"Start the day"' }),
    good: prompt({ name: '"StartTheDay"' }),
  },
  SUGGESTED_PROMPT_NAME_DUPLICATE: {
    why: "The name identifies the prompt. Upper and lower case make no difference. Rename one.",
    bad: `${prompt()}\n${prompt({ name: '"start"' })}`,
    good: `${prompt()}\n${prompt({ name: '"Finish"' })}`,
  },
  SUGGESTED_PROMPT_TEXT: {
    why: "Users see the display name, and send the prompt with one click. Neither can be empty, and a prompt can have up to 500 characters.",
    bad: prompt({ prompt: '""' }),
    good: prompt(),
  },
  MCP_SERVER_COUNT: {
    why: "The document service connects to one MCP server per Pack. Put the other server into a second Pack.",
    bad: `${domain}\n${server()}\n${server({ name: '"Files"' })}`,
    good: `${domain}\n${server()}`,
  },
  MCP_SERVER_NAME: {
    why: "Tools refer to the server by its name. Start with a letter, and use only letters, digits and underscores, up to 50 characters.",
    bad: `${domain}\n${server({ name: '"My tasks"' })}`,
    good: `${domain}\n${server({ name: '"MyTasks"' })}`,
  },
  MCP_ENDPOINT_URL: {
    why: "The account's credentials are sent to this URL. Use https. A relative URL is only allowed if each account has its own endpoint.",
    bad: `${domain}\n${server({ endpointUrl: '"http://mcp.tasks.example/"' })}`,
    good: `${domain}\n${server()}`,
  },
  MCP_NETWORK_DOMAIN: {
    why: "A Pack can only send requests to domains that it declares, and its MCP server is not an exception. Declare the server's host with pack.addNetworkDomain.",
    bad: `${domain}\n${server({ endpointUrl: '"https://mcp.other.example/"' })}`,
    good: `${domain}\n${server()}`,
  },
} as const satisfies Partial<Record<IssueCode, Explanation>>;
