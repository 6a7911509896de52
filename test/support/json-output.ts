import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Command } from "commander";
import type { Streams } from "../../src/cli/output.ts";
import type { VerbContext } from "../../src/cli/verb.ts";
import type { NamedVerb } from "../../src/cli/verbs/schema.ts";

/** What is needed of the command line to know its commands and what they print. */
export interface CommandLine {
  createProgram: typeof import("../../src/cli/program.ts").createProgram;
  listVerbs: typeof import("../../src/cli/verbs/schema.ts").listVerbs;
  findFacts: typeof import("../../src/cli/verb.ts").findFacts;
  createJsonSchema: typeof import("../../src/cli/verbs/schema.ts").createJsonSchema;
}

const dist = fileURLToPath(new URL("../../dist/cli", import.meta.url));

/** The built command line, which Node loads faster than the sources. */
async function loadBuilt(): Promise<CommandLine> {
  const files = ["program.js", "verb.js", "verbs/schema.js"];
  const modules = await Promise.all(
    files.map((file) => import(/* @vite-ignore */ join(dist, file)) as Promise<object>),
  );
  return Object.assign({}, ...modules) as CommandLine;
}

function openProgram({ createProgram }: CommandLine): Command {
  const streams = {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    env: {},
    cwd: "/",
  } as Streams;
  return createProgram({ streams } as VerbContext, () => {});
}

function collectVerbs(commandLine: CommandLine): NamedVerb[] {
  const { listVerbs, findFacts } = commandLine;
  return listVerbs(openProgram(commandLine)).filter(
    ({ command }) => findFacts(command) !== undefined,
  );
}

/** The built command line, as its commands define it. */
export async function builtProgram(): Promise<Command> {
  return openProgram(await loadBuilt());
}

/** Every command of the built command line that prints something of its own, groups left out. */
export async function builtVerbs(): Promise<NamedVerb[]> {
  return collectVerbs(await loadBuilt());
}

/** The function of `packsmith/node` that does what a command does. */
export async function findNodeFunction(command: Command): Promise<string | undefined> {
  const { findFacts } = await loadBuilt();
  return findFacts(command)?.nodeFunction;
}

/** The JSON Schema of what a command prints with `--json`, also when it fails. */
export async function readSchema({ name, command }: NamedVerb): Promise<object> {
  const { createJsonSchema } = await loadBuilt();
  return await createJsonSchema(name, command);
}

/** The command that a command line names. */
export async function selectVerb(args: readonly string[]): Promise<NamedVerb | undefined> {
  return findVerb(await builtVerbs(), args);
}

function findVerb(verbs: readonly NamedVerb[], args: readonly string[]): NamedVerb | undefined {
  const words = args.filter((arg) => !arg.startsWith("-"));
  const named = (name: string, parent?: string) =>
    verbs.find((verb) => {
      const [group, last = group] = verb.name.split(" ");
      return (
        (last === name || verb.command.aliases().includes(name)) &&
        (verb.name.includes(" ") ? group : undefined) === parent
      );
    });
  const [first = "", second = ""] = words;
  return (
    named(second, first) ??
    named(first) ??
    (first === "auth" ? named("connect", "auth") : undefined)
  );
}

/**
 * Checks that each line that a command printed with `--json` is as its schema says.
 * @param load the command line that printed it. @default the built one
 * @throws an error that names the members that differ
 */
export async function checkJsonOutput(
  args: readonly string[],
  stdout: string,
  load: () => CommandLine | Promise<CommandLine> = loadBuilt,
): Promise<void> {
  if (!args.includes("--json") || args.includes("--help")) return;
  const commandLine = await load();
  const verb = findVerb(collectVerbs(commandLine), args);
  if (verb === undefined) return;
  const validate = compile(await commandLine.createJsonSchema(verb.name, verb.command));
  // The last line of a command that was killed may not be complete.
  for (const line of stdout.split("\n").slice(0, -1)) {
    if (validate(JSON.parse(line))) continue;
    throw new Error(
      `packsmith ${verb.name} --json printed what its schema does not allow: ${line}\n${JSON.stringify(validate.errors)}`,
    );
  }
}

/** An independent reader of JSON Schema. */
export function compile(schema: object): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true });
  addFormats.default(ajv);
  return ajv.compile(schema);
}
