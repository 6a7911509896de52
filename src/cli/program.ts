import type { Command } from "commander";
import { createProgramFrame } from "./program-frame.ts";
import type { VerbContext } from "./verb.ts";
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

/**
 * Defines every command: its name, options, examples and output. The command line, completion,
 * `schema`, `mcp` and the page of commands
 * are made from it.
 * @param onHelp receives what commander writes about a wrong command line
 */
export function createProgram(context: VerbContext, onHelp: (text: string) => void): Command {
  const program = createProgramFrame(context, onHelp);
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
