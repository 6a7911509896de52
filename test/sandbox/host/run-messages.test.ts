import { describe, expect, it } from "vitest";
import { type RunStep, readRunMessage } from "../../../src/sandbox/host/run-messages.ts";
import type { ProcessReport, SandboxError, SandboxOutput } from "../../../src/sandbox/protocol.ts";

const RUN = 7;
const NONE = { lines: 0, requests: 0 };
const error: SandboxError = {
  name: "Error",
  message: "No.",
  stack: undefined,
  isUserVisible: false,
  isFailedRequest: false,
  statusCode: undefined,
  fetchId: undefined,
};

describe("a message of the sandbox", () => {
  it.each<[string, SandboxOutput, RunStep]>([
    [
      "with a console line is logged without its other members",
      { k: "log", level: "warn", message: "Hi", extra: 1 } as SandboxOutput,
      { is: "log", line: { level: "warn", message: "Hi" } },
    ],
    [
      "with a request is answered",
      { k: "fetch", run: RUN, id: 3, request: { url: "/" } },
      { is: "request", kind: "fetch", id: 3, request: { url: "/" } },
    ],
    [
      "with a blob is answered",
      { k: "blob", run: RUN, id: 3, request: {} },
      { is: "request", kind: "blob", id: 3, request: {} },
    ],
    [
      "with a result ends the run",
      { k: "done", run: RUN, value: [1], rows: 2, used: ["endpoint"] },
      { is: "return", value: [1], used: ["endpoint"], rowCount: 2 },
    ],
    ["with an error ends the run", { k: "failed", run: RUN, error }, { is: "fail", error }],
    [
      "with a result that cannot be sent ends the run",
      { k: "unsendable", run: RUN, path: "result.a", reason: "is a function" },
      { is: "refuse", path: "result.a", reason: "is a function" },
    ],
    ["of an earlier run is ignored", { k: "done", run: RUN - 1, value: 1 }, { is: "ignore" }],
    [
      "with a request of an earlier run is ignored, whatever its id is",
      { k: "fetch", run: RUN - 1, id: Number.NaN, request: {} },
      { is: "ignore" },
    ],
  ])("%s", (_, message, step) => {
    expect(readRunMessage(message, RUN, NONE)).toEqual(step);
  });

  it.each<[string, unknown, { lines: number; requests: number }]>([
    ["it is of a kind that a run does not send", { k: "loaded", written: "" }, NONE],
    ["it is of an unknown kind", { k: "other", run: RUN - 1 }, NONE],
    ["a console line is not a text", { k: "log", level: "log", message: {} }, NONE],
    ["a console line is too long", { k: "log", level: "log", message: "x".repeat(10_101) }, NONE],
    ["it is line 1,002", { k: "log", level: "log", message: "" }, { lines: 1_001, requests: 0 }],
    ["the id of a request is not a number", { k: "fetch", run: RUN, id: "1" }, NONE],
    ["it is request 10,001", { k: "fetch", run: RUN, id: 1 }, { lines: 0, requests: 10_000 }],
  ])("is not of the sandbox's own code if %s", (_, message, counts) => {
    expect(() => readRunMessage(message as SandboxOutput | ProcessReport, RUN, counts)).toThrow(
      "its own code does not send",
    );
  });
});
