import { argumentCases, caseLines, enterCases, valueCases } from "./case-lines.ts";
import { type CommandModel, flatten, type ValueKind } from "./command-model.ts";

/** The script for bash 3.2 and later. */
export function bashScript(program: CommandModel): string {
  const commands = flatten(program);
  return `# Completion of packsmith for bash: eval "$(packsmith completion bash)"

# The command that a word leads to.
_packsmith_enter() {
  case "$1/$2" in
${caseLines(enterCases(commands))}
    *) return 1 ;;
  esac
}

# The commands below one.
_packsmith_commands() {
  case "$1" in
${caseLines(commands.filter((each) => each.commands.length > 0).map((each) => `"${each.path}") REPLY="${each.commands.map(({ names }) => names[0]).join(" ")}"`))}
    *) REPLY="" ;;
  esac
}

_packsmith_options() {
  case "$1" in
${caseLines(commands.map(({ path, options }) => `"${path}") REPLY="${options.map(({ long }) => long).join(" ")}"`))}
    *) REPLY="" ;;
  esac
}

# How the value of an option is completed; fails for one without a value.
_packsmith_value() {
  case "$1 $2" in
${caseLines(valueCases(commands, (value) => `REPLY="${kindText(value)}"`))}
    *) return 1 ;;
  esac
}

# How an argument is completed, by its place.
_packsmith_argument() {
  case "$1 $2" in
${caseLines(argumentCases(commands, (value) => `REPLY="${kindText(value)}"`))}
    *) REPLY="any" ;;
  esac
}

_packsmith_reply() {
  local IFS=$'\\n'
  case "$1" in
    files)
      compopt -o filenames 2>/dev/null
      COMPREPLY+=($(compgen -f -- "$2"))
      ;;
    folders)
      compopt -o filenames 2>/dev/null
      COMPREPLY+=($(compgen -d -- "$2"))
      ;;
    # The names are plain words: compgen would expand anything else.
    targets) COMPREPLY+=($(compgen -W "$("\${COMP_WORDS[0]}" completion --targets "$3" 2>/dev/null)" -- "$2")) ;;
    words*)
      IFS=$' \\n'
      COMPREPLY+=($(compgen -W "\${1#words }" -- "$2"))
      ;;
  esac
}

_packsmith() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" command="" option="" entry="" rest="" count=0 index word REPLY=""
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    # --option=value comes in three words.
    [[ -n $option && $word == "=" ]] && continue
    if [[ -n $option && $word != -* ]]; then
      option=""
      continue
    fi
    option=""
    if [[ -z $rest && $word == "--" ]]; then
      rest=1
    elif [[ -z $rest && $word == -* ]]; then
      _packsmith_value "$command" "$word" && option="$word"
    elif [[ $count == 0 ]] && _packsmith_enter "$command" "$word"; then
      command="$REPLY"
    else
      [[ $count == 0 ]] && entry="$word"
      count=$((count + 1))
    fi
  done
  if [[ -n $option && $cur != -* ]]; then
    [[ $cur == "=" ]] && cur=""
    _packsmith_value "$command" "$option"
    _packsmith_reply "$REPLY" "$cur" "$entry"
  elif [[ -z $rest && $cur == -* ]]; then
    _packsmith_options "$command"
    _packsmith_reply "words $REPLY" "$cur"
  else
    _packsmith_commands "$command"
    [[ $count == 0 && -n $REPLY ]] && _packsmith_reply "words $REPLY" "$cur"
    _packsmith_argument "$command" "$count"
    _packsmith_reply "$REPLY" "$cur" "$entry"
  fi
}

complete -F _packsmith packsmith
`;
}

function kindText(value: ValueKind): string {
  return value.kind === "words" ? `words ${value.words.join(" ")}` : value.kind;
}
