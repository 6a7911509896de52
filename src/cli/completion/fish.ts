import { type CommandModel, flatten, type OptionModel, type ValueKind } from "./command-model.ts";

/** The script for fish 3 and later: sourced, or kept in its folder of completions. */
export function fishScript(program: CommandModel): string {
  const commands = flatten(program);
  return `# Completion of packsmith for fish: packsmith completion fish | source

# Prints the command that is being written, how many arguments it has so far, and the first of them.
function __packsmith_state
  set -l path ""
  set -l count 0
  set -l entry ""
  set -l option ""
  set -l rest ""
  for word in (commandline -opc)[2..]
    if test -n "$option"; and not string match -q -- "-*" $word
      set option ""
      continue
    end
    set option ""
    if test -z "$rest"; and test "$word" = --
      set rest 1
    else if test -z "$rest"; and string match -q -- "-*" $word
      __packsmith_takes_value "$path" $word; and set option $word
    else if test $count -eq 0; and set -l entered (__packsmith_enter "$path" $word)
      set path $entered
    else
      test $count -eq 0; and set entry $word
      set count (math $count + 1)
    end
  end
  printf '%s\\n' "$path" $count "$entry"
end

# The command that a word leads to.
function __packsmith_enter
  switch "$argv[1]/$argv[2]"
${cases(commands.flatMap(({ path, commands }) => commands.map((each) => [each.names.map((name) => `${path}/${name}`), `echo ${quoted(each.path)}`])))}
    case '*'
      return 1
  end
end

function __packsmith_takes_value
  switch "$argv[1] $argv[2]"
${cases(commands.flatMap(({ path, options }) => options.flatMap((option): [string[], string][] => (option.value === undefined ? [] : [[flagsOf(option).map((flag) => `${path} ${flag}`), "return 0"]]))))}
    case '*'
      return 1
  end
end

function __packsmith_in
  set -l state (__packsmith_state)
  test "$state[1]" = "$argv[1]"
end

function __packsmith_at
  set -l state (__packsmith_state)
  test "$state[1]" = "$argv[1]"; and test $state[2] $argv[2] $argv[3]
end

function __packsmith_targets
  set -l state (__packsmith_state)
  set -l program (commandline -opc)[1]
  $program completion --targets $state[3] 2>/dev/null
end

complete -c packsmith -f
${commands.flatMap(completionsOf).join("\n")}
`;
}

function completionsOf({ path, commands, options, ...command }: CommandModel): string[] {
  const inside = `-n ${quoted(`__packsmith_in ${quotedInside(path)}`)}`;
  const at = (test: string) => `-n ${quoted(`__packsmith_at ${quotedInside(path)} ${test}`)}`;
  return [
    ...commands.map(({ names, description }) => `complete -c packsmith ${at("-eq 0")} -a ${names[0]} -d ${quoted(description)}`),
    ...options.map(({ long, short, description, value }) => {
      const flags = `-l ${long.slice(2)}${short === undefined ? "" : ` -s ${short.slice(1)}`}`;
      return `complete -c packsmith ${inside} ${flags}${value === undefined ? "" : ` -r ${kindText(value)}`} -d ${quoted(description)}`;
    }),
    ...command.arguments.flatMap((value, place) => {
      const isRest = command.isVariadic && place === command.arguments.length - 1;
      return value.kind === "any" ? [] : [`complete -c packsmith ${at(`${isRest ? "-ge" : "-eq"} ${place}`)} ${kindText(value)}`];
    }),
  ];
}

function kindText(value: ValueKind): string {
  switch (value.kind) {
    case "files":
      return "-F";
    case "folders":
      return "-f -a '(__fish_complete_directories)'";
    case "targets":
      return "-f -a '(__packsmith_targets)'";
    case "words":
      return `-f -a ${quoted(value.words.join(" "))}`;
    case "any":
      return "-f";
  }
}

function flagsOf({ long, short }: OptionModel): string[] {
  return short === undefined ? [long] : [long, short];
}

function cases(entries: readonly (readonly [patterns: readonly string[], body: string])[]): string {
  return entries.map(([patterns, body]) => `    case ${patterns.map(quoted).join(" ")}\n      ${body}`).join("\n");
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** Inside a condition, which is quoted itself. */
function quotedInside(text: string): string {
  return `"${text}"`;
}
