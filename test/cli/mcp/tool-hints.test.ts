import { describe, expect, it } from "vitest";
import { adaptHint, adaptHints } from "../../../src/cli/mcp/tool-hints.ts";

const EXECUTE = ["file", "target", "args", "namedArgs", "network", "maxRows", "dynamicUrl"];

describe("a hint of the command line, for a caller of a tool", () => {
  it.each([
    ["Read the row again.", "Read the row again."],
    [
      "The sync ended at the row limit. Pass a higher --max-rows.",
      "The sync ended at the row limit. Pass a higher maxRows.",
    ],
    [
      "To send requests, run the formula without --no-fetch and --block-actions.",
      'To send requests, run the formula with network: "live".',
    ],
    [
      `Write one object such as '{"name":"value"}', or pass --arg name=value for each argument.`,
      `Write one object such as '{"name":"value"}', or pass the arguments in namedArgs.`,
    ],
    [
      "Record the run again with --record.",
      "Record the run again with --record. A tool cannot pass --record: ask the user to run the command in a terminal.",
    ],
    [
      "Pass --route https://a.example=http://127.0.0.1:80, or --dynamic-url, or --route twice, or --debug.",
      "Pass --route https://a.example=http://127.0.0.1:80, or dynamicUrl, or --route twice, or --debug. A tool cannot pass --route or --debug: ask the user to run the command in a terminal.",
    ],
    [
      "Run packsmith auth connect pack.ts --account work.",
      "Run packsmith auth connect pack.ts --account work.",
    ],
    [
      "Run packsmith doctor. Then pass --debug.",
      "Run packsmith doctor. Then pass --debug. A tool cannot pass --debug: ask the user to run the command in a terminal.",
    ],
  ])("%s", (hint, adapted) => {
    expect(adaptHint(hint, EXECUTE)).toBe(adapted);
  });

  it("is in the error and in the issues of a document, whose other members stay", () => {
    const document = {
      ok: false,
      error: { code: "A", message: "Pass --max-rows.", hint: "Pass --max-rows." },
      issues: [{ code: "B", hint: "Pass --max-rows." }, { code: "C" }, "--max-rows"],
      result: { hint: "Pass --max-rows." },
    };
    expect(adaptHints(document, EXECUTE)).toEqual({
      ok: false,
      error: { code: "A", message: "Pass --max-rows.", hint: "Pass maxRows." },
      issues: [{ code: "B", hint: "Pass maxRows." }, { code: "C" }, "--max-rows"],
      result: { hint: "Pass --max-rows." },
    });
    expect(adaptHints({ ok: true, issues: "none" }, EXECUTE)).toEqual({ ok: true, issues: "none" });
  });
});
