/** The headings of the groups of commands in the help of packsmith. */
export const COMMAND_GROUPS = ["Start:", "Check:", "Servers on this machine:", "Publish:", "Help:"];

/** The parts of a help text with their headings, such as `Options:`. */
export function readParts(help: string): Map<string, string> {
  return new Map(
    [...help.matchAll(/^([A-Z][^\n]*:)\n((?: {2}.*\n?)+)/gm)].map(([, heading = "", rows = ""]) => [
      heading,
      rows,
    ]),
  );
}

/** The commands in the lists of a command's help. */
export function commandsIn(help: string): string[] {
  const lists = [...readParts(help)].filter(
    ([heading]) => heading === "Commands:" || COMMAND_GROUPS.includes(heading),
  );
  return lists
    .flatMap(([, rows]) => [...rows.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = ""]) => name))
    .filter((name) => name !== "help");
}
