import { describe, expect, it } from "vitest";
import { PackError } from "../../src/errors.ts";
import { ExecutionFailure } from "../../src/execute/execution-result.ts";
import type { RequestRecord } from "../../src/execute/request-record.ts";

const request = (status: number | undefined): RequestRecord => ({
  method: "GET",
  url: "https://api.example/docs/1?key=planted",
  status,
  durationMs: 1,
  requestBytes: 0,
  responseBytes: 0,
  fromCache: false,
});

function hintAfter(requests: RequestRecord[], code: "FORMULA_FAILED" | "FETCH_FAILED") {
  const error =
    code === "FORMULA_FAILED"
      ? new PackError(code, "Get failed: NotFoundError", {
          details: { name: "Get", thrown: "NotFoundError", stack: undefined },
          hint: "Look for the throw statement in the formula.",
        })
      : new PackError(code, "The request failed.", { details: { host: "" }, hint: "Try again." });
  return new ExecutionFailure(error, { logs: [], requests, durationMs: 1 }).hint;
}

describe("the failure of a run", () => {
  it("names the last request of the formula, when an API refused it", () => {
    expect(hintAfter([request(200), request(404)], "FORMULA_FAILED")).toBe(
      "Look for the throw statement in the formula. The last request of the run was GET https://api.example/docs/1. The server responded with status 404.",
    );
  });

  it.each([
    ["no request", []],
    ["a request that succeeded", [request(404), request(200)]],
    ["a request without an answer", [request(undefined)]],
  ])("says nothing more after %s", (_, requests) => {
    expect(hintAfter(requests, "FORMULA_FAILED")).toBe(
      "Look for the throw statement in the formula.",
    );
  });

  it("of another kind keeps its hint", () => {
    expect(hintAfter([request(404)], "FETCH_FAILED")).toBe("Try again.");
  });
});
