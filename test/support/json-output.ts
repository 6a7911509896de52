import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Command } from "commander";
import type { Streams } from "../../src/cli/output.ts";
import type { VerbContext } from "../../src/cli/verb.ts";
import type { NamedVerb } from "../../src/cli/verb-paths.ts";

const built = fileURLToPath(new URL("../../dist/cli", import.meta.url));
const load = async (file: string): Promise<unknown> =>
  await import(/* @vite-ignore */ join(built, file));

/** The built command line, as its commands define it. */
export async function builtProgram(): Promise<Command> {
  const { createProgram } = (await load("program.js")) as typeof import("../../src/cli/program.ts");
  const streams = {
    stdout: process.stdout,
    stderr: process.stderr,
    stdin: process.stdin,
    env: {},
    cwd: "/",
  } as Streams;
  return createProgram({ streams } as VerbContext, () => {});
}

/** Every command of the built command line that prints something of its own, groups left out. */
export async function builtVerbs(): Promise<NamedVerb[]> {
  const [program, { listVerbs }, { factsOf }] = (await Promise.all([
    builtProgram(),
    load("verb-paths.js"),
    load("verb.js"),
  ])) as [
    Command,
    typeof import("../../src/cli/verb-paths.ts"),
    typeof import("../../src/cli/verb.ts"),
  ];
  return listVerbs(program).filter(({ command }) => factsOf(command) !== undefined);
}

/** The function of `packsmith/node` that does what a command does. */
export async function nodeFunctionOf(command: Command): Promise<string | undefined> {
  const { factsOf } = (await load("verb.js")) as typeof import("../../src/cli/verb.ts");
  return factsOf(command)?.nodeFunction;
}

/** The JSON Schema of what a command prints with `--json`, also when it fails. */
export async function schemaOf({ name, command }: NamedVerb): Promise<object> {
  const { jsonSchemaOf } = (await load(
    "verbs/schema.js",
  )) as typeof import("../../src/cli/verbs/schema.ts");
  return await jsonSchemaOf(name, command);
}

/** The command that a command line names. */
export async function verbOf(args: readonly string[]): Promise<NamedVerb | undefined> {
  const verbs = await builtVerbs();
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
 * @throws an error that names the members that differ
 */
export async function checkJsonOutput(args: readonly string[], stdout: string): Promise<void> {
  if (!args.includes("--json") || args.includes("--help")) return;
  const verb = await verbOf(args);
  if (verb === undefined) return;
  const validate = compile(await schemaOf(verb));
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
