import { resolve } from "node:path";
import { type Argument, type Command, Help, type Option } from "commander";
import * as z from "zod";
import { usageError } from "../../errors.ts";
import { isInside, realPath } from "../../shared/project-boundary.ts";

/** A command as a tool for programs: which of its arguments and options they may give. */
export interface VerbTool {
  /** Name of the command. */
  verb: string;
  /** Names of options, without the dashes. */
  options: readonly string[];
  /** What to add to the description of the command. */
  note?: string | undefined;
  /** Nothing is written and nothing is sent. */
  isReadOnly: boolean;
}

/** The arguments that are files of the project. */
const FILES = new Set(["file", "files"]);
const help = new Help();

/**
 * The arguments of the tool: those of the command, and the options that it names, each with the
 * description of the command line.
 */
export function inputOf(command: Command, { options }: VerbTool): z.ZodObject {
  const args = command.registeredArguments.map(
    (argument) => [argument.name(), argumentSchema(argument)] as const,
  );
  const flags = optionsOf(command, options).map(
    (option) => [option.attributeName(), optionSchema(option)] as const,
  );
  return z.strictObject(Object.fromEntries([...args, ...flags]));
}

/**
 * The command line of a call, after the name of the command. What the caller gives is never read as
 * an option.
 * @throws {PackError} USAGE_INVALID for a file outside the project
 */
export function commandLine(
  command: Command,
  tool: VerbTool,
  input: Readonly<Record<string, unknown>>,
  project: string,
): string[] {
  const flags = optionsOf(command, tool.options).flatMap((option) => {
    const value = input[option.attributeName()];
    if (value === undefined) return [];
    if (!option.required) return value === option.negate ? [] : [option.long ?? ""];
    return [value].flat().map((each) => `${option.long}=${String(each)}`);
  });
  const args = command.registeredArguments.flatMap((argument) => {
    const value = input[argument.name()];
    const texts = value === undefined ? [] : [value].flat().map(String);
    if (FILES.has(argument.name())) for (const text of texts) requireInside(text, project);
    return texts;
  });
  return [...flags, "--json", "--", ...args];
}

function optionsOf(command: Command, names: readonly string[]): Option[] {
  const known = help.visibleOptions(command);
  return names.map((name) => {
    const option = known.find(({ long }) => long === `--${name}`);
    if (option === undefined) throw new TypeError(`${command.name()} has no option --${name}.`);
    return option;
  });
}

function argumentSchema(argument: Argument): z.ZodType {
  const value = argument.variadic ? z.array(z.string()) : z.string();
  return (argument.required ? value : value.optional()).describe(argument.description);
}

function optionSchema(option: Option): z.ZodType {
  const isRepeated = option.description.includes("may be repeated");
  const value = !option.required ? z.boolean() : isRepeated ? z.array(z.string()) : z.string();
  return value.optional().describe(option.description);
}

/**
 * @throws {PackError} USAGE_INVALID unless the path, or the folder of the pattern, is in the
 * project
 */
export function requireInside(file: string, project: string): void {
  // Patterns may be written with backslashes, everywhere.
  const spellings = [file, file.replaceAll("\\", "/")];
  // A pattern is checked up to its first wildcard; what it matches below is in that folder. A file
  // may have such a name, too.
  const paths = spellings.flatMap((path) => [path, path.replace(/[*?{[].*/s, "")]);
  const root = realPath(project);
  if (
    paths.every((path) => isInside(root, realPath(resolve(project, path)))) &&
    !file.split(/[\\/]/).includes("..")
  )
    return;
  throw usageError(
    `${file} is outside the project.`,
    "Give a path in the folder in which packsmith mcp runs.",
  );
}
