import { Command, type HelpConfiguration } from "commander";
import { packageVersion } from "../shared/own-package.ts";
import { examples, type VerbContext } from "./verb.ts";

const USES_VAULT = new Set(["auth", "execute", "dev", "service"]);

/** The command right below the program. */
function topCommand(command: Command): Command {
  return command.parent?.parent ? topCommand(command.parent) : command;
}

/**
 * Makes the program without its commands.
 * @param onHelp receives what commander writes about a wrong command line
 */
export function createProgramFrame(context: VerbContext, onHelp: (text: string) => void): Command {
  return (
    new Command("packsmith")
      .description("Write, connect, run and build Packs")
      .addHelpText(
        "after",
        examples("packsmith init my-pack", "packsmith dev", "packsmith help build"),
      )
      .configureHelp(helpStyle(context.streams.stdout.columns))
      .version(packageVersion(), "-V, --version", "print the version")
      .helpOption("-h, --help", "show help")
      .showHelpAfterError(false)
      .hook("preAction", async (_program, command) => {
        // Commands without accounts do not open the vault.
        if (!USES_VAULT.has(topCommand(command).name())) return;
        const { vaultWarning } = await import("../accounts/vault-location.ts");
        const warning = vaultWarning(context.streams.env);
        if (warning !== undefined)
          context.output.progress(`${context.output.style("warning", "warning")}: ${warning}`);
      })
      // An option belongs to the command before it: "service" and "service import" both have
      // --database.
      .enablePositionalOptions()
      .exitOverride()
      .configureOutput({
        writeOut: (text) => void context.streams.stdout.write(text),
        // Usage errors are reported once, by runCli, so that --json holds for them too.
        writeErr: onHelp,
      })
  );
}

const MAX_COLUMNS = 80;
/** A narrower column of descriptions is left to the terminal, which breaks lines anywhere. */
const MIN_DESCRIPTION = 20;

/**
 * How help is written. Lists have only the names of commands, and the names of those below a group;
 * each command's own help shows its
 * arguments.
 * @param columns of the terminal, if there is one
 */
function helpStyle(columns: number | undefined): HelpConfiguration {
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
