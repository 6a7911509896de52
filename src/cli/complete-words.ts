import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Command, Help, type Option } from "commander";
import { knownTargets } from "../build/known-targets.ts";
import { TIMER_STRATEGIES } from "../bundle/timer-strategy.ts";
import { PROVIDER_PROFILES } from "../provider/profiles/catalogue.ts";
import { packageRoot } from "../shared/own-package.ts";
import { listCodes } from "../validate/explanations/explain.ts";
import { ISSUE_FORMATS } from "./issues.ts";

/** What can complete a command line. */
export interface Completion {
  candidates: Candidate[];
  /** Paths that fit, too; the shell knows them. */
  paths?: "files" | "folders" | undefined;
}

interface Candidate {
  value: string;
  description?: string | undefined;
}

/** Where the cursor is. */
interface Place {
  command: Command;
  /** The arguments of the command so far. */
  args: string[];
  /** The option whose value comes next. */
  option: Option | undefined;
  /** After `--` nothing is an option. */
  isAfterDashes: boolean;
}

const help = new Help();

/** Where a command line is typed, and where its earlier builds are. */
export interface CompletionFolders {
  cwd: string;
  cacheDir: string;
}

/**
 * Completes the last word of a command line.
 * @param words all words after the program's name. The last one may be empty or half-written. bash
 *   gives `--option=value` in three words.
 */
export function completeWords(
  program: Command,
  words: readonly string[],
  folders: CompletionFolders,
): Completion {
  const place = findPlace(program, words.slice(0, -1));
  const word = words.at(-1) ?? "";
  const [flag = "", value] = word.split(/=(.*)/s);
  const valued =
    value === undefined || place.isAfterDashes ? undefined : valuedOption(place.command, flag);
  if (valued !== undefined)
    return startingWith(word, completeValue(valued, program, place), `${flag}=`);
  if (place.option !== undefined && !word.startsWith("-"))
    return startingWith(word === "=" ? "" : word, completeValue(place.option, program, place));
  if (word.startsWith("-") && !place.isAfterDashes)
    return startingWith(word, { candidates: listOptions(place.command) });
  return startingWith(word, completeArgument(program, place, folders));
}

function findPlace(program: Command, words: readonly string[]): Place {
  const place: Place = { command: program, args: [], option: undefined, isAfterDashes: false };
  for (const word of words) {
    if (place.option !== undefined && word === "=") continue;
    const isValue = place.option !== undefined && !word.startsWith("-");
    place.option = undefined;
    if (isValue) continue;
    if (!place.isAfterDashes && word === "--") place.isAfterDashes = true;
    else if (!place.isAfterDashes && word.startsWith("-"))
      place.option = valuedOption(place.command, word);
    else {
      const command = place.args.length === 0 ? commandNamed(place.command, word) : undefined;
      if (command === undefined) place.args.push(word);
      else place.command = command;
    }
  }
  return place;
}

function commandNamed(command: Command, word: string): Command | undefined {
  return help
    .visibleCommands(command)
    .find((each) => each.name() === word || each.aliases().includes(word));
}

/** @returns the option of a flag, if it takes a value */
function valuedOption(command: Command, flag: string): Option | undefined {
  return help
    .visibleOptions(command)
    .find(
      (option) =>
        (option.long === flag || option.short === flag) && (option.required || option.optional),
    );
}

function listOptions(command: Command): Candidate[] {
  return help
    .visibleOptions(command)
    .flatMap(({ long, description }) => (long ? [{ value: long, description }] : []));
}

function completeValue(option: Option, program: Command, { command }: Place): Completion {
  const [, name = ""] = /[<[]([^>\]]+)[>\]]/.exec(option.flags) ?? [];
  return completeFromWords(
    option.argChoices ??
      knownWords(program)[`${command.name()} ${option.long}`] ??
      knownWords(program)[option.long ?? ""],
    name,
  );
}

/** Commands in the place of the first argument, and what the argument can be. */
function completeArgument(
  program: Command,
  { command, args }: Place,
  { cwd, cacheDir }: CompletionFolders,
): Completion {
  const commands = help
    .visibleCommands(command)
    // Groups get a "help" of the library's own, too, which says what --help says.
    .filter((each) => args.length === 0 && (command === program || each.name() !== "help"))
    .map((each) => ({ value: each.name(), description: each.description() }));
  const { registeredArguments } = command;
  const last = registeredArguments.at(-1);
  const argument = registeredArguments[args.length] ?? (last?.variadic === true ? last : undefined);
  if (argument === undefined) return { candidates: commands };
  const name = argument.name();
  const [file] = args;
  if (name === "target" && file !== undefined)
    return { candidates: knownTargets(file, cwd, cacheDir).map((value) => ({ value })) };
  const { candidates, paths } = completeFromWords(
    argument.argChoices ?? knownWords(program)[`${command.name()} <${name}>`],
    name,
  );
  return { candidates: [...commands, ...candidates], paths };
}

/** @param name what help calls the value, such as `file` */
function completeFromWords(words: readonly string[] | undefined, name: string): Completion {
  const isFile = /^(?:file|files|path|build|old|new)$/.test(name);
  const isFolder = /^(?:dir|directory|folder)$/.test(name);
  if (words === undefined)
    return { candidates: [], paths: isFile ? "files" : isFolder ? "folders" : undefined };
  return { candidates: words.map((value) => ({ value })) };
}

/**
 * Words for values that the commands check themselves, by `--option`, `command --option` or
 * `command <argument>`.
 */
function knownWords(program: Command): Readonly<Record<string, readonly string[]>> {
  const templates = readdirSync(join(packageRoot(), "templates"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"))
    .map(({ name }) => name);
  return {
    "--template": templates,
    "--profile": PROVIDER_PROFILES.map(({ name }) => name),
    "--format": ISSUE_FORMATS,
    "--timer-strategy": TIMER_STRATEGIES,
    "--redirect-host": ["127.0.0.1", "localhost"],
    "--browser": ["system"],
    "explain <code>": listCodes().map(({ code }) => code),
    "help <command>": help.visibleCommands(program).map((command) => command.name()),
    "schema <command>": help.visibleCommands(program).map((command) => command.name()),
  };
}

function startingWith(word: string, { candidates, paths }: Completion, prefix = ""): Completion {
  const complete = candidates.map(({ value, description = "" }) => ({
    value: prefix + value,
    description: shorten(description),
  }));
  return { candidates: complete.filter(({ value }) => value.startsWith(word)), paths };
}

const MAX_DESCRIPTION = 72;

/** The first clause: it fits next to the word. */
function shorten(text: string): string {
  const [clause = ""] = text.split(/[:;(]/);
  const line = clause.trim();
  return line.length <= MAX_DESCRIPTION
    ? line
    : `${line.slice(0, line.lastIndexOf(" ", MAX_DESCRIPTION))} …`;
}
