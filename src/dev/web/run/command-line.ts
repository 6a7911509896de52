/** The line that runs the same in a terminal. */
export function commandLine(
  file: string,
  target: string,
  args: readonly string[],
  options: Readonly<Record<string, string | undefined>>,
): string {
  const flags = Object.entries(options).flatMap(([flag, value]) => (value === undefined || value === "" ? [] : [flag, quoted(value)]));
  // Whatever begins with a dash would be read as an option, unless this stands before it.
  const separator = args.some((text) => text.startsWith("-") && text !== "-") ? ["--"] : [];
  return ["packsmith", "execute", ...flags, quoted(file), quoted(target), ...separator, ...args.map(quoted)].join(" ");
}

/** A text as one word of a POSIX shell. */
function quoted(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) && text !== "" ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
