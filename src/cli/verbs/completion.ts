import { Argument, type Command, Option } from "commander";
import { PackError } from "../../errors.ts";
import { type VerbContext, withCommonOptions } from "../verb.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

const INSTALL = `
Put one of these lines where your shell starts:
  bash   eval "$(packsmith completion bash)"          in ~/.bashrc
  zsh    eval "$(packsmith completion zsh)"           in ~/.zshrc, after compinit
  fish   packsmith completion fish | source           in ~/.config/fish/config.fish
`;

/** `completion SHELL`: a script out of the commands as they are, so that no list of them can be stale. */
export function addCompletionVerb(program: Command, { streams, output }: VerbContext): void {
  withCommonOptions(
    program
      .command("completion")
      .description("print a script that completes commands, options and names in your shell")
      .addArgument(new Argument("[shell]", "which shell").choices(SHELLS))
      // What the scripts themselves ask for.
      .addOption(new Option("--targets <file>").hideHelp())
      .addHelpText("after", INSTALL),
  ).action(async (shell: Shell | undefined, { targets }: { targets?: string }) => {
    if (targets !== undefined) {
      const { knownTargets } = await import("../../build/known-targets.ts");
      const names = knownTargets(targets, streams.cwd);
      if (output.json) return output.document({ ok: true, targets: names });
      for (const name of names) output.data(name);
      return;
    }
    if (shell === undefined) {
      const hint = "Run packsmith completion bash, zsh or fish.";
      throw new PackError("USAGE_INVALID", "The name of a shell is missing.", { details: undefined, hint });
    }
    const script = await scriptFor(shell, program);
    if (output.json) return output.document({ ok: true, shell, script });
    streams.stdout.write(script);
  });
}

async function scriptFor(shell: Shell, program: Command): Promise<string> {
  const [{ modelOf }, { knownWords }] = await Promise.all([
    import("../completion/command-model.ts"),
    import("../completion/known-words.ts"),
  ]);
  const model = modelOf(program, knownWords(program.commands.map((command) => command.name())));
  switch (shell) {
    case "bash":
      return (await import("../completion/bash.ts")).bashScript(model);
    case "zsh":
      return (await import("../completion/zsh.ts")).zshScript(model);
    case "fish":
      return (await import("../completion/fish.ts")).fishScript(model);
  }
}
