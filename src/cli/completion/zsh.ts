import { argumentCases, caseLines, enterCases, valueCases } from "./case-lines.ts";
import { type CommandModel, flatten, type ValueKind } from "./command-model.ts";

/** The script for zsh: evaluated, or kept as a file named `_packsmith` in a folder of `fpath`. */
export function zshScript(program: CommandModel): string {
  const commands = flatten(program);
  return `#compdef packsmith
# Completion of packsmith for zsh: eval "$(packsmith completion zsh)" after compinit

# The command that a word leads to.
_packsmith_enter() {
  case "$1/$2" in
${caseLines(enterCases(commands))}
    *) return 1 ;;
  esac
}

# The commands below one, each with what it does.
_packsmith_commands() {
  case "$1" in
${caseLines(commands.filter((each) => each.commands.length > 0).map((each) => `"${each.path}") reply=(${each.commands.map(({ names, description }) => quoted(`${names[0]}:${description}`)).join(" ")})`))}
    *) reply=() ;;
  esac
}

_packsmith_options() {
  case "$1" in
${caseLines(commands.map(({ path, options }) => `"${path}") reply=(${options.map(({ long, description }) => quoted(`${long}:${description}`)).join(" ")})`))}
    *) reply=() ;;
  esac
}

# How the value of an option is completed; fails for one without a value.
_packsmith_value() {
  case "$1 $2" in
${caseLines(valueCases(commands, (value) => `reply=(${kindText(value)})`))}
    *) return 1 ;;
  esac
}

# How an argument is completed, by its place.
_packsmith_argument() {
  case "$1 $2" in
${caseLines(argumentCases(commands, (value) => `reply=(${kindText(value)})`))}
    *) reply=(any) ;;
  esac
}

_packsmith_reply() {
  local kind="$1"
  shift
  case "$kind" in
    files) _files ;;
    folders) _files -/ ;;
    targets) compadd -- \${(f)"$(\${words[1]} completion --targets "$entry" 2>/dev/null)"} ;;
    words) compadd -- "$@" ;;
  esac
}

_packsmith() {
  local cur="\${words[CURRENT]}" command="" option="" entry="" rest="" word="" REPLY=""
  local -i count=0 index
  local -a reply
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
    if [[ -n $option && $word != -* ]]; then
      option=""
      continue
    fi
    option=""
    if [[ -z $rest && $word == "--" ]]; then
      rest=1
    elif [[ -z $rest && $word == -* ]]; then
      _packsmith_value "$command" "$word" && option="$word"
    elif ((count == 0)) && _packsmith_enter "$command" "$word"; then
      command="$REPLY"
    else
      ((count == 0)) && entry="$word"
      ((count += 1))
    fi
  done
  if [[ -z $rest && $cur == --*=* ]] && _packsmith_value "$command" "\${cur%%=*}"; then
    compset -P '*='
    _packsmith_reply "\${reply[@]}"
  elif [[ -n $option && $cur != -* ]]; then
    _packsmith_value "$command" "$option"
    _packsmith_reply "\${reply[@]}"
  elif [[ -z $rest && $cur == -* ]]; then
    _packsmith_options "$command"
    _describe -o option reply
  else
    if ((count == 0)); then
      _packsmith_commands "$command"
      (($#reply)) && _describe command reply
    fi
    _packsmith_argument "$command" "$count"
    _packsmith_reply "\${reply[@]}"
  fi
}

# As a file of fpath it is the function's body; evaluated, it only declares it.
if [[ "\${funcstack[1]}" == _packsmith ]]; then
  _packsmith "$@"
else
  compdef _packsmith packsmith
fi
`;
}

function kindText(value: ValueKind): string {
  return value.kind === "words" ? ["words", ...value.words].map(quoted).join(" ") : value.kind;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
