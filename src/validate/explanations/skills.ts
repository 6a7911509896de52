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
    why: "An assistant reads the descriptions to choose a skill. With too many skills, it often chooses the wrong one. Combine or remove some of the skills.",
    bad: manySkills(16),
    good: manySkills(2),
  },
  SKILL_NAME_INVALID: {
    why: "Tools refer to a skill by its name. Start the name with a letter, and use only letters, digits and underscores, up to 50 characters.",
    bad: skill({ name: '"Plan the day"' }),
    good: skill({ name: '"PlanTheDay"' }),
  },
  SKILL_NAME_DUPLICATE: {
    why: "The name could refer to either skill. Skill names are not case-sensitive. Rename one of the skills.",
    bad: `${skill()}\n${skill({ name: '"plan"' })}`,
    good: `${skill()}\n${skill({ name: '"Review"' })}`,
  },
  SKILL_TEXT_LENGTH: {
    why: "An assistant reads the description to choose a skill, and then follows the prompt. The description and the prompt are required. The message shows the maximum length of the text.",
    bad: skill({ prompt: '""' }),
    good: skill(),
  },
  SKILL_FORMULA: {
    why: "The Pack has no formula with this name, so the assistant could not call it. Correct the name, or add the formula to the Pack.",
    bad: packTool("Helo"),
    good: packTool("Hello"),
  },
  SKILL_ENTRYPOINT: {
    why: "The conversation would start with this skill, but the Pack has no skill with this name. Correct the name, or add the skill.",
    bad: entrypoint("Plans"),
    good: entrypoint("Plan"),
  },
  TOOL_TYPE_UNKNOWN: {
    why: "Assistants support a fixed list of tools, which does not contain this tool. Use a ToolType constant.",
    bad: tools('{ type: "Search" }'),
    good: tools("{ type: ToolType.WebSearch }"),
  },
  TOOL_KEY_UNKNOWN: {
    why: "The document service ignores this key, so a limit under this key has no effect. Correct the key's name, or remove the key.",
    bad: tools('{ type: ToolType.WebSearch, domains: ["docs.tasks.example"] }'),
    good: tools('{ type: ToolType.WebSearch, allowedDomains: ["docs.tasks.example"] }'),
  },
  TOOL_DUPLICATE: {
    why: "The list contains the same tool twice, so the second entry has no effect. Remove the second entry, or change it to the tool that you intended.",
    bad: tools("{ type: ToolType.WebSearch }", "{ type: ToolType.WebSearch }"),
    good: tools("{ type: ToolType.WebSearch }", "{ type: ToolType.ContactResolution }"),
  },
  TOOL_DOMAINS: {
    why: "With an empty list, the tool cannot search anything. To search the entire web, remove allowedDomains. Otherwise, list up to 100 domains.",
    bad: tools("{ type: ToolType.WebSearch, allowedDomains: [] }"),
    good: tools("{ type: ToolType.WebSearch }"),
  },
  TOOL_MCP_SERVER: {
    why: "The tool calls one of the Pack's MCP servers, but the Pack has no server with this name. Correct the name, or add the server with pack.addMCPServer.",
    bad: tools("{ type: ToolType.MCP }"),
    good: `${domain}\n${server()}\n${tools("{ type: ToolType.MCP }")}`,
  },
  SUGGESTED_PROMPT_COUNT: {
    why: "Users see the suggested prompts side by side, and there is space for only three. Remove the other prompts.",
    bad: ["One", "Two", "Three", "Four"].map((name) => prompt({ name: `"${name}"` })).join("\n"),
    good: ["One", "Two"].map((name) => prompt({ name: `"${name}"` })).join("\n"),
  },
  SUGGESTED_PROMPT_NAME: {
    why: "The name identifies the prompt. Start the name with a letter, and use only letters, digits and underscores, up to 50 characters. Users see displayName instead of the name.",
    bad: prompt({ name: '"Start the day"' }),
    good: prompt({ name: '"StartTheDay"' }),
  },
  SUGGESTED_PROMPT_NAME_DUPLICATE: {
    why: "The name identifies the prompt, so each prompt needs a different name. Prompt names are not case-sensitive. Rename one of the two prompts.",
    bad: `${prompt()}\n${prompt({ name: '"start"' })}`,
    good: `${prompt()}\n${prompt({ name: '"Finish"' })}`,
  },
  SUGGESTED_PROMPT_TEXT: {
    why: "Users see the display name and send the prompt with one click. The display name and the prompt are required. A prompt can have up to 500 characters.",
    bad: prompt({ prompt: '""' }),
    good: prompt(),
  },
  MCP_SERVER_COUNT: {
    why: "The document service connects to one MCP server per Pack. Put the other server into a second Pack.",
    bad: `${domain}\n${server()}\n${server({ name: '"Files"' })}`,
    good: `${domain}\n${server()}`,
  },
  MCP_SERVER_NAME: {
    why: "Tools refer to the server by its name. Start the name with a letter, and use only letters, digits and underscores, up to 50 characters.",
    bad: `${domain}\n${server({ name: '"My tasks"' })}`,
    good: `${domain}\n${server({ name: '"MyTasks"' })}`,
  },
  MCP_ENDPOINT_URL: {
    why: "Requests to this URL contain the account's credentials. Use https. A relative URL is only allowed if each account has its own endpoint.",
    bad: `${domain}\n${server({ endpointUrl: '"http://mcp.tasks.example/"' })}`,
    good: `${domain}\n${server()}`,
  },
  MCP_NETWORK_DOMAIN: {
    why: "A Pack can send requests only to the domains that it declares. This rule also applies to requests to the MCP server. Declare the server's host with pack.addNetworkDomain.",
    bad: `${domain}\n${server({ endpointUrl: '"https://mcp.other.example/"' })}`,
    good: `${domain}\n${server()}`,
  },
} as const satisfies Partial<Record<IssueCode, Explanation>>;
