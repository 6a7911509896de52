import type { Command } from "commander";
import { createProgramFrame } from "./program-frame.ts";
import type { VerbContext } from "./verb.ts";

type AddVerb = (program: Command, context: VerbContext) => void;

/** Commands that authors run many times a day. They do not wait for all the others to be loaded. */
const LOADED_ALONE: ReadonlyMap<string, () => Promise<AddVerb>> = new Map([
  ["build", async () => (await import("./verbs/build.ts")).addBuildVerb],
  ["execute", async () => (await import("./verbs/execute.ts")).addExecuteVerb],
  ["validate", async () => (await import("./verbs/validate.ts")).addValidateVerb],
]);

/**
 * Defines the command that a command line names, or every command.
 * @param onHelp receives what commander writes about a wrong command line
 */
export async function createProgramFor(
  args: readonly string[],
  context: VerbContext,
  onHelp: (text: string) => void,
): Promise<Command> {
  const loadVerb = LOADED_ALONE.get(args[0] ?? "");
  if (loadVerb === undefined) {
    const { createProgram } = await import("./program.ts");
    return createProgram(context, onHelp);
  }
  const program = createProgramFrame(context, onHelp);
  const addVerb = await loadVerb();
  addVerb(program, context);
  return program;
}
