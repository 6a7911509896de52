import { type Command, Help } from "commander";
import { usageError } from "../../errors.ts";
import { findNearest } from "../../shared/text.ts";
import { examples, findFacts, type VerbContext, withCommonOptions } from "../verb.ts";

/** `schema COMMAND`: what a command prints with `--json`, as a JSON Schema. */
export function addSchemaVerb(program: Command, { output }: VerbContext): void {
  withCommonOptions(
    program
      .command("schema")
      .summary("Print the JSON Schema of a command's output")
      .description("Print the JSON Schema of a command's --json output")
      .addHelpText(
        "after",
        examples(
          "packsmith schema build",
          "packsmith schema auth connect",
          "packsmith schema --json",
        ),
      )
      .argument(
        "[command...]",
        "name of a command, such as build or auth connect; without a name, the command lists all commands",
      ),
    async () => (await import("../outputs/pack-outputs.ts")).schemaOutput,
  ).action(async (words: string[]) => {
    const verbs = listVerbs(program).filter(({ command }) => findFacts(command) !== undefined);
    const names = verbs.map(({ name }) => name);
    if (words.length === 0) {
      if (output.json) return output.document({ ok: true, commands: names });
      for (const name of names) output.data(name);
      return;
    }
    const wanted = words.join(" ");
    const verb = verbs.find(({ name }) => name === wanted);
    if (verb === undefined) throw unknown(wanted, names);
    const schema = await createJsonSchema(verb.name, verb.command);
    if (output.json) output.document(schema);
    else output.data(JSON.stringify(schema, undefined, 2));
  });
}

/** A command with the words that name it, such as `auth connect`. */
export interface NamedVerb {
  name: string;
  command: Command;
}

const help = new Help();

/** Every command that help lists, groups included, in the order of the help. */
export function listVerbs(program: Command): NamedVerb[] {
  const listBelow = (command: Command, words: readonly string[]): NamedVerb[] =>
    help
      .visibleCommands(command)
      // Every group has a "help" of the library's own.
      .filter((each) => each.name() !== "help")
      .flatMap((each) => [
        { name: [...words, each.name()].join(" "), command: each },
        ...listBelow(each, [...words, each.name()]),
      ]);
  return listBelow(program, []);
}

/**
 * What a command prints with `--json`, also when it ends with an error, as a JSON Schema of version
 * 2020-12.
 */
export async function createJsonSchema(name: string, command: Command): Promise<object> {
  const facts = findFacts(command);
  if (facts === undefined) throw new TypeError(`packsmith ${name} has no JSON output.`);
  const [schema, { failure }, { toJSONSchema }] = await Promise.all([
    facts.schema(),
    import("../outputs/parts.ts"),
    import("zod"),
  ]);
  return { ...toJSONSchema(schema.or(failure)), title: `packsmith ${name} --json` };
}

function unknown(wanted: string, names: readonly string[]) {
  const near = findNearest(wanted, names);
  const hint =
    near === undefined ? "Run packsmith schema to list all commands." : `Did you mean ${near}?`;
  return usageError(`There is no command "${wanted}" with JSON output.`, hint);
}
