import { existsSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createAskForTrust } from "../../src/cli/ask-for-trust.ts";
import { createOutput, type Streams } from "../../src/cli/output.ts";
import { createRedactor } from "../../src/shared/redact.ts";
import { findAnswer } from "../../src/shared/trusted-folders.ts";
import { makeTemporaryFolder } from "../support/temporary-folder.ts";

const COMPILER = { name: "its TypeScript compiler", without: "Types are not checked" };
const LEFT_OUT =
  "Types are not checked. If you trust this folder, run packsmith trust there, or pass --trust.";
const [ENTER, LEFT, CTRL_C] = ["\r", "\u001b[D", "\u0003"];

/** A terminal whose user presses these keys when they are asked. */
function startTerminal(keys: readonly string[], { isTTY = true, json = false, CI = "" } = {}) {
  const home = makeTemporaryFolder();
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: () => {} });
  const stderr = Object.assign(new PassThrough(), { isTTY, columns: 200 });
  let shown = "";
  let isAsked = false;
  stderr.on("data", (chunk) => {
    shown += String(chunk);
    if (isAsked || !shown.includes("Do you trust")) return;
    isAsked = true;
    // The prompt listens once it is shown.
    setImmediate(() => {
      for (const key of keys) stdin.write(key);
    });
  });
  const env = { PACKSMITH_HOME: home.path, CI };
  const streams = { stdin, stderr, stdout: new PassThrough(), env, cwd: "/" } as unknown as Streams;
  const output = createOutput(streams, json, createRedactor());
  return {
    home: home.path,
    ask: (folder: string) => createAskForTrust(streams, output)(folder, COMPILER),
    answer: (folder: string) => findAnswer(folder, env),
    shown: () => shown,
    isAsked: () => isAsked,
    [Symbol.dispose]: home[Symbol.dispose],
  };
}

describe("the question whether a folder is trusted", () => {
  it("names the folder and what may run, and keeps a yes", async () => {
    using terminal = startTerminal(["y"]);
    expect(await terminal.ask("/clones/\u001b[8mgreet")).toBe(true);
    expect(terminal.shown()).toContain("Do you trust /clones/");
    expect(terminal.shown()).toContain("its TypeScript compiler can run as you");
    expect(terminal.shown()).not.toContain("\u001b[8m");
    expect(terminal.answer("/clones/\u001b[8mgreet")).toBe(true);
    expect(terminal.answer("/clones/other")).toBeUndefined();
  });

  it.each([
    ["Enter", [ENTER]],
    ["n", ["n"]],
    ["to Yes and back", [LEFT, LEFT, ENTER]],
  ])("is a no with %s, which is kept, so that no one is asked again", async (_, keys) => {
    using terminal = startTerminal(keys);
    expect(await terminal.ask("/clones/greet")).toBe(false);
    expect(terminal.answer("/clones/greet")).toBe(false);
    expect(terminal.shown()).toContain(LEFT_OUT);
    const before = terminal.shown().split("Do you trust").length;
    expect(await terminal.ask("/clones/greet")).toBe(false);
    expect(terminal.shown().split("Do you trust")).toHaveLength(before);
  });

  it("is a no for this time only with Ctrl+C", async () => {
    using terminal = startTerminal([CTRL_C]);
    expect(await terminal.ask("/clones/greet")).toBe(false);
    expect(terminal.answer("/clones/greet")).toBeUndefined();
    expect(existsSync(join(terminal.home, "trusted"))).toBe(false);
  });

  it.each([
    ["a terminal", { isTTY: false }],
    ["someone who reads it, as in CI", { CI: "true" }],
    ["a text output, as with --json", { json: true }],
  ])("is not asked without %s", async (_, options) => {
    using terminal = startTerminal(["y"], options);
    expect(await terminal.ask("/clones/greet")).toBe(false);
    expect(terminal.isAsked()).toBe(false);
    expect(terminal.answer("/clones/greet")).toBeUndefined();
  });
});
