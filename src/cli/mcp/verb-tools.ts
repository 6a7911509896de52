import * as z from "zod";
import { TARGET_FORMS } from "../../execute/parse-target.ts";
import { requireInside } from "./inside-project.ts";
import { keepRequests } from "./last-run.ts";
import { runVerb } from "./run-verb.ts";
import { defineTool, READS, type Tool, type ToolCall } from "./tool.ts";

const files = z
  .array(z.string())
  .optional()
  .describe("Entry files, or patterns such as packs/*/pack.ts. Default: pack.ts");
const file = z
  .string()
  .optional()
  .describe("Entry file of the Pack, or a built bundle.js. Default: pack.ts");
const value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.json())]);
const positive = z.int().min(1);

/** What `execute` takes. */
const executeInput = z.strictObject({
  file,
  target: z
    .string()
    .describe(
      `Name of a formula or sync table from list_targets, or one of: ${TARGET_FORMS.join(", ")}`,
    ),
  args: z
    .array(value)
    .optional()
    .describe(
      "Arguments in the order of the parameters. Pass a date as a string, such as 2026-01-31",
    ),
  namedArgs: z.record(z.string(), value).optional().describe("Arguments by parameter name"),
  network: z
    .enum(["live", "blocked", "recorded"])
    .optional()
    .describe(
      "live sends the requests with the connected account, so an action changes real data. blocked makes every request fail. recorded replays the responses in a cassette. Default: blocked for an action, an update and an MCP tool call; otherwise live",
    ),
  cassettes: z
    .string()
    .optional()
    .describe("Folder that contains the cassettes. Default: cassettes"),
  account: z.string().optional().describe("Name of a connected account. Default: default"),
  maxRows: positive.optional().describe("Maximum number of rows in a sync. Default: 1000"),
  maxPages: positive.optional().describe("Maximum number of pages in a sync. Default: 100"),
  dynamicUrl: z.string().optional().describe("URL of a dynamic table"),
  timezone: z.string().optional().describe("Time zone of the document, such as Europe/Berlin"),
});

/** The commands that are tools. What would write or read elsewhere, such as `--out-dir`, is not. */
export const VERB_TOOLS: readonly Tool[] = [
  defineTool({
    name: "validate",
    title: "Check Packs",
    description:
      "Check Packs against all rules. The result contains the source position of each problem, and a hint. Call this tool after each edit",
    input: z.strictObject({ files }),
    output: async () => (await import("../outputs/pack-outputs.ts")).validatedPacks,
    effects: READS,
    call: ({ files = [] }, call) => runOnFiles("validate", files, [], call),
  }),
  defineTool({
    name: "build",
    title: "Build Packs",
    description: "Validate and bundle Packs. The bundles replace the contents of the build folder",
    input: z.strictObject({
      files,
      budget: positive
        .optional()
        .describe("Maximum size of a bundle in bytes. The build fails if a bundle is larger"),
      why: z
        .string()
        .optional()
        .describe("Name of a package. The result shows why the bundle contains this package"),
    }),
    output: async () => (await import("../outputs/pack-outputs.ts")).builtPacks,
    effects: { isReadOnly: false, isDestructive: true, usesNetwork: false },
    call: ({ files = [], budget, why }, call) =>
      runOnFiles("build", files, [...flag("budget", budget), ...flag("why", why)], call),
  }),
  defineTool({
    name: "execute",
    title: "Run a part of a Pack",
    description:
      "Run a formula, a sync table or another part of a Pack in the sandbox, and show the result, logs and requests of the run",
    input: executeInput,
    output: async () => (await import("../../execute/run-document.ts")).runDocument,
    effects: { isReadOnly: false, isDestructive: true, usesNetwork: true },
    call: execute,
  }),
  defineTool({
    name: "explain_code",
    title: "Explain a code",
    description:
      "Explain an error code, such as PARAMETER_ORDER, with an incorrect and a correct example",
    input: z.strictObject({ code: z.string().describe("The error code, in capital letters") }),
    output: async () => (await import("../outputs/pack-outputs.ts")).explainOutput,
    effects: READS,
    call: ({ code }, call) => runVerb(["explain", "--json", "--", code], call),
  }),
  defineTool({
    name: "diff_live",
    title: "Compare with the released version",
    description:
      "Compare the source of a Pack with the released version, and show which changes affect users or break their documents. This tool reads from the registry, and does not upload anything",
    input: z.strictObject({ file }),
    output: async () => (await import("../outputs/pack-outputs.ts")).diffOutput,
    effects: { isReadOnly: true, isDestructive: false, usesNetwork: true },
    async call({ file: entry = "pack.ts" }, call) {
      requireInside(entry, call.cwd);
      return await runVerb(["diff", `--live=${entry}`, "--json"], call);
    },
  }),
];

async function execute(input: z.output<typeof executeInput>, call: ToolCall): Promise<object> {
  const { file: entry = "pack.ts", target, args = [], namedArgs = {}, network } = input;
  const { cassettes = "cassettes" } = input;
  requireInside(entry, call.cwd);
  requireInside(cassettes, call.cwd);
  const words = [
    ...["execute", "--exchanges"],
    ...networkFlags(network, cassettes),
    ...flag("account", input.account),
    ...flag("max-rows", input.maxRows),
    ...flag("max-pages", input.maxPages),
    ...flag("dynamic-url", input.dynamicUrl),
    ...flag("timezone", input.timezone),
    ...Object.entries(namedArgs).map(([name, each]) => `--arg=${name}=${argumentText(each)}`),
    ...["--json", "--", entry, target],
    ...args.map(argumentText),
  ];
  return keepRequests(target, await runVerb(words, call));
}

function networkFlags(
  network: z.output<typeof executeInput>["network"],
  cassettes: string,
): string[] {
  switch (network) {
    case "live":
      return [];
    case "blocked":
      return ["--no-fetch"];
    case "recorded":
      return [`--replay=${cassettes}`];
    default:
      return ["--block-actions"];
  }
}

async function runOnFiles(
  verb: string,
  files: readonly string[],
  flags: readonly string[],
  call: ToolCall,
): Promise<object> {
  for (const each of files) requireInside(each, call.cwd);
  return await runVerb([verb, ...flags, "--json", "--", ...files], call);
}

/** What a caller gives is part of the word, so that it is never read as another option. */
function flag(name: string, given: string | number | undefined): string[] {
  return given === undefined ? [] : [`--${name}=${given}`];
}

function argumentText(given: z.output<typeof value>): string {
  if (given === null) return "-";
  return typeof given === "string" ? given : JSON.stringify(given);
}
