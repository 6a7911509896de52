import { Argument, type Command } from "commander";
import { usageError } from "../../errors.ts";
import { cacheFolder } from "../../shared/folders.ts";
import { type VerbContext, withCommonOptions } from "../verb.ts";

/**
 * A script for each shell. All of them ask `packsmith __complete`, which answers in lines: first
 * whether paths fit (`files`, `folders`
 * or `words`), then each candidate with its description after a tab.
 *
 * `@bomb.sh/tab` (0.0.22) does not replace this: it never lets the shell complete paths, does not
 * show a handler the words before the cursor, and its scripts evaluate what is typed.
 */
const SCRIPTS = {
  bash: `# Completion of packsmith for bash: eval "$(packsmith completion bash)"
_packsmith() {
  local IFS=$'\\n' cur="\${COMP_WORDS[COMP_CWORD]#=}" kind line
  COMPREPLY=()
  { read -r kind; while read -r line; do COMPREPLY+=("\${line%%$'\\t'*}"); done; } \\
    < <("\${COMP_WORDS[0]}" __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case "$kind" in
    files) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -f -- "$cur")) ;;
    folders) compopt -o filenames 2>/dev/null; COMPREPLY+=($(compgen -d -- "$cur")) ;;
  esac
}
complete -F _packsmith packsmith
`,
  zsh: `#compdef packsmith
# Completion of packsmith for zsh: eval "$(packsmith completion zsh)" after compinit
_packsmith() {
  local -a answer=("\${(@f)$(command \${words[1]} __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  local kind="\${answer[1]}"
  local -a candidates=("\${(@)answer[2,-1]//:/\\\\:}")
  candidates=("\${(@)candidates/$'\\t'/:}")
  _describe packsmith candidates
  [[ "\${words[CURRENT]}" == --*=* ]] && compset -P '*='
  case "$kind" in files) _files ;; folders) _files -/ ;; esac
}
# A file in fpath is the body of the function; evaluated, the script registers it.
if [[ "\${funcstack[1]}" == _packsmith ]]; then _packsmith "$@"; else compdef _packsmith packsmith; fi
`,
  fish: `# Completion of packsmith for fish: packsmith completion fish | source
function __packsmith_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l answer ($words[1] __complete -- $words[2..] "$current" 2>/dev/null)
  printf '%s\\n' $answer[2..]
  switch "$answer[1]"
    case files
      __fish_complete_path "$current"
    case folders
      __fish_complete_directories "$current"
  end
end
complete -c packsmith -f -a '(__packsmith_complete)'
`,
} as const;
type Shell = keyof typeof SCRIPTS;

const INSTALL = `
Add one of these lines to the start-up file of your shell:
  bash   eval "$(packsmith completion bash)"   in ~/.bashrc
  zsh    eval "$(packsmith completion zsh)"    in ~/.zshrc, after compinit
  fish   packsmith completion fish | source    in ~/.config/fish/config.fish
`;

/** `completion SHELL` prints a script that asks the hidden `__complete` for every word. */
export function addCompletionVerb(program: Command, { streams, output }: VerbContext): void {
  withCommonOptions(
    program
      .command("completion")
      .summary("Print a completion script for your shell")
      .description("Print a script that completes commands, options and names in your shell")
      .addArgument(
        new Argument("[shell]", "shell to print the script for").choices(Object.keys(SCRIPTS)),
      )
      .addHelpText("after", INSTALL),
    async () => (await import("../outputs/pack-outputs.ts")).completionOutput,
  ).action((shell: Shell | undefined) => {
    if (shell === undefined) {
      const hint = "Run packsmith completion SHELL, where SHELL is bash, zsh or fish.";
      throw usageError("The shell name is missing.", hint);
    }
    const script = SCRIPTS[shell];
    if (output.json) return output.document({ ok: true, shell, script });
    streams.stdout.write(script);
  });
  program
    .command("__complete", { hidden: true })
    .argument("[words...]")
    .action(async (words: string[]) => {
      const { completeWords } = await import("../complete-words.ts");
      const { candidates, paths = "words" } = completeWords(program, words, {
        cwd: streams.cwd,
        cacheDir: cacheFolder(streams.env),
      });
      const lines = [
        paths,
        ...candidates.map(({ value, description = "" }) =>
          description === "" ? value : `${value}\t${description}`,
        ),
      ];
      streams.stdout.write(`${lines.join("\n")}\n`);
    });
}
