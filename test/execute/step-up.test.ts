import { describe, expect, it } from "vitest";
import { PackError } from "../../src/errors.ts";
import { createTrace, ExecutionFailure } from "../../src/execute/execution-result.ts";
import { explainRefusal } from "../../src/execute/step-up.ts";

describe("explainRefusal", () => {
  it("leaves a StatusCodeError that the Pack created as it is, because no server refused", () => {
    const refusal = new PackError("FETCH_STATUS", "401 - null", {
      details: { status: 401, thrown: "StatusCodeError" },
    });
    const failure = new ExecutionFailure(refusal, createTrace());
    expect(explainRefusal(failure, { file: "pack.ts", account: "default", slot: "user" })).toBe(
      failure,
    );
  });
});
