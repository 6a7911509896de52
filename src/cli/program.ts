import { Command, type HelpConfiguration } from "commander";
import { packageVersion } from "../shared/own-package.ts";
import { examples, type VerbContext } from "./verb.ts";
import { addAuthVerbs } from "./verbs/auth.ts";
import { addBuildVerb } from "./verbs/build.ts";
import { addCompletionVerb } from "./verbs/completion.ts";
import { addConfigVerbs } from "./verbs/config.ts";
import { addDemoVerb } from "./verbs/demo.ts";
import { addDevVerb } from "./verbs/dev.ts";
import { addDiffVerb } from "./verbs/diff.ts";
import { addDocsVerb } from "./verbs/docs.ts";
import { addDoctorVerb } from "./verbs/doctor.ts";
import { addExecuteVerb } from "./verbs/execute.ts";
import { addExplainVerb } from "./verbs/explain.ts";
import { addInitVerb } from "./verbs/init.ts";
import { addLoginVerbs } from "./verbs/login.ts";
import { addLogsVerb } from "./verbs/logs.ts";
import { addMcpVerb } from "./verbs/mcp.ts";
import { addOAuthConfigVerbs } from "./verbs/oauth-config.ts";
import { addPackIdVerbs } from "./verbs/pack-id.ts";
import { addProviderVerb } from "./verbs/provider.ts";
import { addReleaseVerb } from "./verbs/release.ts";
import { addSchemaVerb } from "./verbs/schema.ts";
import { addServiceVerb } from "./verbs/service.ts";
import { addSetOptionVerb } from "./verbs/set-option.ts";
import { addStatusVerb } from "./verbs/status.ts";
import { addTrustVerb } from "./verbs/trust.ts";
import { addUploadVerb } from "./verbs/upload.ts";
import { addValidateVerb } from "./verbs/validate.ts";
import { addVersionVerbs } from "./verbs/versions.ts";

const USES_VAULT = new Set(["auth", "execute", "dev", "service"]);

/** The command right below the program. */
function topCommand(command: Command): Command {
  return command.parent?.parent ? topCommand(command.parent) : command;
}

/**
 * Defines every command: its name, options, examples and output. The command line, completion,
 * `schema`, `mcp` and the page of commands
 * are made from it.
 * @param onHelp receives what commander writes about a wrong command line
 */
export function createProgram(context: VerbContext, onHelp: (text: string) => void): Command {
  const program = new Command("packsmith")
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
    });
  program.commandsGroup("Start:");
  addInitVerb(program, context);
  addDevVerb(program, context);
  addAuthVerbs(program, context);
  addBuildVerb(program, context);
  addUploadVerb(program, context);
  program.commandsGroup("Check:");
  addValidateVerb(program, context);
  addExecuteVerb(program, context);
  addDiffVerb(program, context);
  addExplainVerb(program, context);
  addDoctorVerb(program, context);
  addTrustVerb(program, context);
  program.commandsGroup("Servers on this machine:");
  addServiceVerb(program, context);
  addProviderVerb(program, context);
  program.commandsGroup("Publish:");
  addLoginVerbs(program, context);
  addPackIdVerbs(program, context);
  addReleaseVerb(program, context);
  addVersionVerbs(program, context);
  addConfigVerbs(program, context);
  addOAuthConfigVerbs(program, context);
  addDocsVerb(program, context);
  addStatusVerb(program, context);
  addLogsVerb(program, context);
  addSetOptionVerb(program, context);
  program.commandsGroup("Help:");
  addDemoVerb(program, context);
  addMcpVerb(program, context);
  addCompletionVerb(program, context);
  addSchemaVerb(program, context);
  for (const command of [program, ...program.commands.filter(isGroup)])
    command.helpCommand("help [command]", "Show help for a command");
  return program;
}

function isGroup({ commands }: Command): boolean {
  return commands.length > 0;
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
