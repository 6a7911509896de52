import { Command } from "commander";
import { describe, expect, it } from "vitest";
import { dailyVerbOf } from "../../src/cli/daily-verb.ts";
import { addBuildVerb } from "../../src/cli/verbs/build.ts";
import { addExecuteVerb } from "../../src/cli/verbs/execute.ts";
import { addValidateVerb } from "../../src/cli/verbs/validate.ts";

describe("dailyVerbOf", () => {
  it.each([
    ["build", addBuildVerb],
    ["execute", addExecuteVerb],
    ["validate", addValidateVerb],
  ])("knows %s by every name that it has", (verb, add) => {
    const program = new Command();
    add(program, {} as never);
    const [command] = program.commands;
    expect(command?.name()).toBe(verb);
    for (const name of [verb, ...(command?.aliases() ?? [])]) expect(dailyVerbOf([name, "pack.ts"])).toBe(verb);
  });

  it("leaves help and all others alone", () => {
    expect([["build", "--help"], ["run", "-h"], ["dev"], ["toString"], []].map(dailyVerbOf)).toEqual(Array(5).fill(undefined));
  });
});
