import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { findUnknownCommand, isCommandLine, WANTED } from "../../src/cli/unknown-command.ts";
import { startCli } from "../support/cli-in-process.ts";
import { makeProject } from "../support/project.ts";

async function catchError(args: string[], cwd = "/"): Promise<string[]> {
  const cli = startCli(args, { cwd });
  expect(await cli.ended).toBe(2);
  expect(cli.stdout()).toBe("");
  return cli.stderr().trimEnd().split("\n");
}

describe("a command that does not exist", () => {
  it.each([
    ["lint", "Did you mean packsmith validate?"],
    ["test", "Did you mean packsmith validate or packsmith execute?"],
    ["watch", "Did you mean packsmith build --watch, packsmith validate --watch or packsmith dev?"],
    ["serve", "Did you mean packsmith dev or packsmith service?"],
    ["deploy", /Did you mean (?:packsmith upload or )?packsmith release\?/],
    ["biuld", "Did you mean packsmith build?"],
    ["exlpain", "Did you mean packsmith explain?"],
    ["connect", "Did you mean packsmith auth connect?"],
    ["import", "Did you mean packsmith service import?"],
    ["frobnicate", "Run packsmith --help to list the commands."],
    ["constructor", "Run packsmith --help to list the commands."],
    ["help frobnicate", "Run packsmith --help to list the commands."],
    ["auth conect pack.ts", "Did you mean packsmith auth connect?"],
    ["auth conect", "Did you mean packsmith auth connect?"],
    ["auth validate", "Did you mean packsmith validate?"],
    ["auth frob", "Run packsmith auth --help to list the commands."],
    ["help auth conect", "Did you mean packsmith auth connect?"],
    ["service impot", "Did you mean packsmith service import?"],
  ])("%s leads to one that does", async (line, hint) => {
    const args = line.split(" ");
    const [error, second] = await catchError(args);
    const named = args.filter((word) => word !== "help" && word !== "pack.ts").join(" ");
    expect(error).toBe(`error USAGE_INVALID  There is no command "${named}".`);
    expect(second).toEqual(expect.stringMatching(hint));
  });

  it("that is a file says that the command is missing before it", async () => {
    expect(await catchError(["pack.ts"])).toEqual([
      "error USAGE_INVALID  The command name is missing before pack.ts.",
      "  → For example, run packsmith dev pack.ts. To list the commands, run packsmith --help.",
    ]);
  });

  it("with a file that it does not take is run without it", async () => {
    expect((await catchError(["auth", "explain", "pack.ts"]))[1]).toBe(
      "  → Run packsmith auth explain without an argument.",
    );
    expect((await catchError(["explain", "A", "B"]))[1]).toBe("  → Run packsmith explain --help.");
  });

  it("is one JSON document with --json", async () => {
    const cli = startCli(["lint", "--json"], { cwd: "/" });
    expect([await cli.ended, JSON.parse(cli.stdout())]).toEqual([
      2,
      {
        ok: false,
        error: {
          code: "USAGE_INVALID",
          message: 'There is no command "lint".',
          hint: "Did you mean packsmith validate?",
        },
      },
    ]);
  });

  it("is shown without control characters and not at any length", async () => {
    const [error = ""] = await catchError([`\u001b]0;title\u0007${"x".repeat(500)}`]);
    expect(error).not.toContain("\u001b");
    expect(error.length).toBeLessThan(140);
  });

  it("after auth is a file if there is one, or if it looks like a path", async () => {
    using project = makeProject({ conect: "export const pack = ;" });
    const cli = startCli(["auth", "conect"], { cwd: project.path });
    expect([await cli.ended, cli.stderr()]).toEqual([
      10,
      expect.stringContaining("PACK_BUILD_FAILED"),
    ]);
    expect((await catchError(["auth", "none.ts"], project.path))[0]).toMatch(
      /^error PACK_FILE_UNREADABLE/,
    );
  });
});

describe("suggestions", () => {
  it("name only commands and options that exist", () => {
    const program = new Command("packsmith");
    program.command("release");
    const findHint = (word: string) => findUnknownCommand(program, [word], "/")?.hint;
    expect(findHint("deploy")).toBe("Did you mean packsmith release?");
    program.command("upload");
    expect(findHint("deploy")).toBe("Did you mean packsmith upload or packsmith release?");
    expect(findHint("lint")).toBe("Run packsmith --help to list the commands.");
    program.command("validate");
    expect(findHint("lint")).toBe("Did you mean packsmith validate?");
    expect(findHint("fix")).toBe("Run packsmith --help to list the commands.");
    expect(isCommandLine(program, "validate --fix")).toBe(false);
  });

  it.each(Object.keys(WANTED))(
    "for %s lead to a command of packsmith, unless it is one",
    async (word) => {
      const cli = startCli([word, "--help"], { cwd: "/" });
      if ((await cli.ended) === 0) return;
      const lines = [...cli.stderr().matchAll(/packsmith ([a-z]+(?: [a-z]+)?)/g)].map(
        ([, line = ""]) => line.split(" "),
      );
      expect(lines.length).toBeGreaterThan(0);
      for (const [first = ""] of lines) {
        const suggested = startCli([first, "--help"], { cwd: "/" });
        expect(await suggested.ended, first).toBe(0);
      }
    },
  );
});
