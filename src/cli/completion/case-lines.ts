import type { CommandModel, ValueKind } from "./command-model.ts";

/** What bash and zsh write alike: the patterns of a `case`, each with what it sets. */

/** `case "$command/$word"`: the command that a word leads to, in REPLY. */
export function enterCases(all: readonly CommandModel[]): string[] {
  return all.flatMap(({ path, commands }) =>
    commands.map((each) => `${each.names.map((name) => `"${path}/${name}"`).join("|")}) REPLY="${each.path}"`),
  );
}

/** `case "$command $option"`: how the value of an option is completed. */
export function valueCases(all: readonly CommandModel[], assign: (value: ValueKind) => string): string[] {
  return all.flatMap(({ path, options }) =>
    options.flatMap(({ long, short, value }) => {
      const flags = [long, short].flatMap((flag) => (flag === undefined ? [] : [`"${path} ${flag}"`]));
      return value === undefined ? [] : [`${flags.join("|")}) ${assign(value)}`];
    }),
  );
}

/** `case "$command $place"`: how an argument is completed, by its place. */
export function argumentCases(all: readonly CommandModel[], assign: (value: ValueKind) => string): string[] {
  return all.flatMap((command) =>
    command.arguments.map((value, place) => {
      const isRest = command.isVariadic && place === command.arguments.length - 1;
      return `"${command.path} "${isRest ? "*" : place}) ${assign(value)}`;
    }),
  );
}

export function caseLines(cases: readonly string[]): string {
  return cases.map((each) => `    ${each} ;;`).join("\n");
}
