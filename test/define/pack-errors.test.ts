import { describe, expect, expectTypeOf, it } from "vitest";
import { assertCondition, ensureExists, ensureNonEmptyString, ensureUnreachable } from "../../src/define/assertions.ts";
import { MissingScopesError, ResponseSizeTooLargeError, StatusCodeError, UserVisibleError } from "../../src/define/pack-errors.ts";

describe("errors of a Pack", () => {
  it("are known by name, whichever copy of the package made them", () => {
    const foreign = Object.assign(new Error("404 - {}"), { name: "StatusCodeError", statusCode: 404 });
    expect([foreign instanceof StatusCodeError, StatusCodeError.isStatusCodeError(foreign)]).toEqual([true, true]);
    expect(StatusCodeError.isStatusCodeError(new Error("404"))).toBe(false);
    expect([null, undefined, "StatusCodeError", 1].some((value) => StatusCodeError.isStatusCodeError(value))).toBe(false);
    expect(MissingScopesError.isMissingScopesError(new MissingScopesError())).toBe(true);
    expect(ResponseSizeTooLargeError.isResponseSizeTooLargeError(new ResponseSizeTooLargeError())).toBe(true);
  });

  it("carry the response and the request", () => {
    const error = new StatusCodeError(404, { a: 1 }, { method: "GET", url: "/x" }, { body: '{"a":1}', headers: {} });
    expect(error).toMatchObject({ name: "StatusCodeError", message: '404 - {"a":1}', statusCode: 404, body: { a: 1 }, error: { a: 1 } });
  });

  it("tell users what is meant for them", () => {
    const cause = new Error("x");
    expect(new UserVisibleError("Pick a list.", cause)).toMatchObject({
      isUserVisible: true,
      message: "Pick a list.",
      internalError: cause,
    });
  });
});

describe("assertions", () => {
  it("throw a UserVisibleError with a message and an Error without one", () => {
    expect(() => assertCondition(false, "No.")).toThrow(UserVisibleError);
    expect(() => ensureExists(null, "No.")).toThrow(UserVisibleError);
    expect(() => ensureNonEmptyString("", "No.")).toThrow(UserVisibleError);
    for (const run of [() => assertCondition(0), () => ensureExists(undefined), () => ensureNonEmptyString(undefined)]) {
      expect(run).not.toThrow(UserVisibleError);
      expect(run).toThrow(Error);
    }
    expect(() => ensureUnreachable("x" as never)).toThrow("x");
  });

  it("return the narrowed value", () => {
    expect([ensureExists(0), ensureExists(""), ensureNonEmptyString("a")]).toEqual([0, "", "a"]);
    expectTypeOf(ensureExists<string>).returns.toEqualTypeOf<string>();
  });
});
