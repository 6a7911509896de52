import * as z from "zod";
import { vaultLocation } from "../../accounts/vault-location.ts";
import type { AnyParameter, Formula } from "../../define/formula.ts";
import { openValidPack, type Pack } from "../../execute/open-pack.ts";
import { runTarget } from "../../execute/run-target.ts";
import { createRedactor } from "../../shared/redact.ts";
import { requireInside } from "./inside-project.ts";
import { defineTool, READS, type ToolCall } from "./tool.ts";

const parameter = z.strictObject({
  name: z.string(),
  type: z.string(),
  description: z.string(),
  isOptional: z.boolean(),
  /** One of a group that may be repeated, after the other parameters. */
  isRepeated: z.boolean(),
  /** What the Pack suggests without a request. */
  choices: z.array(z.unknown()).optional(),
  /** The target that returns the choices. */
  choicesTarget: z.string().optional(),
});

const target = z.strictObject({
  target: z.string().describe("The value to pass to execute as the target."),
  kind: z.enum(["formula", "action", "table", "dynamic table", "tools of the MCP server"]),
  description: z.string(),
  connection: z
    .string()
    .describe("Whether the target needs an account: none, optional or required."),
  parameters: z.array(parameter),
  /** The target that updates rows, of a table that can do so. */
  updateTarget: z.string().optional(),
});

type ListedTarget = z.output<typeof target>;
type ListedParameter = z.output<typeof parameter>;

/** Runs a target that needs no request, and gives undefined for another one. */
type FindChoices = (target: string) => Promise<unknown[] | undefined>;

export const LIST_TARGETS_TOOL = defineTool({
  name: "list_targets",
  title: "List what execute can run",
  description:
    "List the formulas, actions and sync tables of a Pack that execute can run, with the parameters and the allowed values of each parameter",
  input: z.strictObject({
    file: z.string().optional().describe("Entry file of the Pack. Default: pack.ts"),
  }),
  output: async () => z.strictObject({ ok: z.literal(true), targets: z.array(target) }),
  effects: READS,
  async call({ file = "pack.ts" }, call) {
    requireInside(file, call.cwd);
    await using pack = await openValidPack(file, { cwd: call.cwd });
    return { ok: true, targets: await listTargets(pack, createChoiceFinder(pack, file, call)) };
  },
});

async function listTargets(pack: Pack, findChoices: FindChoices): Promise<ListedTarget[]> {
  const { formulas, syncTables, mcpServers } = pack.definition;
  const listed = [
    ...formulas.map((formula) => {
      const kind = formula.isAction === true ? ("action" as const) : ("formula" as const);
      return describeTarget(formula, kind, findChoices);
    }),
    ...syncTables.map(async (table) => {
      const kind = table.isDynamic === true ? ("dynamic table" as const) : ("table" as const);
      const { getter, name, description = "" } = table;
      const block = { ...getter, name, description };
      const described = await describeTarget(block, kind, findChoices);
      const isTwoWay = getter.executeUpdate !== undefined;
      return isTwoWay ? { ...described, updateTarget: `${table.name}:update` } : described;
    }),
  ];
  const tools = (mcpServers ?? []).map(
    ({ name }): ListedTarget => ({
      target: "Mcp:tools",
      kind: "tools of the MCP server",
      description: `Lists the tools of ${name}. To call a tool, write its name after Mcp:call:.`,
      connection: "optional",
      parameters: [],
    }),
  );
  return [...(await Promise.all(listed)), ...tools];
}

async function describeTarget(
  block: Pick<
    Formula,
    "name" | "description" | "parameters" | "varargParameters" | "connectionRequirement"
  >,
  kind: ListedTarget["kind"],
  findChoices: FindChoices,
): Promise<ListedTarget> {
  const { name, parameters, varargParameters = [] } = block;
  return {
    target: name,
    kind,
    description: block.description ?? "",
    connection: block.connectionRequirement ?? "none",
    parameters: await Promise.all([
      ...parameters.map((each) => describeParameter(name, each, false, findChoices)),
      ...varargParameters.map((each) => describeParameter(name, each, true, findChoices)),
    ]),
  };
}

async function describeParameter(
  block: string,
  { name, type, description, optional, autocomplete }: AnyParameter,
  isRepeated: boolean,
  findChoices: FindChoices,
): Promise<ListedParameter> {
  const described = {
    name,
    type: String(type),
    description: description ?? "",
    isOptional: optional === true,
    isRepeated,
  };
  if (autocomplete === undefined) return described;
  const choicesTarget = `${block}:autocomplete:${described.name}`;
  const choices = await findChoices(choicesTarget);
  return choices === undefined ? { ...described, choicesTarget } : { ...described, choices };
}

/** Choices that need a request are left to `execute`. */
function createChoiceFinder(pack: Pack, file: string, { cwd, env, signal }: ToolCall): FindChoices {
  return async (text) => {
    await using run = runTarget(
      pack,
      { target: text, args: { text: [] } },
      {
        file,
        cwd,
        signal,
        redactor: createRedactor(),
        ...vaultLocation(env),
        network: "blocked",
      },
    );
    const result = await run.finish();
    return result.ok && Array.isArray(result.result) ? result.result : undefined;
  };
}
