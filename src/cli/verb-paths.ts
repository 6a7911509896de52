import { type Command, Help } from "commander";

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
