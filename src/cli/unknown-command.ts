import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { type PackError, usageError } from "../errors.ts";
import { findNearest } from "../shared/text.ts";

/**
 * What people type who know other tools, and the commands that do it here. Those that do not exist
 * are not suggested.
 */
export const WANTED: Readonly<Record<string, readonly string[]>> = {
  new: ["init"],
  create: ["init"],
  lint: ["validate"],
  format: ["validate --fix"],
  fix: ["validate --fix"],
  typecheck: ["validate"],
  test: ["validate", "execute"],
  watch: ["build --watch", "validate --watch", "dev"],
  serve: ["dev", "service"],
  start: ["dev"],
  open: ["dev"],
  server: ["service", "provider"],
  bundle: ["build"],
  compile: ["build"],
  pack: ["release", "build"],
  deploy: ["upload", "release"],
  publish: ["upload", "release"],
  push: ["upload", "release"],
  upload: ["release"],
  version: ["release"],
  changelog: ["diff", "release"],
  signin: ["login", "auth connect"],
  login: ["auth connect"],
  logout: ["auth revoke"],
  accounts: ["auth list"],
  oauth: ["auth connect"],
  call: ["execute"],
  invoke: ["execute"],
  exec: ["execute"],
  debug: ["execute", "dev"],
  info: ["doctor"],
  env: ["doctor"],
};

/**
 * Finds a word in the place of a command that is not one. The library would take it for an argument
 * of the
 * group's own command, such as the file of `auth connect`.
 */
export function findUnknownCommand(
  program: Command,
  args: readonly string[],
  cwd: string,
): PackError | undefined {
  let command = program;
  for (const word of args) {
    if (command.commands.length === 0 || word.startsWith("-")) return undefined;
    if (word === "help") continue;
    const named = commandNamed(command, word);
    if (named === undefined)
      return mayBeFile(command, word, cwd) ? undefined : unknownCommand(program, command, word);
    command = named;
  }
  return undefined;
}

/** `auth pack.ts` connects an account of that file. */
function mayBeFile(group: Command, word: string, cwd: string): boolean {
  return group.parent !== null && (/[./\\]/.test(word) || existsSync(resolve(cwd, word)));
}

function unknownCommand(program: Command, group: Command, word: string): PackError {
  const shown = word.length > 60 ? `${word.slice(0, 60)}…` : word;
  if (group === program && /[./\\]/.test(word))
    return usageError(
      `The command name is missing before ${shown}.`,
      `For example, run packsmith dev ${shown}. To list the commands, run packsmith --help.`,
    );
  const path = listPath(group);
  const guesses = guess(program, group, word);
  const hint =
    guesses.length === 0
      ? `Run ${["packsmith", ...path].join(" ")} --help to list the commands.`
      : `Did you mean ${joinWithOr(guesses)}?`;
  return usageError(`There is no command "${[...path, shown].join(" ")}".`, hint);
}

/** @returns command lines of commands that exist */
function guess(program: Command, group: Command, word: string): string[] {
  const known = word.toLowerCase();
  const wanted =
    group === program && Object.hasOwn(WANTED, known)
      ? (WANTED[known] ?? []).filter((line) => isCommandLine(program, line))
      : [];
  if (wanted.length > 0) return wanted.map(commandLine);
  // "connect" is a command of the group "auth"; "auth validate" means a command outside the group.
  const others = [program, ...program.commands].filter((each) => each !== group);
  const same = others.flatMap((other) => commandNamed(other, word) ?? []);
  if (same.length > 0) return same.map((each) => commandLine(listPath(each).join(" ")));
  const names = listVisible(group).flatMap((each) => [each.name(), ...each.aliases()]);
  const name = findNearest(word, names);
  return name === undefined ? [] : [commandLine([...listPath(group), name].join(" "))];
}

function commandNamed(group: Command, word: string): Command | undefined {
  return group.commands.find((each) => each.name() === word || each.aliases().includes(word));
}

function listVisible(group: Command): readonly Command[] {
  return group.createHelp().visibleCommands(group);
}

/** @param line such as `auth connect` or `build --watch` */
export function isCommandLine(program: Command, line: string): boolean {
  let command: Command | undefined = program;
  for (const word of line.split(" ")) {
    if (word.startsWith("--")) return command.options.some(({ long }) => long === word);
    command = commandNamed(command, word);
    if (command === undefined) return false;
  }
  return true;
}

function listPath(command: Command): string[] {
  return command.parent === null ? [] : [...listPath(command.parent), command.name()];
}

function commandLine(line: string): string {
  return `packsmith ${line}`;
}

function joinWithOr(lines: readonly string[]): string {
  return lines.length < 2 ? lines.join("") : `${lines.slice(0, -1).join(", ")} or ${lines.at(-1)}`;
}
