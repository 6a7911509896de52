import { describe, expect, it } from "vitest";
import {
  assertCondition,
  ensureExists,
  ensureNonEmptyString,
  ensureUnreachable,
  MissingScopesError,
  ResponseSizeTooLargeError,
  StatusCodeError,
  UserVisibleError,
} from "../../src/define/pack-errors.ts";

const request = { method: "GET", url: "https://a.example/" } as const;
const response = { body: '{"why":"no"}', headers: {} };

describe("StatusCodeError", () => {
  it("carries status, body, request and response", () => {
    const error = new StatusCodeError(404, { why: "no" }, request, response);
    expect({ ...error, message: error.message }).toEqual({
      name: "StatusCodeError",
      message: '404 - {"why":"no"}',
      statusCode: 404,
      body: { why: "no" },
      error: { why: "no" },
      options: request,
      response,
    });
  });

  it("has the body of the response as text, whatever it was made from", () => {
    const parsed = { ...response, body: { why: "no" } } as never;
    expect(new StatusCodeError(404, "no", request, parsed).response).toEqual(response);
  });

  it("recognises an error of the same name that another copy of the class made", () => {
    const foreign = Object.assign(new Error("404"), { name: "StatusCodeError", statusCode: 404 });
    expect([
      StatusCodeError.isStatusCodeError(foreign),
      foreign instanceof StatusCodeError,
    ]).toEqual([true, true]);
    expect(
      [new Error("404"), null, "StatusCodeError", { name: "StatusCodeError" }].map((value) =>
        StatusCodeError.isStatusCodeError(value),
      ),
    ).toEqual([false, false, false, false]);
  });
});

describe("the other errors of a Pack", () => {
  it("have a default message and are recognised by name", () => {
    expect(MissingScopesError.isMissingScopesError(new MissingScopesError())).toBe(true);
    expect(
      ResponseSizeTooLargeError.isResponseSizeTooLargeError(new ResponseSizeTooLargeError("big")),
    ).toBe(true);
    expect(MissingScopesError.isMissingScopesError(new Error("x"))).toBe(false);
    expect(new MissingScopesError().message).not.toBe("");
  });

  it("UserVisibleError keeps the error behind it", () => {
    const inner = new Error("inner");
    expect(new UserVisibleError("Shown.", inner)).toMatchObject({
      isUserVisible: true,
      internalError: inner,
    });
  });

  it("UserVisibleError has the name and the text that existing Packs see: those of an Error", () => {
    const error = new UserVisibleError("Shown.");
    expect([error.name, String(error), Object.keys(error).sort()]).toEqual([
      "Error",
      "Error: Shown.",
      ["internalError", "isUserVisible"],
    ]);
  });

  it("an empty message counts as none", () => {
    expect(new MissingScopesError("").message).not.toBe("");
    expect(new ResponseSizeTooLargeError("").message).not.toBe("");
  });
});

describe("assertions", () => {
  it("pass a value that is there, also a falsy one", () => {
    assertCondition(1);
    expect([
      ensureExists(0),
      ensureExists(""),
      ensureExists(false),
      ensureNonEmptyString("a"),
    ]).toEqual([0, "", false, "a"]);
  });

  it.each([
    ["assertCondition", (message?: string) => assertCondition(false, message)],
    ["ensureExists", (message?: string) => void ensureExists(undefined, message)],
    ["ensureNonEmptyString", (message?: string) => void ensureNonEmptyString("", message)],
  ])("%s throws a UserVisibleError with a message, and an Error without one", (_name, run) => {
    expect(() => run("Give a name.")).toThrow(
      expect.objectContaining({ isUserVisible: true, message: "Give a name." }),
    );
    for (const none of [undefined, ""]) {
      expect(() => run(none)).toThrow(Error);
      expect(() => run(none)).not.toThrow(UserVisibleError);
    }
  });

  it("ensureUnreachable always throws", () => {
    expect(() => ensureUnreachable("x" as never)).toThrow("Unreachable code was reached with x");
  });
});
