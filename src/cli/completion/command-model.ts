import { type Argument, type Command, Help, type Option } from "commander";

/** What stands in the place of a value. */
export type ValueKind =
  | { kind: "files" }
  | { kind: "folders" }
  /** One of these words. */
  | { kind: "words"; words: readonly string[] }
  /** A formula or a sync table of the Pack that is named before it. */
  | { kind: "targets" }
  /** Something that nobody can know. */
  | { kind: "any" };

export interface OptionModel {
  /** `--out-dir`. */
  long: string;
  /** `-o`. */
  short: string | undefined;
  description: string;
  /** Undefined for a switch. */
  value: ValueKind | undefined;
}

/** One command as the shells see it. */
export interface CommandModel {
  /** The words that lead to it: `"auth connect"`; the program itself is `""`. */
  path: string;
  /** The last of these words and its aliases; none for the program. */
  names: readonly string[];
  description: string;
  options: readonly OptionModel[];
  /** By place; the last one stands for all that follow when `isVariadic`. */
  arguments: readonly ValueKind[];
  isVariadic: boolean;
  commands: readonly CommandModel[];
}

/** Words that stand for a value, where the command line itself does not list them: by `path --option` or `path <argument>`. */
export type KnownWords = Readonly<Record<string, readonly string[]>>;

/** Reads a command and those below it. Hidden options and commands stay hidden. */
export function modelOf(command: Command, words: KnownWords, path = ""): CommandModel {
  const help = new Help();
  const commands = help
    .visibleCommands(command)
    // Groups get a "help" of the library's own, too, which says what --help says.
    .filter((each) => path === "" || each.name() !== "help")
    .map((each) => modelOf(each, words, path === "" ? each.name() : `${path} ${each.name()}`));
  const named = (name: string): ValueKind | undefined => {
    const known = words[path === "" ? name : `${path} ${name}`] ?? words[name];
    return known === undefined ? undefined : { kind: "words", words: known };
  };
  return {
    path,
    names: path === "" ? [] : [command.name(), ...command.aliases()],
    description: shorten(command.description()),
    options: help.visibleOptions(command).flatMap((option) => optionModel(option, named)),
    arguments: command.registeredArguments.map((argument) => named(`<${argument.name()}>`) ?? argumentKind(argument)),
    isVariadic: command.registeredArguments.at(-1)?.variadic === true,
    commands,
  };
}

/** The command and all below it. */
export function flatten(model: CommandModel): CommandModel[] {
  return [model, ...model.commands.flatMap(flatten)];
}

function optionModel(option: Option, named: (name: string) => ValueKind | undefined): OptionModel[] {
  if (option.long === undefined || option.long === null) return [];
  const takesValue = option.required || option.optional;
  const choices = option.argChoices === undefined ? undefined : ({ kind: "words", words: option.argChoices } as const);
  const value = takesValue ? (choices ?? named(option.long) ?? kindOf(/[<[]([^>\]]+)[>\]]/.exec(option.flags)?.[1] ?? "")) : undefined;
  return [{ long: option.long, short: option.short ?? undefined, description: shorten(option.description), value }];
}

function argumentKind(argument: Argument): ValueKind {
  return argument.argChoices === undefined ? kindOf(argument.name()) : { kind: "words", words: argument.argChoices };
}

/** Help names a value by what it is. */
function kindOf(name: string): ValueKind {
  if (/^(?:file|files|path|manifest|old|new)$/.test(name)) return { kind: "files" };
  if (/^(?:dir|directory|folder)$/.test(name)) return { kind: "folders" };
  return name === "target" ? { kind: "targets" } : { kind: "any" };
}

const MAX_DESCRIPTION = 72;

/** What fits beside a word: the first clause. */
function shorten(text: string): string {
  const [clause = ""] = text.split(/[:;(]/);
  const line = clause.trim();
  return line.length <= MAX_DESCRIPTION ? line : `${line.slice(0, line.lastIndexOf(" ", MAX_DESCRIPTION))} …`;
}
