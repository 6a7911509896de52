import { describe, expect, it } from "vitest";
import { startCli } from "../support/cli-in-process.ts";

const COLUMNS = 80;

async function helpOf(words: string[]): Promise<string> {
  const cli = startCli([...words, "--help"], { cwd: "/" });
  expect(await cli.ended).toBe(0);
  return cli.stdout();
}

/** The commands in the list of a command's help. */
function commandsIn(help: string): string[] {
  const list = help.split(/^Commands:\n/m)[1]?.split("\n\n")[0] ?? "";
  return [...list.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = ""]) => name).filter((name) => name !== "help");
}

const top = commandsIn(await helpOf([]));
const below = await Promise.all(top.map(async (name) => commandsIn(await helpOf([name])).map((word) => [name, word])));
const paths = [[], ...top.map((name) => [name]), ...below.flat()];

describe("help", () => {
  it("lists the commands and those below them", () => {
    expect(paths.length).toBeGreaterThan(24);
  });

  it.each(paths.map((path) => ({ path, name: ["packsmith", ...path].join(" ") })))(
    "of $name fits 80 columns and has examples",
    async ({ path }) => {
      const help = await helpOf(path);
      expect(help.split("\n").filter((line) => line.length > COLUMNS)).toEqual([]);
      // The first word is a verb in the imperative; the sentence has no end, because lists repeat it.
      const [description = ""] = help.split("\n\n").slice(1);
      expect(description).toMatch(/^[A-Z][a-z]+,? .*[^.]$/s);
      const examples = help.split(/^Examples:\n/m)[1]?.split("\n\n")[0] ?? help.split(/^Put one of these lines/m)[1] ?? "";
      const count = [...examples.matchAll(/^ {2}\S/gm)].length;
      expect(count).toBeGreaterThanOrEqual(2);
      expect(count).toBeLessThanOrEqual(4);
    },
  );
});
