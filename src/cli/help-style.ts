import type { HelpConfiguration } from "commander";

const MAX_COLUMNS = 80;
/** A narrower column of descriptions is left to the terminal, which breaks lines anywhere. */
const MIN_DESCRIPTION = 20;

/**
 * How help is written. Lists have only the names of commands, and the names of those below a group;
 * each command's own help shows its
 * arguments.
 * @param columns of the terminal, if there is one
 */
export function helpStyle(columns: number | undefined): HelpConfiguration {
  return {
    // Longer lines are hard to read.
    helpWidth: Math.min(columns || MAX_COLUMNS, MAX_COLUMNS),
    minWidthToWrap: MIN_DESCRIPTION,
    subcommandTerm: (command) => [command.name(), ...command.aliases()].join(", "),
    subcommandDescription(command) {
      const text = command.summary() || command.description();
      const below = command.commands.map((each) => each.name());
      return below.length === 0 ? text : `${text}; commands: ${below.join(", ")}`;
    },
  };
}
