import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { createElicitation } from "../../src/cli/elicitation-prompts.ts";
import type { Streams } from "../../src/cli/output.ts";
import type { Elicitation } from "../../src/execute/mcp/elicitation.ts";

const CANCEL = Symbol("cancel");
const FIELD = {
  description: undefined,
  default: undefined,
  options: [],
  isRequired: false,
  format: undefined,
  least: undefined,
  most: undefined,
};
const OPTIONS = [
  { value: "open", title: "Open" },
  { value: "done", title: "Done" },
];
const ELICITATION: Elicitation = {
  mode: "form",
  server: "mcp.tasks.example",
  message: "Which tasks?\n\u001b[31mthis is sent: nothing",
  fields: [
    { ...FIELD, name: "title", title: "Title", type: "text", isRequired: true },
    { ...FIELD, name: "count", title: "Count", type: "integer" },
    { ...FIELD, name: "status", title: "Status", type: "choice", options: OPTIONS },
    { ...FIELD, name: "sure", title: "Sure", type: "boolean" },
  ],
};

/** The questions are answered in order; `undefined` stands for Ctrl+C. */
function createTerminal(answers: readonly unknown[], isTTY = true) {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const stdin = Object.assign(new PassThrough(), { isTTY });
  const streams = { stdin, stderr, env: {} } as unknown as Streams;
  const waiting = [...answers];
  const asked: string[] = [];
  const problems: (string | Error | undefined)[] = [];
  const answer = async ({
    message,
    validate,
  }: {
    message: string;
    validate?: (given: string | undefined) => string | Error | undefined;
  }) => {
    asked.push(message);
    const given = waiting.shift();
    if (validate !== undefined) problems.push(validate(given as string));
    return given === undefined ? CANCEL : given;
  };
  const prompts = {
    confirm: answer,
    text: answer,
    select: answer,
    multiselect: answer,
    isCancel: (value: unknown) => value === CANCEL,
  };
  const opened: string[] = [];
  const elicit = createElicitation(streams, {
    loadPrompts: async () => prompts as never,
    openBrowser: async (url) => void opened.push(url),
  });
  return {
    elicit: elicit && ((asking: Elicitation) => elicit(asking, new AbortController().signal)),
    opened,
    asked,
    problems,
    async shown() {
      stderr.end();
      return await text(stderr);
    },
  };
}

describe("questions of an MCP server in the terminal", () => {
  it("shows what is sent before it is sent, on lines that the server cannot write", async () => {
    const terminal = createTerminal(["Tea", "3", "done", true, true]);
    expect(await terminal.elicit?.(ELICITATION)).toEqual({
      action: "accept",
      content: { title: "Tea", count: 3, status: "done", sure: true },
    });
    expect(terminal.asked).toEqual([
      ...["Title", "Count (optional)", "Status (optional)", "Sure (optional)"],
      "Send this answer to mcp.tasks.example?",
    ]);
    expect(await terminal.shown()).toMatchInlineSnapshot(`
      "mcp.tasks.example asks: Which tasks? [31mthis is sent: nothing
      this is sent:
        title: "Tea"
        count: 3
        status: "done"
        sure: true
      "
    `);
  });

  it("sends nothing if the user does not agree, or interrupts", async () => {
    const refused = createTerminal(["Tea", "", "", false, false]);
    expect(await refused.elicit?.(ELICITATION)).toEqual({ action: "decline" });
    const interrupted = createTerminal(["Tea", undefined]);
    expect(await interrupted.elicit?.(ELICITATION)).toEqual({ action: "cancel" });
  });

  it("takes only numbers for a number, and an answer for what is required", async () => {
    const terminal = createTerminal(["", "three", "open", true, true]);
    await terminal.elicit?.(ELICITATION);
    expect(terminal.problems).toEqual(["An answer is required.", "Write a whole number."]);
  });

  const VISIT: Elicitation = {
    mode: "url",
    server: "mcp.tasks.example",
    message: "Log in to the calendar.",
    url: "https://login.calendar.example/start?task=7",
  };

  it("opens a page only after its host and address were shown and the user agrees", async () => {
    const terminal = createTerminal([true, true]);
    expect(await terminal.elicit?.(VISIT)).toEqual({ action: "accept" });
    expect(terminal.opened).toEqual([VISIT.url]);
    expect(terminal.asked).toEqual([
      "Open login.calendar.example in your browser?",
      "Have you finished in the browser?",
    ]);
    expect(await terminal.shown()).toMatchInlineSnapshot(`
      "mcp.tasks.example asks: Log in to the calendar.
      this page would be opened:
        host: login.calendar.example
        https://login.calendar.example/start?task=7
      "
    `);
  });

  it.each([
    ["declines", [false], "decline"],
    ["interrupts", [undefined], "cancel"],
  ])("opens no page if the user %s", async (_name, answers, action) => {
    const terminal = createTerminal(answers);
    expect(await terminal.elicit?.(VISIT)).toEqual({ action });
    expect(terminal.opened).toEqual([]);
  });

  it("does not tell the server that the user was there if the user was not", async () => {
    const terminal = createTerminal([true, false]);
    expect(await terminal.elicit?.(VISIT)).toEqual({ action: "cancel" });
  });

  it("warns of a host whose letters may look like others", async () => {
    const terminal = createTerminal([false]);
    await terminal.elicit?.({ ...VISIT, url: "https://xn--80ak6aa92e.example/" });
    expect(await terminal.shown()).toContain("check the host name carefully");
  });

  it("is not there without a terminal", () => {
    expect(createTerminal([], false).elicit).toBeUndefined();
  });
});
