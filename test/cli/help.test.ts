import { describe, expect, it } from "vitest";
import { startCli } from "../support/cli-in-process.ts";
import { COMMAND_GROUPS, commandsIn, readParts } from "../support/help-parts.ts";

const COLUMNS = 80;

async function readHelp(words: string[], columns?: number): Promise<string> {
  const cli = startCli([...words, "--help"], { cwd: "/", columns });
  expect(await cli.ended).toBe(0);
  return cli.stdout();
}

const top = commandsIn(await readHelp([]));
const below = await Promise.all(
  top.map(async (name) => commandsIn(await readHelp([name])).map((word) => [name, word])),
);
const paths = [[], ...top.map((name) => [name]), ...below.flat()];

describe("help", () => {
  it("lists the commands in groups, a line for each, and names those below a group", async () => {
    const help = await readHelp([]);
    const parts = readParts(help);
    expect([...parts.keys()]).toEqual(["Options:", ...COMMAND_GROUPS, "Examples:"]);
    const first = [...(parts.get("Start:") ?? "").matchAll(/^ {2}([a-z]+) /gm)];
    expect(first.map(([, name]) => name)).toEqual(["init", "dev", "auth", "build", "upload"]);
    for (const heading of COMMAND_GROUPS) {
      // The names of the commands below a group may need more lines.
      for (const row of parts.get(heading)?.trimEnd().split("\n") ?? [])
        expect(row).toMatch(/^ {2}[a-z-]+(?:, [a-z-]+)* {2,}[A-Z]|^ {19}[a-z]/);
    }
    const auth = parts.get("Start:")?.replace(/\s+/g, " ");
    for (const name of commandsIn(await readHelp(["auth"])))
      expect(auth).toMatch(new RegExp(`[:,] ${name}\\b`));
    expect(parts.get("Servers on this machine:")).toMatch(
      /^ {2}service .*; commands: import,\s+types$/m,
    );
  });

  it("lists the options of auth connect by what they are about", async () => {
    const parts = readParts(await readHelp(["auth", "connect"]));
    const headings = [
      "Arguments:",
      "Client:",
      "Account:",
      "Redirect URI:",
      "Browser:",
      "Requests:",
      "Options:",
      "Examples:",
    ];
    expect([...parts.keys()]).toEqual(headings);
    const findOption = (heading: string) =>
      [...(parts.get(heading) ?? "").matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(
        ([, flag]) => flag,
      );
    expect(findOption("Client:")).toContain("--client-id");
    expect(findOption("Account:")).toEqual(
      expect.arrayContaining(["--account", "--system", "--admin", "--secrets-stdin"]),
    );
    expect(findOption("Options:")).toEqual(["--json", "--debug", "--help"]);
  });

  it.each([56, 70, 80, 200])(
    "breaks no word on a terminal with %i columns, and is never wider than 80",
    async (columns) => {
      const words = (text: string) => text.split(/\s+/);
      const whole = words(await readHelp(["auth", "connect"]));
      const help = await readHelp(["auth", "connect"], columns);
      expect(words(help)).toEqual(whole);
      const described = help.split("\n").filter((line) => !line.startsWith("  packsmith"));
      expect(Math.max(...described.map((line) => line.length))).toBeLessThanOrEqual(
        Math.min(columns, COLUMNS),
      );
    },
  );

  it("lists the commands and those below them", () => {
    expect(paths.length).toBeGreaterThan(24);
  });

  it.each(paths.map((path) => ({ path, name: ["packsmith", ...path].join(" ") })))(
    "of $name fits 80 columns and has examples",
    async ({ path }) => {
      const help = await readHelp(path);
      expect(help.split("\n").filter((line) => line.length > COLUMNS)).toEqual([]);
      // The first word is a verb in the imperative; the sentence has no end, because lists repeat
      // it.
      const [description = ""] = help.split("\n\n").slice(1);
      expect(description).toMatch(/^[A-Z][a-z]+,? .*[^.]$/s);
      const examples =
        help.split(/^Examples:\n/m)[1]?.split("\n\n")[0] ??
        help.split(/^Add one of these lines/m)[1] ??
        "";
      const count = [...examples.matchAll(/^ {2}\S/gm)].length;
      expect(count).toBeGreaterThanOrEqual(2);
      expect(count).toBeLessThanOrEqual(4);
    },
  );
});
